#!/bin/sh
# bench.sh: one table of what everything costs, at several sizes of a generated model.
#
# The environment says how:
#   BENCH_NODES   sizes, '10000 100000' by default; a million takes a few minutes more
#   ROUNDS        runs of each command, of which the median is taken (5)
#   BASELINE      a bench.tsv of an earlier run: every figure gets its ratio to the one there
# The figures are left in bench.tsv, one a line: nodes, what, figure, unit.
set -eu

bench=$top_builddir/tests/bench
sizes=${BENCH_NODES:-10000 100000}
rounds=${ROUNDS:-5}
results=bench.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work
export HOME XDG_CONFIG_HOME XDG_STATE_HOME

# row WHAT FIGURE UNIT
row() { printf '%s\t%s\t%s\t%s\n' "$nodes" "$1" "$2" "$3" >>"$results"; }

# tfprof ARGUMENT...: sets wall (ms), cpu (ms) and peak (KiB).
tfprof() {
  # shellcheck disable=SC2046  # three figures
  set -- $("$bench/measure" "$rounds" "$TFPROF" "$@" -q --no-config --no-state)
  wall=$1 cpu=$2 peak=$3
}

calculate() { awk "BEGIN { printf \"%.4g\", ($1) }"; }
size_of() { wc -c <"$1" | tr -d ' '; }

make_models() {
  for kind in graph text run log profile; do "$bench/gen" "$kind" "$nodes" >"$work/$kind"; done
  gzip -1c "$work/graph" >"$work/graph.gz"
}

# load WHAT FILE ARGUMENT...: from the start of the program to its end without a result.
# Pages of FILE count as resident; "beside" is without them.
load() {
  what=$1 bytes=$(size_of "$2")
  shift 2
  tfprof scope "$@" -output none
  row "load $what" "$wall" ms
  row "load $what: rate" "$(calculate "$bytes / 1e3 / $wall")" MB/s
  row "load $what: rate" "$(calculate "$nodes / $wall")" knodes/s
  row "load $what: peak memory" "$(calculate "$peak * 1024 / $nodes")" B/node
  row "load $what: peak beside the file" \
    "$(calculate "($peak * 1024 - $bytes > 0 ? $peak * 1024 - $bytes : 0) / $nodes")" B/node
}

loads() {
  load 'graph' "$work/graph" --graph_path "$work/graph"
  load 'graph, gzip' "$work/graph" --graph_path "$work/graph.gz"
  load 'graph, text' "$work/text" --graph_path "$work/text"
  load 'profile' "$work/profile" --profile_path "$work/profile"
  cat "$work/graph" "$work/run" >"$work/both"
  load 'graph and step' "$work/both" --graph_path "$work/graph" --run_meta_path "$work/run"
  cat "$work/graph" "$work/log" >"$work/both"
  load 'graph and op log' "$work/both" --graph_path "$work/graph" --op_log_path "$work/log"
  rm "$work/both"
}

# export_as VIEW OUTPUT FIELD: the processor time that it adds to loading the profile.
export_as() {
  tfprof "$1" --profile_path "$work/profile" -output none -max_depth 1000000 -select "$3" -step 0
  before=$cpu
  tfprof "$1" --profile_path "$work/profile" -output "$2:outfile=$work/out" -max_depth 1000000 -select "$3" -step 0
  took=$(calculate "$cpu > $before ? $cpu - $before : 0.01")
  row "export $2 of $1" "$took" 'cpu ms'
  row "export $2 of $1: rate" "$(calculate "$(size_of "$work/out") / 1e3 / $took")" MB/s
  rm -f "$work/out"
}

exports() {
  export_as scope file micros,bytes,params,float_ops
  export_as scope json micros,bytes
  export_as scope csv micros,bytes
  export_as scope html micros
  export_as graph dot micros
  export_as code folded cpu_micros
  export_as code pprof micros
  export_as scope timeline micros
  export_as scope proto micros,bytes
  export_as scope profile micros
}

one_shots() {
  for view in scope graph op code; do
    tfprof "$view" --profile_path "$work/profile" -select micros,bytes
    row "one shot of a profile: $view" "$wall" ms
  done
}

# The library alone, in one process: first rows and changed options.
changes() {
  "$bench/bench_view" "$nodes" | sed -n 's/^\([^ ].*[^ ]\)  *\([0-9.]*\) ms .*/\1\t\2/p' |
    while IFS="$(printf '\t')" read -r what figure; do row "change $what" "$figure" ms; done
}

keys() {
  [ -x "$bench/keys" ] || return 0
  "$bench/keys" "$TFPROF" 5 "$work/profile" >"$work/keys" || { echo 'bench.sh: keys failed' >&2; return 0; }
  row 'screen: open to drawn' "$(sed -n 's/^open to.* \([0-9.]*\) ms.*/\1/p' "$work/keys")" ms
  sed -n 's/^\(.*\), [0-9]* keys: 50% \([0-9.]*\) ms, 90% \([0-9.]*\), 99% \([0-9.]*\), worst \([0-9.]*\)/\1, 50%=\2\n\1, 90%=\3\n\1, 99%=\4\n\1, worst=\5/p' "$work/keys" |
    while IFS='=' read -r what figure; do row "screen: $what" "$figure" ms; done
}

# Figures that do not depend on what else the machine does.
counts() {
  command -v valgrind >/dev/null && [ "$nodes" -le 10000 ] || return 0
  for view in scope code; do
    set -- "$TFPROF" "$view" --profile_path "$work/profile" -q --no-config --no-state
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" >/dev/null 2>"$work/said"
    row "instructions of a one shot: $view" "$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/said")" count
    valgrind --run-libc-freeres=no "$@" >/dev/null 2>"$work/said"
    row "allocations of a one shot: $view" "$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$work/said" | tr -d ,)" count
  done
}

# Rows of measures, a column for each size; "growth" is the cost of a node at the last size as
# multiple of that at the first.
table() {
  awk -F'\t' -v sizes="$sizes" -v baseline="${BASELINE:-}" '
    BEGIN {
      while (baseline != "" && (getline line < baseline) > 0) {
        split(line, f, "\t")
        old[f[1], f[2], f[4]] = f[3]
      }
      n = split(sizes, size, " ")
      printf "%-40s", "what"
      for (i = 1; i <= n; i++) printf " %12s%s", size[i], baseline != "" ? "        " : ""
      printf "  %-8s %s\n", "unit", n > 1 ? "growth" : ""
    }
    !(($2, $4) in seen) { seen[$2, $4] = 1; what[++rows] = $2; unit[rows] = $4 }
    { figure[$1, $2, $4] = $3 }
    END {
      for (r = 1; r <= rows; r++) {
        printf "%-40s", what[r]
        for (i = 1; i <= n; i++) {
          key = size[i] SUBSEP what[r] SUBSEP unit[r]
          printf " %12s", figure[key]
          if (baseline != "") printf " %7s", old[key] > 0 && figure[key] != "" ? sprintf("x%.2f", figure[key] / old[key]) : ""
        }
        printf "  %-8s", unit[r]
        first = figure[size[1], what[r], unit[r]]
        last = figure[size[n], what[r], unit[r]]
        if (n > 1 && unit[r] ~ /ms$/ && first > 0 && last != "") printf " %.2f", last / size[n] / (first / size[1])
        print ""
      }
    }' "$results"
}

machine() {
  processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
  printf '%s, %s cores, %s; %s; medians of %s runs\n' "${processor:-unknown processor}" \
    "$(getconf _NPROCESSORS_ONLN)" "$(uname -srm)" "$("$TFPROF" version | head -n 1)" "$rounds"
}

: >"$results"
machine
for nodes in $sizes; do
  make_models
  loads
  one_shots
  changes
  keys
  exports
  counts
done
table
