# lib.sh: functions shared by the command line tests; a test sources it, calls `is ...` and ends with `finish`.
# shellcheck shell=sh
#
#   . "$top_srcdir/tests/cli/lib.sh"
#   run scope "$sample" -max_depth 1
#   is_status 'a profile is read' 0
#   is_line 'the root has all parameters' stdout '_TFProfRoot .*930.58k params.*'
#   finish
set -u

# Settings and language of the user must not affect the program.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
user_home=${HOME:-/}
# Tests that compile use the user's compiler cache.
case ${CC:-} in *ccache*) CCACHE_DIR=${CCACHE_DIR:-$(ccache -k cache_dir)} && export CCACHE_DIR ;; esac
LC_ALL=C.UTF-8 TERM=dumb HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work
export LC_ALL TERM HOME XDG_CONFIG_HOME XDG_STATE_HOME
# shellcheck disable=SC2034  # for the tests
sample=$top_srcdir/data/resnet32.pb.gz models=$top_srcdir/tests/golden/models
# Timeout in seconds, as in tests/fixtures/patience.h.
patience=300
case_count=0

# skip WHY...: reports that the whole test is skipped, and exits.
skip() {
  echo "1..0 # SKIP $*"
  exit 0
}

# run ARGUMENT...: the program's output goes to $work/stdout and $work/stderr, its status to $status.
run() {
  timeout "$patience" "$TFPROF" "$@" </dev/null >"$work/stdout" 2>"$work/stderr"
  status=$?
}

# run_with INPUT ARGUMENT...: the same with the file INPUT as standard input.
run_with() {
  input=$1
  shift
  timeout "$patience" "$TFPROF" "$@" <"$input" >"$work/stdout" 2>"$work/stderr"
  status=$?
}

# is WHAT COMMAND...: one case; it passes when COMMAND succeeds.
is() {
  what=$1
  shift
  case_count=$((case_count + 1))
  if "$@" >"$work/said" 2>&1; then
    echo "ok $case_count - $what"
  else
    echo "not ok $case_count - $what"
    sed 's/^/#   /' "$work/said"
    explain
  fi
}

# skip_case WHAT WHY: reports one skipped case.
skip_case() {
  case_count=$((case_count + 1))
  echo "ok $case_count - $1 # SKIP $2"
}

explain() {
  for stream in stdout stderr; do
    [ -f "$work/$stream" ] || continue
    echo "# $stream (status ${status-none}):"
    head -n 8 "$work/$stream" | cut -c1-160 | sed 's/^/#   /'
  done
}

# is_status WHAT STATUS
is_status() { is "$1" test "$status" -eq "$2"; }

# is_line WHAT STREAM REGEX: a whole line of STREAM (stdout, stderr) matches.
is_line() { is "$1" grep -qxE -e "$3" "$work/$2"; }

# is_text WHAT STREAM TEXT: STREAM is TEXT and a newline; an empty TEXT means an empty STREAM.
is_text() {
  if [ -n "$3" ]; then printf '%s\n' "$3"; fi >"$work/expected"
  is "$1" diff "$work/expected" "$work/$2"
}

# Every row with every figure in all four views, of all steps together and of the first one (of
# $steps, and with $fields, if they are set).
all_fields=params,float_ops,micros,accelerator_micros,cpu_micros,bytes,peak_bytes,residual_bytes
all_fields=$all_fields,output_bytes,occurrence,device,op_types,input_shapes
views() {
  for view in scope graph op code; do
    for step in ${steps--1 0}; do
      echo "$view -max_depth 100000 -step $step -select ${fields-$all_fields}"
    done
  done
}
all_views() {
  views >"$work/views"
  timeout "$patience" "$TFPROF" shell "$@" -q <"$work/views"
}

# same_rows WRITTEN-AS FILE ARGUMENT...: the second run of all_views prints the same as the first.
same_rows() {
  all_views "$@" >"$work/after" && test -s "$work/after" && cmp "$work/before" "$work/after"
}

finish() { echo "1..$case_count"; }
