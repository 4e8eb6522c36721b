# brief.sh: the brief names the planted cause, does not depend on the number of threads, and respects its budget.
. "$top_srcdir/tests/cli/lib.sh"

trace=$work/trace.json
make_trace() { awk -v cause="$1" -f "$top_srcdir/tests/traces/causes.awk" >"$trace"; }
has() { grep -qF -e "$1" "$work/stdout"; }

# names CAUSE ID TEXT: the first finding has that id and contains TEXT.
names() {
  make_trace "$1"
  run brief "$trace" -output json
  is_status "$1: a brief" 0
  is "$1: the first finding is $2" has "\"findings\":[{\"id\":\"$2\""
  is "$1: the verdict is $2" has "\"verdict\":{\"id\":\"$2\""
  is "$1: the finding has its location" has "$3"
  run brief "$trace"
  is_line "$1: as text" stdout "  1 $2 (high|medium|low) .*"
}

names input input-late '"path":"enumerate(DataLoader)#_Iter.__next__"'
names sync blocking-sync '"source":{"file":"loss.py","line":12,"function":"log"}'
names sibling slow-sibling '"path":"Layer_3/aten::mm"'
names step slow-step '"step":5'
names compile recompilation '"step":4'
names pageable pageable-copy '"op":"aten::copy_"'
names float32 float32-compute '"op":"aten::mm"'
names collective exposed-communication '"op":"c10d::allreduce_"'
names small small-collectives '"count":40,'
names host host-bound '"path":"Layer_'
names launch launch-bound '"row":null'
names shapes dynamic-shapes '"op":"aten::mm"'
names growth memory-growth '"op":"aten::clone"'

make_trace compile
run brief "$trace" -output json
is 'a slow step names its cause' has '"explained_by":"recompilation"'

make_trace none
run brief "$trace" -output json
is 'a trace without a cause has no finding' has '"findings":[]'
is 'a trace without a cause is compute-bound' has '"verdict":{"id":"compute-bound","class":"compute"'
cp "$work/stdout" "$work/one"
for threads in 1 4; do
  TFPROF_THREADS=$threads run brief "$trace" -output json
  is "$threads threads: the same bytes" cmp "$work/stdout" "$work/one"
done

# A capture without marks: its steps are runs of the program, each from the end of the previous one.
sed 's/ step_num=[0-9]*; _r=1//' "$top_srcdir/tests/golden/captures/two_hosts_a.txt" >"$work/runs.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/runs.txt" "$work/runs.xplane.pb" || exit 1
run brief "$work/runs.xplane.pb"
is_line 'the framework of a capture is JAX' stdout 'system: JAX, 1 rank, 1 x /host:a/device:GPU:0'
is_line 'steps are runs of the program' stdout 'steps: 3 \(0\.\.2\), median 100 us, min 30 us, max 460 us \(step 2\), total 590 us'

run brief "$trace"
for part in inputs system steps anatomy verdict findings 'top op by accelerator_micros, total .*' memory flops missing next; do
  is "text has $part" grep -qE "^$part:" "$work/stdout"
done

# Every command of the brief runs as printed.
make_trace sync
run brief "$trace"
sed '1,/^next:/d' "$work/stdout" >"$work/next"
is 'a brief ends with three commands' test "$(wc -l <"$work/next")" -eq 3
while read -r line; do
  is "$line runs" sh -c "PATH=$work:\$PATH; tfprof() { '$TFPROF' \"\$@\"; }; $line >/dev/null 2>&1"
done <"$work/next"

# Budgets: no part is truncated, a larger budget prints at least as much, the reported minimum is exact.
before=0
for bytes in 1700 2200 3000 5000 8000; do
  run brief "$trace" -output json -budget $bytes
  is "$bytes bytes are enough" test "$(wc -c <"$work/stdout")" -le $bytes
  is "$bytes bytes print at least as much as fewer bytes" test "$(wc -c <"$work/stdout")" -ge $before
  before=$(wc -c <"$work/stdout")
done
run brief "$trace" -budget 10
is_status 'a budget that is too small is refused' 2
is_text 'a budget that is too small prints nothing' stdout ''
least=$(sed -n 's/^tfprof: -budget 10: this answer needs at least \([0-9]*\) bytes$/\1/p' "$work/stderr")
run brief "$trace" -budget "${least:-0}"
is_status 'the reported minimum budget is enough' 0
run brief "$trace" -budget "$((${least:-1} - 1))"
is_status 'one byte less than the minimum is refused' 2
run brief "$trace" -budget 0
is_line 'a budget of 0 is refused' stderr 'tfprof: -budget: 0 is not between 1 and 2147483647'
run brief "$trace" -output csv
is_status 'other outputs are refused' 2

# Many files are named by their folder unless it contains others.
mkdir "$work/ranks"
for rank in 0 1 2 3 4; do
  make_trace none
  sed "s/\"schemaVersion\":1/&,\"distributedInfo\":{\"rank\":$rank,\"world_size\":5}/" "$trace" >"$work/ranks/$rank.json"
done
run brief "$work/ranks"/*.json
is_line 'five files are named by their folder' stdout "  tfprof op $work/ranks/ .*"
is_line 'three of five files are named one by one' stdout "inputs: .*/0[.]json, .*/1[.]json, .*/2[.]json, .*; 5 in all"
echo '{}' >"$work/ranks/other.txt"
run brief "$work/ranks"/*.json
is_line 'files are named when their folder has others' stdout "  tfprof op $work/ranks/0[.]json .*"

# Two profiles.
make_trace none
cp "$trace" "$work/before.json"
make_trace sync
run diff "$work/before.json" "$trace"
is_status 'two profiles are compared' 0
is_line 'a comparison names both profiles' stdout "compared: $work/before.json -> $work/trace.json"
is_line 'a comparison has both totals' stdout 'accelerator_micros: .* -> .*'
is_line 'a comparison has both median steps' stdout 'median step: .* -> .*, \+.* \(\+[0-9.]+ %\)'
is_line 'a comparison lists findings that appeared' stdout 'findings: appeared blocking-sync; disappeared none'
run diff "$work/before.json" "$trace" -output json -view op
is 'json lists findings that appeared' has '"findings":{"appeared":["blocking-sync"],"disappeared":[]}}'
is 'the json view is diff' has '{"tfprof":2,"view":"diff",'
run diff "$trace" "$trace" -output json
is 'a profile does not differ from itself' has '"delta":0,"percent":0.0}'
run brief "$trace" -diff_base "$work/before.json" -output json
is 'brief with a baseline is a comparison' has "\"compared\":{\"base\":\"$work/before.json\",\"now\":\"$work/trace.json\""
run brief "$trace" -diff_base "$work/before.json"
is_line 'brief with a baseline recommends diff' stdout "  tfprof diff $work/before.json $work/trace.json -output json"
run diff "$trace"
is_status 'diff needs two profiles' 2
run compare "$trace" "$trace"
is_line 'an unknown command compare suggests diff' stderr 'tfprof: unknown command or file compare: did you mean diff\?'

# Hostile file names: no control character is printed, and the printed command runs.
odd="$work/a 'b\$(touch ran)
.json"
cp "$trace" "$odd"
run brief "$odd"
is_status 'a file name with special characters is accepted' 0
is 'no control character is printed' sh -c "! tr -d '\n' <'$work/stdout' | grep -q '[[:cntrl:]]'"
run brief "$odd" -output json
if command -v jq >/dev/null; then
  jq -r '.next[0]' "$work/stdout" >"$work/command"
  is 'the printed command runs' sh -c "cd '$work'; tfprof() { '$TFPROF' \"\$@\"; }; $(cat "$work/command") >/dev/null 2>&1"
  is 'the printed command runs nothing else' test ! -e "$work/ran"
fi

run brief "$sample"
is_status 'a profile of TensorFlow has a brief' 0
# A snapshot has only memory, no times.
run brief "$top_srcdir/tests/golden/snapshots/failed.pickle"
is_status 'a snapshot has a brief' 0
is_line 'the brief of a snapshot gives the reason of the failure' stdout 'verdict: memory-fragmented: /gpu:0: out of memory, requested 16\.78MB: enough is free, but not contiguous.*'
is_line 'the brief of a snapshot gives the peak' stdout 'memory: peak 50.33MB on /gpu:0'
is_line 'the brief of a snapshot sorts rows by memory' stdout 'top scope by bytes, total 50.33MB:'
run brief "$top_srcdir/data/resnet32.pb.gz"
is_line 'the hint about missing memory data depends on the framework' stdout 'memory: not recorded \(trace_level=FULL_TRACE\)'

# 68.72e9 operations in 9.336 ms, 3.34 ms of these busy, of 989.5e12 a second.
run brief "$top_srcdir/data/training.pt.trace.json.gz"
is_line 'utilization refers to the peak of the device' stdout \
  'flops: 68[.]72b FLOPs, 20[.]6 TFLOP/s of busy time, 2[.]1 % of 989[.]5 TFLOP/s \(device table\), MFU 0[.]7 %'
run brief "$top_srcdir/data/training.pt.trace.json.gz" -output json -peak_flops 100T
is 'utilization refers to the peak of the option' grep -qF \
  '"peak":100000000000000,"source":"-peak_flops","share":0.206,"mfu":0.074}' "$work/stdout"

finish
