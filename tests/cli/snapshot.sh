#!/bin/sh
# snapshot.sh: memory snapshots of PyTorch, generated opcode by opcode: intact, damaged and refused ones.
. "$top_srcdir/tests/cli/lib.sh"

byte() { printf '%b' "\\0$(printf %03o "$1")"; }
# t TEXT, n NUMBER: SHORT_BINUNICODE, BININT.
t() { printf '\214' && byte ${#1} && printf %s "$1"; }
n() {
  printf J
  for shift in 0 8 16 24; do byte $(($1 >> shift & 255)); done
}
# event ACTION ADDRESS SIZE TIME: a dict of an event, with the frame of train.py that STACK names.
event() {
  printf '}('
  t action && t "$1" && t addr && n "$2" && t size && n "$3" && t time_us && n "$4" && t stream && n 0
  t frames && printf '](' && frame "$stack" && printf e
  [ "$1" != oom ] || { t device_free && n 100; }
  printf u
}
frame() { printf '}(' && t filename && t /home/me/train.py && t name && t "$1" && t line && n 7 && printf u; }
# block STATE ADDRESS SIZE REQUESTED
block() {
  printf '}(' && t state && t "$1" && t address && n "$2" && t size && n "$3" && t requested_size && n "$4"
  t frames && printf '](' && frame build && printf 'eu'
}
segments() {
  t segments && printf ']('
  printf '}(' && t device && n 0 && t address && n 65536 && t total_size && n 8192 && t stream && n 0
  t segment_type && t small
  [ -z "$expandable" ] || { t is_expandable && printf '\210'; }
  t blocks && printf ']('
  block active_allocated 65536 1024 1000
  block inactive 66560 1024 0
  block active_allocated 67584 2048 "$1"
  block active_allocated 69632 512 500
  block inactive 70144 3584 0
  printf 'eu'
  printf e
}
events() {
  stack=build
  event alloc 65536 1000 10
  stack=forward
  event alloc 66560 900 20
  event free_completed 66560 900 30
  event alloc 67584 "$1" 40
  event oom 0 4000 50
  [ -z "$expandable" ] || event segment_map 71680 2048 60
}
annotations() {
  t external_annotations && printf ']('
  printf '}(' && t stage && t START && t name && t 'step#1' && t device && n 0 && t time_us && n 15 && printf u
  printf e
}
snapshot() {
  printf '\200\002}('
  segments "$1"
  annotations
  t device_traces && printf '](](' && events "$1" && printf ee
  printf 'u.'
}
expandable=
snapshot 2000 >"$work/a.pickle"
snapshot 1900 >"$work/b.pickle"
expandable=yes
snapshot 2000 >"$work/expandable.pickle"

run memory "$work/a.pickle" -output json
is_status 'a snapshot is read' 0
is_line 'memory before recording and the peak are read' stdout '.*"start_bytes":500,"peak_bytes":3500,"peak_event":3,"peak_at_us":30,.*'
is_line 'the reason of the failure is read' stdout \
  '.*"requested_bytes":4000,"device_free_bytes":100,"in_use_bytes":3500,"reserved_bytes":8192,"free_bytes":4608,"largest_free_bytes":3584,.*"exact":true,"short_bytes":0,.*"reason":"fragmentation".*'
is_line 'changes of memory in use are listed' stdout '.*"in_use":\[\[0,500\],\[0,1500\],\[10,2400\],\[20,1500\],\[30,3500\]\].*'
is_line 'allocations have scopes and types' stdout '\{"name":"step#1/forward","bytes":2000,"blocks":1\},'
run memory "$work/a.pickle" -group block -at end -since event:3 -output json
is_line '-since selects later allocations' stdout \
  '\{"name":"0x10800","bytes":2000,"blocks":1,"from_us":30,"until_us":null,"size_bytes":2048,"pending":false,"stream":0,"code":"train.py:7:forward"\}\].*'
run memory "$work/a.pickle"
is_line 'the failure is the first line' stdout 'OUT OF MEMORY  /gpu:0 at 40us  requested 4.00KB: enough is free, but not contiguous.*'
is_line 'live memory by scope' stdout '\(before recording\) +1 +500B +14\.3%'
run memory "$work/a.pickle" -at never
is_status 'an invalid -at is refused' 2
run memory "$work/a.pickle" -segments -output json
is_line 'segments are listed' stdout '\{"address":"0x10000","stream":0,"type":"small","expandable":false,"total_bytes":8192,.*'
run memory "$work/expandable.pickle" -segments -output json
is_line 'segments that can grow are recognised' stdout '\{"address":"0x10000","stream":0,"type":"small","expandable":true,.*'
is_line 'memory mapped after a failure was not free at the failure' stdout \
  '.*"reserved_bytes":6144,"free_bytes":2560,"largest_free_bytes":1536,.*"reason":"capacity".*'
run memory "$work/a.pickle" -diff_base "$work/b.pickle" -output json
is_line 'a comparison has the growth of memory' stdout '.*"delta_bytes":100,"rows":\['
is_line 'a comparison has one row per stack' stdout '\{"name":"train.py:7:forward","bytes":2000,"base_bytes":1900,"blocks":1,"base_blocks":1\}\]\}\}\]\}'
run memory "$work/a.pickle" -diff_base "$work/b.pickle"
is_line 'a comparison as text' stdout 'train\.py:7:forward +1\.90KB +2\.00KB +\+100B +\+0'
run advise "$work/a.pickle"
is_line 'advice reports the failure' stdout '/gpu:0: out of memory, requested 4\.00KB: enough is free, but not contiguous.*'
is_line 'advice reports fragmentation' stdout '/gpu:0: 4\.61KB \(56\.[0-9] %\) of the reserved memory is free between live blocks: .*'
run op "$work/a.pickle" -select bytes,peak_bytes,residual_bytes,occurrence -output csv
is_line 'the op view has figures by type' stdout '"?forward"?,.*2900.*'
run scope "$work/a.pickle"
is_line 'a note says that a snapshot has no times' stderr '.*micros: a memory snapshot has no times and no operations, only memory'

run sql 'select device, event, requested_bytes, reason, largest_free_bytes from out_of_memory' "$work/a.pickle" -q -output csv
is_line 'failures in SQL' stdout '"/gpu:0",4,4000,"[a-z]+",3584'
run sql 'select address, type, bytes, largest_free_bytes, blocks from segments' "$work/a.pickle" -q -output csv
is_line 'segments in SQL' stdout '"0x10000","small",8192,3584,5'
run sql 'select n.op, a.bytes, a.from_event, a.until_event, a.until_micros - a.from_micros as lived from allocations a join nodes n using (node) order by lived' "$work/a.pickle" -q -output csv
is_line 'lifetimes in SQL' stdout '"forward",900,1,2,10'
is_line 'memory before recording in SQL' stdout '"build",500,-1,,'
gzip -c "$work/a.pickle" >"$work/a.pickle.gz"
run summary "$work/a.pickle.gz" -output json
is_line 'a compressed snapshot is read' stdout '.*"damaged":false,"trailing_bytes":0,"repairs":\{\}\}\]\}'
run summary "$work/a.pickle.gz"
is_line 'the text says that a file is whole' stdout '  damaged +no'
is_line 'the text says that nothing was repaired' stdout '  repairs +none'
{ cat "$work/a.pickle" && echo more; } >"$work/more.pickle"
run summary "$work/more.pickle" -output json
is_line 'trailing bytes are counted' stdout '.*"trailing_bytes":5,.*'

size=$(wc -c <"$work/a.pickle")
head -c $((size - 200)) "$work/a.pickle" >"$work/cut.pickle"
run memory "$work/cut.pickle" -output json
is_status 'a truncated file is read' 0
is_line 'the truncation is reported' stderr '.*damaged at offset [0-9]+ of [0-9]+: 3 events of 1 device read; the rest is missing.*'
is_line 'the events before the end are read' stdout '.*"start_bytes":0,"peak_bytes":1900,.*'
cuts=0
for len in $(seq 2 37 "$size"); do
  head -c "$len" "$work/a.pickle" >"$work/cut.pickle"
  run summary "$work/cut.pickle"
  [ "$status" -le 1 ] && cuts=$((cuts + 1))
done
is 'a file truncated anywhere is read or refused' test "$cuts" = "$(seq 2 37 "$size" | wc -l)"

# An annotation whose device is no number belongs to no trace, nor to memory of the host.
{ printf '\200\002}(' && t external_annotations && printf ']}(' && t stage && t START && t name && t lost &&
    t device && t x && t time_us && n 5 && printf ua && t device_traces && printf ']' &&
    t segments && printf ']' && t host_traces && printf '](' && stack=load && event alloc 4096 100 10 &&
    printf 'eu.'; } >"$work/pinned.pickle"
run memory "$work/pinned.pickle" -output json
is_line 'memory of the host has no annotations' stdout '.*"name":"\(no annotation\)/load".*'

# step NUMBER: annotations of a step; kept NUMBER: an allocation in it that is never freed.
step() {
  for stage in START END; do
    printf '}(' && t stage && t $stage && t name && t "ProfilerStep#$1" && t time_us
    [ $stage = START ] && n "${1}0" || n "${1}9"
    printf u
  done
}
kept() { event alloc $(($1 * 4096)) 1000 "${1}5"; }
{ printf '\200\002}(' && t segments && printf ']' && t external_annotations && printf '](' && step 1 && step 2 &&
    step 3 && printf e && t device_traces && printf ']](' && stack=keep && kept 1 && kept 2 && kept 3 &&
    printf 'eau.'; } >"$work/growth.pickle"
run brief "$work/growth.pickle"
is_line 'growth over steps is a finding of its own' stdout ' +1 memory-growth .*'
is_line 'the line that keeps memory is named' stdout ' +/gpu:0: train\.py:7:keep grew in each of 3 steps, 3\.00KB at the end.*'
run brief "$work/a.pickle"
is_line 'a failure is a finding' stdout ' +[0-9] memory-fragmented .*'
heap=$top_srcdir/tests/fuzz/corpus/pprof/small
run brief "$heap"
is_line 'a heap profile has live memory, not a peak of nothing' stdout 'memory: live 300B on cpu:0'
run brief "$heap" -output json
is_line 'the peak of a heap profile is unknown' stdout '.*"memory":\{"peak":null,"live":300,"device":"cpu:0","capacity":null\}.*'

# refused WHAT PATTERN: bad.pickle is refused with an error that matches PATTERN
refused() {
  run memory "$work/bad.pickle"
  is_status "$1 is refused" 1
  is_line "$1: the error gives the reason" stderr "tfprof: .*bad.pickle: $2"
  is_text "$1: nothing is printed" stdout ''
}
printf '\200\002cos\nsystem\n(X\003\000\000\000ls R.' >"$work/bad.pickle"
refused 'a name to import' 'pickle opcode GLOBAL at offset 2: the file contains code to run, which tfprof never does'
{ head -c $((size - 1)) "$work/a.pickle" && printf '\223.'; } >"$work/bad.pickle"
refused 'one behind events' "pickle opcode STACK_GLOBAL at offset $((size - 1)): .*"
printf '\200\002\377.' >"$work/bad.pickle"
refused 'no opcode' 'pickle opcode 0xff at offset 2: not an opcode'
printf '\200\006N.' >"$work/bad.pickle"
refused 'a later protocol' 'pickle protocol 6 is not supported'
{ printf '\200\002}(' && t state_dict && n 1 && t epoch && n 2 && printf 'u.'; } >"$work/bad.pickle"
refused 'another pickle' 'a pickle, but no memory snapshot \(top level: state_dict, epoch\)'
printf '\200\002K\001.' >"$work/bad.pickle"
refused 'a number' 'a pickle, but no memory snapshot \(top level: int\)'
printf '\200\002}' >"$work/bad.pickle"
refused 'a pickle of nothing' 'damaged at offset 3 of 3: no memory snapshot before it'

run memory "$work/a.pickle" -since 20us -at 40us -output json
cp "$work/stdout" "$work/between"
is_line '-since and -at select allocations between two times' stdout '.*"name":"step#1/forward","bytes":2000,.*'
run memory "$work/a.pickle" -time_range 20:40 -output json
is '-time_range equals -since and -at' cmp "$work/stdout" "$work/between"

# A long list of events is replayed while the rest is read: the snapshot in FILE gives the same output
# with one thread, whatever follows the list.
same_on_threads() {
  for threads in 1 2; do
    TFPROF_THREADS=$threads
    export TFPROF_THREADS
    run memory "$2" -output json
    is_status "$1, threads: $threads" 0
    cat "$work/stdout" "$work/stderr" >"$work/threads.$threads"
  done
  unset TFPROF_THREADS
  is "$1" cmp "$work/threads.1" "$work/threads.2"
}
events 2000 >"$work/five"
twice() { cat "$1" "$1" "$1" "$1"; }
twice "$work/five" >"$work/20" && twice "$work/20" >"$work/80" && twice "$work/80" >"$work/320"
twice "$work/320" >"$work/long"
stack=build
# long COMMAND: a snapshot with a long list whose first event is in the memo, then the output of COMMAND.
long() {
  printf '\200\002}(' && segments 2000 && annotations && t device_traces && printf '](]('
  event alloc 65536 1000 10 && printf 'q\001' && cat "$work/long" && printf e
  "$@"
  printf 'eu.'
}
one_more() { event alloc 99000 77 60 && printf a; }
# Changes the first event after it was added to the list.
later() { printf 'h\001' && t size && n 7 && printf s0; }
cut_off() { printf '(h\001h\001' && printf '(((('; }
long : >"$work/long.pickle" && same_on_threads 'a long list' "$work/long.pickle"
is 'all events of the list are counted' grep -q '"alloc":769' "$work/stdout"
long one_more >"$work/long.pickle" && same_on_threads 'a long list and one more' "$work/long.pickle"
long later >"$work/long.pickle" && same_on_threads 'an event that changes' "$work/long.pickle"
long cut_off | head -c 300000 >"$work/long.pickle" && same_on_threads 'a long list that is cut' "$work/long.pickle"


# Containers that are empty when first read: event 2, and frames 3 of another event.
cp "$work/long" "$work/events"
{
  printf '}q\002'
  for put in 'q\003' ''; do
    printf '}(' && t action && t alloc && t addr && n 90000 && t size && n 8 && t time_us && n 50
    t frames && printf "]${put}u"
  done
  cat "$work/events"
} >"$work/long"
fill() { printf 'eh\002(' && t action && t alloc && t addr && n 99100 && t size && n 70 && printf u0; }
frames() { printf 'eh\003(' && frame late && printf e0; }
# late COMMAND: a long list, then the output of COMMAND.
late() {
  printf '\200\002}(' && t device_traces && printf '](](' && event alloc 65536 1000 10 && cat "$work/long"
  "$1"
  printf 'eu.'
}
late fill >"$work/long.pickle" && same_on_threads 'an empty event that is filled' "$work/long.pickle"
late frames >"$work/long.pickle" && same_on_threads 'empty frames that are filled' "$work/long.pickle"

# The last event only requests a free.
event alloc 99000 77 20 >"$work/one"
for i in 1 2 3 4 5; do twice "$work/one" >"$work/more" && mv "$work/more" "$work/one"; done
mv "$work/one" "$work/long"
requested() { printf e && event free_requested 99000 77 60 && printf a; }
late requested >"$work/long.pickle" && same_on_threads 'a free that comes alone' "$work/long.pickle"

# other COMMAND: a snapshot after a long list that is not a trace; the list begins with the output of COMMAND.
other() {
  printf '\200\002}(' && t other && printf '](' && event alloc 65536 1000 10 && printf 'q\001' && "$1"
  cat "$work/events" && printf e
  t device_traces && printf '](](h\001' && event alloc 99000 77 60 && printf 'eeu.'
}
huge() {
  for address in 1 2 3; do
    printf '}(' && t action && t alloc && t addr && n $address && t size && printf '\212\010\0\0\0\0\0\0\0\100'
    t time_us && n 20 && printf u
  done
}
gets() { head -c 40000 /dev/zero | tr '\0' h | sed "s/h/h$(printf '\001')/g"; }
other huge >"$work/other.pickle" && same_on_threads 'sums beyond 64 bits elsewhere' "$work/other.pickle"
other gets >"$work/other.pickle" && same_on_threads 'many equal events' "$work/other.pickle"

# A list in several parts, in a file that is mapped: the elements of a part are released once they are
# read, unless the rest refers to them.  The frames of all events are in the memo.
known() {
  printf '}(' && t action && t "$1" && t addr && n "$2" && t size && n "$3" && t time_us && n "$4"
  t frames && printf '](h\001eu'
}
{ known alloc 66560 900 20 && known free_completed 66560 900 30 && known oom 0 4000 50; } >"$work/three"
twice "$work/three" >"$work/12" && twice "$work/12" >"$work/48" && twice "$work/48" >"$work/192"
twice "$work/192" >"$work/768" && twice "$work/768" >"$work/3072"
# parts COMMAND: the list (memo 0) with event 2 in its third part, then the output of COMMAND.
parts() {
  printf '\200\002}(' && t device_traces && printf '](]q\000(}(' && t action && t alloc && t addr && n 65536
  t size && n 1000 && t time_us && n 10 && t frames && printf '](' && frame forward && printf 'q\001eu'
  for part in 1 2 3 4; do cat "$work/3072" && printf 'e('; done
  known alloc 99000 77 55 && printf 'q\002' && cat "$work/3072" && printf 'e(' && cat "$work/3072" && printf e
  "$@"
  printf 'eu.'
}
again() { printf 'h\002a'; }
rewritten() { printf 'h\002' && t size && n 7 && printf s0; }
replaced() { printf '}q\0020'; }
shared() { printf 'h\000'; }
elsewhere() { printf e && t device_traces && printf '](](' && known alloc 99000 77 60 && printf e; }
parts : >"$work/parts.pickle" && same_on_threads 'a list in parts' "$work/parts.pickle"
is 'all events of the list in parts are counted' grep -q '"alloc":6146' "$work/stdout"
for what in one_more again rewritten replaced shared elsewhere requested; do
  parts $what >"$work/parts.pickle" && same_on_threads "a list in parts, $what" "$work/parts.pickle"
done
parts cut_off | head -c 1100000 >"$work/cut_parts.pickle"
same_on_threads 'a list in parts that is cut' "$work/cut_parts.pickle"

# A list that contains itself, and a very large memo index.
{ printf '\200\002}(' && t device_traces && printf ']q\000h\000ar\377\377\377\377j\377\377\377\377au.'; } >"$work/loop.pickle"
run memory "$work/loop.pickle"
is_status 'a list that contains itself is refused' 1
finish
