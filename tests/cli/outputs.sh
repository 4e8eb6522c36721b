#!/bin/sh
# outputs.sh: the outputs for scripts, read by their actual clients where those are installed.
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
is_line 'the first line names view, step and fields' stdout \
  '\{"tfprof":2,"view":"scope","units":\{.*"params":"1",.*"micros":"us",.*\},"returned":([0-9]*),"total":\1,"truncated":false,"step":-1,"select":\["params","micros","accelerator_micros","cpu_micros","device","op_types"\],"rows":\['
if needs jq 'jq reads json'; then
  jq -r '.rows[] | select(.name == "init/init_conv/DW") | "\(.shape) \(.params.self) \(.depth)"' \
    "$work/stdout" >"$work/read"
  is 'jq reads json' grep -qx '\[3,3,3,16\] 432 3' "$work/read"
fi

run scope "$sample" -max_depth 4 -select params,shape
is_status 'shape is no field of its own' 2

run op "$sample" -select params,micros -order_by params -output csv
is_line 'csv names its columns' stdout \
  'name,path,depth,accounted,micros_self,micros_running,accelerator_micros_self,accelerator_micros_running,cpu_micros_self,cpu_micros_running,params_self,params_running'
is_line 'and has rows' stdout '"VariableV2","VariableV2",1,true,.*,930581,930585'
if needs sqlite3 'sqlite reads csv'; then
  sqlite3 :memory: ".import --csv $work/stdout rows" \
    "select params_self from rows where name = 'VariableV2'" >"$work/read"
  is 'sqlite reads csv' grep -qx 930581 "$work/read"
fi

run op "$sample" -select micros -output tsv
is 'every line of tsv has as many tabs' \
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
is_line 'a formula becomes text' stdout "\"'=1\+2\",\"'=1\+2\",1,.*"
is_line 'behind blanks too' stdout "\"'  =1\+2\",.*"
is_line 'and in full width' stdout "\"'＝1\+2\",.*"
is_line 'a minus within is none' stdout '"1-2",.*'
is_line 'commas and quotes are quoted' stdout '"a,""b""",.*'
is_line 'what separates elsewhere too' stdout '"a;=1\+2",.*'
is_line 'control characters are escaped' stdout '"\\x1b\[31mred",.*'
if needs jq 'jq reads hostile names'; then
  run scope "$work/hostile.pbtxt" -select params -output json
  jq -r '.rows[].name' "$work/stdout" >"$work/read"
  is 'json keeps the real name' grep -q "$(printf '^\033\\[31mred$')" "$work/read"
fi
run scope "$work/hostile.pbtxt" -select params -output html
no_script() { ! grep -q '<script' "$work/stdout" && grep -q '&lt;script&gt;alert(&#39;x&#39;)' "$work/stdout"; }
is 'html escapes names' no_script
no_network() { ! grep -qE 'https?:|src=|@import|url\(' "$work/stdout"; }
is 'html fetches nothing' no_network
is 'html closes what it opens' test "$(grep -c '<details' "$work/stdout")" -eq "$(grep -c '</details>' "$work/stdout")"
run op "$sample" -select micros -order_by micros -max_depth 3 -output html
is 'bars of the op view are of each type alone' grep -q 'Conv2DBackpropFilter</span><span class="b"><i style="width:41.2%">' \
  "$work/stdout"
is 'times have a unit' grep -q '>2.66sec<' "$work/stdout"
is 'closed groups have a triangle of their own' grep -qF "summary>.r>.n::before{content:'\\25B8" "$work/stdout"
is 'a page is as wide as its columns' grep -q 'body style="min-width:90rem"' "$work/stdout"
run scope "$models/edge/one.pbtxt.gz" -output html
is_status 'html without any figure is refused' 2

run graph "$work/hostile.pbtxt" -select params -output dot
is_line 'dot has nodes with their figures' stdout ' +n[0-9]+ \[label="=1\+2\\n3, 3/3 params".*\];'
is_line 'and edges' stdout ' +n[0-9]+ -> n[0-9]+;'
if needs dot 'graphviz reads dot'; then
  is 'graphviz reads dot' dot -Tsvg -o "$work/svg" "$work/stdout"
fi

run scope "$models/resnet32/graph.pb.gz" -select float_ops -max_depth 4 -output json
is_line 'json says whether a node was counted' stdout \
  '\{"name":"init/init_conv/Conv2D",.*"float_ops":\{"self":113246208,"total":113246208\},"float_ops_state":"counted"\},?'
is_line 'a note says how much of the graph the counts cover' stderr 'tfprof: counted [0-9]+ of [0-9]+ compute ops.*'
run op "$models/resnet32/graph.pb.gz" -select params -order_by params -max_depth 2 -output json
is_line 'rows of a list have what is left from them on' stdout \
  '\{"name":"VariableV2",.*"params":\{"self":930581,"running":930585\}\},?'
is_line 'as many as -max_depth says' stdout '.*"returned":3,.*'
run op "$models/resnet32/graph.pb.gz" -select params -output json
is_line 'all of them where it is not given' stdout '.*"returned":59,.*'
run op "$models/resnet32/graph.pb.gz" -select params -max_depth 2 -output csv
is_line 'in csv by the same name' stdout '"?name"?,.*params_self,params_running'
run scope "$models/resnet32/graph.pb.gz" -select float_ops -max_depth 4 -flops_unit macs
is_line 'multiply-adds have a legend of their own' stdout 'node name \| # multiply-adds'
is_line 'and a unit' stdout ' +init/init_conv/Conv2D \(56\.62m/56\.62m macs\)'

sum_is() { [ "$(awk '{ sum += $NF } END { printf "%d", sum }' "$work/stdout")" -eq "$1" ]; }
folded_total() {
  run code "$sample" -max_depth 1 -select micros -output json
  total=$(sed -n 's/.*"_TFProfRoot".*"micros":{"self":null,"total":\([0-9]*\)}.*/\1/p' "$work/stdout")
  run code "$sample" -max_depth 100 -select micros -output folded
  sum_is "$total"
}
is 'the folded stacks sum up to the root' folded_total
is_line 'frames are separated by ;' stdout '_TFProfRoot;[^;]+;.* [0-9]+'

run code "$sample" -max_depth 100 -hide_frames library -select micros -output folded
is 'folding lines of libraries changes no sum' sum_is "$total"
no_line() { ! grep -qE "$2" "$work/$1"; } # STREAM REGEX
is 'no line of TensorFlow is left' no_line stdout 'op_def_library|ops\.py'
is_line 'but what their callers cost' stdout '.*;resnet_main\.py:.*;[0-9]+ library frames [0-9]+'
run code "$sample" -max_depth 3 -hide_frames '.*/resnet_main[.]py' -select micros
is_line 'any file can be hidden' stdout '  [0-9]+ library frames [(]0us/1[.]87sec.*'

# Debian's Go includes the reader; newer versions compile it first, for minutes, so they are skipped.
go_brings_pprof() { [ -x "$(HOME=$user_home go env GOTOOLDIR)/pprof" ]; }
if needs go 'go reads pprof' && go_brings_pprof; then
  run code "$sample" -max_depth 100 -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -raw "$work/pprof" >"$work/read" 2>&1
  is 'go reads pprof' grep -qx 'Samples:' "$work/read"
  is 'and its unit' grep -q 'micros/microseconds' "$work/read"
  HOME=$user_home go tool pprof -top -sample_index=micros "$work/pprof" >"$work/read" 2>&1
  sed -n 's/.*of \(.*\) total.*/\1/p' "$work/read" >"$work/whole"
  run code "$sample" -max_depth 100 -hide_frames library -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -top -sample_index=micros "$work/pprof" >"$work/read" 2>&1
  sed -n 's/.*of \(.*\) total.*/\1/p' "$work/read" >"$work/folded"
  is 'folding lines of libraries leaves the total of pprof' cmp "$work/whole" "$work/folded"
  is 'and names them together' grep -q '[0-9] library frames' "$work/read"
  run code "$sample" -max_depth 100 -source_map models/=/src/ -select micros -output "pprof:outfile=$work/pprof"
  HOME=$user_home go tool pprof -raw "$work/pprof" >"$work/read" 2>&1
  is 'files are named where they are now' grep -q '/src/resnet_model[.]py' "$work/read"
fi
run graph "$sample" -output "timeline:outfile=$work/steps.json"
is 'a step is named before the ending' test -s "$work/steps.0.json" -a -s "$work/steps.2.json"
is_line 'the names are said' stderr "tfprof: $work/steps.0.json to $work/steps.2.json: a file for each of 3 steps"
is_line 'what is not drawn is said' stderr \
  'tfprof: step 0: timeline: 758 of 2328 executions are drawn, 2.61sec of 5.94sec; .*'
run graph "$sample" -max_depth 100000 -step 0 -output "timeline:outfile=$work/all.json"
is_text 'and nothing when all are' stderr ''

if needs jq 'jq reads a timeline'; then
  run scope "$sample" -step 0 -output "timeline:outfile=$work/timeline"
  jq '[.traceEvents[] | select(.ph == "X")] | length > 1000' "$work/timeline" >"$work/read"
  is 'jq reads a timeline' grep -qx true "$work/read"
fi

run op "$sample" -output folded
is_line 'a wrong view says what would work' stderr 'tfprof: -output folded: .* only for: scope, code'
run code "$sample" -select micros,bytes -output folded
is_line 'so do too many fields' stderr 'tfprof: -output folded: .*use -select .*'
# Multiply-adds are never labeled as FLOPs.
net=$models/resnet32/graph.pbtxt.gz
run scope "$net" -select float_ops -flops_unit macs -max_depth 1 -output csv
is_line 'a table of multiply-adds says so' stdout 'name,.*,macs_self,macs_total,float_ops_state'
run scope "$net" -select float_ops -flops_unit macs -output oplog:outfile="$work/log"
is_line 'other programs get operations' stderr 'tfprof: -output oplog: .*use -flops_unit flops'
run scope "$net" -select float_ops -output html:outfile="$work/page"
is_status 'counts need no step' 0

run scope "$sample" -select tensor_value -output csv
is_line 'so does a field that is no column' stderr 'tfprof: -output csv: tensor_value is not a column.*'

# Names that text cuts are whole where programs read them.
cat >"$work/frames.json" <<'END'
[{"ph":"X","cat":"python_function","name":"/a/folder/file.py(12): a_function_of_more_than_twenty_bytes",
  "ts":0,"dur":60,"pid":1,"tid":1,"args":{"Python id":1,"Python parent id":null}},
 {"ph":"X","cat":"cpu_op","name":"aten::mm","ts":1,"dur":50,"pid":1,"tid":1}]
END
whole='/a/folder/file\.py:12:a_function_of_more_than_twenty_bytes'
run code "$work/frames.json" -output json
is_line 'json has the whole frame' stdout ".*\"name\":\"file\.py:12:a_function_of_mor\.\.\.\",.*,\"frame\":\"$whole\",.*"
is_line 'the root has none' stdout '.*"name":"_TFProfRoot",.*,"frame":null,.*'
run code "$work/frames.json" -output csv
is_line 'so has csv' stdout ".*,true,\"$whole\",.*"
run sql 'SELECT frame FROM code WHERE depth = 1' "$work/frames.json" -output csv
is_line 'and SQL' stdout "\"$whole\""
run scope "$work/frames.json" -output json
is 'other views have no frames' sh -c "! grep -q frame.: '$work/stdout'"
finish
