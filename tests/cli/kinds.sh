#!/bin/sh
# kinds.sh: default columns by the kind of input.
. "$top_srcdir/tests/cli/lib.sh"

# slice CATEGORY THREAD NAME FROM TO [MORE ARGUMENTS]
slice() {
  printf ',\n{"ph":"X","cat":"%s","pid":1,"tid":%s,"name":"%s","ts":%s,"dur":%s,"args":{%s}}' \
    "$1" "$2" "$3" "$4" $(($5 - $4)) "${6-}"
}
trace() {
  printf '{"schemaVersion":1,"traceEvents":[\n{}'
  slice user_annotation 2 ProfilerStep#1 0 100
  slice cpu_op 2 aten::b 10 20
  slice cpu_op 2 aten::a 20 30
  slice cpu_op 2 aten::c 30 50
  slice cuda_runtime 2 cudaLaunchKernel 31 32 '"correlation":7'
  "$@"
  printf ']}\n'
}
one_kernel() { slice kernel 7 k 40 65 '"correlation":7,"device":0,"stream":7'; }
trace one_kernel >"$work/device.json"
trace : >"$work/trace.json"

run scope "$work/device.json" -output json
is_status 'a trace with device work' 0
is_line 'the default columns are device time, work, waits and calls' stdout \
  '.*"select":\["accelerator_micros","work_micros","wait_micros","occurrence"\].*'
run scope "$work/device.json" -max_depth 2
is 'rows are ordered by device time, then work, then name' test \
  'aten::c aten::a aten::b ProfilerStep*' = \
  "$(sed -n 's/^  \([^ ]*\) (.*/\1/p' "$work/stdout" | tr '\n' ' ' | sed 's/ $//')"
run scope "$work/device.json" -step 1 -max_depth 2 -select step_percent -output json
is_line 'step_percent is a share of the step' stdout '.*"path":"aten::c".*"step_percent":{"self":25,"total":25}.*'
run scope "$work/device.json" -step all -max_depth 2 -select step_percent -output json
is_line 'for all steps it is a share of the device time' stdout '.*"path":"aten::c".*"step_percent":{"self":100,"total":100}.*'

run scope "$work/trace.json" -output json
is_line 'without device work the first column is work' stdout \
  '.*"select":\["work_micros","wait_micros","occurrence"\].*'
run scope "$work/trace.json" -select micros -output json
is_line 'given columns replace the default' stdout '.*"select":\["micros",.*'

# Device work outside of the step, and work whose launch is not in the file.
before() {
  one_kernel
  slice kernel 7 k 150 154 '"correlation":8,"device":0,"stream":7'
  slice cpu_op 2 aten::a 120 140
  slice cuda_runtime 2 cudaLaunchKernel 121 122 '"correlation":9'
  slice kernel 7 k 160 165 '"correlation":9,"device":0,"stream":7'
}
trace before >"$work/outside.json"
for view in scope graph op; do
  run $view "$work/outside.json" -output json
  is "the last row of the $view view is time outside of steps" test '{"name":"(outside of steps)",' = \
    "$(grep '^{"name' "$work/stdout" | tail -n 1 | cut -c 1-29)"
  is_line "the row for time outside of steps has sums in the $view view" stdout \
    '{"name":"\(outside of steps\)".*"accounted":false,"accelerator_micros":{"self":9,.*'
done
run scope "$work/outside.json" -max_depth 2 -select accelerator_micros,step_percent
is_line 'time outside of steps is not part of the total' stdout '_TFProfRoot \(--/25us, --/25.00% of step\)'
is_line 'time outside of steps has no share of a step' stdout '  \(outside of steps\) \(9us/9us, step_percent --\)'
run scope "$work/outside.json" -step all -max_depth 2 -select accelerator_micros
is_line '-step all includes time outside of steps' stdout '_TFProfRoot \(--/34us\)'
is_line 'work without a launch has a separate row' stdout '  \(no recorded launch\) \(4us/4us\)'
is '-step all has no row for time outside of steps' test 0 -eq "$(grep -c outside "$work/stdout")"
run scope "$work/outside.json" -step all -show_name_regexes '.unlaunched.' -select accelerator_micros
is_line 'the former name of a row is accepted' stdout '  \(no recorded launch\) \(4us/4us\)'
is_line 'a note gives the current name' stderr '.*-show_name_regexes: .*now called \(no recorded launch\)'
run scope "$work/outside.json" -output folded
is_text 'folded output has one figure' stdout '_TFProfRoot;aten::c 25'

graph=$top_srcdir/data/resnet32.pb.gz
run scope "$graph" -select wait_micros
is_status 'wait columns of a graph are refused' 2
is_text 'the error says that there are no threads' stderr 'tfprof: wait_micros: this input has no threads to wait'
run scope "$graph" -order_by step_percent
is_text 'device columns of a graph are refused' stderr 'tfprof: step_percent: this input has no device work'
run scope "$graph" -min_work_micros 1
is_status 'work columns of a graph are refused' 2

finish
