#!/bin/sh
# steps.sh: steps chosen by their time, and figures over steps.
. "$top_srcdir/tests/cli/lib.sh"

# Runs of a graph with the nodes a and b; times are "micros of a:micros of b".
graph='node { name: "a" op: "MatMul" } node { name: "b" op: "Relu" }'
printf '%s\n' "$graph" >"$work/graph.pbtxt"
steps=
n=0
for times in 100:20 90:10 300:5 100:20 80:30; do
  printf 'step_stats { dev_stats { device: "/device:CPU:0"
    node_stats { node_name: "a" all_start_micros: 1 op_end_rel_micros: %s }
    node_stats { node_name: "b" all_start_micros: 400 op_end_rel_micros: %s } } }\n' \
    "${times%:*}" "${times#*:}" >"$work/step_$n.pbtxt"
  steps=$steps${steps:+,}$work/step_$n.pbtxt
  n=$((n + 1))
done
set -- -graph_path "$work/graph.pbtxt" -run_meta_path "$steps"

run scope "$@" -step worst -select micros
is_status '-step worst is accepted' 0
is_line '-step worst has the figures of the longest step' stdout '_TFProfRoot \(--/305us, --/0us, --/305us\)'
is_line '-step worst reports its number' stderr 'tfprof: -step worst is step 2 of 5, which took 305us'
run scope "$@" -step 2 -select micros -output file:outfile="$work/by_number"
run scope "$@" -step worst -select micros -output file:outfile="$work/by_time"
is '-step worst writes the same file as its number' cmp "$work/by_number" "$work/by_time"

run op "$@" -step median -select micros -output json
is_status '-step median is accepted' 0
is_line 'json has the number of the median step' stdout '\{"tfprof":2,"view":"op",.*"step":0,.*'
is_line 'of equal steps the first is the median' stderr 'tfprof: -step median is step 0 of 5, which took 120us'

run scope "$@" -step worst -account_type_regexes Relu -select micros
is_line 'the choice does not depend on accounted types' stdout '_TFProfRoot \(--/5us, .*\)'

run scope "$@" -step worst -diff_step median -select cpu_micros
is_status 'the worst and the median step are compared' 0
is_line 'their difference is printed' stdout ' *_TFProfRoot \(120us -> 305us, \+185us \(\+154\.2%\)\)'
is_line 'the step of the baseline is reported' stderr 'tfprof: -diff_step median is step 0 of 5, which took 120us'

# In a comparison -step worst is evaluated in each profile.
run scope "$@" -step worst -diff_base "$work/graph.pbtxt,$work/step_1.pbtxt,$work/step_0.pbtxt" -select cpu_micros
is_status 'the worst steps of two profiles are compared' 0
is_line 'each profile has its own worst step' stdout ' *_TFProfRoot \(120us -> 305us, .*'
is_line 'the worst step of the baseline is reported' stderr 'tfprof: base: -step worst is step 1 of 2, which took 120us'

run graph "$@" -step worst -output timeline:outfile="$work/worst.json"
is_status 'a timeline of the worst step is written' 0
is 'a timeline of the worst step is one file' test -s "$work/worst.json"

# Steps whose marks have equal numbers are selected by name.
sed 's/step_num=3/step_num=1/' "$top_srcdir/tests/golden/captures/two_hosts_a.txt" >"$work/marks.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/marks.txt" "$work/marks.xplane.pb" || exit 1
marks=$work/marks.xplane.pb
run scope "$marks" -step 2 -select micros -output file:outfile="$work/by_number"
run scope "$marks" -step 'train 1 (2)' -select micros -output file:outfile="$work/by_name"
is_status 'a step is selected by name' 0
is 'a step name writes the same file as its number' cmp "$work/by_number" "$work/by_name"
run scope "$marks" -step 'train 1' -diff_step 'train 1 (2)' -select micros
is_line 'two named steps are compared' stdout ' *_TFProfRoot \(.* -> .*'
run scope "$marks" -step worst
is_line '-step worst reports the name of the step' stderr 'tfprof: -step worst is step 2 of 3, which took .*: train 1 \(2\)'
run kernels "$marks" -step 'train 2'
is_status 'kernels of a named step are printed' 0
run scope "$marks" -step 'train 3'
is_status 'an unknown step name is an error' 1
is_line 'the error names the step' stderr 'tfprof: -step=train 3 not found; summary lists the steps'
run scope "$@" -step 'train 3'
is_line 'the error says that steps have no names' stderr 'tfprof: -step=train 3 not found; steps of the profile have no names'
run scope "$marks" -step "a $(printf '%0130d' 0)"
is_status 'a step name that is too long is refused' 2
run sql 'SELECT step, name FROM steps' "$marks" -output csv
is_line 'SQL has the names of steps' stdout '2,"train 1 \(2\)"'

# The table of steps.
run steps "$marks" -output csv
is_line 'the table of steps has the names of their marks' stdout '.*,2,"train 1 \(2\)",.*'
run steps "$@"
is_line 'steps without marks last from the first event to the last' stdout ' *2 +- +404us +- +- +305us +0us +19.42%'
run steps "$top_srcdir/data/training.xplane.pb" -output json
is_line 'the idle time of a step is the rest of its duration' stdout \
  '\{"host":"worker-0","rank":null,"step":10,"name":null,"start":0,"wall":900,"busy":191.001,"idle":708.999,"cpu":0,"accelerator":191.001\},'
run steps "$top_srcdir/tests/traces/rank_0.json" "$top_srcdir/tests/traces/rank_1.json" -step 2 -output csv
is_line 'each rank has its steps' stdout '.*,1,2,,.*'
is 'steps are selected' sh -c "! grep -q ',1,1,' '$work/stdout'"
run sql 'SELECT step, wall FROM step_times' "$top_srcdir/data/training.xplane.pb" -output csv
is_line 'SQL has the times of steps' stdout '11,900'
run steps "$top_srcdir/data/training.xplane.pb" -diff_base "$top_srcdir/data/training.xplane.pb"
is_line 'steps of two profiles are compared' stdout ' *10 +idle +709us +709us +0us +\+0.00%'

# Figures over steps, in every view.
for view in scope graph op code; do
  run $view "$@" -select micros,by_step
  is_status "figures over steps in the $view view" 0
done
run scope "$@" -select micros,by_step -max_depth 1
is_line 'figures over steps are printed as blocks' stdout '_TFProfRoot \(.*▄▃█▄▃\)'
run scope "$@" -select micros,by_step -output json
is_line 'json has an array of figures over steps' stdout '.*"name":"_TFProfRoot",.*"by_step":\[120,100,305,120,110\].*'
is_line 'each row has figures over steps' stdout '.*"name":"b",.*"by_step":\[20,10,5,20,30\].*'
run op "$@" -select occurrence,by_step -order_by occurrence -output csv
is_line 'csv has a list of another figure over steps' stdout '"MatMul",.*,1\|1\|1\|1\|1'
run scope "$@" -step 2 -select micros,by_step -output json
is_line 'figures over steps do not depend on the selected step' stdout '.*"name":"_TFProfRoot",.*"by_step":\[120,100,305,120,110\].*'
run scope "$work/graph.pbtxt" -select micros,by_step
is_status 'figures over steps without steps are accepted' 0
run scope "$@" -order_by by_step
is_status 'rows cannot be ordered by figures over steps' 2

run scope "$work/graph.pbtxt" -step worst
is_status '-step worst without steps is an error' 1
is_line 'the error says that there are no steps' stderr 'tfprof: -step=worst not found; the profile has no steps'
run scope "$@" -step best
is_status 'other words are refused' 2
finish
