#!/bin/sh
# files.sh [list]: every file begins with its purpose, HACKING.md names every directory, and
# citations have targets.
# With `list` it prints the files and their sentences instead.
top_srcdir=${top_srcdir:-$(dirname -- "$0")/..}

# Files made by a build inside the source folder are excluded.
sources() {
  find src tests -name '*.[ch]' -o -path '*tests/*' -name '*.sh' | grep -vE '[.]pb-c[.][ch]$|/terminfo_entries[.]h$' | sort
}

# Lines "FILE: SENTENCE" for all sources: the opening sentence without its comment marks and name; empty if there
# is none.
sentences() {
  sources | xargs awk '
    function sentence(text, name, start) {
      sub(/ *\*\/.*/, "", text)
      if (match(text, /: .*/) && match(substr(text, RSTART), /[.]( |$)/)) {
        start = index(text, ": ")
        text = substr(text, 1, start + RSTART - 1)
      }
      name = file
      sub(/.*\//, "", name)
      start = index(text, ":")
      if (index(text, name) != 1 || !start) return ""
      text = substr(text, start + 1)
      sub(/^ */, "", text)
      return text
    }
    function end_of_file() { if (file != "") print file ": " sentence(text) }
    FNR == 1 { end_of_file(); file = FILENAME; text = ""; done = 0 }
    done || FNR == 1 && /^#!/ { next }
    {
      sub(/^ *(\/\*|#|\*) ?/, "")
      text = text (text == "" ? "" : " ") $0
      done = /\*\// || text ~ /: .*[.]( |$)/ || FNR > 6
    }
    END { end_of_file() }'
}

# The files in git or in a release archive, without build folders.
directories() {
  { find .ci data doc man proto src -type d; find tests -maxdepth 1 -type d; } 2>/dev/null |
    grep -v '/[.]' | sort
}

cd "$top_srcdir" || exit 1
if [ "${1:-}" = list ]; then
  sentences | awk '{ at = index($0, ": "); printf "%-32s %s\n", substr($0, 1, at - 1), substr($0, at + 2) }'
  exit
fi

. ./tests/cli/lib.sh

# missing_in FILE [BEFORE AFTER]: lines of standard input that FILE does not contain between BEFORE and AFTER.
missing_in() {
  awk -v before="${2:-}" -v after="${3:-}" '
    FILENAME != "-" { all = all $0 "\n"; next }
    !index(all, before $0 after)' "$1" -
}

silent_files() { sentences | sed -n 's/: $/ says nothing/p'; }
unnamed_directories() { directories | missing_in HACKING.md '| `' '` |'; }
gone_directories() {
  sed -n 's/^| `\([^ ]*\)` | .*/\1/p' HACKING.md | grep -E '^(\.ci|data|doc|man|proto|src|tests)($|/)' |
    while read -r name; do [ -d "$name" ] || echo "$name is gone"; done
}
# A bad merge of two lists gives duplicate lines, or lines without a continuation.
doubled_lines() { grep -oE '^	src/[^ ]+[.][ch]\b|^	tests/[^ .]+( |$)' Makefile.am | sort | uniq -d; }
# A file in no list is missing from a release.
unlisted_files() { find src doc -name '*.[ch]' -o -name '*.md' | missing_in Makefile.am; }
stray_lines() { awk '/^	(src|tests)\// && before !~ /\\$/ { print FNR ": " $0 } { before = $0 }' Makefile.am; }
# cmocka's skip() prints what Automake counts as a failure; SKIP_TEST() avoids that.
failing_skips() { grep -rnE '(^|[^_[:alnum:]])skip\(\)' tests --include='*.c'; }
# A struct tag defined in two headers confuses debuggers and readers.
doubled_tags() { find src -name '*.h' -exec sed -nE 's/^(struct|enum|union) ([a-z_0-9]+) [{]$/\2/p' {} + | sort | uniq -d; }
# Files that name another version than configure.ac.
other_versions() {
  version=$(sed -n 's/^AC_INIT(\[tfprof\], \[\(.*\)\], \[\], .*/\1/p' configure.ac)
  for named in "debian/changelog tfprof ($version-1)" "NEWS $version, " "contrib/default.nix version = \"$version\";" \
    "contrib/recipe.yaml version: \"$version\"" "contrib/tfprof.rb tfprof-$version.tar.xz"; do
    grep -qF "${named#* }" "${named%% *}" || echo "${named%% *}"
  done
}
# Files that may cite a document.
citing_files() {
  sources
  find proto -name '*.proto'
  find doc man -name '*.md' -o -name '*.in'
  ls README.md HACKING.md NEWS Makefile.am configure.ac bootstrap.sh .ci/run
}

# Lines "DOCUMENT" and "DOCUMENT SECTION" for all targets of citations.
citable() {
  echo SKILL.md # generated, and installed
  for file in README.md HACKING.md doc/*.md; do
    name=$(basename "$file")
    echo "$name"
    sed -n "s/^##* \([0-9][0-9.]*[0-9]\|[0-9]\)[.]\{0,1\} .*/$name \1/p" "$file"
  done
}

# Citations without a target: "flops.md", "shapes.md sections 5.1 to 5.3 and 6", and in a
# document "section 2" of itself, also across line breaks.
wrong_citations() {
  citable >"$work/citable"
  # shellcheck disable=SC2046  # file names without blanks
  awk '
    function cite(document, text) {
      check(document)
      while (match(text, /[0-9]+([.][0-9]+)*/)) {
        check(document " " substr(text, RSTART, RLENGTH))
        text = substr(text, RSTART + RLENGTH)
      }
    }
    function check(cited) {
      if (!(cited in exists)) print file " cites " cited
    }
    # The citations of `file`, whose text is `all`.
    function cite_all(found, part, others) {
      others = ""
      while (match(all, named)) {
        found = substr(all, RSTART, RLENGTH)
        others = others substr(all, 1, RSTART - 1) "-"
        all = substr(all, RSTART + RLENGTH)
        split(found, part, "[.]md")
        cite(part[1] ".md", part[2])
      }
      others = others all
      all = ""
      while (file ~ /^doc\// && match(others, list)) {
        found = substr(others, RSTART, RLENGTH)
        others = substr(others, RSTART + RLENGTH)
        cite(substr(file, 5), found)
      }
    }
    BEGIN {
      number = "[0-9]+([.][0-9]+)*"
      list = "sections? " number "((,| to| and|, and) " number ")*"
      named = "[A-Za-z0-9_-]+[.]md(,? " list "|,? " number ")?"
    }
    FILENAME == ARGV[1] { exists[$0] = 1; next }
    FNR == 1 { cite_all(); file = FILENAME }
    { sub(/^[ \t]*([*#]|\/\/)?[ \t]*/, ""); all = all " " $0 }
    END { cite_all() }' "$work/citable" $(citing_files) | sort -u
}
nothing() { ! "$@" | grep .; }

is 'every file has a sentence on its purpose' nothing silent_files
is 'HACKING.md names every directory' nothing unnamed_directories
is 'HACKING.md names no directory that is gone' nothing gone_directories
is 'every document and section that is cited exists' nothing wrong_citations
is 'no source is listed twice' nothing doubled_lines
is 'every list in Makefile.am is whole' nothing stray_lines
is 'a release has all sources and documents' nothing unlisted_files
is 'all files have the version of configure.ac' nothing other_versions
is 'no two headers define the same tag' nothing doubled_tags
is 'tests are left by SKIP_TEST()' nothing failing_skips
finish
