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
is_status 'the worst step' 0
is_line 'its figures' stdout '_TFProfRoot \(--/305us, --/0us, --/305us\)'
is_line 'which step it is' stderr 'tfprof: -step worst is step 2 of 5, which took 305us'
run scope "$@" -step 2 -select micros -output file:outfile="$work/by_number"
run scope "$@" -step worst -select micros -output file:outfile="$work/by_time"
is 'a file is that of the number' cmp "$work/by_number" "$work/by_time"

run op "$@" -step median -select micros -output json
is_status 'the median step' 0
is_line 'JSON has its number' stdout '\{"tfprof":2,"view":"op",.*"step":0,.*'
is_line 'of equal times the first' stderr 'tfprof: -step median is step 0 of 5, which took 120us'

run scope "$@" -step worst -account_type_regexes Relu -select micros
is_line 'what is accounted changes no choice' stdout '_TFProfRoot \(--/5us, .*\)'

run scope "$@" -step worst -diff_step median -select cpu_micros
is_status 'two chosen steps are compared' 0
is_line 'their difference' stdout ' *_TFProfRoot \(120us -> 305us, \+185us \(\+154\.2%\)\)'
is_line 'the step of the base is said' stderr 'tfprof: -diff_step median is step 0 of 5, which took 120us'

# Each side of a comparison of two profiles chooses its own step.
run scope "$@" -step worst -diff_base "$work/graph.pbtxt,$work/step_1.pbtxt,$work/step_0.pbtxt" -select cpu_micros
is_status 'the worst steps of two profiles' 0
is_line 'the worst of each' stdout ' *_TFProfRoot \(120us -> 305us, .*'
is_line 'the step of the base is said too' stderr 'tfprof: base: -step worst is step 1 of 2, which took 120us'

run graph "$@" -step worst -output timeline:outfile="$work/worst.json"
is_status 'a timeline of the worst step' 0
is 'is one file' test -s "$work/worst.json"

# Steps whose marks have equal numbers go by the names of these.
sed 's/step_num=3/step_num=1/' "$top_srcdir/tests/golden/captures/two_hosts_a.txt" >"$work/marks.txt"
"$top_builddir/tests/fixtures/write_capture" "$work/marks.txt" "$work/marks.xplane.pb" || exit 1
marks=$work/marks.xplane.pb
run scope "$marks" -step 2 -select micros -output file:outfile="$work/by_number"
run scope "$marks" -step 'train 1 (2)' -select micros -output file:outfile="$work/by_name"
is_status 'a step by its name' 0
is 'a file is that of the number' cmp "$work/by_number" "$work/by_name"
run scope "$marks" -step 'train 1' -diff_step 'train 1 (2)' -select micros
is_line 'two of them are compared' stdout ' *_TFProfRoot \(.* -> .*'
run scope "$marks" -step worst
is_line 'the worst one has its name' stderr 'tfprof: -step worst is step 2 of 3, which took .*: train 1 \(2\)'
run kernels "$marks" -step 'train 2'
is_status 'kernels of a step by its name' 0
run scope "$marks" -step 'train 3'
is_status 'no step of that name' 1
is_line 'it is said' stderr 'tfprof: -step=train 3 not found; summary lists the steps'
run scope "$@" -step 'train 3'
is_line 'a profile without step names' stderr 'tfprof: -step=train 3 not found; steps of the profile have no names'
run scope "$marks" -step "a $(printf '%0130d' 0)"
is_status 'a name that is too long' 2
run sql 'SELECT step, name FROM steps' "$marks" -output csv
is_line 'tables have the names' stdout '2,"train 1 \(2\)"'

# Figures over steps, in every view.
for view in scope graph op code; do
  run $view "$@" -select micros,by_step
  is_status "figures over steps in the $view view" 0
done
run scope "$@" -select micros,by_step -max_depth 1
is_line 'as blocks' stdout '_TFProfRoot \(.*▄▃█▄▃\)'
run scope "$@" -select micros,by_step -output json
is_line 'as an array of JSON' stdout '.*"name":"_TFProfRoot",.*"by_step":\[120,100,305,120,110\].*'
is_line 'of each row' stdout '.*"name":"b",.*"by_step":\[20,10,5,20,30\].*'
run op "$@" -select occurrence,by_step -order_by occurrence -output csv
is_line 'as a list of csv, of another figure' stdout '"MatMul",.*,1\|1\|1\|1\|1'
run scope "$@" -step 2 -select micros,by_step -output json
is_line 'the same whichever step is seen' stdout '.*"name":"_TFProfRoot",.*"by_step":\[120,100,305,120,110\].*'
run scope "$work/graph.pbtxt" -select micros,by_step
is_status 'without steps there are none' 0
run scope "$@" -order_by by_step
is_status 'they are no order' 2

run scope "$work/graph.pbtxt" -step worst
is_status 'no step is none' 1
is_line 'and said' stderr 'tfprof: -step=worst not found; the profile has no steps'
run scope "$@" -step best
is_status 'no other words' 2
finish
