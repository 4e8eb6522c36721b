#!/bin/sh
# run.sh SECONDS [TARGET...]: runs each fuzz target (default: all) for SECONDS, starting with seeds from the
# golden models and the corpus; runs in a folder with tests/fuzz/{fuzz,seeds,dictionary}.
#
# New corpus files of libFuzzer are written to found/TARGET, failing inputs to crashes/.
set -eu

seconds=$1
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
top_srcdir=$(CDPATH='' cd -- "$here/../.." && pwd)
export top_srcdir
build=$PWD
ASAN_OPTIONS=${ASAN_OPTIONS-allocator_may_return_null=1}
LSAN_OPTIONS=print_suppressions=0:suppressions=$top_srcdir/tests/lsan.supp
export ASAN_OPTIONS LSAN_OPTIONS
mkdir -p seeds crashes
(cd "$here/../golden" && "$build/tests/fuzz/seeds" "$build/seeds")
./tests/fuzz/dictionary >words.dict
[ $# -gt 0 ] || set -- $(FUZZ_TARGET='' ./tests/fuzz/fuzz 2>&1 | sed 's/.*: //')
for target in "$@"; do
  mkdir -p "found/$target" "seeds/$target"
  echo "$target for $seconds seconds"
  FUZZ_TARGET=$target ./tests/fuzz/fuzz -max_total_time="$seconds" -timeout=10 -max_len=65536 \
    -rss_limit_mb=2048 -dict=words.dict -artifact_prefix=crashes/"$target"- \
    -print_final_stats=0 -verbosity=0 \
    "found/$target" "seeds/$target" "$here/corpus/$target"
done
echo 'nothing was found'
