#!/bin/sh
# trace.sh: traces in the Trace Event format, whole, damaged, and of several ranks.
. "$top_srcdir/tests/cli/lib.sh"

training=$top_srcdir/data/training.pt.trace.json.gz
traces=$top_srcdir/tests/traces
trace=$traces/rank_0.json

run scope "$trace" -step all -max_depth 9 -select cpu_micros,accelerator_micros,occurrence
is_status 'a trace is read' 0
is_line 'self time excludes children' stdout ' *Linear_0/aten::linear/aten::addmm \(360us/360us, 420us/501us, 2/4\|1/2\)'
is_line 'a launch is below its operator' stdout ' *Linear_0/aten::linear/aten::addmm/cudaLaunchKernel .*'

run code "$trace" -step all -max_depth 9 -select cpu_micros
is_line 'the code view has frames' stdout ' *train.py:4:forward .*'

run op "$trace" -step all -max_depth 99 -kernels rows -account_type_regexes _communication -select accelerator_micros
is_line 'kernels have rows and classes' stdout 'ncclDevKernel_AllReduce_Sum_f32 .*'

run op "$trace" -step 1 -max_depth 99 -select float_ops -output json
is_line 'operations are counted from shapes' stdout '.*"name":"aten::addmm".*"float_ops":\{"self":65536,.*'

# Rows of a node with other shapes or another stack have no inputs of their own.
run op "$trace" -max_depth 99 -select input_shapes,occurrence
is_status 'input shapes of a trace are printed' 0
is_line 'operators without inputs in the graph are grouped' stdout 'input_type: .*\(run\*2\|defined\*2\).*'
run op "$trace" -max_depth 99 -select occurrence -output proto:outfile="$work/op.pb"
is_status '-output proto supports the op view of a trace' 0
run code "$trace" -max_depth 99 -select occurrence -output proto:outfile="$work/code.pb"
is_status '-output proto supports the code view of a trace' 0

run scope "$trace" -step outside
is_status '-step outside is accepted' 0
run scope "$trace" -step 7
is_status 'a missing step is an error' 1

run anatomy "$trace" -output json
cp "$work/stdout" "$work/anatomy"
run breakdown "$trace" -output json
is_status 'the breakdown is printed' 0
is 'the old name of the command works' cmp "$work/stdout" "$work/anatomy"
is_line 'json has the parts of a step' stdout '\{"rank":0,"device":"/gpu:0","step":1,"wall":600,"span":400,"busy":290,"compute":180,"communication":110,"exposed_communication":110,"memory":0,"exposed_memory":0,"overlap":0,"idle":110,"idle_host":110,.*'
run breakdown "$trace"
is_line 'breakdown as text' stdout ' *0 +/gpu:0 +all .*'
run breakdown "$trace" -streams
is_line 'breakdown by stream' stdout ' *0 +/gpu:0 +9 .*'
for output in csv tsv html; do
  run breakdown "$trace" -output $output:outfile="$work/breakdown.$output"
  is_status "breakdown as $output" 0
  is 'the file contains the device' grep -q '/gpu:0' "$work/breakdown.$output"
done
run sql "select compute, typeof(wall), step from breakdown where step = 1" "$trace" -output csv
is_line 'breakdown in SQL, in microseconds' stdout '180,"integer",1'
run gaps "$trace"
is_line 'gaps have the adjacent kernels' stdout ' *0 +/gpu:0 +2 +1\.55ms +600us +host +nccl.* +gemm_64x32'
run gaps "$trace" -output json
is_line 'the longest gap is first' stdout '\{"host":null,"rank":0,"device":"/gpu:0","step":2,"start":1550,"duration":600,"cause":"host",.*'
run gaps "$sample"
is_status 'gaps require device work' 1
run breakdown "$trace" -step 1 -time_range 0us:200us -output csv
is_line 'breakdown of a time range' stdout '0,"/gpu:0",1,200,50,50,.*'
is 'breakdown of a step has no other steps' sh -c "! grep -q ',2,' '$work/stdout'"
run ranks "$trace" -streams
is_status 'an option of another table is refused' 2
is_line 'the error names the table of the option' stderr 'tfprof: -streams: an option of breakdown, not of ranks'
run breakdown "$sample"
is_status 'breakdown requires device work' 1
is_line 'the error says that there is no device work' stderr 'tfprof: breakdown: no device work in this input: the run used no accelerator'

run breakdown "$training"
is_line 'the verdict is the first line' stdout 'CPU-bound: launch queue empty for 6\.01 ms of 9\.34 ms \(64 %\); GPU idle 64 %'
run breakdown "$training" -output json
is_line 'json has the verdict' stdout '.*,"verdict":\{"class":"cpu","value":6010,"percent":64,"who":null,"text":"CPU-bound: .*","evidence":"tfprof breakdown .*"\},"rows":\[.*'
run summary "$training"
is_line 'the verdict is the first line of the summary' stdout 'CPU-bound: launch queue empty for 6\.01 ms of 9\.34 ms \(64 %\); GPU idle 64 %'
run summary "$training" -output json
is_line 'the json summary has the verdict' stdout '.*\],"verdict":\{"class":"cpu",.*'

run ranks "$traces/rank_0.json" "$traces/rank_1.json" -output json
is_status 'ranks' 0
is_line 'collectives are matched' stdout '\{"tfprof":2,"view":"ranks",.*,"paired":2,"matched":2,"culprit":1,"rows":\[\{?.*'
is_line 'the last rank to arrive is blamed' stdout '\{"rank":1,"last":2,"made_wait":60,"waited":0,.*'
for rank in 0 1; do
  printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":5}]}' \
    "$rank" >"$work/alone_$rank.json"
done
run collectives "$work/alone_0.json" "$work/alone_1.json"
is_line 'ranks without collectives have no table of them' stderr 'tfprof: collectives: no collective was recorded by all .*'
for rank in 0 1; do
  printf '{"schemaVersion":1,"distributedInfo":{"rank":%s},"traceEvents":[{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"s":"t","ts":5,"args":{"Total Allocated":%s,"Bytes":10,"Addr":7,"Device Id":%s,"Device Type":1}}]}' \
    "$rank" "1$rank" "$rank" >"$work/memory_$rank.json"
done
run memory "$work/memory_0.json" "$work/memory_1.json" -rank 1 -output csv
is '-rank selects allocators' test "$(tail -n +2 "$work/stdout" | cut -d , -f 1)" = '"/gpu:1"'
run memory "$work/memory_0.json" "$work/memory_1.json" -device_regexes /gpu:0 -output csv
is '-device_regexes selects allocators' test "$(tail -n +2 "$work/stdout" | cut -d , -f 1)" = '"/gpu:0"'
run memory "$work/memory_0.json" "$work/memory_1.json" -device_regexes /gpu:0 -rank 1
is_line 'none may be left' stderr 'tfprof: memory: the selected devices, ranks and steps have no allocator'
run collectives "$traces/rank_0.json" "$traces/rank_1.json" -output json
is_line 'collectives are ordered by wait' stdout '\{"name":"allreduce","group":"0","bytes":null,"step":2,"participants":2,"matched":1,"last":1,"made_wait":40,"duration":70,"gb_per_s":null\},'
for rank in 0 1; do
  sed 's/"Collective name"/"In msg nelems": 500000, "dtype": "BFloat16", &/' "$traces/rank_$rank.json" >"$work/sized_$rank.json"
done
run collectives "$work/sized_0.json" "$work/sized_1.json" -output json
is_line 'a collective has size and rate' stdout '.*"bytes":1000000,.*"duration":[1-9][0-9.]*,"gb_per_s":[0-9.]*[1-9].*'
run collectives "$trace"
is_status 'collectives require several ranks' 1
run sql "select (select sum(made_wait) from collectives) - (select sum(made_wait) from ranks) as difference" \
  "$traces/rank_0.json" "$traces/rank_1.json"
is_line 'waits of collectives sum to those of ranks' stdout ' *0'
# The clock of rank 1 is 300 us ahead, which the end of a collective shows.
sed 's/"baseTimeNanoseconds": *1700000000000000000/"baseTimeNanoseconds": 1700000000000300000/' "$traces/rank_1.json" \
  >"$work/ahead_1.json"
run ranks "$traces/rank_0.json" "$work/ahead_1.json" -output json
is_line 'a clock that is ahead is reported' stdout '\{"rank":1,.*"clock_offset":300,.*'
is_line 'without alignment the offset counts as delay' stdout '\{"rank":1,"last":2,"made_wait":660,.*'
run ranks "$traces/rank_0.json" "$work/ahead_1.json" -align_clocks -output json
is_line '-align_clocks removes the offset' stdout '\{"rank":1,"last":2,"made_wait":60,.*"clock_offset":300,.*'
run ranks "$trace"
is_status 'a single rank is refused' 1
for rank in 0 1; do
  awk -v rank=$rank 'BEGIN {
    printf "{\"distributedInfo\": {\"rank\": %d, \"world_size\": 2}, \"traceEvents\": [", rank
    for (i = 0; i < 23; i++)
      printf "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"nccl_%d\", \"pid\": 0, \"tid\": 9, " \
             "\"ts\": %d, \"dur\": 5, \"args\": {\"device\": 0, \"stream\": 9, \"Collective name\": \"c%d\", " \
             "\"Process Group Name\": \"0\", \"Process Group Ranks\": \"[0, 1]\"}},\n", i, 10 * i, i
    print "{}]}" }' >"$work/many_$rank.json"
done
run ranks "$work/many_0.json" "$work/many_1.json"
is_line 'omitted collectives are counted' stdout 'and 3 more collectives'
run scope "$traces/rank_0.json" "$traces/rank_0.json"
is_status 'duplicate steps of a rank are refused' 2
run scope "$traces/rank_0.json" "$traces/rank_1.json" -rank 1
is_status '-rank selects one rank' 0
run scope "$traces/rank_0.json" "$traces/rank_1.json" -rank 2
is_status 'a missing rank is an error' 1
run op "$traces/rank_0.json" "$traces/rank_1.json" -rank all -step all -max_depth 99 -select occurrence -output json
is_line '-rank all sums over ranks' stdout '.*"name":"aten::addmm".*"occurrence":\{"self":4,.*'
run op "$traces/rank_0.json" "$traces/rank_1.json" -max_depth 99 -select occurrence -output json
is_line 'by default ranks are averaged' stdout '.*"name":"aten::addmm".*"occurrence":\{"self":1,.*'

run summary "$trace"
is_line 'the summary describes the trace' stdout '.*kineto, .* events, 1 thread,.*'
run summary "$trace" -output json
is_line 'summary as JSON' stdout '.*"dialect":"kineto".*"steps":\[1,2\],"repairs":\{\}.*'
run summary "$trace" -output csv
is_status 'other outputs are refused' 2

# Four steps with every problem that advice reports.
run sql "select sum(duration) as gaps from gaps" "$training"
cp "$work/stdout" "$work/gaps"
run sql "select sum(idle) as gaps from breakdown where step = 'all'" "$training"
is 'gaps sum to the idle time of the breakdown' cmp "$work/gaps" "$work/stdout"
# Kernel times sum to the device time of the op view, which is at least the busy time.
kernel_times() { # OPTIONS...
  run sql "select sum(total) as time from kernels" "$@"
  cp "$work/stdout" "$work/kernels"
  run sql "select sum(accelerator_micros_self) as time from op" -max_depth 1000 "$@"
}
for step in all 4; do
  kernel_times "$training" -step $step
  is "kernels sum to the device time of -step $step" cmp "$work/kernels" "$work/stdout"
done
kernel_times "$training" -step all -kernels rows
is 'kernels sum to the device time with -kernels rows' cmp "$work/kernels" "$work/stdout"
run sql "select (select sum(total) from kernels) >= sum(busy) as holds from breakdown where step = 'all'" "$training" -output csv
is_line 'kernel times are at least the busy time' stdout 1
run kernels "$training"
is_line 'kernels have short names and operators' stdout 'vectorized_elementwise_kernel<Addcdiv> +aten::addcdiv_ +0 +/gpu:0 +7 +-- +-- +-- +-- +-- +32 +128us +3\.85% .*'
run kernels "$training" -kernels rows
is_line '-kernels rows keeps the operators of kernels' stdout 'vectorized_elementwise_kernel<Addcdiv> +aten::addcdiv_ .*'
run kernels "$training" -output json
is_line 'kernels as JSON' stdout '\{"tfprof":2,"view":"kernels",.*,"devices":1,"sum":3328,"rows":\['
is_line 'unknown values are null' stdout '\{"name":"Memcpy DtoH","kernel":"Memcpy DtoH .*","op":"aten::_local_scalar_dense",.*"grid":null,"block":null,"registers":null,"shared_memory":null,"occupancy":null,"calls":4,"total":12,.*'
run kernels "$training" -device_regexes '.*stream:20'
is_line '-device_regexes selects a stream' stdout 'ncclDevKernel_AllReduce_Sum_bf16_RING_LL .* 100\.00% .*'
run kernels "$training" -order_by calls -top 1
is_line 'kernels are ordered by calls' stdout 'vectorized_elementwise_kernel<Addcdiv> .* 32 .*'
is_line '-top reports the omitted kernels' stdout 'and [0-9]+ more kernels'
run kernels "$training" -order_by name -top 1 -output csv
is_line 'kernels are ordered by name' stdout '"Memcpy DtoH",.*'
is '-top limits csv' test "$(wc -l <"$work/stdout")" = 2
run kernels "$training" -order_by bytes
is_status 'an unknown order of kernels is refused' 2
is_line 'the error names the unknown column' stderr 'tfprof: -order_by: kernels has no column bytes'
run scope "$training" -order_by calls
is_status 'views do not support orders of kernels' 2
run kernels "$training" -step 99
is_status 'kernels of a missing step are an error' 1
run kernels "$training" -step worst
is_status 'kernels of the worst step are printed' 0
run kernels "$sample"
is_status 'kernels require device work' 1
is_line 'the error says that kernels have no device work' stderr 'tfprof: kernels: no device work in this input: the run used no accelerator'
run kernels "$models/edge/times.pb.gz" -run_meta_path "$models/edge/accel_meta_0.pb.gz"
is_line 'kernels of RunMetadata' stdout 'a +A +/device:gpu:0/stream:all .* 2 +80us +53\.33% .*'
awk -f "$traces/training.awk" </dev/null >"$work/made.json"
gzip -dc "$training" >"$work/sample.json"
is 'the sample equals the output of its script' cmp "$work/sample.json" "$work/made.json"
run advise "$training"
is_status 'advice on a trace is printed' 0
is_line 'advice reports idle time and its cause' stdout ' +6\.01 ms  /gpu:0 is idle for 6.01ms \(64.4%\): 6.01ms \(100.0%\) launch queue empty: .*'
is_line 'advice names the operator that causes waits and its line' stdout ' +top 1 wait for the CPU: 1.86ms \(31.0%\), 32 times, Optimizer.step#AdamW.step/aten::addcdiv_, train.py:44:update'
is_line 'advice reports exposed communication' stdout ' .*  /gpu:0: exposed communication for 1.04ms \(11.1%\): 100.0% .*'
is_line 'advice names the operator that communicates' stdout ' +top 1 communication: 1.04ms \(100.0%\), 4 times, nccl:all_reduce/record_param_comms'
is_line 'advice reports kernels shorter than their launch' stdout ' .*  /gpu:0: 36 of 56 kernels \(64.3%\) are shorter than their launch: 388us .*'
is_line 'advice names the operator of short kernels' stdout ' +top 1 launch: 352us \(90.7%\), 32 times, .*aten::addcdiv_, train.py:44:update'
is_line 'advice reports blocking synchronization' stdout ' +--  4 calls wait for an accelerator: 960us \(8.9%\) of the time on CPUs  \(tfprof op .*\)'
is_line 'advice names the blocking call and its line' stdout ' +top 1 waiting call: 960us \(100.0%\), 4 times, .*/cudaStreamSynchronize, train.py:36:read_loss'
is_line 'advice reports growing memory' stdout ' .*  /gpu:0: memory grows by 1.05MB a step: each of 3 steps .*'
is_line 'advice names the operator that allocates' stdout ' +top 1 allocation: 3.15MB \(100.0%\), 3 times, aten::clone, train.py:39:keep_outputs'
is 'advice on graphs is not printed for traces' test "$(grep -c 'Checker' "$work/stdout")" = 0
is 'the verdict comes first' sh -c "head -n 1 '$work/stdout' | grep -q '^CPU-bound: '"
run advise "$training" -output json
is_line 'json orders advice by gain' stdout '\{"tfprof":2,"view":"advise",.*,"verdict":\{"class":"cpu",.*\},"rows":\['
is_line 'json has the subject of advice' stdout '\{"id":"idle","checker":"IdleChecker","severity":"high","claim":".*","value":\{"name":"idle","number":64\.[34],"unit":"percent"\},"gain_micros":6010,"rows":\["/gpu:0",.*\],"source":"train\.py:44","evidence":"tfprof breakdown .*"\},'
is_line 'advice on an operation has its name in the id' stdout '\{"id":"expensive:aten::mm","checker":"ExpensiveOperationChecker",.*'
run advise "$sample"
is 'advice on traces is not printed for graphs' test "$(grep -c '^IdleChecker' "$work/stdout")" = 0

run graph "$training" -max_depth 99 -select micros -backward own -output dot
is_line 'the backward pass depends on the forward pass' stdout '  n7 -> n25;'
run graph "$training" -kernels rows -max_depth 99 -select accelerator_micros -start_name_regexes '.*flash|.*Memcpy.*'
is_line 'a kernel depends on its launch' stdout ' *aten::item/aten::_local_scalar_dense/cudaMemcpyAsync .*'

run anatomy "$training" -output json
is_line 'kernels shorter than their launch are counted' stdout '.*"step":4,.*"kernels":14,"short_kernels":9.*'
run summary "$training"
is_line 'the summary has the name of a device' stdout '  /gpu:0 +NVIDIA H100 80GB HBM3'
is_line 'the summary has the breakdown of a step' stdout '  /gpu:0, step 5 +2.14ms: 27% computes, 12% only communicates, 0% only copies, 61% idle \(61% CPU late\)'
is_line 'the summary has a stream with its queue length' stdout '  /gpu:0, stream 20 .*, queue up to 1'
is_line 'the summary has the memory of a step' stdout '  /gpu:0, step 5 +10.49MB at most, 2.10MB at its end, 67.11MB reserved'
run summary "$training" -output json
is_line 'the json summary has the memory of a step' stdout '.*"memory":\[\{"device":"/gpu:0","step":4,"peak_bytes":9437184,"end_bytes":1048576,.*'

run scope "$training" -select params,output_bytes -max_depth 2
is_line 'unknown figures are not printed as 0' stdout '  MLP_0 \(params --, output_bytes --\)'
is_line 'a note explains the unknown figure' stderr 'tfprof: params: traces do not distinguish parameters from other inputs'
run scope "$training" -select params -max_depth 1 -output json
is_line 'unknown figures are null in json' stdout '.*"params":\{"self":null,"total":null\}.*'
run scope "$trace" -select micros -max_depth 1
is_status 'a trace with time outside its steps is read' 0

# Written timelines are read back with the same sums.
total() { # FILE OPTION...
  "$TFPROF" scope "$@" -q --no-config --no-state -max_depth 1 -select micros -output json |
    sed -n 's/.*"path":"",.*"micros":{"self":null,"total":\([0-9.]*\).*/\1/p'
}
for view in scope graph code; do
  "$TFPROF" "$view" "$training" -q --no-config --no-state -step all -max_depth 999 \
    -select micros -output "timeline:outfile=$work/$view.json" >"$work/stdout"
  is "a timeline of the $view view is read back with the same sum" \
    test "$(total "$work/$view.json")" = "$(total "$training" -step all)"
done
"$TFPROF" graph "$top_srcdir/tests/traces/rank_0.json" "$top_srcdir/tests/traces/rank_1.json" -q --no-config --no-state \
  -step all -rank all -max_depth 999 -output "timeline:outfile=$work/ranks.json" >"$work/stdout"
is 'the timeline of two ranks is read back with the same sum' \
  test "$(total "$work/ranks.json")" = "$(total "$top_srcdir/tests/traces" -step all -rank all)"
tr '{' '\n' <"$work/ranks.json" >"$work/events"
is_line 'the timeline has a thread of the first rank' events '"name":"Op scheduling threads: /rank:0/cpu:0"},"name":"process_name".*'
is_line 'the timeline has the device of the second rank' events '"name":"Op execution threads: /rank:1/gpu:0"},"name":"process_name".*'
is_line 'the timeline has the names of streams' events '"name":"stream 7"},"name":"thread_name".*'
"$TFPROF" scope "$training" -q --no-config --no-state -output "profile:outfile=$work/profile.pb" >"$work/stdout"
run scope "$training" -output "profile:outfile=$work/profile.pb"
is_line 'data that a profile cannot store is reported' stderr 'tfprof: a profile has one call stack and one count for each node, .*'
flops() { # FILE
  "$TFPROF" scope "$1" -q --no-config --no-state -step 4 -max_depth 1 -select float_ops -output csv | tail -1
}
is 'a stored profile has the counts' test "$(flops "$work/profile.pb")" = "$(flops "$training")"
is 'the counts are not all 0' test "$(flops "$training" | tr -d '",_A-Za-z' | tr -d 0)" != ''
run code "$work/profile.pb" -step 4
is_line 'a stored profile has call stacks' stdout ' *train\.py:[0-9]*:.*'
run scope "$top_srcdir/tests/traces" -output "profile:outfile=$work/ranks.pb"
is_status 'a profile of several ranks is refused' 2
run scope "$top_srcdir/tests/traces" -rank 1 -output "profile:outfile=$work/ranks.pb"
is_status 'a profile of one selected rank is written' 0
is 'a profile stores times in microseconds' \
  test "$(total "$work/profile.pb" -step 4)" = "$(total "$training" -step 4)"

cat >"$work/samples.json" <<'END'
{"traceEvents":[
{"ph":"P","name":"cpu","pid":1,"tid":1,"ts":10,"sf":3},
{"ph":"P","name":"cpu","pid":1,"tid":1,"ts":20,"sf":"3","args":{"weight":4}},
{"ph":"P","name":"cpu","pid":1,"tid":1,"ts":30,"stack":["main","g"]},
{"ph":"P","name":"cpu","pid":1,"tid":1,"ts":40,"sf":8},
{"ph":"P","name":"cpu","pid":1,"tid":1,"ts":50,"sf":"none"}],
"stackFrames":{"1":{"name":"main"},"3":{"name":"a.py(7): f","parent":1},
  "8":{"name":"ring","parent":9},"9":{"name":"of frames","parent":8}}}
END
run code "$work/samples.json" -select occurrence -order_by name -max_depth 9
is_line 'samples count by their weight' stdout '    a\.py:7:f \(5/5.*\)'
is_line 'stacks inside events are read' stdout '    g \(1/1.*\)'
is_line 'samples are below their callers' stdout '  main \(0/6.*\)'
is_line 'a cycle of frames is cut' stdout ' *ring .*'

cat >"$work/shapes.json" <<'END'
{"schemaVersion":1,"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":30,"dur":5,"pid":1,"tid":1,"args":{"Input Dims":[[8,3],[3,4],[]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":10,"dur":5,"pid":1,"tid":1,"args":{"Input Dims":[[2,3],[3,4],[]]}},
{"ph":"X","cat":"cpu_op","name":"aten::mm","ts":20,"dur":7,"pid":1,"tid":1,"args":{"Input Dims":[[2,3],[3,4],[]]}},
{"ph":"X","cat":"cpu_op","name":"aten::cat","ts":40,"dur":5,"pid":1,"tid":1,"args":{"Input Dims":[[[2,3],[],[4,5]],[]]}}]}
END
run scope "$work/shapes.json" -select input_shapes
is_line 'the shapes are those of the first call' stdout '  aten::mm \(0:2x3\|1:3x4\|2:\[\]\)'
is_line 'lists of tensors have shapes' stdout '  aten::cat \(0:\[2x3,\[\],4x5\]\|1:\[\]\)'
run op "$work/shapes.json" -select micros,occurrence,input_shapes
is_line 'the op view counts calls with equal shapes' stdout 'input_type: 0:2x3,.1:3x4,.2:\[\].\(run\*2\|defined\*1\).exec_time: 12us'
is_line 'the op view has other shapes of the same node' stdout 'input_type: 0:8x3,.1:3x4,.2:\[\].\(run\*1\|defined\*1\).exec_time: 5us'
run scope "$work/shapes.json" -select input_shapes -output json
is_line 'json has input shapes' stdout '.*"0:2x3\|1:3x4\|2:\[\]".*'

cat >"$work/beside.json" <<'END'
[{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1},
 {"ph":"b","cat":"x","name":"request","id":1,"ts":1,"pid":1},
 {"ph":"e","cat":"x","name":"request","id":1,"ts":9,"pid":1},
 {"ph":"s","cat":"y","name":"next","id":7,"ts":2,"pid":1,"tid":1},
 {"ph":"f","cat":"y","name":"next","id":7,"ts":7,"pid":1,"tid":1},
 {"ph":"X","name":"b","ts":8,"dur":2,"pid":1,"tid":1}]
END
run scope "$work/beside.json" -select occurrence,micros
is_line 'an asynchronous span has its time' stdout '    \(async\)/request \(8us/8us, 0us/0us, 0us/0us, 1/1\|1/1\)'
is_line 'an asynchronous span has no CPU time' stdout '_TFProfRoot \(--/15us, --/0us, --/7us, .*'
# The name of an end event is ignored; it ends the innermost begin event; ids may be local to a process.
cat >"$work/spans.json" <<'END'
[{"ph":"X","name":"a","ts":1,"dur":5,"pid":1,"tid":1},
 {"ph":"e","cat":"x","name":"c","id":1,"ts":9,"pid":1},
 {"ph":"b","cat":"x","name":"c","id":1,"ts":1,"pid":1},
 {"ph":"b","cat":"x","name":"d","id":1,"ts":2,"pid":1},
 {"ph":"n","cat":"x","name":"c","id":1,"ts":3,"pid":1},
 {"ph":"e","cat":"x","name":"","id":1,"ts":4,"pid":1},
 {"ph":"b","cat":"x","name":"f","id2":{"local":"1"},"ts":1,"pid":1},
 {"ph":"b","cat":"x","name":"f","id2":{"local":"1"},"ts":2,"pid":2},
 {"ph":"e","cat":"x","name":"f","id2":{"local":"1"},"ts":9,"pid":1},
 {"ph":"e","cat":"x","name":"f","id2":{"local":"1"},"ts":9,"pid":2},
 {"ph":"S","cat":"x","name":"g","id":2,"ts":1,"pid":1},
 {"ph":"F","cat":"x","name":"g","id":2,"ts":4,"pid":1},
 {"ph":"b","cat":"x","name":"h","id":5,"ts":1,"pid":1},
 {"ph":"e","cat":"x","name":"h","id":6,"ts":4,"pid":1}]
END
run sql 'SELECT name, micros, cpu_micros FROM executions JOIN nodes USING (node) ORDER BY name' \
  "$work/spans.json" -output csv
for line in c,8,0 d,2,0 f,15,0 g,3,0 h,0,0; do
  is_line "a span and its length: $line" stdout "\"\(async\)/${line%%,*}\",${line#*,}"
done
run scope "$work/spans.json" -output profile:outfile="$work/spans"
run scope --profile_path "$work/spans"
is_line 'a stored profile has asynchronous spans' stdout '_TFProfRoot \(--/33us, --/0us, --/5us\)'
run graph "$work/beside.json" -select micros
is_line 'the end of a flow depends on its start' stdout '    a \(5us/5us, .*'

# Damaged files: the data before the damage is read, and one note reports it.
head -c 3000 "$trace" >"$work/cut.json"
run summary "$work/cut.json" -output json
is_status 'a truncated file is read' 0
is_line 'the offset of the truncation is reported' stderr '.*the file ends within an event at offset [0-9]+: [0-9]+ events read'
gzip -c "$trace" | head -c 600 >"$work/cut.json.gz"
run summary "$work/cut.json.gz" -output json
is_status 'truncated gzip data is decompressed up to its end' 0
is_line 'the summary counts repairs' stdout '.*"repairs":\{"gzip_truncated":1,"truncated":1\}.*'
printf '[{"ph":"X","name":"a","ts":1,"dur":1},{bad},{"ph":"X","name":"b","ts":3,"dur":1}]' >"$work/bad.json"
run scope "$work/bad.json"
is_status 'an unreadable event is skipped' 0
is_line 'the offset of the skipped event is reported' stderr '.*1 event skipped at offset 38: 2 events read'
printf '{"traceEvents":[' >"$work/none.json"
run scope "$work/none.json"
is_status 'a file without events is an error' 1
printf '{"schema": "1.1.1-chakra.0.0.4", "nodes": []}' >"$work/execution.json"
run scope "$work/execution.json"
is_line 'an execution trace is recognised and refused' stderr '.*: an execution trace of PyTorch, which has no times: .*'
printf '[1, 2, 3]' >"$work/list.json"
run scope "$work/list.json"
is_status 'other JSON is refused' 1
# More categories than numbers: no category gets the name of another one.
awk 'BEGIN {
  print "{\"traceEvents\": ["
  for (i = 0; i < 65537; i++)
    printf "{\"ph\": \"X\", \"cat\": \"c%d\", \"name\": \"n%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1},\n", i, i, 2 * i
  print "{}]}" }' >"$work/categories.json"
run scope "$work/categories.json" -select op_types -max_depth 9 -show_name_regexes '.*n65533,.*n65534,.*n65536'
is_line 'the last category with a number has its name' stdout '.*n65533.*c65533.*'
is_line 'further categories share one name' stdout '.*n65536.*\(other categories\).*'
# Memory events outside of slices, in a trace without categories.
cat >"$work/marks.json" <<'END'
{"traceEvents": [{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "s": "t", "ts": 5,
  "args": {"Total Reserved": 64, "Total Allocated": 32, "Bytes": 32, "Addr": 16, "Device Id": -1, "Device Type": 0}}]}
END
run scope "$work/marks.json" -select bytes,op_types -max_depth 9
is_status 'a trace with only memory events is read' 0
# A failed request does not count as an allocation.
cat >"$work/failed.json" <<'END'
{"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::empty", "pid": 1, "tid": 1, "ts": 100, "dur": 50},
{"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 1, "tid": 1, "s": "t", "ts": 110,
  "args": {"Total Reserved": 2048, "Total Allocated": 1024, "Bytes": 1024, "Addr": 16, "Device Id": 0, "Device Type": 1}},
{"ph": "i", "cat": "cpu_instant_event", "name": "[OutOfMemory]", "pid": 1, "tid": 1, "s": "t", "ts": 120,
  "args": {"Total Reserved": 2048, "Total Allocated": 1024, "Bytes": 8192, "Device Id": 0, "Device Type": 1}}]}
END
run memory "$work/failed.json" -q
is_line 'a failed allocation is reported' stdout 'OUT OF MEMORY  /gpu:0 at 10us  requested 8.19KB: .*'
is_line 'memory in use and reserved at the failure' stdout ' +in use 1.02KB of 2.05KB reserved; .*'
run memory "$work/failed.json" -q -output json
is_line 'json counts failed allocations' stdout '.*"events":{"alloc":1,"oom":1},.*'
is_line 'json has the event of the failure' stdout '{"event":1,"at_us":10,"requested_bytes":8192,"device_free_bytes":null.*'
run op "$work/failed.json" -q -select bytes -output json
is_line 'a failed allocation does not count as bytes' stdout '.*"bytes":{"self":1024,.*'
# Nested calls: the total length of their paths is quadratic in the depth.
awk 'BEGIN {
  print "{\"traceEvents\": ["
  for (i = 0; i < 20000; i++)
    printf "{\"ph\": \"X\", \"name\": \"n\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": %d},\n", i, 40000 - 2 * i
  print "{}]}" }' >"$work/deep.json"
run scope "$work/deep.json" -select micros,occurrence -max_depth 0
is_line 'calls nested too deeply are reported' stderr '.* calls are nested so deeply .*: shown below \(deep calls\)'
is_line 'the total includes all deep calls' stdout '_TFProfRoot \(--/40.00ms, .*--/20.00k\|.*'
# The same holds for call stacks, but stacks of ordinary depth are complete.
deep_stacks() {
  awk -v n="$1" 'BEGIN {
  print "{\"schemaVersion\": 1, \"traceEvents\": ["
  for (i = 0; i < n; i++)
    printf "{\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"f.py(1): f%d\", \"pid\": 1, \"tid\": 1, " \
           "\"ts\": %d, \"dur\": %d, \"args\": {\"Python id\": %d, \"Python parent id\": %d}},\n", i, i, 40000 - 2 * i, i + 1, i
  print "{}]}" }' >"$work/stacks.json"
}
deep_stacks 8000
run code "$work/stacks.json" -select micros -max_depth 0
is_line 'stacks nested too deeply are reported' stderr '.* calls are nested so deeply .*: shown below \(deep calls\)'
is_line 'the total includes all deep stacks' stdout '_TFProfRoot \(--/40.00ms,.*'
deep_stacks 3000
run code "$work/stacks.json" -select micros -max_depth all
is 'an ordinary deep stack is complete' test "$(grep -c 'f.py:1:f' "$work/stdout")" -eq 3000
is 'an ordinary deep stack gives no note' test ! -s "$work/stderr"
# Counts of operators equal those of torch.
call() { # NAME START DUR DIMS VALUES
  printf ',{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":%s,"dur":%s,' "$1" "$2" "$3"
  printf '"args":{"Input Dims":%s,"Concrete Inputs":%s}}' "$4" "$5"
}
calls() { # FILE: the calls on standard input
  { printf '{"schemaVersion":1,"record_shapes":1,"traceEvents":[{"ph":"M","name":"x"}'; cat; printf ']}'; } >"$work/$1"
}
counts() { # WHAT FILE FLOPS COUNT
  run scope "$work/$2" -flops "$3" -max_depth 0 -select float_ops -output json
  is_line "$1" stdout ".*\"float_ops\":\{\"self\":null,\"total\":$4\}.*"
}
{ call aten::mul 0 60 '[[2,3,4],[]]' '["","0.5"]'; call aten::mul 10 40 '[[2,3,4],[]]' '["",""]'; } | calls scalar.json
counts 'an operator that only calls itself is one call' scalar.json compat 24
{ call aten::mul 0 60 '[[2,3,4],[]]' '["","0.5"]'; call aten::mul 10 20 '[[2,3,4],[]]' '["",""]'
  call aten::to 40 10 '[[2,3,4]]' '[""]'; } | calls beside.json
counts 'one that calls another, too, is two' beside.json compat 48
lists='["","","","[1, 1]","[0, 0]","[1, 1]","1"]'
call aten::conv2d 0 60 '[[4,9,9],[6,4,3,3],[],[],[],[]]' "$lists" | calls unbatched.json
counts 'a convolution without a batch has no count' unbatched.json compat 0
is 'recorded shapes are not advised again' sh -c "! grep -q record_shapes '$work/stderr'"
call aten::conv2d 0 60 '[[1,4,9,9],[6,4,3,3],[],[],[],[]]' '["","","","[1, 1]","","[1, 1]","1"]' | calls same.json
counts 'nor has one that is padded by a word' same.json compat 0
call aten::conv2d 0 60 '[[2,4,9,9],[6,4,3,3],[],[],[],[]]' "$lists" | calls batch.json
counts 'others have' batch.json compat 42336
for kind in flash_attention_for_cpu flash_attention efficient_attention cudnn_attention; do
  call "aten::_scaled_dot_product_${kind}_backward" 0 60 \
    '[[2,4,8,16],[2,4,8,16],[2,4,9,16],[2,4,9,16],[2,4,8,16]]' '["","","","",""]' | calls backward.json
  counts "the backward pass of $kind is five products" backward.json full 92160
done

# Collectives on CPUs have no process groups: the k-th ones of each name are matched.
for rank in 0 1 2; do
  {
    printf '{"distributedInfo":{"rank":%s,"world_size":3},"traceEvents":[' "$rank"
    printf '{"ph":"X","cat":"user_annotation","name":"gloo:all_reduce","pid":%s,"tid":5,"ts":%s,"dur":%s},' \
      "$rank" "$((100 + 1000 * rank))" "$((4900 - 1000 * rank))"
    printf '{"ph":"X","cat":"user_annotation","name":"gloo:recv","pid":%s,"tid":5,"ts":5400,"dur":9},' "$rank"
    printf '{"ph":"X","cat":"user_annotation","name":"gloo:all_reduce","pid":%s,"tid":6,"ts":%s,"dur":%s}]}' \
      "$rank" "$((6000 + 100 * rank))" "$((900 - 100 * rank))"
  } >"$work/gloo_rank_$rank.json"
done
run ranks "$work/gloo_rank_0.json" "$work/gloo_rank_1.json" "$work/gloo_rank_2.json"
is_line 'collectives of gloo are matched' stdout '2 collectives were recorded by all their ranks, 2 of them end together'
is 'none is left out' sh -c "! grep -q 'left out' '$work/stdout'"
is_line 'gloo collectives have a last rank' stdout ' *2 +2 +3.30ms +0us .*'
sed 's/gloo:recv/gloo:all_reduce/' "$work/gloo_rank_2.json" >"$work/gloo_more.json"
run ranks "$work/gloo_rank_0.json" "$work/gloo_rank_1.json" "$work/gloo_more.json"
is_line 'different numbers of a collective are reported' stdout '7 records of collectives are left out: their ranks have different numbers of them'

# ---- any number of threads

# export_of THREADS FILE: rows, figures and messages.
export_of() {
  TFPROF_THREADS=$1 "$TFPROF" scope "$2" -step all -max_depth 99 -select micros,bytes,occurrence,device \
    -no-config -no-state 2>&1
}

# With sanitizers one number: they find faults of threads, not differences.
counts='2 3 8'
[ -z "${sanitized-}" ] || counts=8
samples=${TFPROF_TRACES:-$top_srcdir/../shared/golden/traces}
if [ -d "$samples" ]; then
  for file in "$training" "$samples"/*.json* "$samples"/*/*.json*; do
    one=$(export_of 1 "$file")
    for threads in $counts; do
      [ "$(export_of "$threads" "$file")" = "$one" ] || echo "$threads threads: $file"
    done
  done >"$work/differ"
  is 'traces are read the same with any number of threads' test ! -s "$work/differ"
else
  skip_case 'traces are read the same with any number of threads' \
    'the traces are not here: TFPROF_TRACES=FOLDER'
fi
# Two files, each with a step and an operator outside of it.
cat >"$work/first.json" <<'END'
{"schemaVersion": 1, "traceEvents": [
{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 0, "dur": 100},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 10, "dur": 20},
{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 210, "dur": 20}]}
END
cp "$work/first.json" "$work/second.json"
run scope "$work/first.json" "$work/second.json"
is_line 'equal notes of several files are one line' stderr 'tfprof: 2 files: outside steps: .* [(]-step outside[)]; shown for the first file, `tfprof summary` lists all'
is 'equal notes are printed once' test "$(grep -c 'outside steps' "$work/stderr")" -eq 1
run scope "$work/first.json"
is_line 'a note of one file names it' stderr 'tfprof: .*/first.json: outside steps: .*'
run brief "$work/first.json" "$work/second.json"
is 'a brief does not repeat notes' awk '/outside steps/ { exit 1 }' "$work/stderr"
outside='"notes":[{"kind":"outside","text":"2 files: outside steps: '
has_notes() { tail -c 300 "$work/stdout" | grep -qF "$outside"; }
has_no_notes() { ! has_notes; }
for command in scope advise steps summary; do
  run "$command" "$work/first.json" "$work/second.json" -output json
  is "the last member of the json of $command is the list of notes" has_notes
done
run steps "$work/first.json" "$work/second.json" -output json -q
is '-q leaves the notes out of json' has_no_notes
bytes=$(wc -c <"$work/stdout")
run steps "$work/first.json" "$work/second.json" -output json -budget "$((bytes + 10))"
is 'notes that exceed the budget are left out' has_no_notes
is 'all rows are kept' test "$(wc -c <"$work/stdout")" -eq "$bytes"
run breakdown "$work/first.json" "$work/second.json" -q
is_line 'the breakdown of calls alone says how to record device work' stdout \
  'no device work in this input: record with activities=\[ProfilerActivity.CPU, ProfilerActivity.CUDA\]'
run steps "$work/first.json" "$work/second.json" -output json -budget 2000
is 'notes within the budget are kept' has_notes
run brief "$work/first.json" "$work/second.json" -output json
is 'the json of a brief does not repeat notes' has_no_notes
run scope "$work/first.json" -output json -show_name_regexes nothing
is 'json says why it has no row' grep -q '"kind":"empty"' "$work/stdout"

finish
