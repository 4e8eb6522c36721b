#!/bin/sh
# numbers.sh: regression tests of figures, on small inputs in text form.
. "$top_srcdir/tests/cli/lib.sh"

# A run has only names of nodes; a node named like an op type does not have that type.
cat >"$work/run_only.pbtxt" <<'END'
node { name: "x" op: "Placeholder" }
END
cat >"$work/run_only_step.pbtxt" <<'END'
step_stats { dev_stats { device: "/device:CPU:0"
  node_stats { node_name: "Add" all_start_micros: 5 op_end_rel_micros: 7
    output { tensor_description { dtype: DT_FLOAT shape { dim { size: 10 } dim { size: 100 } } } } }
} }
END
for rules in compat full; do
  run scope --graph_path "$work/run_only.pbtxt" --run_meta_path "$work/run_only_step.pbtxt" \
    -select float_ops -flops $rules -output "profile:outfile=$work/run_only.pb"
  run scope --graph_path "$work/run_only.pbtxt" --run_meta_path "$work/run_only_step.pbtxt" \
    -select float_ops -flops $rules
  is_line "$rules: nodes known only from a run are not counted" stdout '  Add \(0/0 flops\)'
  run scope "$work/run_only.pb" -select float_ops -flops $rules
  is_line "$rules: nodes known only from a run are not counted in a profile" stdout '  Add \(0/0 flops\)'
  is_line "$rules: nodes known only from a run are reported" stderr '.*; 1 only in runs'
done

# Fields of a later release (number 1000), names with control characters, profiles without nodes.
unknown='\302\076\003new'
printf "$unknown"'\012\027\012\005\033[1ma\022\002Op'"$unknown$unknown" >"$work/odd.pb"
run scope "$work/odd.pb" -select op_types
is_line 'a name with control characters is shown escaped' stdout '  \\x1b\[1ma \(Op\)'
printf 'later: 1\nlater { node: "}" }\nnode { name: "\001a" op: "Op" }' >"$work/odd.pbtxt"
run scope "$work/odd.pbtxt" -select op_types
is_line 'text form with unknown fields is read, and names are escaped' stdout '  \\x01a \(Op\)'
printf '\020\001\032\002\000\001\042\012\010\001\022\006source' >"$work/no_nodes.pb"
run scope "$work/no_nodes.pb" -select micros -step 1
is_status 'a profile without nodes opens' 0
is_line 'a profile without nodes has steps' stdout '_TFProfRoot \(--/0us.*'

# A node has as many outputs as its attributes declare.
cat >"$work/outputs.pbtxt" <<'END'
node { name: "s" op: "Split" attr { key: "num_split" value { i: 5000 } } }
END
run scope "$work/outputs.pbtxt" -select output_shapes -flops full
is_line 'all outputs are counted' stdout '  s \(0:unknown\|.*\|and 4936 more\)'

# A stored profile has only the types stored in it.
cat >"$work/frozen.pbtxt" <<'END'
node { name: "w" op: "Const" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 6 } } } } } }
END
cat >"$work/frozen_profile.pbtxt" <<'END'
nodes { key: 0 value { name: "w" op: "Const" op_types: "Const"
  attrs { key: "dtype" value { type: DT_FLOAT } }
  attrs { key: "value" value { tensor { dtype: DT_FLOAT tensor_shape { dim { size: 6 } } } } } } }
END
run scope "$work/frozen.pbtxt" -select params,op_types -output "profile:outfile=$work/frozen.pb"
run scope "$work/frozen.pbtxt" -select params,op_types
is_line 'constants of a frozen graph are its weights' stdout \
  '  w \(6, 6/6 params, Const\|_constant_variables\)'
run scope "$work/frozen.pb" -select params,op_types
is_line 'a written profile counts the constants of a frozen graph' stdout \
  '  w \(6, 6/6 params, Const\|_constant_variables\)'
run scope "$work/frozen_profile.pbtxt" -select params,op_types
is_line 'in other profiles constants are not parameters' stdout '  w \(0/0 params, Const\)'

# Timelines of all steps show the rows of each step, not those of the average.
for step in 0 1; do
  dur=$((step * 450 + 50))
  cat >"$work/step_$step.pbtxt" <<END
step_stats { dev_stats { device: "/device:CPU:0"
  node_stats { node_name: "w" all_start_micros: 5 op_end_rel_micros: $dur } } }
END
done
run graph --graph_path "$work/frozen.pbtxt" -min_micros 100 -step -1 \
  --run_meta_path "$work/step_0.pbtxt,$work/step_1.pbtxt" -output "timeline:outfile=$work/t"
is 'a step below a threshold has no slices' sh -c "! grep -q '\"dur\"' '$work/t_0'"
is 'a step above a threshold has slices' grep -q '"dur":500' "$work/t_1"

# In graphs of more than 200,000 nodes recorded counts are not compared with the rules, which is reported.
recorded() { # recorded NODES
  awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++)
    printf "node { name: \"n%d\" op: \"Relu\" attr { key: \"_output_shapes\" value { list { shape { dim { size: 3 } } } } } }\n", i }'
}
recorded 200000 >"$work/checked.pbtxt"
recorded 200001 >"$work/unchecked.pbtxt"
run scope --graph_path "$work/checked.pbtxt" -max_depth 1 -select float_ops -flops full
is 'recorded shapes of 200,000 nodes are checked' sh -c "! grep -q unchecked '$work/stderr'"
run scope --graph_path "$work/unchecked.pbtxt" -max_depth 1 -select float_ops -flops full
is_line 'recorded shapes of more nodes are reported as unchecked' stderr \
  '.*the recorded shapes of 200001 nodes are shown unchecked: the graph has more than 200000'

finish
