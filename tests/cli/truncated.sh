#!/bin/sh
# truncated.sh: an input that is truncated or replaced between its mapping and its first use.
. "$top_srcdir/tests/cli/lib.sh"

change=$top_builddir/tests/cli/change_mapped
cd "$work" || exit 1

# changed FILE HOW WHAT ARGUMENT...: runs the program on a copy of FILE, named `input`, that changes.
changed() {
  cp "$1" input
  how=$2 what=$3
  shift 3
  timeout "$patience" "$change" input "$how" "$what" "$TFPROF" "$@" -q </dev/null >stdout 2>stderr
  status=$?
  [ "$status" -ne 77 ] || skip 'programs cannot be traced here'
}

# Large enough to be mapped: an unknown field of 2 MB before the data.
padded() {
  printf '\232\006\200\200\200\001'
  head -c 2097152 /dev/zero
  gzip -dc "$1"
}

gzip -dc "$top_srcdir/data/training.pt.trace.json.gz" >small.json
blanks=$(printf '%100000s' '')
sed "s/\"traceEvents\": *\[/&$blanks/" small.json >trace
for k in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do printf '%s' "$blanks"; done >>trace
for k in $(seq 500); do cat "$top_srcdir/data/training.xplane.pb"; done >capture
towers=$models/towers
padded "$towers/graph.pb.gz" >graph
padded "$towers/tfprof_log.pb.gz" >log
padded "$towers/run_meta_0.pb.gz" >run_meta
padded "$sample" >profile

# is_refused FILE ARGUMENT...: at the start of the file, of a page, and within one.
is_refused() {
  file=$1
  shift
  for bytes in 0 4096 1000000; do
    changed "$file" cut $bytes scope -max_depth 1 "$@"
    is_status "a $file cut to $bytes bytes is refused" 1
    is_text "a $file cut to $bytes bytes is reported in one line" stderr \
      'tfprof: input: was truncated or became unreadable after it was opened'
  done
}
is_refused trace input
is_refused capture input
is_refused graph --graph_path=input
is_refused log --graph_path="$towers/graph.pb.gz" --op_log_path=input
is_refused run_meta --graph_path="$towers/graph.pb.gz" --run_meta_path=input
is_refused profile --profile_path=input

# The file that was opened is read.
run scope trace -max_depth 1 -q
mv stdout before
cp small.json other
changed trace replace other scope -max_depth 1 input
is_status 'a replaced file is read' 0
is 'the contents are those of the replaced file' cmp before stdout

finish
