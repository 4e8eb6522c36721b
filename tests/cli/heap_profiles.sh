#!/bin/sh
# heap_profiles.sh: profiles of pprof, and allocations of traces, as memory.
. "$top_srcdir/tests/cli/lib.sh"

# Two sample types (allocations/count, space/bytes); main (line 9) calls a/b (line 7) on cpu:0; an address.
printf '%b' '\012\004\010\001\020\002\012\004\010\003\020\004\022\025\012\002\001\002\022\003\002\0254\002\032\004\010\010\020\011\032\004\010\012\020\013\022\006\010\003\020\001\020\062' \
  '\042\010\010\001\042\004\010\001\020\007\042\010\010\002\042\004\010\002\020\011\042\005\010\003\030\0274\025\052\006\010\001\020\006\040\007\052\006\010\002\020\005\040\007' \
  '\062\000\062\013allocations\062\005count\062\005space\062\005bytes\062\004main\062\003a/b\062\013/x/train.py\062\006device\062\005cpu:0\062\004kind\062\006buffer\062\003cpu\062\013nanoseconds\160\003' \
  >"$work/memory.prof"
run summary "$work/memory.prof" -output json
is_status 'a heap profile is read' 0
is_line 'the sample types are listed' stdout \
  '.*"format":"pprof profile","samples":2,"sample_types":\[\{"type":"allocations","unit":"count","total":3\},\{"type":"space","unit":"bytes","total":350\}\],"default_type":"space","live_type":"space"\}\]\}'
run op "$work/memory.prof" -select value,residual_bytes,occurrence
is_line 'self figures of functions' stdout 'a/b +300B .* 2\|1, +300 value .*'
run op "$work/memory.prof" -select value -sample_index allocations
is_line 'a sample type is selected by name' stdout 'a/b +2 value .*'
run op "$work/memory.prof" -select value -sample_index 0
is_line 'a sample type is selected by its index' stdout 'a/b +2 value .*'
run op "$work/memory.prof" -sample_index other
is_status 'an unknown sample type is refused' 2
run code "$work/memory.prof" -select value
is_line 'the code view has calling lines' stdout ' +train\.py:7:a/b \(300/300\)'
run memory "$work/memory.prof" -output json
is_line 'live memory by device' stdout '.*"device":"cpu:0","allocator":"pprof",.*"peak_bytes":null,.*"end_bytes":300,.*'
run memory "$work/memory.prof" -group category -output json
is_line 'live memory by category' stdout '\{"name":"buffer","bytes":300,"blocks":1\}\]\}\]\}'
run memory "$work/memory.prof"
is_status 'live memory as text' 0
head -c 100 "$work/memory.prof" >"$work/cut.prof"
run memory "$work/cut.prof"
is_status 'a truncated profile is refused' 1

# A trace: aten::mul frees its allocation, aten::add does not; 1000 bytes were allocated before recording.
cat >"$work/trace.json" <<'JSON'
{"traceEvents":[
{"ph":"X","cat":"cpu_op","name":"aten::add","pid":1,"tid":1,"ts":10,"dur":10},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":12,"args":{"Device Type":1,"Device Id":0,"Addr":64,"Bytes":512,"Total Allocated":1512,"Total Reserved":4096}},
{"ph":"X","cat":"cpu_op","name":"aten::mul","pid":1,"tid":1,"ts":30,"dur":10},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":31.5,"args":{"Device Type":1,"Device Id":0,"Addr":1024,"Bytes":256,"Total Allocated":1768,"Total Reserved":4096}},
{"ph":"i","cat":"cpu_instant_event","name":"[memory]","pid":1,"tid":1,"ts":35,"args":{"Device Type":1,"Device Id":0,"Addr":1024,"Bytes":-256,"Total Allocated":1512,"Total Reserved":4096}}
]}
JSON
run memory "$work/trace.json" -group type -output json
is_status 'memory of a trace is read' 0
is_line 'the peak of a trace' stdout \
  '\{"step":"all","device":"/gpu:0","allocator":"torch",.*"start_bytes":1000,"peak_bytes":1768,"peak_event":1,"peak_at_us":19.5,"length_us":23,"end_bytes":1512,.*"reserved_peak_bytes":4096,.*'
is_line 'memory allocated before recording' stdout '\{"name":"\(before recording\)","bytes":1000,"blocks":0\},'
is_line 'memory by operator' stdout '\{"name":"aten::mul","bytes":256,"blocks":1\}\]\}\]\}'
grep -v memory "$work/trace.json" | sed 's/^\(.*"ts":30.*\),$/\1/' >"$work/none.json"
run memory "$work/none.json"
is_status 'a trace without allocations is an error' 1
is_line 'the error says what to record' stderr '.*no \[memory\] events: record with torch\.profiler\.profile\(profile_memory=True\).*'
finish
