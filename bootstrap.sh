#!/bin/sh
# bootstrap.sh: builds and runs tfprof from a fresh checkout with one command.
set -eu

usage() {
  cat <<'USAGE'
usage: ./bootstrap.sh COMMAND

  run [ARGUMENT...]  build, then explore the sample profile (or run tfprof with
                     the arguments given); prints text when stdout is no terminal
  check              build and run all tests; ends with "N passed, M failed"
  check sanitize     the same, once more with address and undefined sanitizers, and
                     some of them with the thread sanitizer and valgrind
  build              build build/tfprof
  static             build build/tfprof-static: one file that runs on any Linux of
                     this architecture
  wheel              pack that as a Python wheel in build/, for `pip install`
  deps               install the Debian packages that are missing, or name them

CC, CFLAGS and CONFIGURE_ARGS are passed on to ./configure; without CC the compiler
runs through ccache where that is installed.  BUILD_DIR (build) names the folder
to build in.
USAGE
}

top=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
# configure and make do not support paths with blanks and quotes, so a symbolic link is used instead.
link=''
case $top in
  *[!A-Za-z0-9_./+,:@%~=-]*)
    link=$(mktemp -d "${TMPDIR:-/tmp}/tfprof.XXXXXX")
    trap 'rm -rf "$link"' EXIT
    ln -s "$top" "$link/tfprof"
    top=$link/tfprof
    ;;
esac
build=${BUILD_DIR:-$top/build}
case $build in /*) ;; *) build=$PWD/$build ;; esac
sample=$top/data/resnet32.pb.gz

# Requirements for building and testing, by Debian package; HACKING.md describes their use.
packages='autoconf automake make gcc libc6-dev pkg-config protobuf-c-compiler
  libprotobuf-c-dev libncurses-dev libpcre2-dev zlib1g-dev libsnappy-dev
  libedit-dev libsqlite3-dev libcmocka-dev libvterm-dev'

say() { printf 'bootstrap.sh: %s\n' "$*" >&2; }

missing_packages() {
  for package in $packages; do
    state=$(dpkg-query -W -f='${db:Status-Status} ' "$package" 2>/dev/null || true)
    case $state in
      *installed*) case $state in *not-installed*) echo "$package" ;; esac ;;
      *) [ "$package" = pkg-config ] && command -v pkg-config >/dev/null || echo "$package" ;;
    esac
  done
}

# Installs as root or with passwordless sudo; otherwise prints the command.
deps() {
  if ! command -v dpkg-query >/dev/null; then
    say 'not a Debian system: ./configure will name what is missing'
    return 0
  fi
  wanted=$(missing_packages | tr '\n' ' ')
  [ -n "$wanted" ] || return 0
  if [ "$(id -u)" = 0 ]; then
    as_root=''
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    as_root='sudo -n'
  else
    say 'these Debian packages are missing; install them and start again:'
    say "  sudo apt-get install $wanted"
    return 1
  fi
  say "installing $wanted"
  # shellcheck disable=SC2086  # both are lists of words
  install_packages() {
    $as_root env DEBIAN_FRONTEND=noninteractive \
      apt-get -q -y --no-install-recommends install $wanted >&2
  }
  install_packages || { $as_root apt-get -q update >&2 && install_packages; } || {
    say 'the packages could not be installed'
    return 1
  }
}

jobs() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }

# configure_in FOLDER ARGUMENT...: runs configure once per folder; make keeps it up to date.
# True when configure is missing or older than its sources: after a pull
# `make` alone cannot add the auxiliary files that a newer configure.ac requires.
configure_is_stale() {
  [ -f "$top/configure" ] && [ -f "$top/Makefile.in" ] || return 0
  [ -n "$(find "$top/configure.ac" -newer "$top/configure")" ] ||
    [ -n "$(find "$top/Makefile.am" -newer "$top/Makefile.in")" ]
}

# Checkouts in different folders share compiled objects.  The dependencies that make needs replace ccache's own run of
# the preprocessor.
export CCACHE_BASEDIR="$top" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1

# The default compiler, through ccache if installed.
default_compiler() {
  compiler=$(command -v gcc || command -v cc) || return 0
  if command -v ccache >/dev/null; then echo "ccache ${compiler##*/}"; fi
}

configure_in() {
  folder=$1
  shift
  if configure_is_stale; then
    deps
    say 'generating configure'
    (cd "$top" && autoreconf -fi) >&2
  fi
  # A link has a different name each time.
  [ -f "$folder/Makefile" ] && [ -z "$link" ] && return 0
  deps
  mkdir -p "$folder"
  say "configuring $folder"
  # shellcheck disable=SC2086  # a list of arguments
  (cd "$folder" && "$top/configure" -q CC="${CC:-$(default_compiler)}" "$@" ${CONFIGURE_ARGS:-}) >&2
}

# Build output goes to standard error: standard output belongs to tfprof.
build() {
  configure_in "$build"
  make -C "$build" -s -j"$(jobs)" >&2
}

run() {
  build
  [ $# -gt 0 ] || set -- "$sample"
  [ -n "$link" ] || exec "$build/tfprof" "$@"
  "$build/tfprof" "$@"
}

# make_alone GOAL PACKAGES: a program that needs no library; a static snappy needs that of C++.
make_alone() {
  packages="$packages $2"
  deps
  build
  make -C "$build" -s "$1" >&2
}

# Adds the totals of FOLDER's last test run to passed, failed and skipped.
add_results() {
  passed=$((passed + $(result "$1" PASS) + $(result "$1" XFAIL)))
  failed=$((failed + $(result "$1" FAIL) + $(result "$1" XPASS) + $(result "$1" ERROR)))
  skipped=$((skipped + $(result "$1" SKIP)))
}

result() {
  sed -n "s/^# $2: *\([0-9][0-9]*\)\$/\1/p" "$1/test-suite.log" 2>/dev/null | grep . || echo 0
}

# True when the command succeeds in several runs.
runs_always() {
  tries=0
  while [ "$tries" -lt 20 ]; do
    timeout 20 "$@" >/dev/null 2>&1 </dev/null || return 1
    tries=$((tries + 1))
  done
}

# sanitizers_run LIST: sets $start to the prefix that makes a program with these sanitizers run: if the system
# randomizes addresses more than an older compiler supports, it disables that.  False if
# there is no way.
sanitizers_run() {
  probe=$build/sanitized-$1
  mkdir -p "$build"
  echo 'int main(void) { return 0; }' >"$probe.c"
  # shellcheck disable=SC2086  # CC may be a list of words
  ${CC:-cc} -fsanitize="$1" -o "$probe" "$probe.c" >/dev/null 2>&1 || return 1
  for start in '' 'setarch -R'; do
    # shellcheck disable=SC2086  # a list of words
    runs_always $start "$probe" && return 0
  done
  return 1
}

# make_check FOLDER GOAL [TEST...]: makes GOAL in FOLDER, with only these tests and their programs; if the
# run itself fails, creates FOLDER/broken.
make_check() {
  folder=$1 goal=$2
  shift 2
  rm -f "$folder/test-suite.log" "$folder/broken"
  [ $# -eq 0 ] || set -- check_PROGRAMS= check_LIBRARIES= check_SCRIPTS= "TESTS=$*"
  # shellcheck disable=SC2086  # a list of words
  ${start:-} make -C "$folder" -s -j"$(jobs)" "$goal" "$@" || touch "$folder/broken"
}

# Adds the results of FOLDER; a run that broke without a failed case counts as one failure.
count_results() {
  before=$failed
  add_results "$1"
  [ ! -e "$1/broken" ] || [ "$failed" -gt "$before" ] || failed=$((failed + 1))
}

not_here() { say "not run with $1: nothing starts with it on this machine"; }

# What is mostly about threads, with the thread sanitizer; `make tsan` takes all tests.
check_threads() {
  if sanitizers_run thread; then
    configure_in "$build-threads" --with-sanitize=thread CFLAGS="$sanitized_cflags"
    # Ten random queries of a large profile instead of 25; the plain run has all.
    TFPROF_TEST_ROUNDS=60
    export TFPROF_TEST_ROUNDS
    make_check "$build-threads" check tests/unit/load/test_threads tests/unit/load/test_load \
      tests/unit/view/test_query tests/tui/test_commands tests/tui/test_loading tests/meaning/meaning
  else
    not_here 'the thread sanitizer'
  fi
}

# What is mostly about allocations, under valgrind; `make valgrind` takes all tests.
check_allocations() {
  start=
  (packages='valgrind libc6-dbg' && deps) || true
  if valgrind -q true >/dev/null 2>&1; then
    # More random queries only repeat their kinds, which the other sanitizers test in full.
    TFPROF_TEST_ROUNDS=12
    export TFPROF_TEST_ROUNDS
    make_check "$build" valgrind tests/unit/load/test_load tests/unit/load/test_functions \
      tests/unit/load/test_text_reader tests/unit/view/test_query tests/unit/view/test_options \
      tests/unit/export/test_export_parts
  else
    not_here 'valgrind'
  fi
}

# All tests with the address and undefined sanitizers; at the same time those of threads, then those of allocations,
# whose lines follow at the end.
check_sanitized() {
  # Compiled in less than half the time that -O2 -g takes; call stacks have line numbers.
  sanitized_cflags=${CFLAGS:--g1 -Og}
  mkdir -p "$build-threads"
  rm -f "$build/test-suite.log" "$build/broken" "$build-threads/test-suite.log"
  trap 'trap - TERM; kill 0' INT TERM
  { { check_threads && check_allocations; } || touch "$build-threads/broken"; } >"$build/threads.log" 2>&1 &
  if sanitizers_run address,undefined; then
    configure_in "$build-sanitize" --with-sanitize=address,undefined CFLAGS="$sanitized_cflags"
    make_check "$build-sanitize" check
    count_results "$build-sanitize"
  else
    not_here 'the address and undefined sanitizers'
  fi
  wait
  trap - INT TERM
  cat "$build/threads.log"
  count_results "$build-threads"
  count_results "$build"
}

check() {
  case ${1:-} in
    '' | sanitize) ;;
    *) usage >&2; return 2 ;;
  esac
  passed=0 failed=0 skipped=0
  configure_in "$build"
  make_check "$build" check
  count_results "$build"
  [ "${1:-}" != sanitize ] || check_sanitized
  [ "$skipped" = 0 ] || echo "$skipped skipped: what they need is not on this machine"
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

command=${1:-}
[ $# -eq 0 ] || shift
case $command in
  run) run "$@" ;;
  check) check "$@" ;;
  build) build ;;
  static) make_alone static g++ && say "built $build/tfprof-static" ;;
  wheel) make_alone wheel 'g++ zip' ;;
  deps) deps ;;
  help | --help | -h) usage ;;
  *) usage >&2; exit 2 ;;
esac
