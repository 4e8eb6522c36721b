#!/bin/sh
# readme.sh [update]: every example in README.md prints what README.md says it prints.
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

# An example a file: the command in $work/N.command, what follows it in $work/N.said.
split_examples() {
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print substr($0, 7) > (work "/" n ".command"); printf "" > (work "/" n ".said"); inside = 1; next }
    inside && /^    / { print substr($0, 5) > (work "/" n ".said"); next }
    { inside = 0 }
    END { print n + 0 }' README.md
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

examples=$(split_examples)
example=1
while [ "$example" -le "$examples" ]; do
  if [ "${1:-}" = update ]; then
    said_the_same "$example" >/dev/null
    head -n "$kept_lines" "$work/all" >"$work/$example.said"
    [ "$(wc -l <"$work/all")" -le "$kept_lines" ] || echo ... >>"$work/$example.said"
  else
    is "$(cat "$work/$example.command")" said_the_same "$example"
  fi
  example=$((example + 1))
done
if [ "${1:-}" = update ]; then
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print; inside = 1; file = work "/" n ".said"; while ((getline line < file) > 0) print "    " line; next }
    inside && /^    / { next }
    { inside = 0; print }' README.md >"$work/README.md" && cp "$work/README.md" README.md
else
  is 'README.md has examples' test "$examples" -ge 10
  finish
fi
