#!/bin/sh
# compare.sh: comparisons of profiles and of steps on the command line.
. "$top_srcdir/tests/cli/lib.sh"

# is_exact WHAT STREAM LINE: STREAM has a line equal to LINE.
is_exact() { is "$1" grep -qxF -e "$3" "$work/$2"; }

graph() {
  for node; do
    printf 'node { name: "%s" op: "%s" attr { key: "_output_shapes" value { } } }\n' "${node%:*}" "${node#*:}"
  done
}

# step_of NODE:MICROS...: a step in text form; `times` is a special builtin of dash.
step_of() {
  printf 'step_stats { dev_stats { device: "/device:CPU:0"\n'
  for node; do
    printf 'node_stats { node_name: "%s" all_start_micros: 1 op_end_rel_micros: %s }\n' "${node%:*}" "${node#*:}"
  done
  printf '} }\n'
}

graph net/a:MatMul net/b:Relu old/c:Add net/d:Mul >"$work/base.pbtxt"
step_of net/a:1000 net/b:200 old/c:50 net/d:7 >"$work/base_step.pbtxt"
graph net/a:MatMul net/b:Relu new/e:Sub net/d:Add >"$work/now.pbtxt"
step_of net/a:1300 net/b:200 new/e:60 net/d:9 >"$work/now_step.pbtxt"
base=$work/base.pbtxt,$work/base_step.pbtxt

run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros
is_status 'two profiles are compared' 0
is_exact 'the legend names the figures' stdout 'node name | cpu execution time (base -> now, delta)'
is_exact 'the root has both totals' stdout '  _TFProfRoot (1.26ms -> 1.57ms, +312us (+24.8%))'
is_exact 'a row has base, now, delta and percent' stdout '      net/a (1.00ms -> 1.30ms, +300us (+30.0%))'
is_exact 'a vanished row is marked' stdout '-   old (50us -> 0us, -50us (-100.0%))'
is_exact 'a new row is marked and has no percentage' stdout '+   new (0us -> 60us, +60us)'
is_exact 'a node with a new type is a new row' stdout '+     net/d (0us -> 9us, +9us)'
is_exact 'a node with a new type is also a vanished row' stdout '-     net/d (7us -> 0us, -7us (-100.0%))'
no_line() { ! grep -q "$1" "$work/stdout"; }
is 'an unchanged row is not displayed' no_line net/b

run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -min_delta 0
is_exact '-min_delta 0 displays unchanged rows' stdout '      net/b (200us -> 200us, 0us (+0.0%))'
run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -min_delta 55
is 'a threshold hides small differences' no_line old
is_line 'a threshold keeps large differences' stdout '[+]   new .*'
run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -min_percent 40
is '-min_percent hides small changes' no_line net/a
is_line 'a new row exceeds any percentage' stdout '[+]   new .*'

first_names() { cut -d'"' -f2 "$work/stdout" | sed 1d | tr '\n' ' ' >"$work/names"; [ "$(cat "$work/names")" = "$1" ]; }
run op "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output csv -order_by delta
is 'rows are ordered by delta' first_names 'MatMul Sub Mul Add '
run op "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output csv -order_by delta_abs
is 'rows are ordered by absolute delta' first_names 'MatMul Sub Add Mul '
run op "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output csv -order_by delta_percent
is 'rows are ordered by percentage' first_names 'Sub MatMul Add Mul '
run op "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output csv -order_by base
is 'rows are ordered by the baseline' first_names 'MatMul Add Mul Sub '
is_exact 'csv has base, now, delta and percent' stdout '"MatMul","MatMul",1,true,,,,,1000,1300,300,30.00,1000,1300,300'

run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output json
is_exact 'json has base, now, delta and percent' stdout '{"name":"old","path":"old","depth":1,"accounted":true,"mark":"-","base_name":null,"match":null,"confidence":null,"cpu_micros":{"base":50,"now":0,"delta":-50,"percent":-100.00,"self_base":0,"self_now":0,"self_delta":0}},'
run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output folded
is_exact 'folded output has both values' stdout '_TFProfRoot;net;a 1000 1300'
run scope "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros -output html
is 'html has differences' grep -q '+300us' "$work/stdout"
run graph "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -output dot
is_status 'dot output does not support comparisons' 2
is_exact 'the error lists the outputs that do' stderr 'tfprof: -output dot: does not support comparisons; json, csv and html do'

# pprof computes percentages of the sum of the baseline, so unchanged rows are part of it.
pprof_of() {
  rm -f "$work/pprof"
  run code "$top_srcdir/data/resnet32.pb.gz" -step 2 -diff_step 0 -select micros -max_depth all \
    -output "pprof:outfile=$work/pprof" "$@"
  gzip -dc "$work/pprof" | "$top_builddir/tests/golden/proto_lines" pprof | grep '^sample' | sort
}
pprof_of >"$work/pprof.any"
pprof_of -min_delta 0 >"$work/pprof.all"
pprof_of -min_delta 1000 >"$work/pprof.some"
is 'pprof has samples of unchanged rows' cmp "$work/pprof.any" "$work/pprof.all"
is 'a threshold omits samples' test "$(wc -l <"$work/pprof.some")" -lt "$(wc -l <"$work/pprof.all")"

# A renamed scope whose nodes have other neighbors than those of the unchanged scope.
graph_of() {
  printf 'node { name: "x" op: "Placeholder" }\n'
  last=x
  for op in MatMul BiasAdd Relu MatMul Softmax; do
    printf 'node { name: "%s/%s_%s" op: "%s" input: "%s" }\n' "$1" "$op" "${#last}" "$op" "$last"
    last=$1/${op}_${#last}
  done
}
graph_of dense >"$work/old.pbtxt"
graph_of layer >"$work/new.pbtxt"
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -select params
is_exact 'a renamed scope is matched' stdout '~   layer (0 -> 0 params, 0)'
is_exact 'nodes of a renamed scope have their old names' stdout '~     layer/MatMul_1 (0 -> 0 params, 0) was dense/MatMul_1 by rename'
is_exact 'the number of matched nodes is reported' stderr 'tfprof: 6 of 6 nodes matched (1 by name, 5 by rename "dense" to "layer"); 0 have vanished (0.0% of params), 0 are new (0.0%)'
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -select params -output csv
is_line 'csv has the old names' stdout '"layer/MatMul_1","layer/MatMul_1",2,true,"~","dense/MatMul_1","rename","high",.*'
run summary "$work/new.pbtxt" -diff_base "$work/old.pbtxt"
is_line 'the summary prints the rule in -rename syntax' stdout '  \(\^\|/\)dense\(\[0-9\]\*\)\(/\|\$\)=\$\{1\}layer\$\{2\}\$\{3\} +5 nodes'
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -select params \
  -rename '(^|/)dense([0-9]*)(/|$)=${1}layer${2}${3}'
is_line '-rename accepts the printed rule' stderr '.*6 of 6 nodes matched \(1 by name, 5 by given\); .*'
sed 's/\(name\|input\): "/&model\//g' "$work/old.pbtxt" >"$work/new.pbtxt"
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -select params
is_line 'an added prefix is detected as a rule' stderr '.*6 of 6 nodes matched \(6 by rename "\^" to "model/"\); .*'

# Names that only the user can match.
printf 'node { name: "old/a" op: "Foo" } node { name: "old/b" op: "Foo" }\n' >"$work/old.pbtxt"
printf 'node { name: "new/b1" op: "Foo" } node { name: "new/a1" op: "Foo" }\n' >"$work/new.pbtxt"
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -select params -rename 'old/(.*)=new/${1}1'
is_exact 'a rule renames nodes' stdout '~     new/a1 (0 -> 0 params, 0) was old/a by given'
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -rename '(=x'
is_status 'a malformed -rename regex is refused' 2
run scope "$work/new.pbtxt" -diff_base "$work/old.pbtxt" -rename 'x'
is_status '-rename without a template is refused' 2

# Steps of a node with a significant difference, and of one without.
for side in base now; do
  [ $side = base ] && steady='100 101 102' wild='50 500 1000' || steady='110 111 112' wild='60 700 1100'
  set -- $wild
  for time in $steady; do
    step_of net/a:"$time" net/b:"$1" >"$work/$side$#.pbtxt"
    shift
  done
done
graph net/a:MatMul net/b:Relu >"$work/graph.pbtxt"
three() { echo "$work/graph.pbtxt,$work/$1""3.pbtxt,$work/$1""2.pbtxt,$work/$1""1.pbtxt"; }
run scope "$work/graph.pbtxt" "$work/now3.pbtxt" "$work/now2.pbtxt" "$work/now1.pbtxt" \
  -diff_base "$(three base)" -select cpu_micros -significant
is_exact 'a difference beyond the spread of steps is displayed' stdout '      net/a (101us -> 111us, +10us (+9.9%))'
is 'a difference within the spread is marked as noise' grep -q 'net/b (.* within noise$' "$work/stdout"
is 'a parent that is mostly noise is marked as noise' grep -q ' net (.* within noise$' "$work/stdout"
is_exact 'the number of steps is reported' stderr 'tfprof: -significant: 3 steps of the baseline, 3 of now; 1 of 3 rows differ, about 0.0 would by chance'
run scope "$work/graph.pbtxt" "$work/now3.pbtxt" "$work/now2.pbtxt" "$work/now1.pbtxt" \
  -diff_base "$(three base)" -select cpu_micros -significant -min_delta 0 -output json
is_line 'json has the significance of each row' stdout '.*"net/a".*"significant":true,"noise":{"base_steps":3,"now_steps":3,"base_median":101,"now_median":111,"shift":10,"test":"t"}.*'
is_line 'json has rows within noise' stdout '.*"net/b".*"significant":false,.*'
run scope "$work/graph.pbtxt" "$work/now3.pbtxt" "$work/now2.pbtxt" "$work/now1.pbtxt" \
  -diff_base "$(three base)" -select cpu_micros -significant -min_delta 0 -output csv
is_line 'csv has the significance of each row' stdout '.*"net/a".*,1,3,3,101,111,10,"t",.*'
run scope "$work/graph.pbtxt" "$work/now3.pbtxt" "$work/now2.pbtxt" "$work/now1.pbtxt" \
  -diff_base "$(three base)" -select cpu_micros -significant -account_displayed_op_only
is_exact '-significant works with -account_displayed_op_only' stdout '      net/a (101us -> 111us, +10us (+9.9%))'
printf 'delta scope net/b cpu_micros <= +1%% when significant\ndelta scope net/a cpu_micros <= +1%% when significant\n' >"$work/rules"
run check "$work/rules" "$work/graph.pbtxt" "$work/now3.pbtxt" "$work/now2.pbtxt" "$work/now1.pbtxt" -diff_base "$(three base)"
is_line 'a rule "when significant" holds within the spread' stdout 'held .*net/b.*noise: 1'
is_line 'a rule "when significant" is broken beyond the spread' stdout 'broken .*net/a: 101us -> 111us, .*'
run scope "$work/graph.pbtxt" "$work/now3.pbtxt" -diff_base "$(three base)" -select cpu_micros -significant
is_line 'the noise of a single step is unknown' stderr 'tfprof: -significant: now has a single step, so its noise is unknown'
is 'with a single step no row is marked as noise' sh -c "! grep -q 'within noise' '$work/stdout'"

for view in scope graph op code; do
  run "$view" "$sample" -diff_base "$sample" -max_depth all -select micros,params,float_ops,occurrence
  is_line "$view: a file compared with itself has no rows" stderr 'tfprof: no row is shown.*-min_delta'
  run "$view" "$sample" -diff_base "$sample" -max_depth all -select micros,params -output json
  is "$view: a file compared with itself has no rows in json" sh -c "tr -d '\n' <'$work/stdout' | grep -q '\"total\":0,.*\"rows\":\[\]'"
done
run scope "$sample" -diff_step 0 -step 2 -select micros -max_depth 2 -order_by delta_abs
is_line 'steps are compared' stdout '  _TFProfRoot [(].* -> .*, .*'
run scope "$sample" -diff_step 7
is_status 'a missing baseline step is an error' 1
is_line 'the error names the missing step' stderr 'tfprof: -diff_step=7 not found; available: .*'
run scope "$sample" -order_by delta
is_status 'ordering by delta without a baseline is refused' 2
run scope "$sample" -diff_base "$work/missing"
is_status 'a missing baseline is an error' 1
run advise "$sample" -diff_base "$sample"
is_status 'advise does not support a baseline' 2

# Separated pairs: both nodes are displayed, one per profile, and no other pair changes.
run scope "$sample" -diff_base "$sample" -select micros -max_depth all -unmatch 'costs/L2Loss_7,no such name'
is_status '-unmatch separates pairs' 0
is 'an unmatched node is a new row' grep -q '^+ .*costs/L2Loss_7 ' "$work/stdout"
is 'an unmatched node is a vanished row' grep -q '^- .*costs/L2Loss_7 ' "$work/stdout"
is '-unmatch changes no other row' test "$(grep -c '^[-+~] .*(' "$work/stdout")" -eq 2
run scope "$sample" -diff_base "$sample" -unmatch '['
is_status 'a malformed -unmatch regex is an error' 2

run summary "$work/now.pbtxt" "$work/now_step.pbtxt" -diff_base "$base" -select cpu_micros
is_line 'the summary counts matched nodes' stdout '  matched by name +2 nodes'
is_line 'the summary counts vanished nodes and their share' stdout '  vanished +2 nodes, 4\.5% of cpu_micros'
is_line 'the summary lists vanished nodes' stdout '  old/c +50us, 4\.0%'
is_line 'the summary lists new nodes' stdout '  new/e +60us, 3\.8%'

# One program compiled by two versions of a compiler.  The captures come from other projects.
captures=${TFPROF_CAPTURES:-$top_srcdir/../shared/golden/xplane}
if [ -d "$captures/mi300_legacy" ] && [ -d "$captures/mi300_08" ]; then
  run scope "$captures/mi300_08" -diff_base "$captures/mi300_legacy" -select micros -max_depth all -min_delta 0
  is 'all instructions of two compiler versions are matched' test -z "$(grep '^[-+] ' "$work/stdout" | grep -v '(no HLO)')"
  is 'executed instructions are matched' grep -q '^~ .*cudnn-conv.1 (308us -> 2.51ms, .*' "$work/stdout"
else
  skip_case 'all instructions of two compiler versions are matched' 'the captures are not here: TFPROF_CAPTURES=FOLDER'
fi
# Call stacks: an edit moves lines, so the line numbers of all callers differ.
stacks_of() { # LINE_OF_MAIN LINE_OF_STEP LINE_OF_FIRST LINE_OF_SECOND
  printf '{"traceEvents":['
  ts=0
  for line in "$3" "$4"; do
    printf '{"ph":"X","cat":"python_function","name":"run.py(%s): main","pid":1,"tid":1,"ts":%s,"dur":90},' "$1" "$ts"
    printf '{"ph":"X","cat":"python_function","name":"run.py(%s): step","pid":1,"tid":1,"ts":%s,"dur":80},' "$2" "$((ts + 1))"
    printf '{"ph":"X","cat":"python_function","name":"net.py(%s): forward","pid":1,"tid":1,"ts":%s,"dur":70},' "$line" "$((ts + 2))"
    printf '{"ph":"X","cat":"cpu_op","name":"aten::op%s","pid":1,"tid":1,"ts":%s,"dur":60},' "$ts" "$((ts + 3))"
    ts=$((ts + 100))
  done
  printf '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#0","pid":1,"tid":1,"ts":0,"dur":200}]}'
}
stacks_of 10 50 20 40 >"$work/old.json"
stacks_of 12 55 23 43 >"$work/new.json"
run code "$work/new.json" -diff_base "$work/old.json" -select cpu_micros -max_depth all
is 'moved lines are unchanged rows' sh -c "! grep -q '^[-+~] ' '$work/stdout'"
run code "$work/new.json" -diff_base "$work/old.json" -select cpu_micros -max_depth all -min_delta 0 -output json
is_line 'rows name the old lines' stdout '.*"path":"run.py:12:main;run.py:55:step;net.py:43:forward".*"base_name":"run.py:10:main;run.py:50:step;net.py:40:forward","match":"lines".*'
stacks_of 10 50 20 40 >"$work/new.json"
run code "$work/new.json" -diff_base "$work/old.json" -select cpu_micros -max_depth all -min_delta 0 -output json
is_line 'equal lines are matched by name' stdout '.*"path":"run.py:10:main".*"base_name":null,"match":"name".*'
# chain WIDTH...: layers whose nodes are named as their scopes.
chain() {
  number=0 last=in
  echo 'node { name: "in" op: "Placeholder" }'
  while [ $# -gt 1 ]; do
    layer=layer_$number number=$((number + 1))
    echo "node { name: \"$layer/w\" op: \"VariableV2\" attr { key: \"shape\" value { shape {
      dim { size: $1 } dim { size: $2 } } } } }
      node { name: \"$layer\" op: \"MatMul\" input: \"$last\" input: \"$layer/w\" }
      node { name: \"$layer/act\" op: \"Relu\" input: \"$layer\" }"
    last=$layer/act
    shift
  done
}
chain 16 24 40 56 72 >"$work/before.pbtxt"
chain 16 24 56 72 >"$work/after.pbtxt"
run scope "$work/after.pbtxt" -diff_base "$work/before.pbtxt" -min_delta 0 -max_depth 9 -select params -output json
is_line 'a vanished node has no rows below it' stdout \
  '.*"path":"layer_2","depth":1,"accounted":true,"mark":"-",.*"params":\{"base":0,"now":0,.*'
is_line 'children of a reused name are below the current node' stdout \
  '.*"path":"layer_2","depth":1,"accounted":true,"mark":"~","base_name":"layer_3",.*"now":4032,.*'
finish
