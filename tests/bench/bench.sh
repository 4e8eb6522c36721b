#!/bin/sh
# bench.sh: a table of time and memory of all operations, at several sizes of a generated model.
#
# Environment variables:
#   BENCH_NODES   sizes, '10000 100000 1000000' by default; 10000000 takes 30 GB of disk
#   CAPTURES      sizes of captures in MB, '100 1000' by default; none: ''
#   TRACES        events of traces, 455000 by default (111 MB); 16500000 takes 4 GB of disk; none: ''
#   SNAPSHOTS     events of memory snapshots, 2300000 12900000 by default (180 MB, 1.0 GB); none: ''
#   ROUNDS        runs of each command, of which the median is printed (5; 3 from a million nodes
#                 on, 1 from ten million on; long commands then run once)
#   BASELINE      bench.tsv of an earlier run: every figure is followed by its ratio to the one there
#   TMPDIR        folder for generated models
# The figures are written to bench.tsv, one per line: nodes, what, figure, unit.
set -eu

bench=$top_builddir/tests/bench
sizes=${BENCH_NODES:-10000 100000 1000000}
results=bench.tsv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work
export HOME XDG_CONFIG_HOME XDG_STATE_HOME
tab=$(printf '\t')
began=$(date +%s)

# row WHAT FIGURE UNIT
row() { printf '%s\t%s\t%s\t%s\n' "$nodes" "$1" "$2" "$3" >>"$results"; }

# Prints the progress.
tell() { echo "bench: $nodes nodes: $1" >&2; }

fail() {
  echo "bench.sh: $nodes nodes: $1 failed" >&2
  exit 1
}

# Lines printed by the bench programs: what, figure, unit, and a comment.
rows_of() {
  "$@" >"$work/said" || fail "$*"
  while IFS=$tab read -r what figure unit _; do row "$what" "$figure" "$unit"; done <"$work/said"
}

# tfprof ARGUMENT...: sets wall (ms) and peak (KiB).
tfprof() {
  "$bench/measure" "$rounds" "$TFPROF" "$@" -q --no-config --no-state >"$work/said" || fail "tfprof $*"
  read -r wall _ peak <"$work/said"
}

calculate() { awk "BEGIN { printf \"%.4g\", ($1) }"; }
size_of() { cat "$@" | wc -c; }

# make KIND FILE [STEP]
make() { "$bench/gen" "$1" "$nodes" ${3:+"$3"} >"$work/$2"; }

rounds_at() {
  if [ -n "${ROUNDS:-}" ]; then echo "$ROUNDS"
  elif [ "$1" -ge 10000000 ]; then echo 1
  elif [ "$1" -ge 1000000 ]; then echo 3
  else echo 5
  fi
}

# load WHAT ARGUMENT... -- FILE...: the whole run of the program, including the rows of a
# view.  The first FILE is mapped, so its pages count as resident; "beside" is without them.
load() {
  what=$1
  shift
  arguments=
  while [ "$1" != -- ]; do arguments="$arguments $1" && shift; done
  shift
  bytes=$(size_of "$@") mapped=$(size_of "$1")
  # shellcheck disable=SC2086  # words, of paths without blanks
  tfprof scope $arguments -output none
  row "load $what" "$wall" ms
  row "load $what" "$(calculate "$bytes / 1e3 / $wall")" MB/s
  row "load $what" "$(calculate "$nodes / $wall")" knodes/s
  row "load $what: peak" "$(calculate "$peak * 1024 / $nodes")" B/node
  row "load $what: beside the file" \
    "$(calculate "($peak * 1024 - $mapped > 0 ? $peak * 1024 - $mapped : 0) / $nodes")" B/node
}

# Keeps graph and profile in $work; other files are large and removed at once.
loads() {
  make graph graph & make text text & wait
  load graph --graph_path "$work/graph" -- "$work/graph"
  load 'graph, text' --graph_path "$work/text" -- "$work/text"
  rm "$work/text"
  gzip -1c "$work/graph" >"$work/graph.gz"
  load 'graph, gzip' --graph_path "$work/graph.gz" -- "$work/graph"
  rm "$work/graph.gz"
  make run run0 & make log log & wait
  load 'graph and op log' --graph_path "$work/graph" --op_log_path "$work/log" -- "$work/graph" "$work/log"
  load 'graph and step' --graph_path "$work/graph" --run_meta_path "$work/run0" -- "$work/graph" "$work/run0"
  make run run1 1 & make run run2 2 & wait
  load 'graph, 3 steps, op log' --graph_path "$work/graph" --op_log_path "$work/log" \
    --run_meta_path "$work/run0,$work/run1,$work/run2" -- "$work/graph" "$work/run0" "$work/run1" "$work/run2" "$work/log"
  rm "$work/run0" "$work/run1" "$work/run2" "$work/log"
  make profile profile
  load profile --profile_path "$work/profile" -- "$work/profile"
}

# Whole runs of commands.
one_shots() {
  for view in scope graph op; do
    tfprof "$view" --graph_path "$work/graph" -select params,float_ops -max_depth 3
    row "one shot: $view of a graph" "$wall" ms
  done
  # Both graphs are read and their nodes matched: by name, and where no name is equal by
  # structure.  The replaced words have equal lengths, so that message lengths stay right.
  tfprof scope --graph_path "$work/graph" -diff_base "$work/graph" -output none
  row 'one shot: comparison with an equal graph' "$wall" ms
  LC_ALL=C sed 's/tower_/crane_/g' "$work/graph" >"$work/renamed"
  tfprof scope --graph_path "$work/graph" -diff_base "$work/renamed" -output none
  row 'one shot: comparison with a renamed graph' "$wall" ms
  rm "$work/renamed"
}

keys() {
  [ -x "$bench/keys" ] || return 0
  rows_of "$bench/keys" "$TFPROF" "$rounds" "$((rounds > 3 ? 5 : 1))" "$work/profile"
  make records run0
  rows_of "$bench/keys" "$TFPROF" "$rounds" 1 pictures -graph_path "$work/graph" -run_meta_path "$work/run0"
  rm "$work/run0"
}

# Figures that do not depend on the load of the machine.
counts() {
  command -v valgrind >/dev/null && [ "$nodes" -le 10000 ] || return 0
  for view in scope graph op code; do
    set -- "$TFPROF" "$view" --profile_path "$work/profile" -q --no-config --no-state
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" >/dev/null 2>"$work/said" || fail "$*"
    row "one shot: $view of a profile" "$(sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/said")" instructions
    valgrind --run-libc-freeres=no "$@" >/dev/null 2>"$work/said" || fail "$*"
    row "one shot: $view of a profile" "$(sed -n 's/.*total heap usage: \([0-9,]*\) allocs.*/\1/p' "$work/said" | tr -d ,)" allocations
  done
}

# Rows of measures, a column for each size; "growth" is the time per node at the last size as a
# multiple of that at the first, where the first is long enough to measure.
table() {
  awk -F'\t' -v sizes="$sizes" -v baseline="${BASELINE:-}" '
    function growth(first, last) { return last / size[n] / (first / size[1]) }
    BEGIN {
      while (baseline != "" && (getline line < baseline) > 0) {
        split(line, f, "\t")
        old[f[1], f[2], f[4]] = f[3]
      }
      n = split(sizes, size, " ")
      printf "%-48s", "what"
      for (i = 1; i <= n; i++) printf " %12s%s", size[i], baseline != "" ? "        " : ""
      printf("  %-12s %s\n", "unit", n > 1 ? "growth" : "")
    }
    $1 !~ /^[0-9]+$/ { next } # captures: a table of their own
    !(($2, $4) in seen) { seen[$2, $4] = 1; what[++rows] = $2; unit[rows] = $4 }
    { figure[$1, $2, $4] = $3 }
    END {
      for (r = 1; r <= rows; r++) {
        printf "%-48s", what[r]
        for (i = 1; i <= n; i++) {
          key = size[i] SUBSEP what[r] SUBSEP unit[r]
          printf " %12s", figure[key]
          if (baseline != "") printf(" %7s", old[key] > 0 && figure[key] != "" ? sprintf("x%.2f", figure[key] / old[key]) : "")
        }
        printf "  %-12s", unit[r]
        first = figure[size[1], what[r], unit[r]]
        last = figure[size[n], what[r], unit[r]]
        if (n > 1 && unit[r] == "ms" && what[r] !~ /screen|%$|worst$/ && first >= 0.05 && last != "") printf " %.2f", growth(first, last)
        print ""
      }
    }' "$results"
}

# Captures of several sizes: whole runs of the program, including all rows of the scope view.
# Pages of the file that are read count as resident.
captures() {
  rounds=${ROUNDS:-5}
  for megabytes in ${CAPTURES-100 1000}; do
    nodes="capture of $megabytes MB"
    tell loading
    "$bench/gen_capture" "$top_srcdir/tests/golden/captures/training.txt" "$megabytes" >"$work/capture.xplane.pb"
    tfprof scope "$work/capture.xplane.pb" -max_depth 100
    row load "$wall" ms
    row 'load: peak' "$(calculate "$peak / 1024")" MiB
    rm "$work/capture.xplane.pb"
  done
}

# Traces, compressed and not, up to the first rows, and the time to parse their JSON elsewhere.
traces() {
  for events in ${TRACES-455000}; do
    nodes="trace of $events events" rounds=3
    tell loading
    "$bench/gen_trace" "$events" >"$work/trace.json"
    tfprof scope "$work/trace.json" -output none
    row load "$wall" ms
    row 'load: peak' "$(calculate "$peak / 1024")" MiB
    row load "$(calculate "$(size_of "$work/trace.json") / 1e3 / $wall")" MB/s
    rows_of "$bench/scan_json" "$work/trace.json" 5
    command -v python3 >/dev/null && json_load "$work/trace.json"
    [ ! -x "$bench/keys" ] || rows_of "$bench/keys" "$TFPROF" "$rounds" 1 devices "$work/trace.json"
    gzip -1 "$work/trace.json"
    tfprof scope "$work/trace.json.gz" -output none
    row 'load, gzip' "$wall" ms
    rm "$work/trace.json.gz"
  done
}

# Memory snapshots, up to the first rows.
snapshots() {
  for events in ${SNAPSHOTS-2300000 12900000}; do
    nodes="snapshot of $events events" rounds=3
    tell loading
    "$bench/gen_snapshot" "$events" >"$work/snapshot.pickle"
    bytes=$(size_of "$work/snapshot.pickle")
    tfprof scope "$work/snapshot.pickle" -output none
    row load "$wall" ms
    row load "$(calculate "$bytes / 1e3 / $wall")" MB/s
    row 'load: peak' "$(calculate "$peak * 1024 / $bytes")" "of the file"
    tfprof memory "$work/snapshot.pickle" -output json
    row 'memory as json' "$wall" ms
    rm "$work/snapshot.pickle"
  done
}

# Samples of the formats that tests/golden has not, and models with their runs: whole runs, up to the
# first rows.
samples() {
  models=${TFPROF_MODEL_FILES:-$top_srcdir/../shared/golden/model-files}
  [ -d "$models" ] || { echo "bench: no $models: model files are not measured" >&2 && return 0; }
  for file in "$models"/*.onnx "$models"/*/*.onnx "$models"/*.tflite "$models"/*.sqlite \
    "$models"/ort_* "$models"/bench_* "$models"/nsys_ranks; do
    case $file in */broken/* | *'*'*) continue ;; esac
    nodes="sample ${file#"$models"/}" rounds=5
    set -- "$file"
    [ ! -d "$file" ] || set -- "$file"/*
    tfprof scope "$@" -output none
    row 'first rows (at most 100 ms)' "$wall" ms
  done
}

json_load() {
  "$bench/measure" 1 python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" >"$work/said" ||
    fail json.load
  read -r wall _ peak <"$work/said"
  row "Python's json.load" "$wall" ms
  row "Python's json.load: peak" "$(calculate "$peak / 1024")" MiB
}

machine() {
  processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
  printf '%s, %s cores, %s; %s\n' "${processor:-unknown processor}" "$(getconf _NPROCESSORS_ONLN)" \
    "$(uname -srm)" "$("$TFPROF" version | head -n 1)"
}

: >"$results"
for nodes in $sizes; do
  rounds=$(rounds_at "$nodes")
  tell loading
  loads
  tell commands
  one_shots
  tell changes
  rows_of "$bench/bench_view" "$nodes"
  tell exports
  rows_of "$bench/bench_export" "$work/profile" "$work/out" "$((rounds > 3 ? rounds : 1))"
  if tfprof scope "$work/profile" -max_depth 100000 -output sqlite:outfile="$work/run.db"; then
    row 'one shot: sqlite of a profile' "$wall" ms
  fi
  tell keys
  keys
  tell counts
  counts
  rm "$work"/*
done
captures
traces
snapshots
samples
machine
echo "medians of $(for nodes in $sizes; do rounds_at "$nodes"; done | paste -sd, -) runs; taken in $(($(date +%s) - began)) s"
table
awk -F'\t' '$1 !~ /^[0-9]+$/ { printf "%s: %-48s %12s %s\n", $1, $2, $3, $4 }' "$results"
