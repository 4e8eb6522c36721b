# tfprof.rb: a Homebrew formula; `brew install --build-from-source ./tfprof.rb` with the release archive in the same folder.
class Tfprof < Formula
  desc "Full-screen terminal explorer for profiles of machine learning models"
  homepage "https://github.com/tfprof/tfprof"
  url "file://#{__dir__}/tfprof-0.1.0.tar.xz"
  license "Apache-2.0"

  depends_on "pkg-config" => :build
  depends_on "libedit"
  depends_on :linux
  depends_on "ncurses"
  depends_on "pcre2"
  depends_on "protobuf-c"
  depends_on "snappy"
  depends_on "sqlite"
  depends_on "zlib"

  def install
    system "./configure", *std_configure_args
    system "make"
    system "make", "install"
  end

  test do
    sample = doc/"examples/resnet32.pb.gz"
    assert_match "Conv2D", shell_output("#{bin}/tfprof op #{sample} -order_by micros -select micros")
  end
end
