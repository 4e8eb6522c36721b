#!/bin/sh
# check.sh: rules for figures, and the result when a figure violates one.
. "$top_srcdir/tests/cli/lib.sh"

# is_exact WHAT STREAM LINE: STREAM has a line equal to LINE.
is_exact() { is "$1" grep -qxF -e "$3" "$work/$2"; }

# profile MICROS: a model whose unit_2 takes MICROS, and two other units.
profile() {
  printf 'steps: 0\n'
  id=0
  for node in unit_1:1000 unit_2:"$1" unit_3:500; do
    printf 'nodes { key: %s value { name: "%s/conv" op: "Conv2D" op_types: "Conv2D" shape: 10 shape: 5
      execs { key: 0 value { run_count: 1 accelerator_execs { }
        cpu_execs { key: "/cpu:0" value { times { int64_values: 1 int64_values: %s } } } } } } }\n' \
      "$id" "${node%:*}" "${node#*:}"
    id=$((id + 1))
  done
}
profile 2000 >"$work/base.pbtxt"
profile 2600 >"$work/slow.pbtxt"
run op "$work/slow.pbtxt" -select micros,params
is_status 'the profiles are read' 0

rules() { printf '%s\n' "$@" >"$work/rules"; }

rules '# a comment' '' 'scope unit_[12] micros <= 2ms' '  op Conv2D micros <= 3.6ms  # of all' 'total micros < 4ms'
run check "$work/rules" "$work/base.pbtxt"
is_status 'rules hold' 0
is_exact 'the worst row is named' stdout 'held    scope unit_[12] micros <= 2ms: unit_2: 2.00ms (of 2 rows)'
is_exact 'rules that hold are counted' stdout '3 of 3 rules held'
run check "$work/rules" "$work/slow.pbtxt" -q
is_status 'broken rules are status 1' 1
is_exact 'broken rules give one error line' stderr "tfprof: $work/rules: 3 of 3 rules broken"
is_exact 'a broken rule gives the value and the row' stdout 'broken  scope unit_[12] micros <= 2ms: unit_2: 2.60ms (of 2 rows)'

rules 'delta scope unit_2 micros <= +5%' 'delta micros <= +1ms' 'delta scope unit_[13] micros == 0'
run check "$work/rules" "$work/slow.pbtxt" -diff_base "$work/base.pbtxt" -q
is_status 'a delta over its limit is status 1' 1
is_exact 'the broken delta rule is named' stdout 'broken  delta scope unit_2 micros <= +5%: unit_2: 2.00ms -> 2.60ms, +600us (+30.0%)'
is_exact 'a delta within its limit holds' stdout 'held    delta micros <= +1ms: 3.50ms -> 4.10ms, +600us (+17.1%)'
run check "$work/rules" "$work/base.pbtxt" -diff_base "$work/base.pbtxt"
is_status 'a profile compared with itself breaks no rule' 0
run check "$work/rules" "$work/base.pbtxt"
is_status 'delta rules without a baseline are an error' 2

rules 'scope unit_9 micros <= 1'
run check "$work/rules" "$work/base.pbtxt"
is_status 'a rule that matches nothing does not pass' 2
is_exact 'the error says that no row matches' stdout 'error   scope unit_9 micros <= 1: no row matches'

# A regex over the match limit is undecided, so a rule that uses it never holds.
long=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaax
hard='(a+)+c|a.*z.*'
{
  printf 'steps: 0\n'
  for id in 1 2 3; do
    printf 'nodes { key: %s value { name: "%s%s" op: "Conv2D" op_types: "Conv2D" op_types: "%s" canonical_device: "%s" shape: 10
      execs { key: 0 value { run_count: 1 accelerator_execs { } cpu_execs { key: "/cpu:0" value { times {
        int64_values: 1 int64_values: 90000 } } } } } } }\n' $id $long $id $long $long
  done
  printf 'nodes { key: 9 value { name: "axz" op: "Add" op_types: "Add" op_types: "axz" canonical_device: "axz"
    execs { key: 0 value { run_count: 1 cpu_execs { key: "/cpu:0" value { times { int64_values: 1 int64_values: 5 } } } } } } }\n'
} >"$work/hard.pbtxt"
# gives_up WHAT OPTION...
gives_up() {
  what=$1
  shift
  run check "$work/rules" "$work/hard.pbtxt" "$@"
  is_status "$what that gives up does not pass" 2
  is "the undecided rule is an error: $what" grep -q '^error .*exceeds* the work limit' "$work/stdout"
}
rules "scope $hard micros <= 1ms"
gives_up 'a pattern'
rules 'total micros <= 1ms'
gives_up 'a filter of types' -account_type_regexes "$hard"
rules 'scope .* micros <= 1s'
gives_up 'a filter of devices' -device_regexes "$hard"
gives_up 'a type of nodes' -define_type "mine=$hard"
rules 'delta micros <= 1s'
gives_up 'an exception of pairs' -diff_base "$work/hard.pbtxt" -unmatch "$hard"
sed "s/$long/${long}y/" "$work/hard.pbtxt" >"$work/other.pbtxt"
gives_up 'a rule of names' -diff_base "$work/other.pbtxt" -rename '^(a+)+[cz]=b'
rules "scope .*|$hard micros <= 1ms"
run check "$work/rules" "$work/hard.pbtxt"
is_status 'a broken rule takes precedence over undecided rows' 1

# A violation in the last printed digit counts.
rules 'total params == 150' 'total params != 151' 'total micros == 3.5ms' 'total micros != 3.6ms'
run check "$work/rules" "$work/base.pbtxt"
is_status 'equality compares the given number of digits' 0

for rule in 'scope' 'scope a' 'scope a micro <= 1' 'scope a micros' 'scope a micros = 1' 'total micros <= 1x' \
  'total micros <= 5%' 'total params <= 1ms' 'scope [ micros <= 1' 'total micros <= 1 more' 'delta micros <= 1 when' \
  'advise' 'advise some' 'budget 1' "scope 'a micros <= 1"; do
  rules 'total micros <= 1s' "$rule"
  run check "$work/rules" "$work/base.pbtxt"
  is_status "an invalid rule is refused: $rule" 2
  is_line 'the error names the line' stderr "tfprof: .*rules:2: .*"
done
: >"$work/rules"
run check "$work/rules" "$work/base.pbtxt"
is_status 'a rule file without rules is refused' 2
run check "$work/missing" "$work/base.pbtxt"
is_status 'a missing rule file is an error' 1
run check
is_status 'a missing rule argument is refused' 2
run scope "$work/base.pbtxt" -output junit
is_status 'views do not support -output junit' 2
rules 'total micros <= 1s'
run check "$work/rules" "$work/base.pbtxt" -output folded
is_status 'check does not support -output folded' 2
run check "$work/rules" "$work/base.pbtxt" -output csv
is_line 'check supports -output csv' stdout '1,"total micros <= 1s","held",".*"'

# ---- rules about devices
training=$top_srcdir/data/training.pt.trace.json.gz
rules 'op aten::mm accelerator_micros <= 1us'
run check "$work/rules" "$training" -output json
is 'json has value, limit and row' grep -qE '"value":[0-9.]+,"limit":1,"row":"aten::mm"' "$work/stdout"
rules 'advise blocking-sync none' 'advise slow-rank none'
run check "$work/rules" "$training"
is_status 'a finding breaks an advice rule' 1
is_line 'the broken advice rule describes the finding' stdout 'broken  advise blocking-sync none: 4 blocking calls leave .*'
is_line 'an advice rule without a finding holds' stdout 'held    advise slow-rank none: none'
rules 'device idle <= 64.4 %' 'device idle >= 64.3%' 'step wall <= 2.39ms' 'verdict != compute'
run check "$work/rules" "$training"
is_status 'rules about devices hold' 0
is_exact 'the worst device is named' stdout 'held    device idle <= 64.4 %: idle 64.4 % on /gpu:0'
rules 'device idle <= 6009.999us' 'verdict = compute' 'step exposed < 1ms'
run check "$work/rules" "$training"
is_status 'rules about devices are broken' 1
is_exact 'a violation in the last digit counts' stdout 'broken  device idle <= 6009.999us: idle 6.01ms on /gpu:0'
is_line 'the broken rule gives the actual verdict' stdout 'broken  verdict = compute: CPU-bound: .*'
run check "$work/rules" "$sample"
is_status 'rules about devices without a device are errors' 2
is_exact 'the error says that there is no device' stdout 'error   verdict = compute: no device in this input'
for rule in 'device fun < 1' 'device idle < 3 x' 'device idle < 1 2 3' 'device idle' 'verdict = slow' 'step wall ? 3'; do
  rules "$rule"
  run check "$work/rules" "$training"
  is_status "$rule" 2
done
is_line 'the error lists the relations' stderr "tfprof: $work/rules:1: '\?' is not one of <=, .*"

# ---- memory of allocators
rules 'memory peak <= 12.59MB' 'memory peak > 12MB' 'memory reserved < 60MB' 'memory end <= 4194304'
run check "$work/rules" "$training"
is_status 'a rule about memory is broken' 1
is_exact 'a rule about the peak holds' stdout 'held    memory peak <= 12.59MB: peak 12.58MB of /gpu:0 torch'
is_exact 'the allocator is named' stdout 'broken  memory reserved < 60MB: reserved 67.11MB of /gpu:0 torch'
is_line 'the memory rules are counted' stdout '3 of 4 rules held, 1 broken'
run check "$work/rules" "$training" -output json
is 'the json names the allocator of the figure' grep -qE '"value":67108864,"limit":60000000,"row":"/gpu:0"' "$work/stdout"
rules 'memory peak == 365178112'
run check "$work/rules" -graph_path "$models/resnet32/graph.pb.gz" -run_meta_path "$models/resnet32/run_meta_1.pb.gz"
is_status 'the peak of RunMetadata is exact' 0
rules 'memory peak <= 1GB' 'memory cached <= 1GB'
run check "$work/rules" "$sample"
is_exact 'a memory rule without allocations is an error' stdout \
  'error   memory peak <= 1GB: no allocation records in this input'
run check "$work/rules" "$training"
is_exact 'a memory rule about an unknown figure is an error' stdout "error   memory cached <= 1GB: 'cached' is unknown for all allocators"
for rule in 'memory fun < 1' 'memory peak < 3 x' 'memory peak < 3ms' 'memory peak < 3%' 'memory peak' 'memory peak ? 3'; do
  rules "$rule"
  run check "$work/rules" "$training"
  is_status "$rule" 2
done

for file in "$training" "$sample" "$models/towers/profile.pb.gz" "$models/mobilenet/graph.pb.gz"; do
  run check -init "$file"
  is_status 'check -init writes rules' 0
  cp "$work/stdout" "$work/rules"
  run check "$work/rules" "$file"
  is_status 'the written rules hold' 0
done

rules 'scope unit_[12] micros <= 2ms' 'scope "a|b" micros <= 2ms' 'total micros < 4.2ms'
run check "$work/rules" "$work/slow.pbtxt" -output json
is_exact 'json has every rule' stdout '{"line":1,"rule":"scope unit_[12] micros <= 2ms","state":"broken","message":"unit_2: 2.60ms (of 2 rows)","value":2600,"limit":2000,"row":"unit_2"},'
run check "$work/rules" "$work/slow.pbtxt" -output junit
is_exact 'JUnit counts failures and errors' stdout '<testsuite name="tfprof check" tests="3" failures="1" errors="1">'
is_exact 'JUnit output is escaped' stdout '    <failure message="unit_2: 2.60ms (of 2 rows)"/>'
run check "$work/rules" "$work/slow.pbtxt" -output github
is_line 'annotations name the line' stdout '::error file=.*/rules,line=1,title=broken::scope unit_\[12\] micros <= 2ms: .*'
run check "$work/rules" "$work/slow.pbtxt" -output "markdown:outfile=$work/table.txt"
is_status 'a table is written to a file' 2
is 'the cells of the table are escaped' grep -qF '| error | scope "a\|b" micros' "$work/table.txt"
finish
