#!/bin/sh
# rates.sh: figures that are made of others: sizes of parameters, rates, averages.
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
is_line 'bfloat16 two' stdout '    w/half .* 2.00KB/2.00KB\)'
is_line 'a double eight' stdout '    w/double .* 8.00KB/8.00KB\)'
is_line 'a reference type what its base takes' stdout '    w/byte .* 1.00KB/1.00KB\)'
is_line 'strings have no size' stdout '    w/text .* 0B/0B\)'
is_line 'nor has what has no shape' stdout '    w/open .* 0B/0B\)'
is_line 'and a scope has those of all below it' stdout '_TFProfRoot \(--/5.00k params, --/15.00KB\)'
run scope "$work/types.pbtxt" -select param_bytes -min_param_bytes 4000 -order_by param_bytes
is_text 'they order, and there is a threshold, for the row itself as that of params' stdout \
  'node name | parameter bytes
_TFProfRoot (--/15.00KB)
  w/double (8.00KB/8.00KB)
  w/single (4.00KB/4.00KB)'
run scope "$work/types.pbtxt" -select param_bytes -output "profile:outfile=$work/types.pb"
run scope "$work/types.pb" -select param_bytes
is_line 'a stored profile has them' stdout '_TFProfRoot \(--/15.00KB\)'
run scope "$top_srcdir/data/training.xplane.pb" -select params,param_bytes \
  -output "profile:outfile=$work/capture.pb"
run scope "$top_srcdir/data/training.xplane.pb" -q -select param_bytes -max_depth 1
cp "$work/stdout" "$work/of_capture"
run scope "$work/capture.pb" -q -select param_bytes -max_depth 1
is 'so has that of a compiled program, whose nodes have no attributes' cmp "$work/stdout" "$work/of_capture"

finish
