#!/bin/sh
# outputs.sh: outputs for scripts, read by other programs where these are installed.
. "$top_srcdir/tests/cli/lib.sh"

# needs PROGRAM WHAT: false, and the case is skipped, when PROGRAM is missing.
needs() {
  command -v "$1" >/dev/null && return 0
  case_count=$((case_count + 1))
  echo "ok $case_count - $2 # SKIP no $1"
  return 1
}

same_rows() { [ "$(tail -n +2 "$work/text" | wc -l)" -eq "$(grep -c '^{"name"' "$work/stdout")" ]; }

run scope "$sample" -max_depth 4 -select params,micros,device,op_types
cp "$work/stdout" "$work/text"
run scope "$sample" -max_depth 4 -select params,micros,device,op_types -output json
is 'json has one object for every row of the text' same_rows
is_line 'the first line contains view, step and fields' stdout \
  '\{"tfprof":2,"view":"scope","units":\{.*"params":"1",.*"micros":"us",.*\},"returned":([0-9]*),"total":\1,"truncated":false,"step":-1,"select":\["params","micros","accelerator_micros","cpu_micros","device","op_types"\],"rows":\['
if needs jq 'jq reads json'; then
  jq -r '.rows[] | select(.name == "init/init_conv/DW") | "\(.shape) \(.params.self) \(.depth)"' \
    "$work/stdout" >"$work/read"
  is 'jq reads json' grep -qx '\[3,3,3,16\] 432 3' "$work/read"
fi

run scope "$sample" -max_depth 4 -select params,shape
is_status 'shape is not a separate field' 2

run op "$sample" -select params,micros -order_by params -output csv
is_line 'csv names its columns' stdout \
  'name,path,depth,accounted,micros_self,micros_running,accelerator_micros_self,accelerator_micros_running,cpu_micros_self,cpu_micros_running,params_self,params_running'
is_line 'csv has rows' stdout '"VariableV2","VariableV2",1,true,.*,930581,930585'
if needs sqlite3 'sqlite reads csv'; then
  sqlite3 :memory: ".import --csv $work/stdout rows" \
    "select params_self from rows where name = 'VariableV2'" >"$work/read"
  is 'sqlite reads csv' grep -qx 930581 "$work/read"
fi

run op "$sample" -select micros -output tsv
is 'every line of tsv has the same number of tabs' \
  awk -F'\t' 'NR == 1 { n = NF } NF != n { exit 1 } END { exit n != 10 }' "$work/stdout"

# Names that look like markup or syntax, see the graph below.
cat >"$work/hostile.pbtxt" <<'EOF'
node { name: "=1+2" op: "VariableV2" attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "a,\"b\"" op: "Op" }
node { name: "<script>alert('x')</script>" op: "Op" }
node { name: "tab\there;and\nthere" op: "Op" input: "=1+2" input: "a,\"b\"" }
node { name: "\x1b[31mred" op: "Op" }
node { name: "  =1+2" op: "Op" }
node { name: "＝1+2" op: "Op" }
node { name: "1-2" op: "Op" }
node { name: "a;=1+2" op: "Op" }
EOF
run scope "$work/hostile.pbtxt" -select params -output csv
is_line 'a formula is escaped as text' stdout "\"'=1\+2\",\"'=1\+2\",1,.*"
is_line 'a formula after blanks is escaped' stdout "\"'  =1\+2\",.*"
is_line 'a formula in full-width characters is escaped' stdout "\"'＝1\+2\",.*"
is_line 'a minus sign inside a name is not escaped' stdout '"1-2",.*'
is_line 'commas and quotes are quoted' stdout '"a,""b""",.*'
is_line 'other separators are quoted' stdout '"a;=1\+2",.*'
is_line 'control characters are escaped' stdout '"\\x1b\[31mred",.*'
if needs jq 'jq reads hostile names'; then
  run scope "$work/hostile.pbtxt" -select params -output json
  jq -r '.rows[].name' "$work/stdout" >"$work/read"
  is 'json has the unescaped name' grep -q "$(printf '^\033\\[31mred$')" "$work/read"
fi
run scope "$work/hostile.pbtxt" -select params -output html
no_script() { ! grep -q '<script' "$work/stdout" && grep -q '&lt;script&gt;alert(&#39;x&#39;)' "$work/stdout"; }
is 'html escapes names' no_script
no_network() { ! grep -qE 'https?:|src=|@import|url\(' "$work/stdout"; }
is 'html loads no resources' no_network
is 'html closes all groups' test "$(grep -c '<details' "$work/stdout")" -eq "$(grep -c '</details>' "$work/stdout")"
run op "$sample" -select micros -order_by micros -max_depth 3 -output html
is 'bars of the op view show self figures' grep -q 'Conv2DBackpropFilter</span><span class="b"><i style="width:41.2%">' \
  "$work/stdout"
is 'times have a unit' grep -q '>2.66sec<' "$work/stdout"
is 'closed groups have a separate triangle' grep -qF "summary>.r>.n::before{content:'\\25B8" "$work/stdout"
is 'the width of a page depends on its columns' grep -q 'body style="min-width:90rem"' "$work/stdout"
run scope "$models/edge/one.pbtxt.gz" -output html
is_status 'html without any figure is refused' 2

run graph "$work/hostile.pbtxt" -select params -output dot
is_line 'dot has nodes with their figures' stdout ' +n[0-9]+ \[label="=1\+2\\n3, 3/3 params".*\];'
is_line 'dot has edges' stdout ' +n[0-9]+ -> n[0-9]+;'
if needs dot 'graphviz reads dot'; then
  is 'graphviz reads dot' dot -Tsvg -o "$work/svg" "$work/stdout"
fi

run scope "$models/resnet32/graph.pb.gz" -select float_ops -max_depth 4 -output json
is_line 'json has the count state of a node' stdout \
  '\{"name":"init/init_conv/Conv2D",.*"float_ops":\{"self":113246208,"total":113246208\},"float_ops_state":"counted"\},?'
is_line 'a note gives the coverage of the counts' stderr 'tfprof: counted [0-9]+ of [0-9]+ compute ops.*'
run op "$models/resnet32/graph.pb.gz" -select params -order_by params -max_depth 2 -output json
is_line 'rows of the op view have running sums' stdout \
  '\{"name":"VariableV2",.*"params":\{"self":930581,"running":930585\}\},?'
is_line '-max_depth limits the rows of the op view' stdout '.*"returned":3,.*'
run op "$models/resnet32/graph.pb.gz" -select params -output json
is_line 'without -max_depth json has all rows' stdout '.*"returned":59,.*'
run op "$models/resnet32/graph.pb.gz" -select params -max_depth 2 -output csv
is_line 'csv names the running sum' stdout '"?name"?,.*params_self,params_running'
run scope "$models/resnet32/graph.pb.gz" -select float_ops -max_depth 4 -flops_unit macs
is_line 'multiply-adds have a separate legend' stdout 'node name \| # multiply-adds'
is_line 'multiply-adds have a separate unit' stdout ' +init/init_conv/Conv2D \(56\.62m/56\.62m macs\)'

sum_is() { [ "$(awk '{ sum += $NF } END { printf "%d", sum }' "$work/stdout")" -eq "$1" ]; }
folded_total() {
  run code "$sample" -max_depth 1 -select micros -output json
  total=$(sed -n 's/.*"_TFProfRoot".*"micros":{"self":null,"total":\([0-9]*\)}.*/\1/p' "$work/stdout")
  run code "$sample" -max_depth 100 -select micros -output folded
  sum_is "$total"
}
is 'folded stacks sum to the root' folded_total
is_line 'frames are separated by ;' stdout '_TFProfRoot;[^;]+;.* [0-9]+'

run code "$sample" -max_depth 100 -hide_frames library -select micros -output folded
is '-hide_frames library preserves the sum' sum_is "$total"
no_line() { ! grep -qE "$2" "$work/$1"; } # STREAM REGEX
is 'frames of TensorFlow are hidden' no_line stdout 'op_def_library|ops\.py'
is_line 'hidden frames are replaced by their number' stdout '.*;resnet_main\.py:.*;[0-9]+ library frames [0-9]+'
run code "$sample" -max_depth 3 -hide_frames '.*/resnet_main[.]py' -select micros
is_line '-hide_frames hides any file' stdout '  [0-9]+ library frames [(]0us/1[.]87sec.*'

# Debian's Go includes the reader; newer versions compile it first, for minutes, so they are skipped.
go_brings_pprof() { [ -x "$(HOME=$user_home go env GOTOOLDIR)/pprof" ]; }
if needs go 'go reads pprof' && go_brings_pprof; then
  run code "$sample" -max_depth 100 -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -raw "$work/pprof" >"$work/read" 2>&1
  is 'go reads pprof' grep -qx 'Samples:' "$work/read"
  is 'pprof has the unit' grep -q 'micros/microseconds' "$work/read"
  HOME=$user_home go tool pprof -top -sample_index=micros "$work/pprof" >"$work/read" 2>&1
  sed -n 's/.*of \(.*\) total.*/\1/p' "$work/read" >"$work/whole"
  run code "$sample" -max_depth 100 -hide_frames library -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -top -sample_index=micros "$work/pprof" >"$work/read" 2>&1
  sed -n 's/.*of \(.*\) total.*/\1/p' "$work/read" >"$work/folded"
  is '-hide_frames library preserves the total of pprof' cmp "$work/whole" "$work/folded"
  is 'hidden frames of pprof are replaced by their number' grep -q '[0-9] library frames' "$work/read"
  run code "$sample" -max_depth 100 -source_map models/=/src/ -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -raw "$work/pprof" >"$work/read" 2>&1
  is '-source_map changes the file names of pprof' grep -q '/src/resnet_model[.]py' "$work/read"
fi
run graph "$sample" -output "timeline:outfile=$work/steps.json"
is 'the step number precedes the file extension' test -s "$work/steps.0.json" -a -s "$work/steps.2.json"
is_line 'the names of several files are printed' stderr "tfprof: $work/steps.0.json to $work/steps.2.json: a file for each of 3 steps"
is_line 'nodes that are not drawn are reported' stderr \
  'tfprof: step 0: timeline: 758 of 2328 executions are drawn, 2.61sec of 5.94sec; .*'
run graph "$sample" -max_depth 100000 -step 0 -output "timeline:outfile=$work/all.json"
is_text 'nothing is reported when all nodes are drawn' stderr ''

if needs jq 'jq reads a timeline'; then
  run scope "$sample" -step 0 -output "timeline:outfile=$work/timeline"
  jq '[.traceEvents[] | select(.ph == "X")] | length > 1000' "$work/timeline" >"$work/read"
  is 'jq reads a timeline' grep -qx true "$work/read"
fi

run op "$sample" -output folded
is_line 'the error for an unsupported view lists the supported views' stderr 'tfprof: -output folded: .* only for: scope, code'
run code "$sample" -select micros,bytes -output folded
is_line 'the error for several fields names the alternative' stderr 'tfprof: -output folded: .*use -select .*'
# Multiply-adds are never labeled as FLOPs.
net=$models/resnet32/graph.pbtxt.gz
run scope "$net" -select float_ops -flops_unit macs -max_depth 1 -output csv
is_line 'csv names multiply-adds' stdout 'name,.*,macs_self,macs_total,float_ops_state'
run scope "$net" -select float_ops -flops_unit macs -output oplog:outfile="$work/log"
is_line '-output oplog refuses multiply-adds' stderr 'tfprof: -output oplog: needs -flops_unit flops'
run scope "$net" -select float_ops -output html:outfile="$work/page"
is_status 'counts need no run' 0

run scope "$sample" -select tensor_value -output csv
is_line 'the error for a field without a column names it' stderr 'tfprof: -output csv: tensor_value is not a column.*'

# Names that are truncated in text are complete in machine-readable outputs.
cat >"$work/frames.json" <<'END'
[{"ph":"X","cat":"python_function","name":"/a/folder/file.py(12): a_function_of_more_than_twenty_bytes",
  "ts":0,"dur":60,"pid":1,"tid":1,"args":{"Python id":1,"Python parent id":null}},
 {"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":50,"pid":1,"tid":1}]
END
whole='/a/folder/file\.py:12:a_function_of_more_than_twenty_bytes'
run code "$work/frames.json" -output json
is_line 'json has the full frame name' stdout ".*\"name\":\"file\.py:12:a_function_of_mor\.\.\.\",.*,\"frame\":\"$whole\",.*"
is_line 'the root has no frame' stdout '.*"name":"_TFProfRoot",.*,"frame":null,.*'
run code "$work/frames.json" -output csv
is_line 'csv has the full frame name' stdout ".*,true,\"$whole\",.*"
run sql 'SELECT frame FROM code WHERE depth = 1' "$work/frames.json" -output csv
is_line 'SQL has the full frame name' stdout "\"$whole\""
run scope "$work/frames.json" -output json
is 'other views have no frames' sh -c "! grep -q frame.: '$work/stdout'"
finish
