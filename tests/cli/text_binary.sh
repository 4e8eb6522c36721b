#!/bin/sh
# text_binary.sh: a file gives the same profile in text form and in binary form.
. "$top_srcdir/tests/cli/lib.sh"

every='bytes,peak_bytes,residual_bytes,output_bytes,micros,params,float_ops,device,op_types,occurrence,input_shapes'

# same_rows WHAT VIEW BINARY TEXT OPTION...: both give the same rows.
same_rows() {
  what=$1 view=$2 binary=$3 text=$4
  shift 4
  run "$view" "$@" "$models/$binary" -max_depth 1000 -select "$every" -flops log
  cp "$work/stdout" "$work/binary"
  run "$view" "$@" "$models/$text" -max_depth 1000 -select "$every" -flops log
  # A file without rows would test nothing.
  is "$what, $view" sh -c "grep -q _TFProfRoot '$work/binary' && cmp '$work/binary' '$work/stdout'"
}

for view in scope graph; do
  for name in empty holes inputs one order scopes shapes times; do
    [ -f "$models/edge/$name.pbtxt.gz" ] &&
      same_rows "graph $name" $view "edge/$name.pb.gz" "edge/$name.pbtxt.gz"
  done
  same_rows 'graph of mobilenet' $view mobilenet/graph.pb.gz mobilenet/graph.pbtxt.gz
  same_rows 'graph of towers' $view towers/graph.pb.gz towers/graph.pbtxt.gz
  for name in times_meta_0 times_meta_2 accel_meta_0; do
    same_rows "run metadata $name" $view "edge/$name.pb.gz" "edge/$name.txt.gz" \
      "$models/edge/times.pb.gz"
  done
done
same_rows 'op log' code edge/traces_log.pb.gz edge/traces_log.txt.gz "$models/edge/traces.pb.gz"

# Errors have line and column.
printf 'node {\n  name: "a"\n  ndoe\n}\n' >"$work/bad.pbtxt"
run scope "$work/bad.pbtxt"
is_status 'a syntax error in text form is an error' 1
is_text 'the error gives line and column' stderr "tfprof: $work/bad.pbtxt:3:3: expected '}' to close node, found 'ndoe'"
is_text 'the syntax error is the only output' stdout ''

finish
