#!/bin/sh
# runtimes.sh: models and runs of other runtimes: ONNX Runtime, TFLite, Nsight Systems.
. "$top_srcdir/tests/cli/lib.sh"

# ---- ONNX Runtime

cat >"$work/ort.json" <<'END'
[{"cat":"Session","pid":1,"tid":1,"dur":50,"ts":5,"ph":"X","name":"model_loading_uri","args":{}},
{"cat":"Node","pid":1,"tid":1,"dur":20,"ts":110,"ph":"X","name":"/enc/MatMul_kernel_time","args":{"op_name":"MatMul","provider":"CPUExecutionProvider","output_size":"48","input_type_shape":[{"float":[2,4]},{"float":[4,6]}],"output_type_shape":[{"float":[2,6]}]}},
{"cat":"Node","pid":1,"tid":1,"dur":2,"ts":131,"ph":"X","name":"/enc/MatMul_fence_after","args":{"op_name":"MatMul"}},
{"cat":"Session","pid":1,"tid":1,"dur":100,"ts":100,"ph":"X","name":"model_run","args":{}}]
END
run scope "$work/ort.json" -step all -max_depth 9 -select cpu_micros,occurrence,float_ops,op_types
is_line 'nodes are rows' stdout ' *enc/MatMul \(96/96 flops, 22us/22us, MatMul\|_CPUExecutionProvider, 1/1\|1/1\)'
is_line 'sessions are rows' stdout ' *\(session\)/model_run \(0/0 flops, 78us.*'
run op "$work/ort.json" -step 0 -select float_ops -output json
is_line 'operations are counted from shapes of the run' stdout '.*"name":"MatMul".*"float_ops":\{"self":96,.*'
run op "$work/ort.json" -step all -select output_bytes
is_line 'the run gives the size of outputs' stdout 'MatMul +48B .*'
run scope "$work/ort.json" -step outside -max_depth 9 -select cpu_micros
is_line 'model loading is outside of steps' stdout ' *\(session\)/model_loading_uri \(50us.*'
run summary "$work/ort.json" -output json
is_line 'the dialect is onnxruntime' stdout '.*"format":"trace, ONNX Runtime","dialect":"onnxruntime".*'

# A kernel belongs to the node in its parent_name, else to the innermost node around its start.
cat >"$work/gpu.json" <<'JSON'
[{"cat":"Session","pid":1,"tid":1,"dur":100,"ts":100,"ph":"X","name":"model_run","args":{}},
{"cat":"Node","pid":1,"tid":1,"dur":10,"ts":110,"ph":"X","name":"/enc/MatMul_kernel_time","args":{"op_name":"MatMul","provider":"CUDAExecutionProvider"}},
{"cat":"Node","pid":1,"tid":1,"dur":12,"ts":125,"ph":"X","name":"/enc/Add_kernel_time","args":{"op_name":"Add","provider":"CUDAExecutionProvider"}},
{"cat":"Api","pid":1,"tid":1,"dur":3,"ts":112,"ph":"X","name":"cudaLaunchKernel","args":{}},
{"cat":"Kernel","pid":-1,"tid":-1,"dur":30,"ts":126,"ph":"X","name":"gemm","args":{"parent_name":"/enc/MatMul_kernel_time","stream":"7"}},
{"cat":"Kernel","pid":-1,"tid":-1,"dur":4,"ts":128,"ph":"X","name":"stray","args":{"stream":"7"}}]
JSON
run scope "$work/gpu.json" -step 0 -max_depth 9 -select accelerator_micros
is_line 'a kernel belongs to the node that it names' stdout ' *enc/MatMul \(30us/30us.*'
is_line 'an unnamed kernel belongs to the enclosing node' stdout ' *enc/Add \(4us/4us.*'
run kernels "$work/gpu.json"
is_line 'kernels are on the first device' stdout 'gemm +MatMul +/gpu:0 +7 .*'
sed '/"Kernel"/d; s/CUDA/Tensorrt/' "$work/gpu.json" >"$work/no_kernels.json"
run scope "$work/no_kernels.json" -step 0
is_line 'a note says that times without kernels are launch times' stderr '.*times of TensorrtExecutionProvider are launch times on the host;.*'

# Sizes of outputs follow from shapes and types where nothing ran.
run scope "$top_srcdir/tests/fuzz/corpus/tflite/kept-02" -max_depth 9 -select output_bytes
is_line 'outputs of a model have sizes' stdout ' *net/relu \(16B/16B\).*'

# A run together with its model.
onnx=$top_srcdir/tests/fuzz/corpus/onnx/kept-01
run scope "$onnx" "$work/ort.json" -step 0 -max_depth 9 -select cpu_micros,params,occurrence
is_line 'nodes of the model have the times of the run' stdout ' *enc/MatMul \(.*22us.*1\|.*'
is_line 'nodes of the model have parameters' stdout ' *enc/weight \(.*24/24 params.*'
sed 's|/enc/MatMul|other|g' "$work/ort.json" >"$work/other.json"
run scope "$onnx" "$work/other.json" -step 0 -max_depth 9 -select cpu_micros
is_line 'unmatched names are below (runtime)' stdout ' *\(runtime\)/other \(22us.*'
is_line 'unmatched names are reported' stderr '.*1 name matches no node of the graph \(22us\).*'

run summary "$onnx"
is_line 'the summary has the inputs of the model' stdout '  inputs +x \[batch,4\]'
is_line 'the summary has the operator sets' stdout '  opset +ai.onnx 17'
is_line 'the summary says which input provides times' stdout '  times +record a run .*'

for table in breakdown gaps kernels ranks memory; do
  run "$table" "$onnx"
  is_line "$table: the error says how to record a run" stderr "tfprof: $table: needs a run: SessionOptions.enable_profiling .*"
done

run breakdown "$work/ort.json"
is_line 'a session on CPUs has no device work' stdout 'no device work in this input: the session ran on CPUs.*'
run memory "$work/ort.json"
is_line 'a profile of a session has no allocations' stderr 'tfprof: memory: no allocations: profiles of ONNX Runtime .*'
run kernels "$top_srcdir/tests/golden/models/edge/inputs.pb.gz"
is_line 'a graph needs a run to have kernels' stderr 'tfprof: kernels: no device work in this input: add a run \(-run_meta_path\), .*'
run steps "$top_srcdir/tests/golden/models/edge/inputs.pb.gz"
is_line 'a graph needs a run to have steps' stderr 'tfprof: steps: no steps in this input: add a run \(-run_meta_path\), .*'

# ---- operator profiles of TFLite

cat >"$work/ops.csv" <<'END'
Profiling Info for Benchmark Initialization:
============================== Run Order ==============================
node type, first, avg_ms, %, cdf%, mem KB, times called, name
AllocateTensors, 0.75, 0.5, 100%, 100%, 0, 1, AllocateTensors/0

Operator-wise Profiling Info for Regular Benchmark Runs:
============================== Run Order ==============================
node type, first, avg_ms, %, cdf%, mem KB, times called, name
CONV_2D, 2.5, 2.25, 90%, 90%, 0, 2, [net/a/Relu, net/b]:0
SOFTMAX, 0.4, 0.25, 10%, 100%, 0, 1, [net/out]:1
END
run scope "$work/ops.csv" -select cpu_micros,occurrence -max_depth 9
is_status 'an operator profile is read' 0
is_line 'average times are used' stdout ' *net/a/Relu \(2.25ms/2.25ms, 2/2\|1/1\)'
run op "$work/ops.csv" -select cpu_micros
is_line 'operators are grouped by type' stdout 'SOFTMAX +250us.*'
run summary "$work/ops.csv"
is_status 'an operator profile has a summary' 0

# ---- exports of Nsight Systems

export=$top_srcdir/tests/fuzz/corpus/nsys/kept-01
run scope "$export" -step all -max_depth 9 -select cpu_micros,accelerator_micros -output json
is_line 'work belongs to the range around its launch' stdout '.*"path":"aten::mm".*"accelerator_micros":\{"self":0.05,.*'
is_line 'ranges of steps are no rows' stdout '.*"path":"step \*".*'
is_line 'ranges without an end are reported' stderr '.*: 1 range without an end skipped.*'
run scope "$export" -select bytes
is_line 'no option of PyTorch is named' stderr 'tfprof: bytes: the trace has no allocations'
run scope "$export" -nvtx_steps 'aten.*1' -step all -max_depth 9
is_line '-nvtx_steps selects the ranges of steps' stdout ' *step 1/aten::mm .*'
run scope "$export" -nvtx_steps '['
is_status 'a malformed -nvtx_steps regex is an error' 2
run scope "$top_srcdir/tests/fuzz/corpus/nsys/kept-02"
is_line 'a truncated export is an error' stderr 'tfprof: .*kept-02: .*malformed.*'
printf '\001\002\003' >"$work/report.nsys-rep"
run scope "$work/report.nsys-rep"
is_line 'the error for a report says to export it' stderr 'tfprof: .*: a report of Nsight Systems: export it first: .*'

# ---- refused files

printf '\034\000\000\000TFL3\377\377\377\377' >"$work/bad.tflite"
run scope "$work/bad.tflite"
is_status 'a damaged model is refused' 1
is_line 'the error gives the offset' stderr 'tfprof: .*bad.tflite: offset [0-9]+: .*; 0 operators read before'
run scope "$sample" -output sqlite:outfile="$work/own.db"
if [ -f "$work/own.db" ]; then
  run scope "$work/own.db"
  is_status 'another SQLite database is refused' 1
  is_line 'the error for another database is one line' stderr 'tfprof: .*own.db: an SQLite database'
fi
printf 'GGUF\003\000\000\000' >"$work/weights"
run scope "$work/weights"
is_line 'the error for weights names their format' stderr 'tfprof: .*weights: .*GGUF.*'

# ---- files of other projects

models=${TFPROF_MODEL_FILES:-$top_srcdir/../shared/golden/model-files}
if [ -f "$models/nsys_h100_2gpu.sqlite" ]; then
  run summary "$models/nsys_two_processes.sqlite" -output json
  is_line 'processes are ranks' stdout '.*"format":"nsys export","pid":[0-9]+,("process":"[^"]*",)?"dialect":"nsys".*"rank":1.*'
  run scope "$models/nsys_h100_2gpu.sqlite" -step all -rank all -select accelerator_micros -output json
  is_status 'an export of two devices is read' 0
  run scope "$models/broken/view.sqlite"
  is_line 'views are refused' stderr 'tfprof: .*view.sqlite: CUPTI_ACTIVITY_KIND_KERNEL is a view, not a table'
  run scope "$models/broken/no_columns.sqlite"
  is_line 'missing columns are named' stderr 'tfprof: .*: CUPTI_ACTIVITY_KIND_KERNEL has no column end'
  run scope "$models/broken/page.sqlite"
  is_line 'damaged pages are named' stderr 'tfprof: .*: CUPTI_ACTIVITY_KIND_KERNEL: .*malformed; [0-9]+ rows read before'
  run op "$models/cnn_f32.tflite" -select float_ops,params
  is_line 'operations of TFLite models are counted' stdout 'counted .*|CONV_2D .*'
else
  skip_case 'exports, models and profiles of others' 'the model files are not here: TFPROF_MODEL_FILES=FOLDER'
fi
finish
