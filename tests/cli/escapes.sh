#!/bin/sh
# escapes.sh: no byte of a name reaches a terminal, a page or a table as anything but text.
. "$top_srcdir/tests/cli/lib.sh"

# A title, a colour, a C1 control, an end of a paste, letters that run backwards.
cat >"$work/hostile.pbtxt" <<'EOF'
node { name: "t\033]0;title\007" op: "\033]0;op\007" }
node { name: "c\033[31mred" op: "Op\302\2331m" device: "/d\033[2J" }
node { name: "p\033[201~\necho run\n" op: "Op" }
node { name: "b\342\200\256gnp.\342\200\255exe" op: "O\342\201\246p" }
node { name: "m\330\234\342\200\216\342\200\217\342\201\251" op: "Op" }
EOF

# Without the bytes that control a terminal, line ends aside.
is_plain() {
  ! LC_ALL=C grep -nP '[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' "$work/$1"
}

run scope "$work/hostile.pbtxt" -select float_ops
is_status 'an op type that is an escape sequence is read' 0
is_line 'the line of coverage escapes it' stderr 'tfprof: .*\\x1b\]0;op\\x07.*'
is 'standard error is plain' is_plain stderr
run scope "$(printf 'no\033[31mfile\n')"
is_status 'a file name that is an escape sequence is told of' 1
is 'standard error is plain' is_plain stderr
finish
