#!/bin/sh
# escapes.sh: names with any bytes are plain text on a terminal, in html and in tables.
. "$top_srcdir/tests/cli/lib.sh"

# A title, a color, a C1 control, an end of a paste, right-to-left text.
cat >"$work/hostile.pbtxt" <<'EOF'
node { name: "t\033]0;title\007" op: "\033]0;op\007" }
node { name: "c\033[31mred" op: "Op\302\2331m" device: "/d\033[2J" }
node { name: "p\033[201~\necho run\n" op: "VariableV2"
  attr { key: "shape" value { shape { dim { size: 3 } } } } }
node { name: "b\342\200\256gnp.\342\200\255exe" op: "O\342\201\246p" }
node { name: "x\357\277\276y\357\277\277z" op: "Op" }
node { name: "e&#8238;\"" op: "Op" }
node { name: "m\330\234\342\200\216\342\200\217\342\201\251" op: "Op" }
EOF

# Without control characters except line ends (and tabs of a table), and without
# bidirectional control characters.
is_plain() {
  ! tr -d "${2:-}" <"$work/$1" | LC_ALL=C grep -naP \
    '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]'
}

run scope "$work/hostile.pbtxt" -select float_ops
is_status 'an op type that is an escape sequence is read' 0
is_line 'the line of coverage escapes it' stderr 'tfprof: .*\\x1b\]0;op\\x07.*'
is 'standard error is plain' is_plain stderr
run scope "$(printf 'no\033[31mfile\n')"
is_status 'a file name with an escape sequence is printed escaped' 1
is 'standard error is plain' is_plain stderr

select=params,float_ops,device,op_types
for view in scope graph op; do
  for output in stdout json csv html; do
    run "$view" "$work/hostile.pbtxt" -select "$select" -output "$output"
    is_status "-output $output of the $view view is written" 0
    is "$output of the $view view is plain" is_plain stdout
    is "$output of the $view view contains the names" grep -qF '0;' "$work/stdout"
  done
done
run scope "$work/hostile.pbtxt" -select "$select" -output html
is 'noncharacters, which XML forbids, are replaced' grep -q 'x�y�z' "$work/stdout"
for view in scope graph code; do
  run "$view" "$work/hostile.pbtxt" -select params -output svg
  is_status "-output svg of the $view view is written" 0
  is "svg of the $view view is plain" is_plain stdout
done
run scope "$work/hostile.pbtxt" -select "$select" -output tsv
is_status 'it is made: scope -output tsv' 0
is 'tsv is plain' is_plain stdout '\t'
run scope "$work/hostile.pbtxt" -select params -output folded
is_status 'it is made: scope -output folded' 0
is 'folded is plain' is_plain stdout
run graph "$work/hostile.pbtxt" -select "$select" -output dot
is_status 'it is made: graph -output dot' 0
is 'dot is plain' is_plain stdout
is 'an entity of a name stays text in dot' grep -qF 'e&amp;#8238;\"' "$work/stdout"
run advise "$work/hostile.pbtxt"
is_status 'it is made: advise' 0
is 'the advice is plain' is_plain stdout
run summary "$work/hostile.pbtxt"
is_status 'it is made: summary' 0
is 'the summary is plain' is_plain stdout
run scope "$work/hostile.pbtxt" -select params -output file:outfile="$work/file"
is_status 'it is made: a text file' 0
is 'a text file is plain' is_plain file
run scope "$work/hostile.pbtxt" -select params
is_status 'it is made: scope' 0
is_line 'right-to-left controls are escaped' stdout '  b\\u\{202e\}gnp\.\\u\{202d\}exe .*'
is_line 'directional marks are escaped' stdout '  m\\u\{61c\}\\u\{200e\}\\u\{200f\}\\u\{2069\} .*'
finish
