#!/bin/sh
# capture.sh: captures of two hosts: advice, and messages about missing data.
. "$top_srcdir/tests/cli/lib.sh"

texts=$top_srcdir/tests/golden/captures
for host in a b; do
  "$top_builddir/tests/fixtures/write_capture" "$texts/two_hosts_$host.txt" "$work/$host.xplane.pb" || exit 1
done

run advise "$work/a.xplane.pb" "$work/b.xplane.pb"
is_status 'advice on captures of two hosts is printed' 0
is_line 'advice reports copies' stdout '.*  5\.7 % of /host:b/device:GPU:0 \(10us\) is copies .*'
is_line 'advice reports the uncounted operations' stdout '.*  operations are not counted for 10\.9 % of the time, mostly in Iterator::Root, jit_step/call/call, next: .*'
is_line 'advice reports code without a call stack' stdout '.*  [0-9.]+ % of the time of compiled code \(10us\) has no call stack: .*'
is_line 'advice reports idle devices' stdout ' +420 us  2 GPUs are idle for 840us \(71\.2%\): .*'
is_line 'advice reports slow steps and the op that grew most' stdout '.*  3 steps take 100us, the slowest one, 3, 400us, 4\.00 times as long; jit_step/dot_general/dot grew most, from 40us to 110us  \(tfprof breakdown FILE\)'
is_line 'advice reports the last host to arrive' stdout ' +38 us  host a late: delayed others by 75 us in 3 of 3 collectives  \(tfprof hosts FILE\)'
is_line 'advice reports rates above the peak' stdout '.*  jit_step/dot_general/dot does .* so the count or the peak is wrong.*'
is_line 'advice reports waits for input' stdout '.*  host a: ops wait for input, moderate: 5\.0 % of 600us: .*'
is_line 'advice reports memory near its limit' stdout '.*  GPU_0_bfc of host a: its peak is 95\.0 % of 1\.00KB: .*; fragmentation at the peak is 75\.0 %: .*'

sed 's/^host; a$/host; c/' "$texts/two_hosts_a.txt" >"$work/c.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/c.txt" "$work/c.xplane.pb" || exit 1
run advise "$work/a.xplane.pb" "$work/c.xplane.pb"
is 'advice does not report equal devices' test "$(grep -c 'slowest in' "$work/stdout")" -eq 0

run breakdown "$work/a.xplane.pb" "$work/b.xplane.pb" -output json
is_line 'a breakdown of captures has a row per device' stdout '\{"rank":null,"device":"/host:a/device:GPU:0","step":1,"wall":100,"span":30,.*"host":"a".*'
run breakdown "$work/a.xplane.pb" -step 1 -device_regexes '/host:b/.*'
is_status 'a breakdown without a matching device is an error' 1
run memory "$work/a.xplane.pb" -device_regexes '/host:a/device:GPU:0'
is_status 'the allocator of a GPU is that of its device' 0
run memory "$work/a.xplane.pb" -device_regexes '/host:a/device:GPU:1'
is_status 'other devices have no allocator' 1
run breakdown "$work/a.xplane.pb" "$work/b.xplane.pb"
is_line 'the straggler is the verdict' stdout 'host a late: delayed others by 75 us in 3 of 3 collectives'
run summary "$work/a.xplane.pb"
is_line 'the summary has peak rates' stdout ' */host:a/device:GPU:0 .*; peak 0\.00 TFLOP/s, 0\.1 GB/s'
is_line 'the summary lists programs and their hosts' stdout ' *jit_step +ran, id 3 on a, .*'

run graph "$work/a.xplane.pb" -step 3 -output "timeline:outfile=$work/timeline.json"
is_status 'a timeline of a capture is written' 0
tr '{' '\n' <"$work/timeline.json" >"$work/events"
is_line 'a timeline has a process for each allocator' events '"name":"mem usage on:/host:a/GPU_0_bfc"},"name":"process_name".*'
is_line 'a timeline has the memory in use of an allocator' events '"Allocator Bytes in Use":950},.*"name":"Allocated Bytes".*'

total() { # FILE...
  "$TFPROF" scope "$@" -q --no-config --no-state -step all -max_depth 1 -select micros -output json |
    sed -n 's/.*"path":"",.*"total_ps":\([0-9]*\)},"accelerator.*"total_ps":\([0-9]*\)},"cpu.*/\1 \2/p'
}
run graph "$work/a.xplane.pb" "$work/b.xplane.pb" -step all -max_depth 999 -output "timeline:outfile=$work/timeline.json"
tr '{' '\n' <"$work/timeline.json" >"$work/events"
is_line 'a timeline has the device of the first host' events '"name":"Op execution threads: /host:a/device:GPU:0"},"name":"process_name".*'
is_line 'a timeline has the device of the second host' events '"name":"Op execution threads: /host:b/device:GPU:0"},"name":"process_name".*'
is_line 'a timeline has the names of lines' events '"name":"Stream #7"},"name":"thread_name","ph":"M","pid":1,"tid":0},'
is 'the timeline of two hosts is read back with the same sums' \
  test "$(total "$work/timeline.json")" = "$(total "$work/a.xplane.pb" "$work/b.xplane.pb")"
is 'the sums of the timeline are not empty' test -n "$(total "$work/timeline.json")"

self() { # OPTION...
  "$TFPROF" op "$work/a.xplane.pb" "$work/b.xplane.pb" -q --no-config --no-state -step all -select micros,occurrence "$@" -output csv |
    sed -n 's/^"dot",[^,]*,[^,]*,[^,]*,\([0-9.]*\),.*,\([0-9]*\),[0-9]*,[0-9]*,[0-9]*$/\1 \2/p'
}
both=$(self) one=$(self -device_regexes '/host:a/.*') other=$(self -device_regexes '/host:b/.*')
is 'an op on two devices has executions on both' test "$both" = '190 6'
is '-device_regexes selects the executions on one device' test "$one $other" = '130 3 60 3'
run op "$work/a.xplane.pb" "$work/b.xplane.pb" -step all -device_regexes '/host:a/.*,/host:b/.*' -select micros
is_line '-device_regexes accepts a list' stdout 'dot .*'
run graph "$work/a.xplane.pb" "$work/b.xplane.pb" -step all -max_depth 999 -device_regexes '/host:b/.*' \
  -output "timeline:outfile=$work/timeline.json"
is 'a timeline contains only the selected device' test "$(grep -c 'host:a/device' "$work/timeline.json")" -eq 0

cat >"$work/nested.txt" <<'END'
plane; /host:CPU
line; 1; main; 1
event; outer:MatMul; 0; 9000
event; inner:Relu; 2000; 3000
plane; /device:GPU:0
line; 7; Stream #7; 1
event; early; 0; 9000
event; late; 8000; 4000
END
"$top_builddir/tests/fixtures/write_capture" "$work/nested.txt" "$work/nested.xplane.pb" || exit 1
run graph "$work/nested.xplane.pb" -step all -max_depth 99 -output "timeline:outfile=$work/timeline.json"
tr '{' '\n' <"$work/timeline.json" >"$work/events"
is_line 'a slice has its whole duration and its self time' events \
  '"name":"outer","op":"MatMul","self_us":0.006},"cat":"Op","dur":0.009,"name":"outer",.*"tid":0,.*'
is_line 'a nested slice is on the same thread' events \
  '"name":"inner","op":"Relu"},"cat":"Op","dur":0.003,"name":"inner",.*"tid":0,.*'
is_line 'a partly overlapping slice is on a separate thread' events \
  '"name":"\(no HLO\)/late","op":"device event"},"cat":"Op","dur":0.004,"name":"late",.*"tid":1,.*'
is_line 'the separate thread is named overlapping' events '"name":"Stream #7 \(overlapping\)"},"name":"thread_name".*'


mkdir "$work/beside"
cp "$work/a.xplane.pb" "$work/beside/a.xplane.pb"
printf '%s' '{"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[
{"ph":"M","pid":1,"name":"process_name","args":{"name":"/host:CPU"}},
{"ph":"X","pid":1,"tid":1,"ts":1,"dur":2,"name":"f"},{}]}' >"$work/beside/a.trace.json"
gzip "$work/beside/a.trace.json"
run scope "$work/beside"
is_line 'the capture is read instead of its trace' stderr 'tfprof: .*/beside: its captures are read instead of the traces .*'
run scope "$work/beside/a.trace.json.gz"
is_line 'a note for a named trace mentions its capture' stderr 'tfprof: .*/a\.trace\.json\.gz: the capture \(\.xplane\.pb\) next to it has more data'
many() { # N: a trace with N slices
  awk -v n="$1" 'BEGIN {
    print "{\"metadata\":{\"highres-ticks\":true},\"traceEvents\":["
    for (i = 1; i <= n; i++) printf "{\"ph\":\"X\",\"ts\":%d,\"dur\":1,\"name\":\"f\"},", i
    print "{}]}"
  }'
}
for n in 1000000 999999; do
  many "$n" | "$TFPROF" scope - --no-config --no-state -max_depth 1 >"$work/stdout" 2>"$work/$n"
done
is 'a trace with the maximum number of events gives a note' grep -q 'exactly 1,000,000 events' "$work/1000000"
is 'a shorter trace gives no note' test "$(grep -c 'exactly' "$work/999999")" -eq 0

mkdir "$work/records"
: >"$work/records/a.xplane.riegeli"
run scope "$work/records"
is_status 'a folder with only riegeli records is an error' 1
is_line 'the error names the riegeli records' stderr 'tfprof: .*: the captures in this folder are riegeli records, which are not read: .*'

printf 'plane; /host:CPU\nline; 1; main; 1\nevent; a:MatMul; 0; 1000\n' >"$work/ops.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/ops.txt" "$work/ops.xplane.pb" || exit 1
run code "$work/ops.xplane.pb"
is_line 'a note says how to record call stacks' stderr 'tfprof: no op of this capture has a call stack: -host_events python .*'

# ---- steps

# A host dispatches programs before they run: the second one begins when all are dispatched.
cat >"$work/async.txt" <<'END'
host; h
plane; /host:metadata
program; jit_f(4); 4
HloModule jit_f
ENTRY e { a = f32[8] parameter(0)
  ROOT b = f32[8] negate(a) }
end
plane; /host:CPU
line; 1; python; 0
event; train; 1000000; 500000; step_num=0; _r=1
event; PjitFunction(f); 1010000; 400000
event; PjitFunction(f); 1020000; 380000
event; PjRtExecutable::ExecuteHelperOnSingleDevice; 1030000; 300000
event; PjRtExecutable::ExecutePrepare; 1040000; 1000
event; train; 2000000; 500000; step_num=1; _r=1
event; PjitFunction(f); 2010000; 400000
event; PjRtExecutable::ExecuteHelperOnSingleDevice; 2030000; 300000
event; train; 3000000; 500000; step_num=2; _r=1
event; PjitFunction(f); 3010000; 400000
event; PjRtExecutable::ExecuteHelperOnSingleDevice; 3030000; 300000
line; 2; worker; 0
event; b; 100000; 200000; hlo_op=b; hlo_module=jit_f; program_id=4; run_id=6; device_ordinal=0
event; a; 100000; 190000; hlo_op=a; hlo_module=jit_f; program_id=4; run_id=6; device_ordinal=0
event; b; 1100000; 9000000; hlo_op=b; hlo_module=jit_f; program_id=4; run_id=7; device_ordinal=0
event; b; 10200000; 5000000; hlo_op=b; hlo_module=jit_f; program_id=4; run_id=8; device_ordinal=0
event; b; 15300000; 4000000; hlo_op=b; hlo_module=jit_f; program_id=4; run_id=9; device_ordinal=0
END
"$top_builddir/tests/fixtures/write_capture" "$work/async.txt" "$work/async.xplane.pb" || exit 1
for expected in 0=9 1=5 2=4; do
  run scope "$work/async.xplane.pb" -step "${expected%=*}" -max_depth 0 -select micros
  is_line "executions belong to the step that dispatched them: ${expected%=*}" stdout \
    "_TFProfRoot \(--/${expected#*=}us,.*"
done
is_line 'work before the first mark counts once' stderr 'tfprof: 2 events \(<1us\) were launched before .*'
run advise "$work/async.xplane.pb"
is_line 'the duration of a step is that of its device work' stdout \
  ' +--  3 steps take 5us, the slowest one, 0, 9us, 1.80 times as long.*'
run scope "$work/async.xplane.pb" -step worst -max_depth 0 -select micros
is_line 'work dispatched before the first step is not a step' stderr 'tfprof: -step worst is step 0 .*'

# A step that is slow because of recompilation: calls of the compiler nest and overlap.  The op that grew
# with it is not the cause, and neither is one that grew without a compilation.
step() { # NUMBER START_US LENGTH_US OP_US: a step in which an op runs.
  printf 'event; train; %s000000; %s000000; step_num=%s; _r=1\nevent; a/b:MatMul; %s000000; %s000000\n' \
    "$2" "$3" "$1" "$(($2 + 1))" "$4"
}
{
  printf 'host; h\nplane; /host:CPU\nline; 1; main; 1\n'
  step 1 0 100 50
  step 2 1000 100 50
  step 3 2000 1000 60
  step 4 4000 100 50
} >"$work/slow.txt"
{
  cat "$work/slow.txt"
  printf 'line; 2; compiler; 1\nevent; %s; 1900000000; 400000000\n' TfrtCpuClient::Compile
  printf 'event; %s; 2000000000; 100000000\nevent; %s; 2200000000; 200000000\n' \
    CpuCompiler::RunBackend backend_compile
  printf 'event; %s; 2500000000; 200000000\nevent; %s; 2800000000; 900000\n' \
    XlaCompile '$compiler.py:1 backend_compile'
} >"$work/compiled.txt"
for name in slow compiled; do
  "$top_builddir/tests/fixtures/write_capture" "$work/$name.txt" "$work/$name.xplane.pb" || exit 1
done
run advise "$work/compiled.xplane.pb"
is_line 'advice reports compilation in a slow step' stdout \
  ' +--  4 steps take 100us, the slowest one, 3, 1\.00ms, 10\.00 times as long; programs were compiled for 600us of it: .*'
run advise "$work/slow.xplane.pb"
is_line 'advice reports a slow step that no op explains' stdout \
  '.*10\.00 times as long; no op explains it: look at the time between ops; a/b grew most, from 50us to 60us  \(tfprof breakdown FILE\)'

# Marks with the same number are separate steps.
cat >"$work/epochs.txt" <<'END'
host; h
plane; /host:CPU
line; 1; python; 0
event; Pre:Add; 100; 90000000
event; train; 100000000; 9000000; step_num=0; _r=1
event; a:Add; 101000000; 1000000
event; train; 110000000; 9000000; step_num=1; _r=1
event; a:Add; 111000000; 2000000
event; test; 120000000; 9000000; step_num=-1; _r=1
event; a:Add; 121000000; 4000000
event; train; 130000000; 9000000; step_num=0; _r=1
event; a:Add; 131000000; 8000000
END
"$top_builddir/tests/fixtures/write_capture" "$work/epochs.txt" "$work/epochs.xplane.pb" || exit 1
run summary "$work/epochs.xplane.pb"
is_line 'each mark is a step' stderr 'tfprof: steps: 4, as marked in the capture'
is_line 'a step keeps the name of its mark' stdout '  step 1, train 1 +1 nodes ran, .*'
is_line 'a step keeps the number of its mark' stdout '  step 2, test -1 +1 nodes ran, .*'
is_line 'a repeated step name gets a suffix' stdout '  step 3, train 0 \(2\) +1 nodes ran, .*'
run scope "$work/epochs.xplane.pb" -step 3 -max_depth 0 -select micros
is_line 'a step has its own figures' stdout '_TFProfRoot \(--/8us,.*'
run scope "$work/epochs.xplane.pb" -step worst -max_depth 0 -select micros
is_line 'work before the first mark is not the worst step' stderr 'tfprof: -step worst is step 3 .*'

capture=$top_srcdir/data/training.xplane.pb
run sql "select sum(total) as time from kernels" "$capture" -step all
cp "$work/stdout" "$work/kernels"
run sql "select sum(accelerator_micros_self) as time from op" "$capture" -step all
is 'kernel times sum to the device time' cmp "$work/kernels" "$work/stdout"
run kernels "$capture"
is_line 'kernels are listed with their launching instructions' stdout 'tanh_kernel +jit_train_step/scan/while/body/tanh/tanh .* 3 +45us +12\.16% +15us +15us +15us +15us'

finish
