#!/bin/sh
# pictures.sh: pictures in files show the figures of json, and names as text only.
. "$top_srcdir/tests/cli/lib.sh"

# Parses stdout as XML with an installed parser.
if python3 -c 'import xml.etree.ElementTree' 2>/dev/null; then
  parse_xml() { python3 -c 'import sys, xml.etree.ElementTree as e; e.parse(sys.argv[1])' "$work/stdout"; }
elif command -v xmllint >/dev/null; then
  parse_xml() { xmllint --noout "$work/stdout"; }
else
  parse_xml() { return 77; }
fi
is_xml() {
  if [ "$(parse_xml 2>/dev/null; echo $?)" = 77 ]; then
    skip_case "$1" 'neither python3 nor xmllint is installed'
  else
    is "$1" parse_xml
  fi
}

# json_totals FIELD: "name TAB total", of comparisons "name TAB now TAB base", of each row in stdout.
json_totals() {
  sed -n 's/^{"name":"\([^"]*\)".*"'"$1"'":{\(.*\)}}.*/\1|\2/p' "$work/stdout" | awk -F'|' '
    function member(name) { return match($2, "\"" name "\":[0-9]+") ? substr($2, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : "" }
    { total = member("total"); print $1 "\t" (total == "" ? member("now") : total) "\t" member("base") }'
}

# "name TAB width TAB class" of each cell in stdout; cells of several rows have no name.
svg_cells() {
  sed -n 's/.*<rect class="\([^"]*\)".* width="\([0-9]*\)".*<title>\([^<:]*\): .*/\3	\2	\1/p' "$work/stdout" |
    awk -F'\t' '{ if ($3 == "joined") $1 = ""; print $1 "\t" $2 "\t" $3 }'
}

# A cell is at most one pixel off, since both edges are rounded down; every row of at least
# three of the 1200 pixels has a separate cell.
widths_are_totals() {
  json_totals "$1" >"$work/totals"
  run "$view" "$sample" -max_depth all -select "$1" -output svg
  svg_cells >"$work/cells"
  awk -F'\t' '
    NR == FNR { total[$1] = $2; if (NR == 1) whole = $2; next }
    $1 == "" { next }
    !($1 in total) { print "no such row: " $1; bad = 1; next }
    { width = 1200 * total[$1] / whole; seen[$1] = 1; n++
      if ($2 - width >= 1 || width - $2 >= 1) { print $1 ": " $2 ", not " width; bad = 1 } }
    END { for (name in total) if (1200 * total[name] / whole >= 3 && !(name in seen)) { print "no cell: " name; bad = 1 }
          if (n < 20) print n " cells"
          exit bad || n < 20 }' "$work/totals" "$work/cells"
}
for field in micros params bytes; do
  for view in scope graph; do
    run "$view" "$sample" -q -max_depth all -select "$field" -output json
    [ "$view" = scope ] && is "cells are as wide as $field of the $view view" widths_are_totals "$field"
    run "$view" "$sample" -q -max_depth all -select "$field" -output svg
    is_status "the picture of $field of the $view view is written" 0
    is_xml "the picture of $field of the $view view is XML"
  done
done
is_line 'a tooltip has name, self, total and share' stdout '.*<title>[^<]*: self [0-9.]+[A-Z]*B?, total [0-9.]+[A-Z]*, [0-9.]+%</title>.*'
run code "$sample" -max_depth all -select micros -output svg
is_xml 'the code view is drawn'
is 'narrow rows are joined in one cell' grep -qE '<title>[0-9]+ rows too narrow to draw: total ' "$work/stdout"
no_reference() { ! sed 's| xmlns="http://www.w3.org/2000/svg"||' "$work/stdout" | grep -qiE 'https?:|src=|href|@import|url\(|<script| on[a-z]*='; }
is 'the file has no references and no scripts' no_reference
run code "$sample" -max_depth all -select micros -output svg:outfile="$work/stdout.svg"
is_status 'a picture is written to a file' 0
run code "$sample" -max_depth all -select micros -output svg
is 'the file equals the standard output' cmp "$work/stdout" "$work/stdout.svg"

# ---- a comparison

colours_are_changes() {
  json_totals micros >"$work/totals"
  run scope "$sample" -q -step 2 -diff_step 0 -max_depth all -select micros -output svg
  svg_cells >"$work/cells"
  awk -F'\t' '
    NR == FNR { now[$1] = $2; base[$1] = $3; next }
    $1 == "" { next }
    { change = base[$1] > 0 ? (now[$1] - base[$1]) / base[$1] : now[$1] > 0
      expected = change >= .1 ? "grew-much" : change >= .01 ? "grew" : change <= -.1 ? "shrank-much" : change <= -.01 ? "shrank" : ""
      seen[$3]++
      if (expected == "" ? $3 != "even" && $3 != "odd" : $3 != expected) { print $1 " is " $3 ": " change; bad = 1 } }
    END { if (!seen["grew-much"] || !seen["shrank"]) { print "nothing grew or shrank"; bad = 1 }
          exit bad }' "$work/totals" "$work/cells"
}
run scope "$sample" -q -step 2 -diff_step 0 -max_depth all -min_delta 0 -select micros -output json
is 'colours agree with the changes' colours_are_changes
is_xml 'a comparison is XML'
is_line 'tooltips have the baseline and the change' stdout '.*<title>[^<]*, base [0-9.a-z]+, [+-][0-9.a-z]+ \([+-][0-9.]+%\)</title>.*'

# ---- names

{
  printf 'node { name: "<script>alert(\\"x\\")</script>&amp;\047" op: "VariableV2" %s }\n' \
    'attr { key: "shape" value { shape { dim { size: 900 } } } }'
  printf 'node { name: "b\\033[31m]]>\\357\\277\\276\\377" op: "VariableV2" %s }\n' \
    'attr { key: "shape" value { shape { dim { size: 100 } } } }'
  printf 'node { name: "%02000d" op: "VariableV2" %s }\n' 7 \
    'attr { key: "shape" value { shape { dim { size: 500 } } } }'
} >"$work/hostile.pbtxt"
for view in scope graph; do
  run "$view" "$work/hostile.pbtxt" -select params -output svg
  is_xml "hostile names are XML: $view"
  is "markup in a name is text: $view" grep -qF '<title>&lt;script&gt;alert(&quot;x&quot;)&lt;' "$work/stdout"
  no_script() { ! grep -q '<script' "$work/stdout"; }
  is "the picture contains no script: $view" no_script
  is "control characters are escaped: $view" grep -qF '\x1b[31m]]&gt;' "$work/stdout"
  is "long names are cut: $view" grep -q '<title>0\{499\}…: self 500, total 500' "$work/stdout"
done

# Times below a microsecond are escaped too.
printf '%s' '{"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":0.3},
  {"ph":"X","name":"b","pid":1,"tid":1,"ts":0.5,"dur":0.4}]}' >"$work/short.json"
for view in scope op; do
  run "$view" "$work/short.json" -select micros -output svg
  is_xml "times below a microsecond are XML: $view"
done
run scope "$work/short.json" -select micros -output html
is 'times in html are escaped' grep -q '&lt;1us' "$work/stdout"
no_bare_time() { ! grep -q '<1us' "$work/stdout"; }
is 'html has no unescaped time' no_bare_time

# ---- pages contain the same pictures

run scope "$sample" -max_depth all -select micros -output svg
grep '^<g><rect' "$work/stdout" >"$work/cells"
run scope "$sample" -max_depth all -select micros -output html
grep '^<g><rect' "$work/stdout" >"$work/page_cells"
is 'html contains the same flame graph' cmp "$work/cells" "$work/page_cells"
is 'the flame graph precedes the rows' test "$(grep -n '</svg>' "$work/stdout" | tail -n 1 | cut -d: -f1)" -lt "$(grep -n '<details' "$work/stdout" | head -n 1 | cut -d: -f1)"
no_xml_name() { ! grep -qiE 'https?:|src=|href|@import|url\(|<script' "$work/stdout"; }
is 'html loads no resources' no_xml_name
run op "$sample" -select micros -output html
no_flame_graph() { ! grep -q '^<g><rect' "$work/stdout"; }
is 'html of the op view has no flame graph' no_flame_graph
is 'html of the op view has a timeline' grep -q '>timeline, step [0-9]*, ' "$work/stdout"

# Two threads: a runs for 0.5 ms, then b after 0.25 ms; meanwhile c runs for 0.1 ms.
printf 'node { name: "%s" op: "%s" } ' a MatMul b '<b>' c Relu >"$work/tracks.pbtxt"
{
  printf 'step_stats { dev_stats { device: "/device:CPU:0" '
  for ran in a:0:500 b:750:250 c:100:100; do
    name=${ran%%:*} rest=${ran#*:}
    printf 'node_stats { node_name: "%s" all_start_micros: %d op_end_rel_micros: %d all_end_rel_micros: %d } ' \
      "$name" "$((1000 + ${rest%:*}))" "${rest#*:}" "${rest#*:}"
  done
  printf '} }\n'
} >"$work/timeline_step.pbtxt"
run scope "$work/tracks.pbtxt" "$work/timeline_step.pbtxt" -select micros -output html
timeline_are() {
  sed -n 's/^<rect class="group[1-6]" x="\([0-9]*\)" y="\([0-9]*\)" width="\([0-9]*\)" height="\([0-9]*\)"><title>\(.*\)<\/title>.*/\1 \3 \4 \5/p' \
    "$work/stdout" >"$work/bars"
  diff - "$work/bars" <<'END'
160 460 16 0 µs to 500 µs: 100.0% busy, mostly MatMul
848 4 6 747 µs to 752 µs: 40.0% busy, mostly &lt;b&gt;
852 228 16 752 µs to 1.00 ms: 100.0% busy, mostly &lt;b&gt;
252 92 16 100 µs to 200 µs: 100.0% busy, mostly Relu
END
}
is 'column heights are busy times' timeline_are
is 'track rows have their sums' grep -q '>750 µs 75.0%</text>' "$work/stdout"

# ---- a browser displays it

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || browser=
# dom FILE: the elements of FILE as parsed by the browser.
dom() {
  timeout "$patience" "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
    --user-data-dir="$work/browser" --dump-dom "file://$1" 2>/dev/null
}
echo '<p>read' >"$work/probe.html"
if [ -z "$browser" ]; then
  skip_case 'a browser reads the page' 'chromium is not installed'
elif ! dom "$work/probe.html" | grep -q '<p>read'; then
  skip_case 'a browser reads the page' "$browser does not start here"
else
  run scope "$sample" -max_depth all -select micros -output html:outfile="$work/page.html"
  dom "$work/page.html" >"$work/stdout"
  for element in '<rect ' '<title>' '<details'; do
    is "a browser reads each $element of the page" \
      test "$(grep -c "$element" "$work/stdout")" -eq "$(grep -c "$element" "$work/page.html")"
  done
  run scope "$work/hostile.pbtxt" -select params -output svg:outfile="$work/hostile.svg"
  dom "$work/hostile.svg" >"$work/stdout"
  is 'a browser reads the hostile picture' grep -qF '&lt;script&gt;alert(' "$work/stdout"
fi

# ---- the roofline of operation types

run op "$sample" -q -output svg
cp "$work/stdout" "$work/roofline.svg"
run op "$sample" -q -max_depth 999 -select micros,float_ops,bytes_accessed,bound -output csv
# Columns 5, 11 and 14: self time, operations and bytes of a type.
is 'a point for each type with a rate' test "$(grep -c '<circle' "$work/roofline.svg")" -eq \
  "$(awk -F, 'NR > 1 && $5 > 0 && ($11 > 0 || $14 > 0)' "$work/stdout" | grep -c .)"
is 'points are grouped by bound' test "$(sed -n 's/.*<circle class="\([a-z]*\)".*/\1/p' "$work/roofline.svg" | sort | uniq -c | tr -s ' \n')" = \
  "$(awk -F, 'NR > 1 && $5 > 0 && ($11 > 0 || $14 > 0) {gsub("\"", ""); print $NF}' "$work/stdout" | sort | uniq -c | tr -s ' \n')"
cp "$work/roofline.svg" "$work/stdout"
is_line 'points have tooltips with figures' stdout '.*<title>Conv2D: 803[.]36ms, 12[.]5%, 21[.]94G flop/s, 56[.]84 flop/byte, compute, 100[.]00% of its roof</title>.*'
is 'the roofline has no references' no_reference
run op "$sample" -q -peak_flops 1T -peak_bandwidth 100G -output svg
is_line 'given peaks replace the measured roofs' stdout '<text .*1[.]00T flop/s.*100[.]00G byte/s.*'

# ---- refused pictures

run op "$work/hostile.pbtxt" -output svg
is_status 'a roofline without executions is refused' 2
is 'the error for the roofline is one line' test "$(wc -l <"$work/stderr")" -eq 1
is_line 'the error says that no step was recorded' stderr 'tfprof: -output svg: no step was recorded, .*'
run advise "$sample" -output svg
is_status 'advise does not support pictures' 2
run scope "$work/hostile.pbtxt" -select micros -output svg
is_status 'a picture of times without executions is refused' 2
is_line 'the error says that no times were recorded' stderr 'tfprof: -output svg: no step was recorded, .*'
run scope "$work/hostile.pbtxt" -select op_types -output svg
is_status 'a picture of a field without figures is refused' 2
run scope "$work/hostile.pbtxt" -select float_ops -output svg
is_status 'a picture of zeros is written' 0
is_line 'a picture of zeros says that it is empty' stdout '<text .*nothing to draw</text>'
finish
