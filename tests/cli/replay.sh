#!/bin/sh
# replay.sh: replays of graphs joined with graph captures, and iterations of LLM servers.
. "$top_srcdir/tests/cli/lib.sh"

# trace FILE: lines of standard input as a trace of PyTorch.
#   note|mod|op|call NAME TS DUR [ARGS]     kernel NAME TS DUR CORRELATION [STREAM]
trace() {
  awk -F'|' '
    function event(category, name, tid, ts, dur, args) {
      printf "%s\n{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":1,\"tid\":%s,\"ts\":%s,\"dur\":%s,\"args\":{%s}}",
        n++ ? "," : "", category, name, tid, ts, dur, args
    }
    BEGIN { printf "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":0},\"traceEvents\":[" }
    $1 == "note" { event("user_annotation", $2, 5, $3, $4, "") }
    $1 == "mod" { event("python_function", "nn.Module: " $2, 5, $3, $4, "\"Python id\":" NR) }
    $1 == "op" { event("cpu_op", $2, 5, $3, $4, $5) }
    $1 == "call" { event("cuda_runtime", $2, 5, $3, $4, $5) }
    $1 == "kernel" {
      event("kernel", $2, $6 + 0, $3, $4, "\"device\":0,\"stream\":" $6 + 0 ",\"correlation\":" $5)
    }
    END { print "\n]}" }' >"$1"
}

# captured FILE NAME...: a graph of one kernel for each NAME, each in a separate module and operator.
captured() {
  file=$1
  shift
  {
    echo 'call|hipStreamBeginCapture|10|1'
    ts=100 number=1000
    for name; do
      echo "mod|Layer_$((number - 1000))|$ts|9"
      echo "op|aten::mm|$((ts + 1))|7|\"Input Dims\":[[2,3],[3,4]]"
      echo "call|hipLaunchKernel|$((ts + 2))|2|\"kernel\":\"$name\",\"correlation\":$number"
      ts=$((ts + 10)) number=$((number + 1))
    done
    echo "call|hipStreamEndCapture|$((ts + 10))|1"
  } | trace "$file"
}

# replay NAME...: the launch of a graph in an iteration of batch size 4, and its kernels of 1, 2, 3, ... us.
replay() {
  echo 'note|execute_4_context_0(sq0sk0sqsq0sqsk0)_generation_4(sq4sk100sqsq4sqsk100)|10|100'
  echo 'call|hipGraphLaunch|20|5|"correlation":7'
  ts=1000 dur=1
  for name; do
    echo "kernel|$name|$ts|$dur|7"
    ts=$((ts + 100)) dur=$((dur + 1))
  done
}

mkdir "$work/run" "$work/run/capture_traces"
replay gemm norm gemm | trace "$work/run/replay.json"
captured "$work/run/capture_traces/bs_4_rank0.json" gemm norm gemm
captured "$work/run/capture_traces/bs_8_rank0.json" other
run scope "$work/run/replay.json" -select accelerator_micros,float_ops,occurrence -max_depth 5
is_line 'a capture next to the trace is found' stderr \
  'tfprof: 1 of 1 graph replay joined with captures: 3 of 3 kernels placed, 6us of 6us'
is_line 'time is attributed to the captured module' stdout ' *Layer_2 \(.*3us/3us.*\)|.*decode/Layer_2 .*3us.*'
is_line 'operations are counted from captured shapes' stdout '.*decode/Layer_0/aten::mm .*48.*'
run summary "$work/run/replay.json" -output json
is 'captures of other batch sizes are not read' grep -q '"batch_size":8,"mode":null,"graphs":null' "$work/stdout"
run summary "$work/run" -output json
is 'a trace in a folder is joined with its captures' grep -q '"graphs":{"replays":1,"joined":1' "$work/stdout"
run op "$work/run/replay.json" -capture none -select accelerator_micros
is_line '-capture none leaves the time at the launch' stdout 'hipGraphLaunch .*6us.*'
is_text '-capture none gives no note' stderr ''
run op "$work/run/replay.json" -iterations off -select accelerator_micros
is_line '-iterations off keeps marks as annotations' stdout 'execute_4_context.*'
run iterations "$work/run/replay.json" -output csv
is_line 'an iteration has the work of its replay' stdout '0,1,1,"execute_4_.*","decode",0,4,0,4,100,4,1,100,203,6,6,6'
run scope "$work/run/replay.json" -kernels rows -select accelerator_micros -max_depth 9
is_line '-kernels rows adds kernels below their operator' stdout '.*decode/Layer_1/aten::mm/norm .*2us.*'
run scope "$work/run/replay.json" -diff_base "$work/run/replay.json" -select accelerator_micros
is_line 'the baseline is joined too' stderr 'tfprof: base: 1 of 1 graph replay joined .*'

# ---- refusals

captured "$work/other.json" gemm silu gemm
run summary "$work/run/replay.json" -capture "$work/other.json"
is_line 'the capture of another model is refused with the share of equal names' stderr \
  'tfprof: .*/other.json: not the capture of 1 graph replay: 2 of 3 kernel names agree in order, 99% are required'
is_status 'a refused capture is not an error' 0
cp "$work/run/capture_traces/bs_4_rank0.json" "$work/bs_16_rank0.json"
run summary "$work/run/replay.json" -capture "$work/bs_16_rank0.json"
is_line 'a capture of another batch size is refused' stderr \
  'tfprof: .*/bs_16_rank0.json: captured for batch size 16, but 1 graph replay ran batch size 4'
run summary "$work/run/replay.json" -capture "$work/absent.json"
is_line 'a missing capture is an error' stderr 'tfprof: .*/absent.json: No such file or directory'
is_status 'a missing capture is status 1' 1
run summary "$work/run/replay.json" -capture "$work/run/replay.json"
is_line 'a file without a captured graph is an error' stderr 'tfprof: .*/replay.json: no captured graph in it .*'
mkdir "$work/none"
cp "$work/run/replay.json" "$work/none"
run summary "$work/run/replay.json" -capture "$work/none"
is_line 'a folder without a captured graph is an error' stderr 'tfprof: .*/none: no graph capture in this folder'
is_status 'a folder without a captured graph is status 1' 1
mv "$work/run/capture_traces" "$work/run/elsewhere"
run summary "$work/run/replay.json"
is_line 'a note for a note on a replay without a capture names the remedy' stderr 'tfprof: 1 graph replay \(6us of accelerator time\) has no capture: .*'
run iterations "$work/other.json"
is_line 'a trace without marks has no iterations' stderr 'tfprof: iterations: no iteration marks in .*'
is_status 'a trace without marks is status 1' 1

# ---- several files

mkdir "$work/both"
cp "$work/run/replay.json" "$work/both/b.json"
captured "$work/both/a_bs_4.json" gemm norm gemm
for files in "$work/both" "$work/both/a_bs_4.json $work/both/b.json" "$work/both/b.json $work/both/a_bs_4.json"; do
  # shellcheck disable=SC2086  # several files
  run summary $files -output json
  is_line "a capture among the files is used: ${files#"$work/"}" stderr 'tfprof: 1 of 1 graph replay joined .*'
  is 'json lists the files of the profile' grep -q '"files":\[' "$work/stdout"
  is 'the capture is not listed as a file' test "$(grep -c '"format":' "$work/stdout")" -eq 1
done
gzip -c "$work/both/a_bs_4.json" >"$work/both/a.json.gz"
run summary "$work/both/b.json" "$work/both/a.json.gz"
is_line 'a compressed capture is joined' stderr 'tfprof: 1 of 1 graph replay joined .*'
captured "$work/both_rank_1.json" gemm norm gemm
sed 's/"rank":0/"rank":1/' "$work/both_rank_1.json" >"$work/rank_1.json"
run summary "$work/both/a_bs_4.json" "$work/rank_1.json" -output json
is 'captures without a replay are ordinary traces' test "$(grep -c '"format":' "$work/stdout")" -eq 2
is_text 'captures without a replay give no note' stderr ''
run summary "$work/both/b.json" "$work/both/a_bs_4.json" -capture none
is_line 'with -capture none the files have the same steps' stderr 'tfprof: .* have the same steps of rank 0'
run advise "$work/both/b.json"
is_line 'advice says how to record captures' stdout '.*graph replays without modules: .*there is no graph capture.*'

# ---- a graph captured in the same trace

{
  echo 'call|hipStreamBeginCapture|10|1'
  echo 'op|aten::mm|20|7|"Input Dims":[[2,3],[3,4]]'
  echo 'call|cudaLaunchKernel|22|2|"correlation":3'
  echo 'call|hipStreamEndCapture|30|1'
  echo 'note|my step|100|50'
  echo 'call|cudaGraphLaunch|110|5|"correlation":7'
  echo 'kernel|gemm|1000|8|7'
} | trace "$work/plain.json"
run scope "$work/plain.json" -select accelerator_micros,float_ops,occurrence -max_depth 9
is_line 'a capture in the same trace is joined' stdout ' *my step/aten::mm .48/48 flops, 8us/8us, 1/1.*'
is_line 'kernels without names are matched by number and order, with a note' stderr \
  'tfprof: .*/plain.json: has no kernel names: 1 kernel placed by their number and order alone'

# ---- several graphs in an iteration

{
  for at in 100 200; do
    echo "mod|Part_$at|$at|90"
    echo "call|hipStreamBeginCapture|$((at + 10))|1"
    echo "op|aten::mm|$((at + 20))|7"
    echo "call|hipLaunchKernel|$((at + 22))|2|\"kernel\":\"gemm\""
    echo "call|hipStreamEndCapture|$((at + 30))|1"
  done
} | trace "$work/parts.json"
{
  echo 'note|execute_context_0(0)_generation_4(4)|10|100'
  echo 'call|hipGraphLaunch|20|5|"correlation":7'
  echo 'call|hipGraphLaunch|30|5|"correlation":8'
  echo 'kernel|gemm|1000|8|7'
  echo 'kernel|gemm|1100|16|8'
} | trace "$work/parts_replay.json"
run scope "$work/parts_replay.json" -capture "$work/parts.json" -select accelerator_micros -max_depth 9
is_line 'graphs are matched in launch order' stdout ' *decode/Part_200/aten::mm .*16us.*'
run summary "$work/run/replay.json" -capture "$work/parts.json"
is_line 'another number of graphs is refused' stderr \
  'tfprof: .*/parts.json: captured as 2 graphs, but 1 iteration launched 1: 1 graph replay not joined'
sed 's/execute_context_0(0)_generation_4(4)/any/' "$work/parts_replay.json" >"$work/unmarked.json"
run summary "$work/unmarked.json" -capture "$work/parts.json"
is_line 'without an iteration ambiguous graphs are not joined' stderr \
  'tfprof: .*: several captured graphs fit 2 graph replays, with different rows: not joined'

# ---- execution_details.json

mkdir "$work/listed" "$work/listed/capture_traces"
cp "$work/run/replay.json" "$work/listed"
list=$work/listed/capture_traces/execution_details.json
echo '[{"file":"a.json","batch_size":4,"mode":"FULL"},{"file":"b.json","batch_size":8}]' >"$list"
run summary "$work/listed/replay.json"
is_line 'a listed capture that does not exist is reported' stderr \
  'tfprof: .*/a.json: listed in execution_details.json for batch size 4, but not found: .*'
captured "$work/listed/capture_traces/a.json" gemm norm gemm
run summary "$work/listed/replay.json"
is_line 'listed batch sizes are used' stderr 'tfprof: 1 of 1 graph replay joined .*'
for damaged in '' '{' '[1]' '[{"file":1,"batch_size":4}]' '[{"file":"a.json","batch_size":4}' '[{"file":"a.json"}]'; do
  printf '%s' "$damaged" >"$list"
  run summary "$work/listed/replay.json"
  is_line "a list '$damaged' is ignored with a note" stderr 'tfprof: .*execution_details.json: (not a list of captures|.*empty).*'
  is_status 'the trace is read without the list' 0
done

# ---- captures of other projects

inference=${TFPROF_INFERENCE:-$top_srcdir/../shared/golden/inference}
if [ -d "$inference/vllm_decode" ]; then
  run op "$inference/vllm_decode/graph_execution.json.gz" -select accelerator_micros,occurrence
  is_line 'all kernels of a decode step are attributed' stderr 'tfprof: 1 of 1 .*: 421 of 421 kernels placed, .*'
  is_line 'the op view has the operators of a decode step' stdout 'vllm::moe_forward +7\.17ms .* 24\|.*'
  run op "$inference/vllm_decode/graph_execution.json.gz" -flops full -select bytes_accessed -output csv
  is_line 'a note explains how attention is counted' stderr 'tfprof: attention: assumes full attention .*'
  is_line 'the bytes of attention are counted' stdout '"vllm::unified_attention_with_output".*,2720169984,2720169984'
  is_line 'the bytes of other operators are unknown' stdout '"aten::addmm".*,,'
else
  skip_case 'all kernels of a decode step are attributed' 'the traces are not here: TFPROF_INFERENCE=FOLDER'
fi
finish
