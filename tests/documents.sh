#!/bin/sh
# documents.sh [update]: README.md and doc/ are up to date: examples print what is shown,
# screens and casts are those of the program, and tables contain all rules for
# counts and shapes and all message fields that are read.
#
# An example is an indented line "$ tfprof ..." and the indented lines after it; "..." as the
# last of them stands for the rest; it may use slower.pb.  A screen is a fenced block "```screen COLSxROWS 'KEYS' FILE...";
# with cast=NAME before the size its keys are recorded in doc/casts/NAME.cast.  With `update` all are
# rewritten; of examples that are new or end in "..." the first lines.
top_srcdir=${top_srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
TFPROF=${TFPROF:-$top_srcdir/build/tfprof}
. "$top_srcdir/tests/cli/lib.sh"
cd "$top_srcdir" || exit 1
PATH=$(dirname -- "$TFPROF"):$PATH

kept_lines=8

# Folder in which examples run: the sources, and slower.pb, the sample with a unit that takes longer.
place=$work/place
mkdir "$place" && ln -s "$PWD"/* "$place"
gzip -dc data/resnet32.pb.gz |
  "$(dirname -- "$TFPROF")/tests/fixtures/slow_down" unit_1_2 50 >"$place/slower.pb" || exit 1

# ---- examples

# Splits document $1 into examples: the command in $work/N.command, the lines after it in $work/N.said.
# Prints their number.
split_examples() {
  rm -f "$work"/*.command "$work"/*.said
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print substr($0, 7) > (work "/" n ".command"); printf "" > (work "/" n ".said"); inside = 1; next }
    inside && /^    / { print substr($0, 5) > (work "/" n ".said"); next }
    { inside = 0 }
    END { print n + 0 }' "$1"
}

said_the_same() {
  (cd "$place" && exec sh -c "$(cat "$work/$1.command")") </dev/null >"$work/all" 2>&1
  if [ "$(tail -n 1 "$work/$1.said")" = ... ]; then
    lines=$(($(wc -l <"$work/$1.said") - 1))
    { head -n "$lines" "$work/all"; echo ...; } >"$work/now"
  else
    cp "$work/all" "$work/now"
  fi
  diff "$work/$1.said" "$work/now"
}

# Writes document $1 with the current output of its examples.
write_examples() {
  awk -v work="$work" '
    /^    \$ tfprof/ { n++; print; inside = 1; file = work "/" n ".said"; while ((getline line < file) > 0) print "    " line; next }
    inside && /^    / { next }
    { inside = 0; print }' "$1" >"$work/document" && cp "$work/document" "$1"
}

update_examples() {
  for example in $(seq "$(split_examples "$1")"); do
    said_the_same "$example" >/dev/null
    case $(tail -n 1 "$work/$example.said") in
      ... | '')
        head -n "$kept_lines" "$work/all" >"$work/$example.said"
        [ "$(wc -l <"$work/all")" -le "$kept_lines" ] || echo ... >>"$work/$example.said"
        ;;
      *) cp "$work/all" "$work/$example.said" ;;
    esac
  done
  write_examples "$1"
}

check_examples() {
  for example in $(seq "$(split_examples "$1")"); do
    is "$1: $(cat "$work/$example.command")" said_the_same "$example"
  done
}

# ---- screens

show=$(dirname -- "$TFPROF")/tests/tui/show

# Splits document $1 into screens: the arguments of show in $work/N.keys, the name of a recording in
# $work/N.cast, the rows in $work/N.screen.  Prints their number.
split_screens() {
  rm -f "$work"/*.keys "$work"/*.cast "$work"/*.screen
  awk -v work="$work" '
    /^```screen / {
      n++; inside = 1
      sub(/^```screen /, "")
      if (sub(/^cast=/, "")) { print $1 > (work "/" n ".cast"); sub(/^[^ ]* /, "") }
      print > (work "/" n ".keys"); printf "" > (work "/" n ".screen"); next
    }
    /^```/ { inside = 0 }
    inside { print > (work "/" n ".screen") }
    END { print n + 0 }' "$1"
}

# drawn OPTION... N: the output of show for screen N.
drawn() {
  for n; do :; done
  options=
  [ $# -eq 1 ] || options=$1
  top_srcdir=$PWD sh -c "\"$show\" $options -size $(cat "$work/$n.keys")" </dev/null
}

# The time of a query differs in each run.
without_times() { sed 's/ in [-0-9]* ms */ in ms /'; }
is_drawn() {
  drawn "$1" | without_times >"$work/now" && without_times <"$work/$1.screen" | diff - "$work/now"
}
is_recorded() { drawn -cast "$1" | cmp - "doc/casts/$(cat "$work/$1.cast").cast"; }

# Writes document $1 with the current screens.
update_screens() {
  for screen in $(seq "$(split_screens "$1")"); do
    TFPROF_CLOCK=real drawn "$screen" >"$work/$screen.screen"
    [ ! -f "$work/$screen.cast" ] || drawn -cast "$screen" >"doc/casts/$(cat "$work/$screen.cast").cast"
  done
  awk -v work="$work" '
    /^```screen / { n++; print; inside = 1; file = work "/" n ".screen"; while ((getline line < file) > 0) print line; next }
    /^```/ { inside = 0 }
    !inside { print }' "$1" >"$work/document" && cp "$work/document" "$1"
}

check_screens() {
  for screen in $(seq "$(split_screens "$1")"); do
    is "$1: screen $(cat "$work/$screen.keys")" is_drawn "$screen"
    [ ! -f "$work/$screen.cast" ] || is "$1: recording $(cat "$work/$screen.cast")" is_recorded "$screen"
  done
}

# ---- tables

# The rows of the tables of rules in FILE...: "operations|formula", with the formulas only for counts.
rules() {
  cat "$@" | awk '
    { all = all " " $0 }
    END {
      gsub(/" *"/, "", all)
      row = "[{]\"[A-Za-z0-9_ ]+\", *((\"[^\"]*\", *)?[A-Za-z0-9_]+,|\"[^\"]*\"})"
      while (match(all, row)) {
        split(substr(all, RSTART + 2, RLENGTH - 2), part, "\"")
        all = substr(all, RSTART + RLENGTH)
        print part[1] "|" part[3]
      }
    }'
}

# Formulas of counting rules that are not in flops.md verbatim.
undocumented_counts() {
  rules src/flops/count_[!r]*.c | sed -n 's/^\([^|]*\)|\(..*\)$/| \1 | \2 |/p' |
    while read -r row; do grep -qF "$row" doc/flops.md || echo "$row"; done
}

# Operations with a shape rule that shapes.md does not name: verbatim, or by the rules given there
# for names with _Mkl, optimisers and quantised convolutions.
undocumented_shapes() {
  tr -cs 'A-Za-z0-9_' '\n' <doc/shapes.md | sort -u >"$work/words"
  rules src/shapes/rules/shape_*.c | cut -d'|' -f1 | tr ' ' '\n' | sort -u |
    awk 'NR == FNR { named[$0] = 1; next }
      {
        base = $0
        sub(/^_Mkl(Native)?/, "", base)
        plain = base
        sub(/^Resource/, "", plain)
        step = base
        sub(/^Quantized(Depthwise)?Conv2D/, "", step)
        if (!($0 in named || base in named || ("_" base) in named || ("_Mkl" base) in named ||
            plain in named || (step != "" && step in named))) print
      }' "$work/words" -
}

# Fields in proto/ that no table of messages contains: "| Message.Inner | field | number |".  Entries of maps
# need no row.
undocumented_fields() {
  awk '
    { sub(/\/\/.*/, "") }
    /(message|enum|oneof) .*\{/ { kind[++depth] = $1; name[depth] = $2; next }
    /^ *\}/ { depth--; next }
    depth && /= [0-9]+;/ {
      path = ""
      for (i = 1; i <= depth; i++) {
        if (kind[i] == "enum" || name[i] ~ /Entry$/ && name[i] != "OpLogEntry") next
        if (kind[i] == "message") path = path (path == "" ? "" : ".") name[i]
      }
      print "| " path " | " $(NF - 2) " | " $NF + 0 " |"
    }' proto/*.proto |
    while read -r row; do grep -qF "$row" doc/formats-*.md || echo "$row"; done
}

# Terms of `tfprof help glossary` whose row in doc/glossary.md is missing or different.
different_terms() {
  sed -n 's/^    {"\([^"]*\)", "\([^"]*\)", "\([^"]*\)"},$/| \1 | \2 | \3 |/p' src/cli/glossary.c >"$work/terms"
  sed '1,/^| ---/d' doc/glossary.md | diff "$work/terms" -
}

nothing() { ! "$@" | grep .; }

if [ "${1:-}" = update ]; then
  for document in README.md doc/*.md; do update_examples "$document"; update_screens "$document"; done
  exit
fi
for document in README.md doc/*.md; do
  if [ "$document" = doc/sql.md ] && ! "$TFPROF" sql .schema >/dev/null 2>&1; then
    skip_case "$document" 'no SQLite in the program'
  else
    check_examples "$document"
  fi
done
if [ -x "$show" ]; then
  for document in README.md doc/*.md; do check_screens "$document"; done
  is 'README.md has screens' test "$(split_screens README.md)" -ge 2
else
  skip_case 'screens' 'tests/tui/show was not built'
fi
is 'doc/examples.md has examples' test "$(split_examples doc/examples.md)" -ge 10
is 'README.md has at most 200 lines' test "$(wc -l <README.md)" -le 200
is 'doc/flops.md has the formula of every counting rule' nothing undocumented_counts
is 'doc/shapes.md names every operation with a shape rule' nothing undocumented_shapes
is 'doc/glossary.md has the terms of the program' different_terms
is 'doc/formats-*.md have every field of proto/' nothing undocumented_fields
finish
