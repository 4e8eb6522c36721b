#!/bin/sh
# status.sh: exit statuses, error lines and the two streams.
. "$top_srcdir/tests/cli/lib.sh"

graph=$models/edge/one.pb.gz

# fails STATUS REGEX ARGUMENT...: no standard output, one line on standard error.
fails() {
  expected=$1 regex=$2
  shift 2
  run "$@"
  is "status $expected: $*" test "$status" -eq "$expected"
  is "the error is one line: $*" one_error_line
  is "it matches $regex: $*" grep -qE -e "^tfprof: $regex" "$work/stderr"
}

one_error_line() { [ ! -s "$work/stdout" ] && [ "$(wc -l <"$work/stderr")" -eq 1 ]; }

run scope "$graph" -select params
is_status 'success is status 0' 0
is_line 'the root row is printed' stdout '_TFProfRoot \(--/12 params\)'

run "$graph" scope -select params
is_line 'a file may precede the command' stdout '_TFProfRoot \(--/12 params\)'

run scope "$graph" -show_name_regexes nobody -select params
is_status 'an empty result is status 0' 0
is_line 'a note names the option that hides all rows' stderr 'tfprof: .*-show_name_regexes.*'
run scope "$graph" -show_name_regexes nobody -select params -q
is_text '-q silences the note' stderr ''

fails 2 'unknown command or file scopes: did you mean scope\?$' scopes "$graph"
fails 2 'unknown option -max_dept: did you mean -max_depth\?$' scope "$graph" -max_dept 3
fails 2 "-max_depth: 'four' is not a whole number$" scope "$graph" -max_depth four
fails 2 "-select: unknown field 'micro': did you mean micros\?$" scope "$graph" -select params,micro
fails 2 "-order_by: unknown order 'size'" scope "$graph" -order_by size
fails 2 "-show_name_regexes #2, column 6: .*'a\[12_'$" scope "$graph" -show_name_regexes 'ok,a[12_'
fails 2 "-output: unknown type 'pdf'" scope "$graph" -output pdf
fails 2 '-output pprof: not available for the scope view, only for: code$' scope "$graph" -output pprof:outfile=x
fails 2 '.*profile.*' scope --graph_path="$graph" --profile_path="$sample"
fails 2 'help: nothing about .frob.$' help frob
fails 2 'no input: name a file' scope
fails 1 "$work/nothing: .*" scope "$work/nothing"
fails 1 '.*-step=7 not found.*' scope "$sample" -step 7
fails 1 "$work/nowhere/x: cannot be written: No such file or directory$" \
  scope "$graph" -output "file:outfile=$work/nowhere/x"

run scope "$graph" -select params -q >/dev/null
is_text 'a run without problems prints nothing to standard error' stderr ''

run "$graph" -select params
is_line 'the scope view is the default without a terminal' stdout 'node name \| # parameters'

run version
is_line 'version prints the release' stdout 'tfprof [0-9.]+'
run --version
is_line '--version prints the release' stdout 'tfprof [0-9.]+'
run help
is_status 'help is status 0' 0
is_line 'help has the common options' stdout ' +-max_depth N .*'
is 'help has at most 60 lines' test "$(wc -l <"$work/stdout")" -le 60
is 'help has at most 80 columns' sh -c "! grep -E '.{81}' '$work/stdout'"
is 'help has every command' test "$(grep -cE '^  [a-z]+ +[a-z]' "$work/stdout")" -ge 24
run help all
is_line 'help all has all options' stdout ' +-hide_unaccounted BOOL .*'
run help agent
is 'help agent has at most 2 kB' test "$(wc -c <"$work/stdout")" -le 2048
is 'help agent is ASCII' sh -c "! LC_ALL=C grep '[^ -~]' '$work/stdout'"
run help blocking-sync
is_line 'help explains a finding' stdout '  blocking-sync +blocking calls leave .*'
run help -output json
is 'help as json' grep -q '^{"tfprof":2,"view":"help",' "$work/stdout"
run version -output json
is 'version as json' grep -q '"sandbox":{"no_new_privs":' "$work/stdout"
for topic in scope max_depth micros json float_operation options; do
  run help "$topic"
  is_status "help knows $topic" 0
done
run help self time
is_line 'several words are one topic' stdout '  self time +the time of a row .*'
for term in cumulative regression skew nccl oom mfu cuda module mcp exclusive inclusive 'self time' baseline 'flame graph' straggler bottleneck 'critical path' idle \
  'exposed communication' launch-bound roofline 'step time' gpu kernel 'exit status'; do
  run help "$term"
  is_status "help knows the term $term" 0
  is_line "help prints the line of $term" stdout "  .*$term.*"
done
run help Exclusive
is_line 'help finds a term by a synonym in any case' stdout '  self time +the time of a row without the rows below it.*'
run help -order_by
is_line 'help accepts an option with its dash' stdout ' +-order_by ORDER .*'
run help anatomy
is_line 'help finds a command by its former name' stdout '  breakdown +show where accelerator time goes, .*'
is_line 'help explains the columns of a table' stdout '  idle_launch +idle: launch latency'
run help keys
is_line 'help keys lists the keys of the screen' stdout '  Q <f10> +quit +quit'
run help sort
is_line 'help searches the keys' stdout '  s <f6> +sort +choose the order'
run help ']'
is_line 'help explains a key' stdout '  \] +step-next +show the next step'
is 'help on a key prints only that key' test "$(wc -l <"$work/stdout")" -eq 2
run help formats
is 'help explains each format' test "$(grep -c '^  [A-Za-z]' "$work/stdout")" -ge 11
run help xplane
is_line 'help finds a format by a word' stdout '  XPlane capture +captures of TensorFlow 2'
run help allocators
is_line 'help searches the descriptions of options and fields' stdout '  bytes +bytes requested from allocators'

# A reader closes the pipe: SIGPIPE ends the program without a message.  The status is that of the first command.
pipe_closed() {
  { timeout "$patience" "$TFPROF" scope "$sample" -max_depth 100 2>"$work/stderr"; echo $? >"$work/status"; } | head -n 1 >/dev/null
  [ ! -s "$work/stderr" ] && grep -qxE '141|0' "$work/status"
}
is 'a closed pipe ends the program without a message' pipe_closed

timeout "$patience" "$TFPROF" scope "$sample" -max_depth 100 >/dev/full 2>"$work/stderr"
status=$?
is_status 'a full disk at standard output is status 1' 1
is_line 'the error names standard output' stderr 'tfprof: standard output: cannot be written: No space left on device'

finish
