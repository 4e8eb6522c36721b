#!/bin/sh
# coverage.sh: lines and branches covered by the tests, by file, worst first; then all
# statements of src together, and all branches of the loaders; runs in a build folder.
set -eu
find . -name '*.gcno' -path '*src*' |
  while read -r notes; do gcov -b -n "$notes" 2>/dev/null; done |
  awk -F"'" '
    function share(text) { split(text, part, /[:% ]+/); return part[3] }
    function count(text) { sub(/.* of /, "", text); return text }
    /^File / { file = $2; sub(/.*src\//, "src/", file) }
    /^No executable lines/ || (/^Lines executed:/ && file !~ /^src\/[a-z]+\/[^\/]*\.c$/) { file = "" }
    file == "" { next }
    /^Lines executed:/ {
      if (!(file in lines) || share($0) > lines[file]) { lines[file] = share($0); n_lines[file] = count($0) }
    }
    # "Taken at least once:80.00% of 120"
    /^Taken at least once:/ {
      sub(/^Taken at least once:/, "Branches taken:")
      if (!(file in taken) || share($0) > taken[file]) { taken[file] = share($0); n_branches[file] = count($0) }
    }
    END {
      for (file in lines) {
        printf "%6.2f%% of %4d lines, %6.2f%% of %4d branches  %s\n", lines[file], n_lines[file],
          taken[file], n_branches[file], file
        run += lines[file] * n_lines[file]; all += n_lines[file]
        if (file ~ /^src\/load\//) {
          load_taken += taken[file] * n_branches[file]; load_branches += n_branches[file]
        }
      }
      if (all) printf "%6.2f%% of %d lines of src\n", run / all, all | "cat >&2"
      if (load_branches)
        printf "%6.2f%% of %d branches of src/load\n", load_taken / load_branches, load_branches | "cat >&2"
    }' 2>total | sort -n
cat total
rm -f total
