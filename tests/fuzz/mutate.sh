#!/bin/sh
# mutate.sh: a fixed sample of the runs of mutate; `make mutate` runs 10,000.
#
# MUTATE_COUNT is the number of runs, MUTATE_JOBS the number of parallel ones.
set -u

count=${MUTATE_COUNT:-400} jobs=${MUTATE_JOBS:-1}
if [ "${sanitized:-no}" = yes ]; then
  MUTATE_MIB=${MUTATE_MIB:-0} MUTATE_SECONDS=${MUTATE_SECONDS:-20}
  export MUTATE_MIB MUTATE_SECONDS
fi
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
cd "$top_srcdir/tests/golden" || exit 1

HOME=$tmp LC_ALL=C.UTF-8
export HOME LC_ALL
share=$((count / jobs)) job=0
while [ "$job" -lt "$jobs" ]; do
  job=$((job + 1))
  TMPDIR=$tmp "$top_builddir/tests/fuzz/mutate" "$TFPROF" $((share * (job - 1))) "$share" >"$tmp/said.$job" &
done
wait
echo "1..$jobs"
for said in "$tmp"/said.*; do
  grep -v '^1\.\.' "$said" | sed "s/^\(not ok\|ok\) 1/\1 ${said##*.}/"
done
