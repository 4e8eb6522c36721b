#!/bin/sh
# coverage.sh: lines run by the tests, file by file, worst first; runs in a build folder.
set -eu
find . -name '*.gcno' -path '*src*' |
  while read -r notes; do gcov -n "$notes" 2>/dev/null; done |
  awk -F"'" '
    /^File / { file = $2 }
    /^No executable lines/ { file = "" }
    /^Lines executed:/ && file ~ /src\/[a-z]+\/[^\/]*\.c$/ {
      split($0, part, /[:% ]+/); share = part[3]; lines = part[5]
      sub(/.*src\//, "src/", file)
      if (!(file in best) || share > best[file]) { best[file] = share; total[file] = lines }
      file = ""
    }
    END {
      for (file in best) {
        printf "%6.2f%% of %4d  %s\n", best[file], total[file], file
        run += best[file] * total[file] / 100; all += total[file]
      }
      if (all) printf "%6.2f%% of %4d  all together\n", 100 * run / all, all
    }' | sort -n
