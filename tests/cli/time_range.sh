#!/bin/sh
# time_range.sh: figures of a time range, in every view and output.
. "$top_srcdir/tests/cli/lib.sh"

resnet=$top_srcdir/tests/golden/models/resnet32
set -- -q -graph_path "$resnet/graph.pb.gz" -run_meta_path "$resnet/run_meta_1.pb.gz" \
  -op_log_path "$resnet/tfprof_log.pb.gz"

# root VIEW RANGE OPTION...: the time of all rows, in microseconds.
root() {
  view=$1 range=$2
  shift 2
  run "$view" "$@" -time_range "$range" -select micros -output json
  sed -n 's/.*"name":"_TFProfRoot".*,"micros":{"self":[^,]*,"total":\([0-9.]*\).*/\1/p' "$work/stdout"
}

# adds_up BEFORE AFTER ALL: true when both parts are above 0 and their sum is ALL.
adds_up() {
  awk -v before="$1" -v after="$2" -v all="$3" 'BEGIN {
    rest = before + after - all
    exit !(before > 0 && after > 0 && rest < 1e-6 && rest > -1e-6)
  }'
}

for view in scope graph code; do
  all=$(root "$view" all "$@")
  before=$(root "$view" :0.8s "$@")
  after=$(root "$view" 800ms: "$@")
  is "$view: two parts make the whole" adds_up "$before" "$after" "$all"
done

run op "$@" -time_range 0:0.6s -order_by micros -max_depth 2
is_line 'the op view has only the input queue at the start' stdout 'QueueDequeueManyV2 +599\.62ms \(100\.00%.*'
run op "$@" -time_range 600000:620ms -order_by micros -max_depth 1 -select micros,occurrence
is_line 'an execution counts only in the range where it begins' stdout \
  'QueueDequeueManyV2 +[0-9.]+ms .* 0\|1'
run op "$@" -time_range 0:0.6s -order_by micros -max_depth 1 -output csv:outfile="$work/csv"
is_line 'a file has the same figures' csv '"QueueDequeueManyV2",.*,599620,.*'

run scope "$@" -time_range 1h:
is_status 'hours are not a unit' 2
is_line 'the error gives the syntax of a range' stderr ".*-time_range: '1h:' is not FROM:TO.*"
run scope "$resnet/graph.pb.gz" -run_meta_path "$resnet/run_meta_1.pb.gz" -time_range 1000s: -max_depth 1
is_line 'a note says that nothing ran in the range' stderr '.*-time_range: nothing ran in this range'

for file in "$top_srcdir/data/training.pt.trace.json.gz" "$top_srcdir/data/training.xplane.pb"; do
  all=$(root scope all -q "$file" -step all)
  before=$(root scope :1ms -q "$file" -step all)
  after=$(root scope 1ms: -q "$file" -step all)
  is "${file##*/}: two parts make the whole" adds_up "$before" "$after" "$all"
done

# answer RANGE QUERY OPTION...: the number that sql answers.
answer() {
  range=$1
  shift
  run sql "$@" -q -time_range "$range" -output csv
  sed -n 2p "$work/stdout"
}

# drawn RANGE OPTION...: the sum of all slices of a timeline.
drawn() {
  range=$1
  shift
  run graph "$@" -q -max_depth all -time_range "$range" -output timeline:outfile="$work/timeline"
  grep -o '"dur":[0-9.]*' "$work/timeline" | awk -F: '{ sum += $2 } END { printf "%.6f\n", sum }'
}

for query in 'select sum(micros) as sum from executions' 'select sum(micros) as sum from times'; do
  all=$(answer all "$query" "$@")
  before=$(answer :0.8s "$query" "$@")
  after=$(answer 0.8s: "$query" "$@")
  is "$query: two parts make the whole" adds_up "$before" "$after" "$all"
done
is 'timeline of a graph: two parts make the whole' \
  adds_up "$(drawn :0.8s "$@" -step 0)" "$(drawn 0.8s: "$@" -step 0)" "$(drawn all "$@" -step 0)"

for file in "$top_srcdir/data/training.pt.trace.json.gz" "$top_srcdir/data/training.xplane.pb"; do
  for query in 'select sum(total) as sum from kernels' 'select sum(micros) as sum from times'; do
    all=$(answer all "$query" "$file" -step all)
    before=$(answer :1ms "$query" "$file" -step all)
    after=$(answer 1ms: "$query" "$file" -step all)
    is "${file##*/}, $query: two parts make the whole" adds_up "$before" "$after" "$all"
  done
  is "${file##*/}, timeline: two parts make the whole" adds_up "$(drawn :1ms "$file" -step all)" \
    "$(drawn 1ms: "$file" -step all)" "$(drawn all "$file" -step all)"
done

run advise "$top_srcdir/data/training.pt.trace.json.gz" -q -time_range :1ms
is_line 'advice on a time range' stdout ' *379 us  /gpu:0 is idle for 379us \(65\.0%\): .*'
is 'advice on a time range omits advice on the whole run' sh -c "! grep -q 'calls wait' '$work/stdout'"
run advise "$top_srcdir/data/training.pt.trace.json.gz" -step 99
is_status 'advice on a missing step is an error' 1
finish
