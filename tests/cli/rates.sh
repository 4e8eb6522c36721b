#!/bin/sh
# rates.sh: derived figures: sizes of parameters, rates, averages.
. "$top_srcdir/tests/cli/lib.sh"

# ---- the size of parameters is that of their types

variable() {
  printf 'node { name: "%s" op: "VariableV2" attr { key: "dtype" value { type: %s } }\n' "$1" "$2"
  printf '  attr { key: "shape" value { shape { dim { size: %s } } } } }\n' "$3"
}
{
  variable w/single DT_FLOAT 1000
  variable w/half DT_BFLOAT16 1000
  variable w/double DT_DOUBLE 1000
  variable w/byte DT_INT8_REF 1000
  variable w/text DT_STRING 1000
  variable w/open DT_FLOAT -1
} | sed 's/DT_INT8_REF/106/' >"$work/types.pbtxt"
run scope "$work/types.pbtxt" -select params,param_bytes
is_line 'a float takes four bytes' stdout '    w/single \(1000, 1.00k/1.00k params, 4.00KB/4.00KB\)'
is_line 'bfloat16 takes two bytes' stdout '    w/half .* 2.00KB/2.00KB\)'
is_line 'a double takes eight bytes' stdout '    w/double .* 8.00KB/8.00KB\)'
is_line 'a reference type has the size of its base type' stdout '    w/byte .* 1.00KB/1.00KB\)'
is_line 'strings count as 0 bytes' stdout '    w/text .* 0B/0B\)'
is_line 'parameters without a shape count as 0 bytes' stdout '    w/open .* 0B/0B\)'
is_line 'a scope has the sum of its parameters' stdout '_TFProfRoot \(--/5.00k params, --/15.00KB\)'
run scope "$work/types.pbtxt" -select param_bytes -min_param_bytes 4000 -order_by param_bytes
is_text 'param_bytes orders rows and has a threshold for the row itself' stdout \
  'node name | parameter bytes
_TFProfRoot (--/15.00KB)
  w/double (8.00KB/8.00KB)
  w/single (4.00KB/4.00KB)'
run scope "$work/types.pbtxt" -select param_bytes -output "profile:outfile=$work/types.pb"
run scope "$work/types.pb" -select param_bytes
is_line 'a stored profile has param_bytes' stdout '_TFProfRoot \(--/15.00KB\)'
run scope "$top_srcdir/data/training.xplane.pb" -select params,param_bytes \
  -output "profile:outfile=$work/capture.pb"
run scope "$top_srcdir/data/training.xplane.pb" -q -select param_bytes -max_depth 1
cp "$work/stdout" "$work/of_capture"
run scope "$work/capture.pb" -q -select param_bytes -max_depth 1
is 'a stored profile of a compiled program has param_bytes' cmp "$work/stdout" "$work/of_capture"

# ---- bytes accessed by an execution: its tensors, otherwise its allocations

cat >"$work/matmul.pbtxt" <<'END'
node { name: "a" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 10 } dim { size: 20 } } } } } }
node { name: "b" op: "Placeholder" attr { key: "dtype" value { type: DT_HALF } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 20 } dim { size: 5 } } } } } }
node { name: "c" op: "MatMul" input: "a" input: "b" input: "^a"
  attr { key: "T" value { type: DT_FLOAT } }
  attr { key: "_output_shapes" value { list { shape { dim { size: 10 } dim { size: 5 } } } } } }
node { name: "d" op: "Odd" input: "c" input: "nowhere" }
END
cat >"$work/matmul_step.pbtxt" <<'END'
step_stats { dev_stats { device: "/device:CPU:0"
  node_stats { node_name: "c" all_start_micros: 1 op_start_rel_micros: 0 op_end_rel_micros: 4 all_end_rel_micros: 4 }
  node_stats { node_name: "c" all_start_micros: 6 op_start_rel_micros: 0 op_end_rel_micros: 6 all_end_rel_micros: 6 }
  node_stats { node_name: "d" all_start_micros: 20 op_start_rel_micros: 0 op_end_rel_micros: 5 all_end_rel_micros: 5
    memory { allocator_name: "cpu" total_bytes: 300 } }
} }
END
run graph --graph_path "$work/matmul.pbtxt" --run_meta_path "$work/matmul_step.pbtxt" -order_by micros \
  -select bytes_accessed,flops_per_second,bytes_per_second,intensity,avg_micros -flops full -output csv
# c: 2 runs of (10*20*4 + 20*5*2 + 10*5*4) bytes and 2*10*20*5 operations in 10 us.
is_line 'bytes accessed are those of input and output tensors' stdout \
  '"c","c",.*,true,2400,[0-9]*,400000000,[0-9]*,240000000,[0-9]*,1\.666667,.*,5,.*'
is_line 'without shapes bytes accessed are allocations' stdout '"d","d",.*,true,300,.*,60000000,.*,0,.*,5,.*'
run scope --graph_path "$work/matmul.pbtxt" --run_meta_path "$work/matmul_step.pbtxt" -flops full \
  -select flops_per_second,bytes_per_second,intensity,avg_micros -order_by intensity
is_line 'the ratio of a parent is the ratio of its sums' stdout \
  '_TFProfRoot \(--/266.67M flop/s, --/246.67M byte/s, --/1.08 flop/byte, --/5us a run\)'
is_line 'a row has its own ratios' stdout '  c \(400.00M/400.00M flop/s, 240.00M/240.00M byte/s, 1.67/1.67 flop/byte, 5us/5us a run\)'
run scope --graph_path "$work/matmul.pbtxt" --run_meta_path "$work/matmul_step.pbtxt" -flops full \
  -select intensity -min_intensity 1
is 'a threshold applies to operations per byte' grep -q '^  c (1.67' "$work/stdout"
is 'a threshold hides rows with a lower ratio' awk '/^  [abd] / { exit 1 }' "$work/stdout"

# ---- every ratio of every row equals the ratio of its two figures

# recompute LEAST PARTS: checks the ratios in columns PARTS of the csv ("self total"), at least LEAST of them.
recompute() {
  awk -F, -v least="$1" -v parts="$2" '
    function value(name) { return $(NF - from_end[name]) }
    function check(of, per, scale, ratio, digit,   want, off) {
      want = value(per) > 0 ? value(of) / value(per) * scale : 0
      off = value(ratio) - want
      if ((off < 0 ? -off : off) > 0.501 * digit + 1e-12 * want) wrong = wrong "\n" ratio " " want ": " $0
    }
    NR == 1 { for (i = 1; i <= NF; i++) from_end[$i] = NF - i; n_parts = split(parts, part, " "); next }
    { for (i = 1; i <= n_parts; i++) {
        p = "_" part[i]
        if (value("micros" p) == "") continue
        n += value("flops_per_second" p) > 0
        check("float_ops" p, "micros" p, 1e6, "flops_per_second" p, 1)
        check("bytes_accessed" p, "micros" p, 1e6, "bytes_per_second" p, 1)
        check("float_ops" p, "bytes_accessed" p, 1, "intensity" p, 1e-6)
        check("micros" p, "occurrence" p, 1, "avg_micros" p, 1e-6)
      } }
    END { print n " rates" substr(wrong, 1, 2000); exit wrong != "" || n < least }' "$work/stdout"
}
for model in "$sample" "$models/mobilenet/profile.pb.gz" "$models/towers/profile.pb.gz"; do
  for view in scope graph op; do
    run $view "$model" -q -max_depth 10000 -output csv -select \
      micros,float_ops,occurrence,bytes_accessed,flops_per_second,bytes_per_second,intensity,avg_micros
    name=${model#"$models/"}
    if [ $view = op ]; then parts=self least=4; else parts='self total' least=100; fi
    is "$view of ${name##*/data/}: ratios equal those of the figures" recompute $least "$parts"
  done
done

# ---- roofs

# All operations and bytes of c, 2 * 2000 and 2400, in 10 us; d has 300 bytes in 5 us, no operation.
roofs() {
  run scope --graph_path "$work/matmul.pbtxt" --run_meta_path "$work/matmul_step.pbtxt" -flops full "$@"
}
roofs -select roof_percent,bound -peak_flops 1Gflops -peak_bandwidth 0.48GB/s -order_by roof_percent
is_text 'the lower roof is the bound' stdout \
  'node name | percent of roof (1.00G flop/s given, 480.00M byte/s given) | bound by
_TFProfRoot (--/51.39% of roof, memory)
  c (50.00%/50.00% of roof, memory)
  d (12.50%/12.50% of roof, memory)
  a (0.00%/0.00% of roof)
  b (0.00%/0.00% of roof)'
is 'given roofs are not reported' awk '/roofs/ { exit 1 }' "$work/stderr"
roofs -q -select bound -peak_flops 0.5G -peak_bandwidth 601MB/s
is_line 'a row can be bound by operations' stdout '  c \(compute\)'
is_line 'a row below a tenth of its roof is latency-bound' stdout '  d \(latency\)'
roofs -q -select bound -peak_flops 0.5G -peak_bandwidth 600MB/s
is_line 'a row at a tenth of its roof is not latency-bound' stdout '  d \(memory\)'
roofs -select roof_percent -peak_flops 800M
is_line 'the default roof is the best operation type' stdout \
  '.*percent of roof \(800.00M flop/s given, 240.00M byte/s of MatMul\)'
is_line 'measured roofs are reported' stderr '.*roofs are the highest measured rates: .*'
is_line 'the best operation type has 100 % of the roof' stdout '  c \(100.00%/100.00% of roof\)'
roofs -q -select roof_percent,bound -min_roof_percent 30 -output csv
is_line 'csv has percentages and the bound' stdout '"c","c",1,true,100,100,"compute"'
is 'a threshold hides rows with a lower percentage' awk '/^"d"/ { exit 1 }' "$work/stdout"
roofs -q -select roof_percent,bound -output json
is_line 'json has percentages and the bound' stdout '.*"name":"d".*"roof_percent":\{"self":25,"total":25\},"bound":"memory"\},?'
is_line 'json has no bound for a row without rates' stdout '.*"name":"a".*"bound":null\},?'
roofs -q -select micros,roof_percent,bound -output html
is 'html has percentages and the bound' grep -q '<span class="f">25.00%</span><span class="f">memory</span>' "$work/stdout"

# best_types: the roofs by the csv of the op view, computed directly: the best rates of the types
# with at least 1% of the time.
best_types() {
  awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) from_end[$i] = NF - i; next }
    { ps = $(NF - from_end["micros_self"]); name = $1; gsub(/"/, "", name)
      if (ps == "") next
      all += ps; time[name] = ps
      flops[name] = $(NF - from_end["float_ops_self"]); bytes[name] = $(NF - from_end["bytes_accessed_self"]) }
    END {
      for (name in time)
        if (time[name] >= all / 100) {
          f = flops[name] / time[name] * 1e6; b = bytes[name] / time[name] * 1e6
          if (f > best_f) { best_f = f; of_f = name }
          if (b > best_b) { best_b = b; of_b = name }
        }
      printf "%.0f %.0f %s %s\n", best_f, best_b, of_f, of_b }' "$work/stdout"
}
# shares FLOPS BYTES: every row of the csv has the percentages that follow from these roofs.
shares() {
  awk -F, -v peak_f="$1" -v peak_b="$2" '
    function value(name) { return $(NF - from_end[name]) }
    function check(part,   f, b, want, off, word) {
      if (value("roof_percent" part) == "") return
      f = value("flops_per_second" part) / peak_f; b = value("bytes_per_second" part) / peak_b
      want = 100 * (f > b ? f : b); off = value("roof_percent" part) - want
      if ((off < 0 ? -off : off) > 1e-6 + 1e-9 * want) wrong = wrong "\n" want ": " $0
      if (part == "_self") return
      word = want == 0 ? "" : want < 10 ? "\"latency\"" : f >= b ? "\"compute\"" : "\"memory\""
      n[word]++
      if (value("bound") != word) wrong = wrong "\n" word ": " $0
    }
    NR == 1 { for (i = 1; i <= NF; i++) from_end[$i] = NF - i; next }
    { check("_self"); check(from_end["flops_per_second_running"] == "" ? "_total" : "_running") }
    END { print n["\"latency\""] n["\"compute\""] n["\"memory\""] substr(wrong, 1, 2000)
          exit wrong != "" || !n["\"latency\""] || !n["\"compute\""] || !n["\"memory\""] }' "$work/stdout"
}
for model in "$sample" "$models/mobilenet/profile.pb.gz" "$models/towers/profile.pb.gz"; do
  run op "$model" -q -max_depth 10000 -output csv -select micros,float_ops,bytes_accessed
  best_types | { read -r flops bytes of_flops of_bytes; echo "$flops $bytes $of_flops $of_bytes"; } >"$work/best"
  read -r flops bytes of_flops of_bytes <"$work/best"
  name=${model#"$models/"} name=${name##*/data/}
  for view in scope op; do
    run $view "$model" -max_depth 10000 -output csv -select flops_per_second,bytes_per_second,roof_percent,bound
    is_line "$view of $name: the roofs are those of the best types" stderr \
      ".* flop/s of $of_flops, .* byte/s of $of_bytes; .*"
    is "$view of $name: each row has its share of the roofs" shares "$flops" "$bytes"
  done
done

finish
