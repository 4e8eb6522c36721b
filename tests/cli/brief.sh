# brief.sh: the brief names the planted cause, is equal for any number of threads, and keeps to its budget.
. "$top_srcdir/tests/cli/lib.sh"

trace=$work/trace.json
make_trace() { awk -v cause="$1" -f "$top_srcdir/tests/traces/causes.awk" >"$trace"; }
has() { grep -qF -e "$1" "$work/stdout"; }

# names CAUSE ID TEXT: the first finding has that id, and TEXT says where.
names() {
  make_trace "$1"
  run brief "$trace" -output json
  is_status "$1: a brief" 0
  is "$1: the first finding is $2" has "\"findings\":[{\"id\":\"$2\""
  is "$1: so is the verdict" has "\"verdict\":{\"id\":\"$2\""
  is "$1: with its place" has "$3"
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
is 'a slow step is explained by its cause' has '"explained_by":"recompilation"'

make_trace none
run brief "$trace" -output json
is 'a trace without a cause has no finding' has '"findings":[]'
is 'its verdict says that it computes' has '"verdict":{"id":"compute-bound","class":"compute"'
cp "$work/stdout" "$work/one"
for threads in 1 4; do
  TFPROF_THREADS=$threads run brief "$trace" -output json
  is "$threads threads: the same bytes" cmp "$work/stdout" "$work/one"
done

# A capture without marks: its steps are runs of the program, each from the end of the one before.
sed 's/ step_num=[0-9]*; _r=1//' "$top_srcdir/tests/golden/captures/two_hosts_a.txt" >"$work/runs.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/runs.txt" "$work/runs.xplane.pb" || exit 1
run brief "$work/runs.xplane.pb"
is_line 'JAX made the capture' stdout 'system: JAX, 1 rank, 1 x /host:a/device:GPU:0'
is_line 'runs of a program take time' stdout 'steps: 3 \(0\.\.2\), median 100 us, min 30 us, max 460 us \(step 2\), total 590 us'

run brief "$trace"
for part in inputs system steps anatomy verdict findings 'top op by accelerator_micros, total .*' memory flops missing next; do
  is "text has $part" grep -qE "^$part:" "$work/stdout"
done

# Every command of the brief runs as printed.
make_trace sync
run brief "$trace"
sed '1,/^next:/d' "$work/stdout" >"$work/next"
is 'three commands follow' test "$(wc -l <"$work/next")" -eq 3
while read -r line; do
  is "$line runs" sh -c "PATH=$work:\$PATH; tfprof() { '$TFPROF' \"\$@\"; }; $line >/dev/null 2>&1"
done <"$work/next"

# Budgets: nothing is cut, a larger one has at least as much, the smallest is exact.
before=0
for bytes in 1700 2200 3000 5000 8000; do
  run brief "$trace" -output json -budget $bytes
  is "$bytes bytes are enough" test "$(wc -c <"$work/stdout")" -le $bytes
  is "$bytes bytes have no less" test "$(wc -c <"$work/stdout")" -ge $before
  before=$(wc -c <"$work/stdout")
done
run brief "$trace" -budget 10
is_status 'a budget may be too small' 2
is_text 'and then nothing is printed' stdout ''
least=$(sed -n 's/^tfprof: -budget 10: this answer needs at least \([0-9]*\) bytes$/\1/p' "$work/stderr")
run brief "$trace" -budget "${least:-0}"
is_status 'the number of bytes is enough' 0
run brief "$trace" -budget "$((${least:-1} - 1))"
is_status 'and one less is not' 2
run brief "$trace" -budget 0
is_line 'no budget is 0' stderr 'tfprof: -budget: 0 is not between 1 and 2147483647'
run brief "$trace" -output csv
is_status 'other outputs are refused' 2

# Many files are named by their folder if that has no others.
mkdir "$work/ranks"
for rank in 0 1 2 3 4; do
  make_trace none
  sed "s/\"schemaVersion\":1/&,\"distributedInfo\":{\"rank\":$rank,\"world_size\":5}/" "$trace" >"$work/ranks/$rank.json"
done
run brief "$work/ranks"/*.json
is_line 'five files are their folder' stdout "  tfprof op $work/ranks/ .*"
is_line 'and three of them are named' stdout "inputs: .*/0[.]json, .*/1[.]json, .*/2[.]json, .*; 5 in all"
echo '{}' >"$work/ranks/other.txt"
run brief "$work/ranks"/*.json
is_line 'unless it has others' stdout "  tfprof op $work/ranks/0[.]json .*"

# Two profiles.
make_trace none
cp "$trace" "$work/before.json"
make_trace sync
run diff "$work/before.json" "$trace"
is_status 'two profiles are compared' 0
is_line 'both are named' stdout "compared: $work/before.json -> $work/trace.json"
is_line 'with their total' stdout 'accelerator_micros: .* -> .*'
is_line 'with the median step' stdout 'median step: .* -> .*, \+.* \(\+[0-9.]+ %\)'
is_line 'with what appeared' stdout 'findings: appeared blocking-sync; disappeared none'
run diff "$work/before.json" "$trace" -output json -view op
is 'as json too' has '"findings":{"appeared":["blocking-sync"],"disappeared":[]}}'
is 'whose view is diff' has '{"tfprof":2,"view":"diff",'
run diff "$trace" "$trace" -output json
is 'a profile does not differ from itself' has '"delta":0,"percent":0.0}'
run brief "$trace" -diff_base "$work/before.json" -output json
is 'a brief compares as well' has "\"compared\":{\"base\":\"$work/before.json\",\"now\":\"$work/trace.json\""
run brief "$trace" -diff_base "$work/before.json"
is_line 'and leads to diff' stdout "  tfprof diff $work/before.json $work/trace.json -output json"
run diff "$trace"
is_status 'diff needs two profiles' 2
run compare "$trace" "$trace"
is_line 'another name leads to diff' stderr 'tfprof: unknown command or file compare: did you mean diff\?'

# A name may hold anything: the answer has no control character, and its command runs.
odd="$work/a 'b\$(touch ran)
.json"
cp "$trace" "$odd"
run brief "$odd"
is_status 'a file of any name' 0
is 'no control character is printed' sh -c "! tr -d '\n' <'$work/stdout' | grep -q '[[:cntrl:]]'"
run brief "$odd" -output json
if command -v jq >/dev/null; then
  jq -r '.next[0]' "$work/stdout" >"$work/command"
  is 'its command runs' sh -c "cd '$work'; tfprof() { '$TFPROF' \"\$@\"; }; $(cat "$work/command") >/dev/null 2>&1"
  is 'and nothing else' test ! -e "$work/ran"
fi

run brief "$sample"
is_status 'a profile of TensorFlow has a brief' 0
# A snapshot has memory and no times.
run brief "$top_srcdir/tests/golden/snapshots/failed.pickle"
is_status 'a snapshot' 0
is_line 'why memory ran out' stdout 'verdict: memory-fragmented: /gpu:0: out of memory, requested .*'
is_line 'its peak' stdout 'memory: peak 50.33MB on /gpu:0'
is_line 'its rows by memory' stdout 'top scope by bytes, total 50.33MB:'
run brief "$top_srcdir/data/resnet32.pb.gz"
is_line 'what records memory, by framework' stdout 'memory: not recorded \(trace_level=FULL_TRACE\)'

# 68.72e9 operations in 9.336 ms, 3.34 ms of these busy, of 989.5e12 a second.
run brief "$top_srcdir/data/training.pt.trace.json.gz"
is_line 'operations below the peak of the device' stdout \
  'flops: 68[.]72b FLOPs, 20[.]6 TFLOP/s of busy time, 2[.]1 % of 989[.]5 TFLOP/s \(device table\), MFU 0[.]7 %'
run brief "$top_srcdir/data/training.pt.trace.json.gz" -output json -peak_flops 100T
is 'or below that of the option' grep -qF \
  '"peak":100000000000000,"source":"-peak_flops","share":0.206,"mfu":0.074}' "$work/stdout"

finish
