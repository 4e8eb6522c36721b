#!/bin/sh
# files.sh [list]: every file says what it is for, and HACKING.md names every directory.
# With `list` it prints the files and their sentences instead.
top_srcdir=${top_srcdir:-$(dirname -- "$0")/..}

# The opening sentence of file $1, without its comment marks and name; empty when there is none.
sentence() {
  awk '
    NR == 1 && /^#!/ { next }
    { sub(/^ *(\/\*|#|\*) ?/, ""); text = text (text == "" ? "" : " ") $0 }
    /\*\// || text ~ /: .*[.]( |$)/ || NR > 6 { exit }
    END {
      sub(/ *\*\/.*/, "", text)
      if (match(text, /: .*/) && match(substr(text, RSTART), /[.]( |$)/)) {
        start = index(text, ": ")
        text = substr(text, 1, start + RSTART - 1)
      }
      print text
    }' "$1" |
    sed -n "s/^$(basename -- "$1" | sed 's/[.]/[.]/g')[^:]*: *\(..*\)/\1/p"
}

sources() { find src tests -name '*.[ch]' -o -path '*tests/*' -name '*.sh' | sort; }

# What a user of git or of a release archive sees, build folders left out.
directories() {
  { find .ci data doc man proto src -type d; find tests -maxdepth 1 -type d; } 2>/dev/null | sort
}

cd "$top_srcdir" || exit 1
if [ "${1:-}" = list ]; then
  sources | while read -r file; do printf '%-32s %s\n' "$file" "$(sentence "$file")"; done
  exit
fi

. ./tests/cli/lib.sh

silent_files() {
  sources | while read -r file; do [ -n "$(sentence "$file")" ] || echo "$file says nothing"; done
}
unnamed_directories() {
  directories | while read -r name; do grep -qF "| \`$name\` |" HACKING.md || echo "$name is missing"; done
}
gone_directories() {
  sed -n 's/^| `\([^ ]*\)` | .*/\1/p' HACKING.md | grep -E '^(\.ci|data|doc|man|proto|src|tests)($|/)' |
    while read -r name; do [ -d "$name" ] || echo "$name is gone"; done
}
# Two lists that were joined by a merge have lines twice, or lines that nothing continues.
doubled_lines() { grep -oE '^	src/[^ ]+[.][ch]\b|^	tests/[^ .]+( |$)' Makefile.am | sort | uniq -d; }
stray_lines() { awk '/^	(src|tests)\// && before !~ /\\$/ { print FNR ": " $0 } { before = $0 }' Makefile.am; }
nothing() { ! "$@" | grep .; }

is 'every file says what it is for' nothing silent_files
is 'HACKING.md names every directory' nothing unnamed_directories
is 'HACKING.md names no directory that is gone' nothing gone_directories
is 'no source is listed twice' nothing doubled_lines
is 'every list in Makefile.am is whole' nothing stray_lines
finish
