#!/bin/sh
# functions.sh: bodies of functions below the nodes that call them, in each view.
. "$top_srcdir/tests/cli/lib.sh"

# x is 4x8; sq is 32 operations, nest calls it twice, again calls itself.
cat >"$work/graph.pbtxt" <<'EOM'
node { name: 'x' op: 'Placeholder' attr { key: 'shape' value { shape { dim { size: 4 } dim { size: 8 } } } } }
node { name: 'p' op: 'Placeholder' attr { key: 'shape' value { shape { } } } }
node { name: 'pc' op: 'PartitionedCall' input: 'x' attr { key: 'f' value { func { name: 'nest' } } }
  attr { key: 'Tout' value { list { type: DT_FLOAT } } } }
node { name: 'if' op: 'If' input: 'p' input: 'pc' attr { key: 'then_branch' value { func { name: 'sq' } } }
  attr { key: 'else_branch' value { func { name: 'nest' } } } attr { key: 'Tout' value { list { type: DT_FLOAT } } } }
node { name: 'while' op: 'While' input: 'p' input: 'x' attr { key: 'cond' value { func { name: 'more' } } }
  attr { key: 'body' value { func { name: 'step' } } } attr { key: 'T' value { list { type: DT_FLOAT type: DT_FLOAT } } } }
node { name: 'rec' op: 'again' input: 'x' }
library {
 function { signature { name: 'sq' input_arg { name: 'a' } output_arg { name: 'b' } }
  node_def { name: 'm' op: 'Square' input: 'a' } ret { key: 'b' value: 'm:y:0' } }
 function { signature { name: 'nest' input_arg { name: 'a' } output_arg { name: 'b' } }
  node_def { name: 'one' op: 'sq' input: 'a' } node_def { name: 'two' op: 'sq' input: 'one:b:0' }
  ret { key: 'b' value: 'two:b:0' } }
 function { signature { name: 'more' input_arg { name: 'i' } input_arg { name: 'v' } output_arg { name: 'c' } }
  node_def { name: 'gt' op: 'Greater' input: 'i' input: 'i' } ret { key: 'c' value: 'gt:z:0' } }
 function { signature { name: 'step' input_arg { name: 'i' } input_arg { name: 'v' } output_arg { name: 'i1' } output_arg { name: 'v1' } }
  node_def { name: 'mul' op: 'Mul' input: 'v' input: 'v' } ret { key: 'i1' value: 'i' } ret { key: 'v1' value: 'mul:z:0' } }
 function { signature { name: 'again' input_arg { name: 'a' } output_arg { name: 'b' } }
  node_def { name: 'm' op: 'Square' input: 'a' } node_def { name: 'deeper' op: 'again' input: 'm:y:0' }
  ret { key: 'b' value: 'deeper:b:0' } } }
EOM
graph=$work/graph.pbtxt

run scope "$graph" -flops full -select float_ops
is_line 'a call has the total of its body' stdout '  pc \(0/64 flops\)'
is_line 'a nested call has the total of its body' stdout '    pc/one \(0/32 flops\)'
is_line 'the costliest branch is counted' stdout '  if \(0/64 flops\)'
is_line 'the other branch is not counted' stdout '    if/then_branch \(0/0 flops\)'
is_line 'a loop counts one iteration' stdout '  while \(0/33 flops\)'
is_line 'the header explains how loops and branches are counted' stdout 'node name \| # float_ops \(loops: one iteration; branches: the costliest\)'
is_line 'the coverage is reported' stderr \
  'tfprof: counted 7 of 9 compute ops; 2 of them per iteration of a loop; 1 in branches that cost less than others; 1 without a rule: again'
is_line 'a recursive call is cut and reported' stderr ".*: function 'again' calls itself: cut \(1 such call\)"
run scope "$graph" -flops full -select float_ops -output json
is_line 'json marks a row as per iteration' stdout '.*"name":"while/body/mul".*"float_ops_state":"per_iteration".*'
is_line 'json marks a row as left out' stdout '.*"name":"if/then_branch/m".*"float_ops_state":"left_out".*'

run scope "$graph" -flops compat -select float_ops
is_line 'compat rules count neither loops nor branches' stdout '_TFProfRoot \(--/96 flops\)'
is_line 'the uncounted loops and branches are reported' stderr '.*; 5 in loops and branches: -flops_loops counts them; .*'
run scope "$graph" -flops compat -flops_loops -select float_ops
is_line '-flops_loops counts one iteration and all branches' stdout '_TFProfRoot \(--/225 flops\)'

run graph "$graph" -flops full -select float_ops
is_line 'in the graph view a body is below its call' stdout '      pc/two \(0/64 flops\)'
is_line 'in the graph view a call has its total' stdout '    pc \(0/64 flops\)'
run op "$graph" -flops full -select float_ops,occurrence -order_by float_ops
is_line 'the op view includes the nodes of all bodies' stdout 'Square +160 float_ops.*\|6'

run scope "$graph" -functions list -select occurrence
is_line 'a listed function is below its own name' stdout '  nest .*'
is 'listed functions are not below their calls' sh -c "! grep -q pc/one '$work/stdout'"
run scope "$graph" -functions off -flops full -select float_ops
is_line 'a body without rows is counted at its call' stdout '  pc \(64/64 flops\)'
is_line 'the count includes nested calls' stdout '_TFProfRoot \(--/193 flops\)'
is '-functions off displays no rows of bodies' sh -c "! grep -q pc/ '$work/stdout'"

run scope "$graph" -function_rows 0 -flops full -select float_ops
is_line '-function_rows 0 creates no rows' stdout '  pc \(64/64 flops\)'
is_line '-function_rows 0 preserves the total' stdout '_TFProfRoot \(--/193 flops\)'
is '-function_rows 0 gives no note' sh -c "! grep -q 'not shown' '$work/stderr'"
run scope "$graph" -function_rows 0 -open_calls pc,pc/two -flops full -select float_ops
is_line '-open_calls creates the rows of a call' stdout '    pc/one \(32/32 flops\)'
is_line '-open_calls creates the rows of a nested call' stdout '      pc/two/m \(32/32 flops\)'
is_line '-open_calls preserves the total' stdout '_TFProfRoot \(--/193 flops\)'
run scope "$graph" -function_rows 4 -flops full -select float_ops -max_depth 0
is_line 'a limit on rows is reported' stderr ".*: function .* is not shown below every call.*"
is_line 'a limit on rows preserves the total' stdout '_TFProfRoot \(--/193 flops\)'

# Which rows fit the limit does not depend on the order of the calls in the file.
cat >"$work/sq.pbtxt" <<'EOM'
library { function { signature { name: 'sq' input_arg { name: 'a' } output_arg { name: 'b' } }
  node_def { name: 'm' op: 'Square' input: 'a' } ret { key: 'b' value: 'm:y:0' } } }
node { name: 'x' op: 'Placeholder' }
EOM
for call in a b c d; do echo "node { name: '$call' op: 'sq' input: 'x' }"; done >"$work/calls"
cat "$work/sq.pbtxt" "$work/calls" >"$work/forth.pbtxt"
sort -r "$work/calls" | cat "$work/sq.pbtxt" - >"$work/back.pbtxt"
run scope "$work/forth.pbtxt" -function_rows 3 -select occurrence
cp "$work/stdout" "$work/forth"
is_line 'the first calls by name have rows' stdout '    b/m .*'
run scope "$work/back.pbtxt" -function_rows 3 -select occurrence
is 'rows do not depend on the order of the calls' cmp "$work/forth" "$work/stdout"

# Four slices of 8 numbers; a run with the node gives the number of executions.
cat >"$work/map.pbtxt" <<'EOM'
node { name: 'x' op: 'Placeholder' attr { key: 'shape' value { shape { dim { size: 4 } dim { size: 8 } } } } }
node { name: 'map' op: 'MapDefun' input: 'x' attr { key: 'f' value { func { name: 'sq' } } }
  attr { key: 'Targuments' value { list { type: DT_FLOAT } } } }
library { function { signature { name: 'sq' input_arg { name: 'a' } output_arg { name: 'b' } }
  node_def { name: 'm' op: 'Square' input: 'a' } ret { key: 'b' value: 'm:y:0' } } }
EOM
entry="node_stats { node_name: 'map/m' all_start_micros: 1 all_end_rel_micros: 5 }"
echo "step_stats { dev_stats { device: '/cpu:0' $entry $entry $entry } }" >"$work/run.pbtxt"
run scope "$work/map.pbtxt" -flops full -select float_ops
is_line 'MapDefun counts its function once per slice' stdout '    map/m \(32/32 flops\)'
run scope --graph_path "$work/map.pbtxt" --run_meta_path "$work/run.pbtxt" -flops full -select float_ops
is_line 'a run gives the number of executions' stdout '    map/m \(24/24 flops\)'

run summary "$graph"
is_line 'the summary counts the functions' stdout '  functions +5; bodies of them in the graph: 10'

# A listed function has its traced shapes: of one argument, or of all.
cat >"$work/traced.pbtxt" <<'EOM'
node { name: 'x' op: 'Placeholder' }
library {
 function { signature { name: 'all' input_arg { name: 'a' } input_arg { name: 'c' } output_arg { name: 'b' } }
  node_def { name: 'm' op: 'Square' input: 'a' } node_def { name: 'n' op: 'Square' input: 'c' }
  attr { key: '_input_shapes' value { list { shape { dim { size: 3 } dim { size: 5 } } shape { dim { size: 9 } } } } }
  arg_attr { key: 1 value { attr { key: '_output_shapes' value { list { shape { dim { size: 7 } } } } } } }
  ret { key: 'b' value: 'm:y:0' } } }
EOM
run scope "$work/traced.pbtxt" -functions list -flops compat -select float_ops
is_line 'a listed function uses its traced shapes' stdout '    all/m \(15/15 flops\)'
is_line 'shapes of an argument take precedence' stdout '    all/n \(7/7 flops\)'

finish
