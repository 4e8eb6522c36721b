#!/bin/sh
# rewritten.sh: a message split in pieces, or with its nodes in another order, gives the same profile.
. "$top_srcdir/tests/cli/lib.sh"

rewrite=$top_builddir/tests/cli/rewrite
modern=$top_srcdir/tests/golden/modern
# With sanitizers one seed: they find faults of the readers, not differences.
seeds='1 2 3'
[ -z "${sanitized-}" ] || seeds=1

# All rows, and the notes.
all_told() {
  { views && echo 'scope -select float_ops -max_depth 0' && echo summary; } >"$work/told"
  timeout "$patience" "$TFPROF" shell "$@" <"$work/told" 2>&1 | sed '/^files/,/^$/d'
}

# rewritten HOW FILE MESSAGE ARGUMENT...: FILE, an input of type MESSAGE, rewritten gives the
# same rows and notes; ARGUMENTs name it as FILE first and then as the rewritten file.
rewritten() {
  how=$1 file=$2 message=$3
  shift 3
  gzip -dc "$file" >"$work/message"
  cp "$work/message" "$work/FILE"
  all_told "$@" >"$work/before"
  for seed in $seeds; do
    "$rewrite" $how $seed "$message" <"$work/message" >"$work/FILE"
    is "$(basename "$file") rewritten ($how, $seed) differs" \
      sh -c "! cmp -s '$work/message' '$work/FILE'"
    all_told "$@" >"$work/after"
    is "$(basename "$file") rewritten ($how, $seed) has the same rows and notes: $*" \
      cmp "$work/before" "$work/after"
  done
}

cd "$work" || exit 1
towers=$models/towers
for how in pieces order; do
  steps=-1
  rewritten $how "$towers/graph.pb.gz" GraphDef --graph_path=FILE -flops compat
  rewritten $how "$models/edge/shapes.pb.gz" GraphDef --graph_path=FILE -flops full
  rewritten $how "$towers/tfprof_log.pb.gz" OpLogProto --graph_path="$towers/graph.pb.gz" \
    --op_log_path=FILE
  rewritten $how "$modern/cnn.meta.gz" MetaGraphDef --graph_path=FILE -flops full
  rewritten $how "$modern/cnn.meta.gz" MetaGraphDef --graph_path=FILE -flops compat
  for model in while_if_module nested_module lstm_text; do
    rewritten $how "$modern/$model.saved_model.pb.gz" SavedModel --graph_path=FILE -flops full
  done
  run scope "$modern/while_if_module.saved_model.pb.gz" -flops full \
    -output "profile:outfile=$work/bodies"
  gzip -nc bodies >bodies.gz
  rewritten $how bodies.gz ProfileProto --profile_path=FILE
  # For nodes of several outputs it has only the shapes of the consumers.
  fields=$all_fields,output_shapes
  rewritten $how "$towers/profile.pb.gz" ProfileProto --profile_path=FILE -flops full
  unset steps fields
  rewritten $how "$towers/profile.pb.gz" ProfileProto --profile_path=FILE
done
rewritten pieces "$towers/run_meta_0.pb.gz" RunMetadata --graph_path="$towers/graph.pb.gz" \
  --run_meta_path=FILE

finish
