#!/bin/sh
# shell.sh: scripts at the line prompt.
. "$top_srcdir/tests/cli/lib.sh"

# script LINE...: runs the lines as a script.
script() {
  printf '%s\n' "$@" >"$work/script"
  run_with "$work/script" shell "$sample" $switches
}
switches=

script 'scope -max_depth 1 -select params'
is_status 'a script runs' 0
is_line 'a script prints its result' stdout '_TFProfRoot \(--/930.5.k params\)'

script 'set -select params -max_depth 1' 'op' 'op -select micros' 'op'
is 'set is persistent, options of a command are not' \
  test "$(grep -c '^node name | # parameters' "$work/stdout")" -eq 2

script '# a comment' '   # another' 'scope -max_depth 1 # behind'
is_status 'comments are skipped' 0
is_line 'the command before a comment runs' stdout '_TFProfRoot .*'

script '' 'set -show_name_regexes "a b,c\.d" -output none' ''
is_line 'an empty line prints all options' stdout '-max_depth +10'
is_line 'outputs are printed as TYPE:' stdout '-output {21}stdout:'
is_line 'lists are printed with commas and without quotes' stdout '-show_name_regexes {10}a b,c\\.d'
is_line 'current values are printed' stdout '-output {21}none:'

script 'scope -max_depth 1 -select params' 'scope -max_dept 3' 'op'
is_status 'an error ends a script' 2
is_line 'the error has the line number' stderr 'tfprof: line 2: unknown option -max_dept: did you mean -max_depth\?'
is 'no command after the error runs' test "$(grep -c '^node name' "$work/stdout")" -eq 1

switches=--keep-going
script 'scope -max_dept 3' 'scope -step 99' 'op -max_depth 0'
is_status '--keep-going exits with the first error status' 2
is_line '--keep-going prints every error' stderr 'tfprof: line 2: .*-step=99 not found.*'
is_line '--keep-going runs the remaining lines' stdout 'node name .*'
switches=

script 'quit' 'scope'
is_text 'quit ends a script' stdout ''
script 'set -max_depth nine' 'scope'
is_status 'an invalid value ends a script' 2

script 'tfprof> set -max_depth 4' 'tfprof> scope -account_type_regexes VariableV2 -select params'
is_status 'lines pasted with their prompt are accepted' 0
script 'help max_depth' 'version'
is_line 'help and version work in a script' stdout ' +-max_depth N .*'

script "scope -graph_path $sample"
is_status 'inputs cannot be changed at the prompt' 2
script "scope 'open"
is_line 'an open quote is an error' stderr "tfprof: line 1: missing closing '"
printf 'scope\0 -max_depth 1\n' >"$work/script"
run_with "$work/script" shell "$sample"
is_status 'a NUL byte is refused' 2

# The config file: options that become the defaults.
mkdir -p "$work/tfprof"
printf 'set -max_depth 1 -select params\nset -selekt params\n' >"$work/tfprof/tfprofrc"
run scope "$sample"
is_text 'the config file sets defaults' stdout "$(printf 'node name | # parameters\n_TFProfRoot (--/930.59k params)')"
is_line 'an invalid line of the config file gives a note' stderr \
  "tfprof: $work/tfprof/tfprofrc:2: unknown option -selekt: did you mean -select\?"
run scope "$sample" -select micros
is_line 'the command line overrides the config file' stdout 'node name \| total execution time.*'
awk 'BEGIN { for (i = 0; i < 10001; i++) print "set -max_depth 1" }' >"$work/tfprof/tfprofrc"
run scope "$sample" -select params
is_line 'excess lines of the config file are reported' stderr \
  "tfprof: $work/tfprof/tfprofrc:10001: lines from here on have no effect"
run scope "$sample" --no-config
is_line '--no-config ignores the config file' stdout 'node name \| total execution time.*'

finish
