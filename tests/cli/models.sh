#!/bin/sh
# models.sh: SavedModels, MetaGraphDefs and event files agree with known facts about them.
. "$top_srcdir/tests/cli/lib.sh"

modern=$top_srcdir/tests/golden/modern

# table NAME VIEW FILE OPTION...: the rows of a view as a table in $work/NAME.
table() {
  name=$1 view=$2 file=$3
  shift 3
  timeout "$patience" "$TFPROF" "$view" "$file" -max_depth 10000 -select occurrence,float_ops,params \
    -order_by name -flops compat -account_type_regexes '(?!_kTFScopeParent$).*' -output tsv "$@" \
    >"$work/$name" 2>"$work/stderr" </dev/null
}

# Compares the tables with the facts; prints the differences.
cat >"$work/facts.awk" <<'EOF'
BEGIN { FS = "\t" }
FNR == 1 { table = FILENAME; sub(/.*\//, "", table)
           delete column; for (i = 1; i <= NF; i++) column[$i] = i; next }
table != "facts" {
  key = table SUBSEP $(column["path"])
  own_defined[key] = $(column["defined_self"])
  flops[key] = $(column["float_ops_total"]); own_flops[key] = $(column["float_ops_self"])
  params[key] = $(column["params_total"])
  top = $(column["path"])
  if (table == "functions" && $(column["accounted"]) == "true" && sub(/\/.*/, "", top)) below[top]++
  if (table == "off" || table == "list") sum[table] += $(column["defined_self"])
  next
}
{
  fact = $1; name = fact
  sub(/^[^[]*\[/, "", name); sub(/\]$/, "", name)
  if (fact == "nodes" || fact == "nodes.main_graph") got = sum["off"]
  else if (fact ~ /^nodes(\.main_graph)?\.op_type/) got = own_defined["off", name]
  else if (fact == "nodes.all_functions") got = sum["list"] - sum["off"]
  else if (fact ~ /^nodes\.all_functions\.op_type/) got = own_defined["list", name] - own_defined["off", name]
  else if (fact ~ /^nodes\.function/) got = below[name]
  else if (fact ~ /^float_ops\.function/) got = flops["functions", name]
  else if (fact == "float_ops.total") got = flops["inline", ""]
  else if (fact ~ /^float_ops\.op_type/) got = own_flops["ops", name]
  else if (fact == "params.trainable") got = params["trainable", ""]
  else if (fact == "params.global") got = params["variables", ""]
  else got = "no such fact"
  if (got + 0 != $2 + 0 || got == "no such fact") print fact ": " got ", not " $2
}
EOF

walk() {
  file=$modern/$1 batch=$2
  awk -F '\t' -v file="$1" 'NR == 1 || $1 == file { print $3 "\t" $4 }' "$modern/models.tsv" \
    >"$work/facts"
  table off op "$file" -functions off
  table list op "$file" -functions list
  table ops op "$file" -batch "$batch"
  table functions scope "$file" -functions list
  table inline scope "$file" -batch "$batch"
  table trainable scope "$file" -account_type_regexes _trainable_variables
  table variables scope "$file" -account_type_regexes 'VarHandleOp,VariableV2'
  (cd "$work" && awk -f facts.awk off list ops functions inline trainable variables facts) \
    >"$work/wrong" 2>&1
  is "the facts of $1 hold" sh -c "cat '$work/wrong'; test ! -s '$work/wrong'"
}

awk -F '\t' 'NR > 1 { print $1, $2 }' "$modern/models.tsv" | sort -u >"$work/models"
while read -r name batch; do walk "$name" "$batch"; done <"$work/models"

# A SavedModel is a folder that also contains the values.
mkdir "$work/model" "$work/model/variables"
gzip -dc "$modern/v1_cnn_text.pbtxt.gz" >"$work/model/saved_model.pbtxt"
cp "$models/towers/model.ckpt.index" "$work/model/variables/variables.index"
: >"$work/model/fingerprint.pb"
run scope "$work/model" -select params -max_depth 1
is_status 'a SavedModel folder is read' 0
is_line 'the selected meta graph is reported' stderr '.*one of 2 meta graphs is shown; -tag chooses: .*'
run scope "$work/model" -tag no_such -max_depth 1
is_status 'an unknown tag is an error' 1
is_line 'the error lists the tags' stderr ".*no meta graph has the tag no_such; available: 'train'; 'serve'"
run scope "$work/model" -signature no_such
is_status 'an unknown signature is an error' 1
run scope "$modern/nested_module.pb.gz" -signature serving_default -functions off -select occurrence
is '-signature omits unused nodes' sh -c "! grep -q Assign '$work/stdout'"

# Shapes: by default only recorded ones, as the original prints them; all known ones with
# rules, and for outputs.
net=$modern/DenseNet121.stripped.pb.gz
conv='-show_name_regexes .*conv1/conv/Conv2D -max_depth 20 -account_type_regexes Conv2D'
run scope "$net" -select input_shapes $conv
is_line 'without recorded shapes the shapes are unknown' stdout '.*Conv2D \(0:unknown\|1:unknown\)'
run scope "$net" -select input_shapes,output_shapes -flops compat $conv
is_line 'inferred shapes are displayed' stdout \
  '.*Conv2D \(0:1x230x230x3\|1:7x7x3x64, 0:1x112x112x64\)'
run scope "$net" -select output_shapes -bind input=2x224x224x3 -output csv $conv
is_line '-bind sets input shapes' stdout '.*Conv2D",.*,"0:2x112x112x64"'

# A run without a description of an output gives no shape for it, except in TensorFlow.
cat >"$work/own.pbtxt" <<'EOM'
node { name: 'a' op: 'SomethingOfMine' }
node { name: 'b' op: 'SomethingOfMine' }
EOM
cat >"$work/own_run.txt" <<'EOM'
step_stats { dev_stats { device: '/job:x/replica:0/task:0/device:CPU:0'
  node_stats { node_name: 'a' all_start_micros: 5 all_end_rel_micros: 2 output { slot: 0 } }
  node_stats { node_name: 'b' all_start_micros: 5 all_end_rel_micros: 2 output { slot: 0
    tensor_description { dtype: DT_FLOAT shape { dim { size: 3 } } } } } } }
EOM
run scope --graph_path "$work/own.pbtxt" --run_meta_path "$work/own_run.txt" -select output_shapes \
  -flops compat
is_line 'with compat rules a missing description is a scalar' stdout '  a \(0:scalar\)'
run scope --graph_path "$work/own.pbtxt" --run_meta_path "$work/own_run.txt" -select output_shapes \
  -flops full
is_line 'with full rules a missing description is unknown' stdout '  a \(0:unknown\)'
is_line 'a recorded description gives the shape' stdout '  b \(0:3\)'

# User-defined types.
run op "$modern/nested_module.pb.gz" -define_type 'mine=.*/MatMul,other=x{1\,2}' \
  -account_type_regexes mine -select op_types
is_line '-define_type adds a type by name' stdout 'MatMul +MatMul\|mine'
is 'other nodes do not get the type' sh -c "! grep -qv -e MatMul -e '^node name' '$work/stdout'"
run scope "$modern/nested_module.pb.gz" -define_type mine
is_status '-define_type without a regex is refused' 2
run op "$modern/nested_module.pb.gz" -define_type 'mine=(([A-Za-z_0-9]+/?)+)+[%!]' \
  -account_type_regexes mine -select op_types
is_line 'names over the match limit do not get the type' stderr \
  ".*-define_type #1 '[^']*': work limit exceeded on [0-9]+ names, which do not match"

# An event file that is being written may end anywhere; a damaged one is reported.
gzip -dc "$modern/cnn_session.tfevents.gz" >"$work/events"
head -c 100000 "$work/events" >"$work/cut"
run scope "$work/cut" -max_depth 0 -select occurrence
is_status 'a truncated event file is read up to its end' 0
printf 'X' | dd of="$work/events" bs=1 seek=60000 conv=notrunc 2>"$work/dd"
run scope "$work/events" -max_depth 0 -select occurrence
is_line 'a damaged record is reported' stderr '.*the checksum of a record is wrong: skipped'

# Nodes are merged by name, so graphs of two models would be added up.
run scope "$models/resnet32/graph.pb.gz" "$models/mobilenet/graph.pb.gz" -max_depth 1
is_line 'graphs without common names give a note' stderr \
  'tfprof: .*/mobilenet/graph\.pb\.gz: 0 of its 1123 nodes have names of the earlier graphs: .*'
run scope "$models/resnet32/graph.pb.gz" "$models/resnet32/graph.pbtxt.gz" -max_depth 1
says_no_sum() { ! grep -q 'sums over' "$work/stderr"; }
is 'a graph and its copy give no note' says_no_sum

finish
