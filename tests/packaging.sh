#!/bin/sh
# packaging.sh: the static program in an otherwise empty folder, and the wheel in a separate environment.
top_builddir=$(CDPATH='' cd -- "${top_builddir:-build}" && pwd)
. "$top_srcdir/tests/cli/lib.sh"

# A static program does not work with the sanitizers: where it links with them, it does not run.
[ "${sanitized:-no}" = no ] || skip 'sanitizers are not for static programs'
if ! make -C "$top_builddir" -s static >"$work/make" 2>&1; then
  skip "nothing links statically here: $(grep -m 1 -o 'cannot find .*' "$work/make")"
fi
program=$top_builddir/tfprof-static

# Runs a command line in a root file system that contains only the program and the sample.
mkdir "$work/root"
cp "$program" "$work/root/tfprof"
cp "$sample" "$work/root"
alone() { unshare -r chroot "$work/root" "$@"; }

is_small() { [ "$(wc -c <"$program")" -lt 8000000 ]; }
needs_no_library() { ! LC_ALL=C readelf -d "$program" | grep NEEDED; }
prints_the_sample() { alone /tfprof op resnet32.pb.gz -select micros -order_by micros | grep -q Conv2DBackpropFilter; }
# The first screen on a terminal of type $1; then q quits.
opens_on() {
  echo q | TERM=$1 timeout 120 script -q -e -c "unshare -r chroot '$work/root' /tfprof resnet32.pb.gz" \
    "$work/screen" >/dev/null 2>&1 && grep -a -q 'resnet32[.]pb[.]gz' "$work/screen"
}
is 'the static program has less than 8 MB' is_small
command -v readelf >/dev/null && is 'it needs no library' needs_no_library
if alone /tfprof version >/dev/null 2>&1; then
  is 'it prints where there is nothing else' prints_the_sample
  command -v script >/dev/null &&
    for kind in xterm-256color screen-256color linux xterm-kitty; do
      is "it opens a screen there: $kind" opens_on "$kind"
    done
fi

# Builds the wheel twice and installs it in an empty environment.
packed_twice() {
  for copy in 1 2; do
    mkdir "$work/wheel$copy" &&
      sh "$top_srcdir/packaging/wheel.sh" "$program" 0.0.1 "$work/wheel$copy" >"$work/name" || return 1
  done
  cmp "$work"/wheel1/*.whl "$work"/wheel2/*.whl
}
installed() {
  python3 -m venv "$work/venv" &&
    "$work/venv/bin/pip" install -q --no-index --disable-pip-version-check "$work"/wheel1/*.whl &&
    "$work/venv/bin/tfprof" version | grep -q '^tfprof '
}
if command -v zip >/dev/null && command -v perl >/dev/null; then
  is 'a wheel has the same bytes each time' packed_twice
  python3 -c 'import ensurepip, venv' 2>/dev/null && is 'pip installs it' installed
fi
finish
