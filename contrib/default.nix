# default.nix: a Nix expression; `nix-build contrib/default.nix` in a checkout.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "tfprof";
  version = "0.1.0";
  src = pkgs.lib.cleanSource ../.;

  nativeBuildInputs = with pkgs; [ autoreconfHook pkg-config protobufc ncurses ];
  buildInputs = with pkgs; [ libedit ncurses pcre2 protobufc snappy sqlite zlib ];
  checkInputs = with pkgs; [ cmocka libvterm-neovim ];
  # The tests write terminals and folders that the build sandbox does not have.
  doCheck = false;
  enableParallelBuilding = true;

  meta = {
    description = "Full-screen terminal explorer for profiles of machine learning models";
    license = pkgs.lib.licenses.asl20;
    platforms = pkgs.lib.platforms.linux;
    mainProgram = "tfprof";
  };
}
