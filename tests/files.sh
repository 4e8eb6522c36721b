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
  { find .ci data proto src tests -maxdepth 1 -type d; } | sort
}

cd "$top_srcdir" || exit 1
if [ "${1:-}" = list ]; then
  sources | while read -r file; do printf '%-32s %s\n' "$file" "$(sentence "$file")"; done
  exit
fi

. ./tests/cli/lib.sh
says_what_it_is_for() { [ -n "$(sentence "$1")" ]; }
hacking_names() { grep -qF "| \`$1\` |" HACKING.md; }

for file in $(sources); do is "$file says what it is for" says_what_it_is_for "$file"; done
for directory in $(directories); do is "HACKING.md names $directory" hacking_names "$directory"; done
for directory in $(sed -n 's/^| `\([a-z.]*\/*[a-z]*\)` | .*/\1/p' HACKING.md | grep -E '^(\.ci|data|proto|src|tests)'); do
  is "HACKING.md names nothing that is gone: $directory" test -d "$directory"
done
finish
