# summary.sh: the summary of a profile has the figures of the views.
. "$top_srcdir/tests/cli/lib.sh"

run summary "$sample"
is_status 'a summary is printed' 0
is 'the verdict of the timeline is the first line' sh -c "head -n 1 '$work/stdout' | grep -qx 'step 1  input bound: 606.24 ms before the first Conv2D'"
is_line 'nodes and types' stdout '  nodes  *5208 of 130 operation types'
is_line 'an output with its shape' stdout '  pool_logit/Softmax  *128x10  Softmax'
is_line 'all parameters' stdout '  all  *253, 930.58k parameters \(930581\)'
is_line 'trainable ones' stdout '  trainable  *95, 464.15k parameters \(464154\)'
is_line 'slots of the optimizer' stdout '  optimizer slots  *95, 464.15k parameters \(464154\)'
is_line 'operations of the graph' stdout '  of the graph, each node once  *53.91b \(53908627680\) in 1604 nodes'
is_line 'the range of a step' stdout '  step 2  *2328 nodes ran, 6.64sec of execution within 6.70sec'
is_line 'missing data and the input that provides it' stdout '  values of variables  *read a checkpoint \(--checkpoint_path\)'

run summary "$top_srcdir"/tests/golden/modern/MobileNet.stripped.pb.gz
is_line 'operations of a graph without a run' stdout '  of the graph, each node once  *1.14b \(1137536880\) in 31 nodes'
is_line 'the coverage of the counts' stdout '  coverage  *counted 31 of 85 compute ops; 54 without a rule: .*'

run summary "$top_srcdir"/tests/golden/modern/lstm_text.saved_model.pb.gz
is_line 'the inputs of a signature' stdout \
  '  serving_default input tokens  *\?x20  DT_INT32  serving_default_tokens:0'
is_line 'the outputs of a signature' stdout \
  '  serving_default output classes  *\?x5  DT_FLOAT  StatefulPartitionedCall:0'
run summary "$top_srcdir"/tests/golden/modern/cnn.meta.gz
is_line 'a scalar has the shape "scalar"' stdout '  Merge/MergeSummary  *scalar  MergeSummary'

odd=$(printf '%s/red\033[31m\n.pb.gz' "$work")
cp "$top_srcdir/tests/golden/models/edge/scopes.pb.gz" "$odd"
run summary "$odd"
is_status 'a file with a hostile name is read' 0
is_line 'the hostile name is printed escaped' stdout '  .*/red\\x1b\[31m\\x0a[.]pb[.]gz  *GraphDef, binary, .*'

run summary "$top_srcdir"/tests/golden/models/seq2seq/model.ckpt
is_line 'tensors of a checkpoint without a graph' stdout '  tensors  *33 of numbers, checkpoint V2'
is_line 'elements of a checkpoint' stdout '  elements  *54.22k \(54219\)'
is_line 'the largest tensor of a checkpoint' stdout '  seq2seq/encoder1/rnn/lstm_cell/kernel  48x96  DT_FLOAT'

# 68.72e9 operations in 9.336 ms, of 989.5e12 a second.
training=$top_srcdir/data/training.pt.trace.json.gz
run summary "$training"
is_line 'utilization refers to the peak of the device' stdout \
  '  model FLOPs utilization  *0[.]7 %: 68[.]72b FLOPs in 9[.]34ms of devices, at most 989[.]50T flop/s of NVIDIA H100 80GB HBM3 with 16 bits'
run summary "$training" -peak_flops 100T
is_line 'utilization refers to the given peak' stdout '  model FLOPs utilization  *7[.]4 %: .* at most 100[.]00T flop/s given'
run summary "$sample"
is 'without a peak there is no utilization' awk '/utilization/ { exit 1 }' "$work/stdout"

finish
