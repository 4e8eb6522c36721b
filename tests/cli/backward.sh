#!/bin/sh
# backward.sh: the backward pass of traces below the modules and operators of the forward pass.
. "$top_srcdir/tests/cli/lib.sh"

# trace NAME: lines of standard input as a trace of PyTorch, $work/NAME.json.
#   op NAME THREAD TS DUR [NUMBER FORWARD-THREAD]    note NAME THREAD TS DUR
#   py NAME THREAD TS DUR ID PARENT                  work NAME THREAD TS DUR: a launch at TS, DUR of work
#   flow THREAD TS THREAD TS
trace() {
  awk -F'|' '
    function event(category, name, thread, ts, dur, args) {
      printf "%s\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%s,\"ts\":%s,\"dur\":%s,\"args\":{%s}}",
        n++ ? "," : "", category, name, thread, ts, dur, args
    }
    function flow(phase, thread, ts) {
      printf ",\n{\"ph\":\"%s\",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"id\":%d,\"pid\":1,\"tid\":%s,\"ts\":%s,\"bp\":\"e\"}",
        phase, NR, thread, ts
    }
    BEGIN { printf "{\"schemaVersion\":1,\"traceEvents\":[" }
    $1 == "op" {
      event("cpu_op", $2, $3, $4, $5, $6 == "" ? "" : "\"Sequence number\":" $6 ",\"Fwd thread id\":" $7)
    }
    $1 == "note" { event("user_annotation", $2, $3, $4, $5, "") }
    $1 == "py" { event("python_function", $2, $3, $4, $5, "\"Python id\":" $6 ",\"Python parent id\":" $7) }
    $1 == "work" {
      event("cuda_runtime", "cudaLaunchKernel", $3, $4, 1, "\"correlation\":" NR)
      event("kernel", $2, 7, 100000 + 1000 * NR, $5, "\"device\":0,\"stream\":7,\"correlation\":" NR)
    }
    $1 == "flow" { flow("s", $2, $3); flow("f", $4, $5) }
    END { print "\n]}" }' >"$work/$1.json"
}

engine='autograd::engine::evaluate_function: '

# Two threads with equal sequence numbers, joined by a flow and by number; an unknown number.
trace two <<END
py|nn.Module: Net_0|1|1000|900|1|null
py|net.py(3): forward|1|1001|890|2|1
py|nn.Module: Linear_0|1|1010|200|3|2
py|linear.py(9): forward|1|1011|190|4|3
op|aten::linear|1|1020|100|10|0
op|aten::addmm|1|1030|50|11|0
work|addmm|1|1040|64
op|aten::loss|1|1950|40|20|0
py|nn.Module: Tower_0|2|1000|500|5|null
op|aten::relu|2|1020|100|11|0
op|${engine}AddmmBackward0|9|3000|100|11|1
op|AddmmBackward0|9|3001|90|11|1
op|aten::mm|9|3010|20
work|mm|9|3011|16
op|aten::add_|9|3095|3
work|add|9|3096|2
flow|1|1030|9|3001
op|${engine}ReluBackward0|9|3200|100|11|2
op|ReluBackward0|9|3201|90|11|2
work|relu|9|3210|8
op|${engine}LossBackward0|9|3400|100|20|1
op|LossBackward0|9|3401|90|20|1
work|loss|9|3410|4
op|${engine}DivBackward0|9|3600|100|99|1
op|DivBackward0|9|3601|90|99|1
work|div|9|3610|32
op|${engine}torch::autograd::AccumulateGrad|9|3800|100
op|torch::autograd::AccumulateGrad|9|3801|90
work|grad|9|3810|128
note|Optimizer.step#SGD.step|1|5000|100
work|sgd|1|5010|256
END
show='-step all -max_depth 99 -select accelerator_micros,occurrence'
# shellcheck disable=SC2086  # options
run scope "$work/two.json" $show
is_status 'a trace with a backward pass is read' 0
is_line 'an operator linked by a flow is below the module of its forward operator' stdout ' *Net_0/Linear_0/\(backward\)/AddmmBackward0 \(0us/18us, 1/5.*\)'
is_line 'operators that the engine adds to a node share its row' stdout ' *Net_0/Linear_0/\(backward\)/AddmmBackward0/aten::add_ \(2us/2us, 1/2.*\)'
is_line 'a module contains both passes' stdout ' *Net_0/Linear_0 \(0us/82us, .*'
is_line 'equal numbers on another thread belong to its own operators' stdout ' *Tower_0/\(backward\)/ReluBackward0 \(8us/8us, 1/2.*\)'
is_line 'without a module the row is below the outermost operator' stdout ' *aten::loss/\(backward\)/LossBackward0 \(4us/4us, 1/2.*\)'
is_line 'an unknown number has no forward operator' stdout ' *\(backward\)/DivBackward0 \(32us/32us, .*\)'
is_line 'AccumulateGrad has no forward operator' stdout ' *\(backward\)/torch::autograd::AccumulateGrad \(128us/128us, 1/2.*\)'
is_line 'the optimizer is not in the backward pass' stdout ' *Optimizer.step#SGD.step \(0us/256us, .*\)'
# shellcheck disable=SC2086
run scope "$work/two.json" $show -backward own
is_line '-backward own keeps the recorded rows' stdout " *${engine}AddmmBackward0/AddmmBackward0/aten::mm \\(16us/16us, .*\\)"
run op "$work/two.json" -step all -max_depth 99 -select cpu_micros,accelerator_micros -output json
cp "$work/stdout" "$work/op"
run op "$work/two.json" -step all -max_depth 99 -select cpu_micros,accelerator_micros -output json -backward own
is '-backward does not change the op view' cmp "$work/op" "$work/stdout"
run op "$work/two.json" -step all -max_depth 99 -select occurrence -output csv
is_line 'each slice counts as an execution of its operation' stdout "\"?${engine}AddmmBackward0\"?,.*,1(,.*)?"
# shellcheck disable=SC2086
run code "$work/two.json" $show
is_line 'a line includes its backward pass' stdout ' *linear.py:9:forward \(64us/82us, .*\)'
is_line 'the backward pass of a line is a separate frame' stdout ' *\(backward\) \(18us/18us, .*\)'
is_line 'operators without a forward operator and stack are below (backward)' stdout '  \(backward\) \(160us/160us, .*\)'
is_line 'operators without a stack are below (no Python stack)' stdout '  \(no Python stack\) \(260us/260us, .*\)'
run summary "$work/two.json"
is_line 'the summary gives the attributed time' stdout ' *backward +30 us placed, 160 us without forward operator \(AccumulateGrad 80 %\), 0 us recomputed; 18 % of device time has a line'
run summary "$work/two.json" -output json
is_line 'json gives the attributed time' stdout '.*"backward":\{"placed":30,"unplaced":160,"recompute":0,"with_line":90\}.*'
run summary "$work/two.json" -output json -backward own
is_line '-backward own counts only the lines of launches' stdout '.*"backward":\{"placed":30,"unplaced":160,"recompute":0,"with_line":64\}.*'
run scope "$work/two.json" -backward sideways
is_status 'an unknown value is an error' 2
is_line 'the error lists the valid values' stderr '.*-backward.*default, forward, own.*'

# A recomputed module, its backward pass, and a second backward pass.
trace again <<END
py|nn.Module: Net_0|1|1000|900|1|null
py|nn.Module: Linear_0|1|1010|200|2|1
op|aten::addmm|1|1030|50|1|0
op|aten::gelu|1|1500|50|2|0
op|${engine}CheckpointBackward|9|3000|400|7|1
py|nn.Module: Linear_0|9|3010|100|3|null
py|linear.py(9): forward|9|3011|98|4|3
op|aten::addmm|9|3020|50|1|0
work|again|9|3030|16
py|nn.Module: Other_0|9|3150|40|5|null
work|other|9|3160|64
op|${engine}AddmmBackward0|9|3200|100|1|3
work|mm|9|3210|8
op|${engine}GeluBackward0|9|3500|100|2|1
op|aten::gelu_backward|9|3510|50|5|0
work|gelu|9|3520|32
op|${engine}GeluBackwardBackward0|9|3700|100|5|3
work|second|9|3710|4
END
# shellcheck disable=SC2086
run scope "$work/again.json" $show
is_line 'recomputed operators are below (recompute)' stdout ' *Net_0/Linear_0/\(recompute\)/aten::addmm \(16us/16us, .*\)'
is_line 'the backward pass of recomputed operators is below them' stdout ' *Net_0/Linear_0/\(recompute\)/\(backward\)/AddmmBackward0 \(8us/8us, .*\)'
is_line 'a module that only the backward pass runs is below its operator' stdout ' *\(backward\)/CheckpointBackward/Other_0/cudaLaunchKernel \(0us|64us.*\)|.*CheckpointBackward \(64us/64us.*'
is_line 'a second backward pass is below the first one' stdout ' *Net_0/\(backward\)/GeluBackward0/aten::gelu_backward/\(backward\)/GeluBackwardBackward0 \(4us/4us, .*\)'
# shellcheck disable=SC2086
run code "$work/again.json" $show
is_line 'recomputed lines keep their own stack' stdout ' *linear.py:9:forward \(16us/24us, .*\)'
run scope "$work/again.json" -kernels rows -step all -max_depth 99 -select accelerator_micros
is_line '-kernels rows adds rows below recomputed operators' stdout ' *Net_0/Linear_0/\(recompute\)/aten::addmm/again \(16us/16us\)'

# Each backward pass belongs to the previous one.
{
  echo 'op|aten::op|1|10|5|1|0'
  i=1
  while [ $i -le 40 ]; do
    echo "op|${engine}B|9|$((i * 100))|50|$i|$((i == 1 ? 1 : 2))"
    echo "op|aten::b|9|$((i * 100 + 10))|20|$((i + 1))|0"
    i=$((i + 1))
  done
} | trace deep
run scope "$work/deep.json" -step all -max_depth all -select occurrence
is_status 'deeply nested backward passes are read' 0
is 'a path contains at most 32 backward passes' test "$(awk '{ n = gsub(/\(backward\)/, ""); if (n > most) most = n } END { print most }' "$work/stdout")" -eq 32
is_line 'deeper operators keep their recorded path' stdout " *${engine}B/aten::b .*"
run code "$work/deep.json" -step all
is_line 'a note says that the file has no stacks' stderr 'tfprof: no Python stacks in this file: with_stack=True records them'

# Hidden library frames.
trace library <<END
py|a.py(1): main|1|1000|900|1|null
py|torch/nn/linear.py(5): forward|1|1010|200|2|1
op|aten::addmm|1|1030|50
py|b.py(1): main|1|2000|900|3|null
py|torch/nn/linear.py(5): forward|1|2010|200|4|3
py|torch/nn/functional.py(6): linear|1|2020|100|5|4
op|aten::addmm|1|2030|50
END
run code "$work/library.json" -step all -hide_frames library
is_line 'a single library frame keeps its name' stdout '    linear.py:5:forward .*'
is_line 'several library frames become one row with their number' stdout '    2 library frames .*'
is 'a file with stacks gives no note' test ! -s "$work/stderr"

# layer N TS LINEAR NORM [MORE]: a module with two linear ones and a norm, numbered from LINEAR and NORM on.
layer() {
  echo "py|nn.Module: Layer_$1|1|$2|90|$2|1"
  echo "py|nn.Module: Linear_$3|1|$(($2 + 1))|10|$(($2 + 1))|$2"
  echo "op|aten::linear|1|$(($2 + 2))|5"
  echo "py|nn.Module: Linear_$(($3 + 1))|1|$(($2 + 20))|10|$(($2 + 2))|$2"
  echo "op|aten::linear|1|$(($2 + 22))|5"
  echo "py|nn.Module: Norm_$4|1|$(($2 + 40))|10|$(($2 + 3))|$2"
  echo "op|${5:-aten::norm}|1|$(($2 + 42))|5"
}
{
  echo 'py|nn.Module: Net_0|1|1000|9000|1|null'
  layer 0 2000 0 0
  layer 1 3000 2 1
  layer 9 4000 8 9
  layer 10 5000 10 10 aten::other
} | trace layers
run scope "$work/layers.json" -step all -max_depth 9 -select occurrence -fold_twins
is_line 'repeated layers with continuous numbers are folded' stdout ' *Net_0/Layer_\[0,1,9\] x3 .*'
is_line 'numbers are folded in a layer with a different structure' stdout ' *Net_0/Layer_10/Linear_\[10,11\] x2 .*'
is 'folded layers give no note' test ! -s "$work/stderr"
{
  echo 'py|nn.Module: Net_0|1|1000|9000|1|null'
  layer 0 2000 0 0 aten::b
  layer 7 3000 9 3 aten::a
} | grep -v Linear_ | trace different
run scope "$work/different.json" -step all -max_depth 9 -select occurrence -fold_twins
is_line 'a note gives the first difference when nothing is folded' stderr 'tfprof: no equal siblings: Layer_0 and Layer_7 differ first in Norm_0/aten::a'

# Names that mirror the forward pass.
cat >"$work/mirror.pbtxt" <<'END'
node { name: "jit/jvp(layer)/dot" op: "NoOp" }
node { name: "jit/jvp()/loss" op: "NoOp" }
node { name: "jit/transpose(jvp(layer))/dot/fused" op: "NoOp" }
node { name: "jit/transpose(jvp(layer))/rematted_computation/again" op: "NoOp" }
node { name: "transpose(alone)/x" op: "NoOp" }
node { name: "dense/MatMul" op: "NoOp" }
node { name: "train/only/Add" op: "NoOp" }
node { name: "gradients/dense/MatMul_grad/MatMul_1" op: "NoOp" }
node { name: "gradients_1/dense/Other_grad/Mul" op: "NoOp" }
node { name: "train/gradients/dense/MatMul_grad/Sum" op: "NoOp" }
node { name: "train/gradients/only/Add_grad/Sum" op: "NoOp" }
node { name: "gradients/AddN_3" op: "NoOp" }
node { name: "gradient_tape/dense/MatMul/MatMul" op: "NoOp" }
node { name: "ConstantFolding/gradients/dense/MatMul_grad/Shape" op: "NoOp" }
END
run scope "$work/mirror.pbtxt" -max_depth 99 -select occurrence -preset layers
is_status 'a graph with mirrored names is read' 0
for name in jit/layer/dot jit/loss 'jit/layer/dot/(backward)/fused' 'jit/layer/(backward)/(recompute)/again' \
  'transpose(alone)/x' 'dense/MatMul/(backward)/MatMul_1' 'dense/(backward)/Other_grad/Mul' \
  'dense/MatMul/(backward)/Sum' 'train/only/Add/(backward)/Sum' gradients/AddN_3 \
  'dense/MatMul/(backward)/MatMul' ConstantFolding/gradients/dense/MatMul_grad/Shape; do
  is "$name" grep -qF " $name (" "$work/stdout"
done
run scope "$work/mirror.pbtxt" -max_depth 99 -select occurrence -preset layers -show_name_regexes '.*layer/dot.*'
is_line 'regexes match the moved paths' stdout ' *jit/layer/dot/\(backward\)/fused .*'
run scope "$work/mirror.pbtxt" -max_depth 99 -select occurrence
is 'without the preset rows keep their recorded names' grep -qF 'gradients_1/dense/Other_grad/Mul' "$work/stdout"
run scope "$work/two.json" -diff_base "$work/two.json" -min_delta 0 -max_depth 99 -select micros
is 'a comparison does not move the backward pass' test "$(grep -c '(backward)' "$work/stdout")" -eq 0
is 'a comparison keeps the recorded backward rows' grep -qF 'AddmmBackward0 (' "$work/stdout"
run scope "$work/two.json" -diff_base "$work/two.json" -min_delta 0 -max_depth 99 -select micros -backward forward
is '-backward forward moves the backward pass in a comparison' grep -qF '(backward)' "$work/stdout"
printf '%s\n' 'scope -max_depth 2 -select micros' 'scope -max_depth 2 -select micros -backward forward' \
  'op -max_depth 2 -select micros -backward forward' >"$work/lines"
run_with "$work/lines" shell "$sample" -q
is_line 'a unit includes its backward pass' stdout '  unit_1_0 \(0us/1[.]12sec,.*'
is_line 'by default a unit excludes its backward pass' stdout '  unit_1_0 \(0us/129[.]06ms,.*'
# unit_totals OPTION...: microseconds of each unit and of its gradients.
unit_totals() {
  timeout "$patience" "$TFPROF" scope "$sample" -max_depth 3 -select micros -output json "$@" |
    sed -nE 's/.*"path":"(gradients\/)?(unit_[0-9_]+)".*"total":([0-9]+).*/\2 \3/p' |
    awk '{ sum[$1] += $2 } END { for (unit in sum) print unit, sum[unit] }' | sort
}
unit_totals >"$work/own"
unit_totals -backward forward >"$work/forward"
is 'moving the backward pass preserves the totals' cmp "$work/own" "$work/forward"
finish
