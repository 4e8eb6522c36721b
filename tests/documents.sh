#!/bin/sh
# documents.sh [update]: every example in README.md and doc/ prints what they say it prints.
#
# An example is an indented line "$ tfprof ..." and the indented lines behind it; "..." as the
# last of them stands for the rest.  With `update` the examples are run and written anew, the
# first lines of each.
top_srcdir=${top_srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
TFPROF=${TFPROF:-$top_srcdir/build/tfprof}
. "$top_srcdir/tests/cli/lib.sh"
cd "$top_srcdir" || exit 1
PATH=$(dirname -- "$TFPROF"):$PATH

kept_lines=8

# An example of document $1 a file: the command in $work/N.command, what follows it in $work/N.said.
# Prints how many there are.
split_examples() {
  rm -f "$work"/*.command "$work"/*.said
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print substr($0, 7) > (work "/" n ".command"); printf "" > (work "/" n ".said"); inside = 1; next }
    inside && /^    / { print substr($0, 5) > (work "/" n ".said"); next }
    { inside = 0 }
    END { print n + 0 }' "$1"
}

said_the_same() {
  sh -c "$(cat "$work/$1.command")" </dev/null >"$work/all" 2>&1
  if [ "$(tail -n 1 "$work/$1.said")" = ... ]; then
    lines=$(($(wc -l <"$work/$1.said") - 1))
    { head -n "$lines" "$work/all"; echo ...; } >"$work/now"
  else
    cp "$work/all" "$work/now"
  fi
  diff "$work/$1.said" "$work/now"
}

# Writes document $1, whose examples were run, with what they print now.
write_examples() {
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print; inside = 1; file = work "/" n ".said"; while ((getline line < file) > 0) print "    " line; next }
    inside && /^    / { next }
    { inside = 0; print }' "$1" >"$work/document" && cp "$work/document" "$1"
}

update_examples() {
  for example in $(seq "$(split_examples "$1")"); do
    said_the_same "$example" >/dev/null
    head -n "$kept_lines" "$work/all" >"$work/$example.said"
    [ "$(wc -l <"$work/all")" -le "$kept_lines" ] || echo ... >>"$work/$example.said"
  done
  write_examples "$1"
}

check_examples() {
  for example in $(seq "$(split_examples "$1")"); do
    is "$1: $(cat "$work/$example.command")" said_the_same "$example"
  done
}

if [ "${1:-}" = update ]; then
  for document in README.md doc/*.md; do update_examples "$document"; done
  exit
fi
for document in README.md doc/*.md; do check_examples "$document"; done
is 'README.md has examples' test "$(split_examples README.md)" -ge 10
finish
