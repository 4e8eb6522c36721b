#!/bin/sh
# memory.sh: memory in use over time from the allocation records of RunMetadata.
. "$top_srcdir/tests/cli/lib.sh"

resnet=$top_srcdir/tests/golden/models/resnet32
set -- -q -graph_path "$resnet/graph.pb.gz" -run_meta_path "$resnet/run_meta_1.pb.gz"

run memory "$@"
is_status 'memory of a step is printed' 0
is_line 'the peak and the sum over ops are printed' stdout \
  '/job:localhost/replica:0/task:0/device:cpu:0 +cpu +0 +365\.18MB +1\.72sec +6\.80sec +3000\.96MB'
is_line 'the slice of the peak has the longest bar' stdout ' +2\.04sec +365\.18MB  #{50}'
is_line 'live allocations are counted' stdout 'live at its peak: 216 blocks, 365\.18MB'
is_line 'live allocations by scope' stdout 'unit_1_0 +12 +37\.75MB +10\.3%'
run memory "$@" -group type
is_line 'live allocations by type' stdout 'Mul +91 +154\.94MB +42\.4%'
run memory "$@" -group block
is_line 'live allocations by node, with their lifetime' stdout 'init/init_conv/Conv2D +1 +8\.39MB +2\.3% +606\.98ms +6\.63sec'
is_line 'the number of rows is limited' stdout 'and 196 more, .*'

run memory "$@" -output json
is_status 'memory as JSON' 0
is_line 'figures are exact' stdout \
  '.*"peak_bytes":365178112,"peak_event":583,"peak_at_us":1724568,"length_us":6795751,.*'
is_line 'json has the sum over ops' stdout '.*"sum_over_ops_bytes":3000962768}]}'
sums=$(tr '{' '\n' <"$work/stdout" | awk -F'"bytes":' 'NF > 1 { split($2, n, /[,}]/); sum += n[1] } END { printf "%d", sum }')
is 'live allocations sum to the peak' test "$sums" = 365178112

run memory "$@" -op_log_path "$resnet/tfprof_log.pb.gz" -group code
is_status 'memory with an op log is printed' 0
is_line 'live allocations by line of code' stdout 'resnet_model\.py:160:_relu +60 +191\.37MB +52\.4%'
run memory "$@" -op_log_path "$resnet/tfprof_log.pb.gz" -output json
is_line 'json has lines of code' stdout '.*"name":"init/init_conv/Conv2D","type":"Conv2D","code":"resnet_model.py:157:_conv",.*'

printf '%s\n' 'step_stats { dev_stats { device: "/gpu:0" node_stats { node_name: "x" all_start_micros: 1 op_end_rel_micros: 9' \
  'memory { allocator_name: "a\033]0;t\007" allocation_records { alloc_micros: 1 alloc_bytes: 8 } } } } }' >"$work/escape.pbtxt"
sed 's/allocator_name: "[^"]*"/allocator_name: "GPU_0_bfc"/' "$work/escape.pbtxt" >"$work/gpu.pbtxt"
run memory "$work/gpu.pbtxt" -q -device_regexes /gpu:0 -output csv
is_line 'the allocator of a device of RunMetadata is selected' stdout '"/gpu:0","GPU_0_bfc",.*'
run memory "$work/escape.pbtxt" -q
is_line 'escape sequences in names are text' stdout 'a\\x1b\]0;t\\x07 of /gpu:0 in step 0: .*'

run memory "$@" -at end -output json
is_line '-at end selects the last event' stdout '.*"at":{"event":1589,"us":6795751},.*'
run memory "$@" -since 1s -at 1.5s -output json
is_line '-since and -at select allocations between two times' stdout '.*"since":{"event":[0-9]+,"us":[0-9]+},.*'
run memory "$@" -segments
is_status '-segments without segments is refused' 2
is_line 'the error names the option' stderr '.*-segments: .*run_meta_1.pb.gz has no segments'
run memory "$@" -diff_base "$resnet/run_meta_2.pb.gz" -output json
is_line 'steps are compared by node' stdout '.*"diff":{"bytes":[0-9]+,"base_bytes":[0-9]+,"delta_bytes":.*'
run memory "$@" -step 3
is_status 'a missing step is an error' 1
run memory -q -graph_path "$resnet/graph.pb.gz" -run_meta_path "$resnet/run_meta_1.pb.gz,$resnet/run_meta_2.pb.gz" \
  -step median
is_line '-step median selects the median step' stdout '.* +cpu +1 +365\.18MB +1\.96sec .*'
is '-step median prints one step' test "$(grep -c '^/job' "$work/stdout")" = 1
run memory "$top_srcdir/data/resnet32.pb.gz"
is_status 'a profile without allocation records is an error' 1
is_line 'the error names the required input' stderr '.*needs RunMetadata with allocation records.*'
run memory "$@" -output csv
is_line 'allocators as csv' stdout '"/job:localhost/replica:0/task:0/device:cpu:0","cpu",0,,365178112,1724568,6795751,,,,,,3000962768'
run sql 'select allocator, peak_bytes from allocators' "$@" -output csv
is_line 'allocators in SQL' stdout '"cpu",365178112'

# A program whose plan has no events of a heap: one parameter of 16 bytes.
printf '\n\047\n\001m\032 \n\001e\022\027\n\001p\022\011parameter\032\004\020\013\030\004\230\002\001\050\001\060\001\060\001' >"$work/plan.hlo.pb"
printf '\032\026\n\010\010\001\020\020\032\002 \001\032\n\020\020\050\001\112\004\010\001\030\020' >>"$work/plan.hlo.pb"
run memory "$work/plan.hlo.pb"
is_line 'a plan has its arguments' stdout 'm +1 +16B +100.0%'
is 'a plan without events has no curve' sh -c "! grep -q 'event 0' '$work/stdout'"
is 'call stacks of PyTorch are not asked of a plan' sh -c "! grep -q 'torch' '$work/stdout'"
run brief "$work/plan.hlo.pb"
is_line 'a program that did not run is one of XLA' stdout 'system: XLA'

finish
