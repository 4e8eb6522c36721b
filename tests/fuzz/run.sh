#!/bin/sh
# run.sh SECONDS FUZZER...: runs each fuzzer that long, beginning with the small golden inputs.
set -eu

seconds=$1
shift
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p seeds
for packed in "$here"/../golden/models/edge/*.gz; do
  name=$(basename -- "$packed" .gz)
  gzip -dc "$packed" >"seeds/$name"
done
for arguments in "$here"/../golden/cases/edge/*.args; do
  tr '\n' ' ' <"$arguments" >"seeds/$(basename -- "$arguments")"
done
for fuzzer in "$@"; do
  found=corpus/$(basename -- "$fuzzer")
  mkdir -p "$found"
  echo "$fuzzer for $seconds seconds"
  "./$fuzzer" -max_total_time="$seconds" -timeout=10 -max_len=4096 -print_final_stats=0 -verbosity=0 \
    "$found" seeds
done
echo 'nothing was found'
