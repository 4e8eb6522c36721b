#!/bin/sh
# limits.sh: numbers at the limits of 64 bits in every field of a file that takes a number: every view and output
# succeeds without reports of sanitizers.
. "$top_srcdir/tests/cli/lib.sh"

most=9223372036854775807 least=-9223372036854775808

# A node with N in its attributes, shapes and constants.
node() {
  n=$3
  cat <<END
node { name: "$1" op: "$2" input: "a" input: "b" input: "c" input: "d:2147483647"
  attr { key: "T" value { type: DT_INT32 } }
  attr { key: "_output_shapes" value { list { shape { dim { size: $n } dim { size: $n } } } } }
  attr { key: "strides" value { list { i: $n i: $n i: $n i: $n } } }
  attr { key: "ksize" value { list { i: $n i: $n i: $n i: $n } } }
  attr { key: "dilations" value { list { i: $n i: $n i: $n i: $n } } }
  attr { key: "padding" value { s: "VALID" } }
  attr { key: "num_split" value { i: $n } } attr { key: "num" value { i: $n } }
  attr { key: "axis" value { i: $n } } attr { key: "batch_dims" value { i: $n } }
  attr { key: "block_size" value { i: $n } } attr { key: "N" value { i: $n } }
  attr { key: "num_args" value { i: $n } } attr { key: "window_size" value { i: $n } }
  attr { key: "depth_radius" value { i: $n } } attr { key: "begin_mask" value { i: $n } }
  attr { key: "end_mask" value { i: $n } } attr { key: "output_ragged_rank" value { i: $n } } }
END
}

constants() {
  n=$1
  for name in a b c d; do
    echo "node { name: \"$name\" op: \"Const\" attr { key: \"dtype\" value { type: DT_INT64 } }
      attr { key: \"value\" value { tensor { dtype: DT_INT64 tensor_shape { dim { size: 2 } }
        int64_val: $n int64_val: $n } } } }"
  done
}

graph() {
  constants "$1"
  i=0
  for op in Conv2D Conv3D MaxPool AvgPool DepthwiseConv2dNative Dilation2D StridedSlice Slice Gather GatherV2 \
    GatherNd Pad PadV2 MirrorPad Split SplitV Unpack Pack Concat ConcatV2 Range Fill Reshape Tile Reverse \
    SpaceToBatchND BatchToSpaceND SpaceToDepth DepthToSpace Sum Mean ArgMax TopKV2 OneHot Cast Add Sub Mul \
    FloorDiv FloorMod Mod Neg Abs Maximum Minimum Equal Less Cumsum LRN MatMul BatchMatMulV2 Einsum Squeeze \
    ExpandDims Transpose BroadcastTo MatrixDiagV2 MatrixDiagPartV2 LinSpace RFFT IRFFT AudioSpectrogram \
    QuantizedConv2D _FusedConv2D CudnnRNN CTCGreedyDecoder RaggedTensorFromVariant FractionalMaxPool \
    ResizeBilinear CropAndResize ExtractImagePatches Conv2DBackpropInput Conv2DBackpropFilter \
    DynamicStitch DynamicPartition ScatterNd SparseSplit DecodeRaw Bitcast UnicodeEncode AddN Select; do
    i=$((i + 1))
    node "n$i" "$op" "$1"
  done
}

run_meta() {
  n=$1 m=$2
  echo "step_stats { dev_stats { device: \"/device:CPU:0\""
  for name in n1 n2 n3 n4 n5 a b; do
    echo "node_stats { node_name: \"$name\" all_start_micros: $n op_start_rel_micros: $m op_end_rel_micros: $n
      all_end_rel_micros: $m scheduled_micros: $n
      memory { allocator_name: \"cpu\" total_bytes: $n peak_bytes: $m live_bytes: $n
        allocation_records { alloc_micros: $n alloc_bytes: $m } allocation_records { alloc_micros: $m alloc_bytes: $n } }
      output { slot: 2147483647 tensor_description { dtype: DT_INT64 shape { dim { size: $n } dim { size: $m } }
        allocation_description { requested_bytes: $n allocated_bytes: $m allocator_name: \"cpu\" ptr: $most } } }
      memory_stats { temp_memory_size: $n persistent_memory_size: $m } }"
    t=$n n=$m m=$t
  done
  echo "} }"
}

op_log() {
  for i in 1 2 3 4; do
    echo "log_entries { name: \"n$i\" float_ops: $1 types: \"x\"
      code_def { traces { file: \"f\" lineno: 2147483647 function: \"g\" line: \"h\" func_start_line: -2147483648 } } }"
  done
}

# answers VIEW OUTPUT FIELDS RULES...: all of them succeed.
answers() {
  view=$1 output=$2 fields=$3
  shift 3
  for rules in "$@"; do
    run "$view" --graph_path="$work/graph" --run_meta_path="$work/meta" --op_log_path="$work/log" \
      -flops "$rules" -max_depth 10 -step 0 -output "$output" -select "$fields"
    [ "$status" -eq 0 ] || return 1
  done
}

figures=bytes,peak_bytes,residual_bytes,output_bytes,micros,accelerator_micros,cpu_micros,params,float_ops,occurrence
for pair in "$most $least" "$least $most" "$most $most" "$least $least" "-1 $most"; do
  # shellcheck disable=SC2086  # two words
  set -- $pair
  graph "$1" >"$work/graph"
  run_meta "$1" "$2" >"$work/meta"
  op_log "$1" >"$work/log"
  is "scope: $pair" answers scope stdout "$figures,tensor_value,device,op_types,input_shapes" log compat full
  is "graph: $pair" answers graph stdout "$figures,device,op_types,input_shapes" full
  is "op: $pair" answers op json "$figures" full
  is "code: $pair" answers code csv "$figures" full
  is "html: $pair" answers scope html "$figures" full
  is "dot: $pair" answers graph dot "$figures" full
  is "folded: $pair" answers code folded micros full
  is "pprof: $pair" answers code "pprof:outfile=$work/out" micros full
  is "timeline: $pair" answers graph "timeline:outfile=$work/timeline" micros,bytes full
  run summary --graph_path="$work/graph" --run_meta_path="$work/meta" --op_log_path="$work/log"
  is_status "summary: $pair" 0
done
finish
