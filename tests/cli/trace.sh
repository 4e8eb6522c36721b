#!/bin/sh
# trace.sh: traces in the Trace Event format, whole, damaged, and of several ranks.
. "$top_srcdir/tests/cli/lib.sh"

traces=$top_srcdir/tests/traces
trace=$traces/rank_0.json

run scope "$trace" -step all -max_depth 9 -select cpu_micros,accelerator_micros,occurrence
is_status 'a trace is read' 0
is_line 'self time is what no child has' stdout ' *Linear_0/aten::linear/aten::addmm \(360us/360us, 420us/501us, 2/4\|1/2\)'
is_line 'a launch is below its operator' stdout ' *Linear_0/aten::linear/aten::addmm/cudaLaunchKernel .*'

run code "$trace" -step all -max_depth 9 -select cpu_micros
is_line 'the code view has frames' stdout ' *train.py:4:forward .*'

run op "$trace" -step all -max_depth 99 -kernels rows -account_type_regexes _communication -select accelerator_micros
is_line 'kernels have rows and classes' stdout 'ncclDevKernel_AllReduce_Sum_f32 .*'

run op "$trace" -step 1 -max_depth 99 -select float_ops -output json
is_line 'shapes give counts' stdout '.*"name":"aten::addmm".*"float_ops":\{"self":65536,.*'

# What a node does with other shapes or below another stack has no inputs of its own.
run op "$trace" -max_depth 99 -select input_shapes,occurrence
is_status 'input shapes of operators of traces' 0
is_line 'a group for what reads nothing in the graph' stdout 'input_type: .*\(run\*2\|defined\*2\).*'
run op "$trace" -max_depth 99 -select occurrence -output proto:outfile="$work/op.pb"
is_status 'operators of traces as a message' 0
run code "$trace" -max_depth 99 -select occurrence -output proto:outfile="$work/code.pb"
is_status 'stacks of traces as a message' 0

run scope "$trace" -step outside
is_status 'what is in no step can be asked for' 0
run scope "$trace" -step 7
is_status 'a step that is not there is an error' 1

run anatomy "$trace" -output json
is_status 'anatomy' 0
is_line 'the parts of a step' stdout '\{"rank":0,"device":"/gpu:0","step":1,"wall":600,"span":400,"busy":290,"compute":180,"communication":110,"exposed_communication":110,"memory":0,"exposed_memory":0,"overlap":0,"idle":110,"idle_host":110,.*'
run anatomy "$trace"
is_line 'anatomy as text' stdout '/gpu:0 +all +0 .*'
run anatomy "$trace" -streams
is_line 'anatomy of streams' stdout '/gpu:0 +9 +0 .*'
run anatomy "$sample"
is_status 'anatomy needs a trace' 1

run ranks "$traces/rank_0.json" "$traces/rank_1.json" -output json
is_status 'ranks' 0
is_line 'collectives are matched' stdout '\{"tfprof":1,"view":"ranks","paired":2,"matched":2,"rows":\[\{?.*'
is_line 'blame is by arrival' stdout '\{"rank":1,"last":2,"made_wait":60,"waited":0,.*'
run ranks "$trace"
is_status 'one rank waits for nobody' 1
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
is_line 'collectives that are not listed are counted' stdout 'and 3 more collectives'
run scope "$traces/rank_0.json" "$traces/rank_0.json"
is_status 'the same steps of a rank twice' 2
run scope "$traces/rank_0.json" "$traces/rank_1.json" -rank 1
is_status 'one rank of several' 0
run scope "$traces/rank_0.json" "$traces/rank_1.json" -rank 2
is_status 'a rank that is not there' 1
run op "$traces/rank_0.json" "$traces/rank_1.json" -rank all -step all -max_depth 99 -select occurrence -output json
is_line 'ranks are summed' stdout '.*"name":"aten::addmm".*"occurrence":\{"self":4,.*'
run op "$traces/rank_0.json" "$traces/rank_1.json" -max_depth 99 -select occurrence -output json
is_line 'or averaged' stdout '.*"name":"aten::addmm".*"occurrence":\{"self":1,.*'

run summary "$trace"
is_line 'summary says what a trace is' stdout '.*kineto, .* events, 1 thread,.*'
run summary "$trace" -output json
is_line 'summary as JSON' stdout '.*"dialect":"kineto".*"steps":\[1,2\],"repairs":\{\}.*'
run summary "$trace" -output csv
is_status 'other outputs are refused' 2

# Damage: what came before it is there, and one note says so.
head -c 3000 "$trace" >"$work/cut.json"
run summary "$work/cut.json" -output json
is_status 'a file that ends early is read' 0
is_line 'it says where it ends' stderr '.*the file ends within an event at offset [0-9]+: [0-9]+ events read'
gzip -c "$trace" | head -c 600 >"$work/cut.json.gz"
run summary "$work/cut.json.gz" -output json
is_status 'packed data that are cut are unpacked as far as they go' 0
is_line 'the summary counts repairs' stdout '.*"repairs":\{"gzip_truncated":1,"truncated":1\}.*'
printf '[{"ph":"X","name":"a","ts":1,"dur":1},{bad},{"ph":"X","name":"b","ts":3,"dur":1}]' >"$work/bad.json"
run scope "$work/bad.json"
is_status 'an event that cannot be read is skipped' 0
is_line 'with its offset' stderr '.*1 event skipped at offset 38: 2 events read'
printf '{"traceEvents":[' >"$work/none.json"
run scope "$work/none.json"
is_status 'no event at all is an error' 1
printf '[1, 2, 3]' >"$work/list.json"
run scope "$work/list.json"
is_status 'other JSON is no trace' 1
# More categories than there are numbers for: none passes for another one.
awk 'BEGIN {
  print "{\"traceEvents\": ["
  for (i = 0; i < 65537; i++)
    printf "{\"ph\": \"X\", \"cat\": \"c%d\", \"name\": \"n%d\", \"pid\": 1, \"tid\": 1, \"ts\": %d, \"dur\": 1},\n", i, i, 2 * i
  print "{}]}" }' >"$work/categories.json"
run scope "$work/categories.json" -select op_types -max_depth 9 -show_name_regexes '.*n65533,.*n65534,.*n65536'
is_line 'the last category with a name of its own' stdout '.*n65533.*c65533.*'
is_line 'those beyond are not named' stdout '.*n65536.*\(other categories\).*'
finish
