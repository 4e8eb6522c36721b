#!/bin/sh
# repeated_layers.sh: -fold_twins in the outputs of the command line.
. "$top_srcdir/tests/cli/lib.sh"

sample=$top_srcdir/data/resnet32.pb.gz
# has WHAT STREAM TEXT: a line of STREAM contains TEXT.
has() { is "$1" grep -qF -e "$3" "$work/$2"; }
no_line() { ! grep -q "$1" "$work/stdout"; }

run scope "$sample" -max_depth 3 -select cpu_micros
grep TFProfRoot "$work/stdout" >"$work/root"
run scope "$sample" -max_depth 3 -select cpu_micros -fold_twins
is_status 'repeated layers are folded' 0
is 'the root row is unchanged' grep -qxF "$(cat "$work/root")" "$work/stdout"
has 'text gives the spread of the layers' stdout \
  '  unit_2_[1-4] x4 (--/227.74ms) each 56.93ms (54.39ms to 59.53ms)'
is 'folded layers have no rows of their own' no_line 'unit_2_1'
is 'a layer with another shape is a separate row' grep -q '^  unit_2_0 ' "$work/stdout"

run scope "$sample" -max_depth 2 -select params -order_by params -fold_twins -output csv
has 'tables have columns for repeated layers' stdout \
  'params_self,params_total,params_mean,params_min,params_max,twins,outliers'
has 'tables have figures of repeated layers' stdout '"unit_3_[1-4] x4","unit_3_[1-4] x4",1,false,,,592896,148224,148224,148224,4,""'

run scope "$sample" -max_depth 100 -select cpu_micros -fold_twins -output folded
is 'folded stacks preserve the total' \
  grep -qx '_TFProfRoot;unit_1_\[1-4\] x4 453071' "$work/stdout"

run graph "$sample" -max_depth 100 -select cpu_micros -fold_twins -output dot
is_status 'dot supports repeated layers' 0
grep -o 'n[0-9]* ->' "$work/stdout" | sort -u | sed 's/ ->//' >"$work/ends"
grep -o '^  n[0-9]* \[label' "$work/stdout" | sed 's/^  //; s/ .*//' | sort >"$work/nodes"
is 'every edge begins at an existing node' test -z "$(comm -23 "$work/ends" "$work/nodes")"

run code "$sample" -max_depth 100 -select cpu_micros -fold_twins
has 'lines with the same callees are folded' stdout \
  'resnet_model.py:[45,52,59]:_build_model x3 (--/864.76ms) each 288.25ms'

run scope "$sample" -max_depth 2 -diff_step 1 -select cpu_micros -fold_twins
has 'a comparison gives the spread of differences' stdout \
  'unit_3_[1-4] x4 (189.80ms -> 184.03ms, -5.77ms (-3.0%)) each -1.44ms (-7.57ms to +2.26ms)'

run op "$sample" -select cpu_micros -fold_twins
has 'a note says that the op view ignores the option' stderr '-fold_twins is ignored in the op view'
finish
