#!/bin/sh
# sandbox.sh: the sandbox limits the damage of a bug: the program tries to break out.
. "$top_srcdir/tests/cli/lib.sh"

case $(head -c 300 "$TFPROF" | tr -d '\0') in
  *valgrind*)
    skip 'valgrind does not know these calls'
    ;;
esac
breakout=$top_builddir/tests/cli/breakout
graph=$models/edge/one.pb.gz
BREAKOUT_ELSEWHERE=$work/elsewhere BREAKOUT_HERE=$work/here
export BREAKOUT_ELSEWHERE BREAKOUT_HERE
[ -z "${sanitized-}" ] || export BREAKOUT_SANITIZED=yes

run version
is_line 'version reports no_new_privs' stdout 'no_new_privs  on'
landlock='' seccomp=''
if grep -q '^Landlock *on' "$work/stdout"; then landlock=yes; fi
if grep -q '^seccomp *on' "$work/stdout"; then seccomp=yes; fi
is_line 'version reports Landlock' stdout 'Landlock      (on, ABI [0-9]+|off: not offered by the kernel)'
is_line 'version reports seccomp' stdout 'seccomp       (on|off: not offered by the kernel)'

# break_out ARGUMENT...: the results of the attempts are in $work/said_NAME.
break_out() {
  rm -rf "$BREAKOUT_ELSEWHERE" "$BREAKOUT_HERE"
  mkdir "$BREAKOUT_ELSEWHERE" "$BREAKOUT_HERE"
  echo fixed >"$BREAKOUT_ELSEWHERE/victim"
  (cd "$BREAKOUT_HERE" && timeout "$patience" "$breakout" "$@" </dev/null >"$work/stdout" 2>"$work/stderr")
  status=$?
}
# answered ANSWER NAME...: one case per attempt.
answered() {
  answer=$1
  shift
  for attempt in "$@"; do is "$mode: $attempt: $answer" grep -qx "$attempt $answer" "$work/stdout"; done
}
skipped() { skip_case "$mode: $1" 'this kernel has none'; }

needed() {
  answered done 'read a file' 'make a file here' 'rename a file here' 'remove a file here' \
    'signal itself' 'start a thread'
}
files_are_refused() {
  [ -n "$landlock" ] || { skipped Landlock; return; }
  answered refused 'make a file' 'write a file' 'empty a file' 'make a nameless file' \
    'remove a file' 'rename a file' 'move a file here' 'link a file here' 'make a link' \
    'make a link here' 'make a folder' 'make a pipe' 'empty a file that is read'
  is "$mode: the file is unchanged" grep -qx fixed "$BREAKOUT_ELSEWHERE/victim"
  is "$mode: no other file exists" test "$(ls -A "$BREAKOUT_ELSEWHERE")" = victim
}
calls_are_refused() {
  [ -n "$seccomp" ] || { skipped seccomp; return; }
  answered refused 'make a device' 'change a mode' 'change an owner' 'change a time' \
    'change an attribute' 'make a socket' 'make a socket of the machine' 'make shared memory' \
    'signal another process' 'read another process' 'change the user' 'type into the terminal' \
    'make a namespace' mount 'load a filter' 'make a ring' 'hold a key' \
    'change a mode by a newer call' 'change an attribute by a newer call' \
    'change flags by a newer call' 'change the mode of an open file' \
    'change the owner of an open file' 'change the time of an open file' \
    'change an attribute of an open file' 'change the flags of an open file' \
    'limit another process' 'change the priority of another process' \
    'change the schedule of another process' 'move another process' 'leave the group' \
    'signal another process by a descriptor'
  [ -n "${sanitized-}" ] ||
    answered refused fork spawn 'trace another process' 'run a program' 'run a program from memory'
}

# Tests the test: without the sandbox the attempts succeed.
mode='no sandbox'
BREAKOUT_OPEN=yes
export BREAKOUT_OPEN
break_out scope "$graph"
needed
answered done 'make a file' 'write a file' 'empty a file' 'remove a file' 'rename a file' \
  'move a file here' 'link a file here' 'make a link' 'make a link here' 'make a folder' \
  'make a pipe' 'change a mode' 'change an owner' 'change a time' 'make a socket' \
  'make a socket of the machine' 'make shared memory' 'signal another process' 'signal the group' \
  'change the user' 'change the mode of an open file' 'change the owner of an open file' \
  'change the time of an open file' 'empty a file that is read' 'limit another process' \
  'leave the group' 'signal another process by a descriptor'
[ -n "${sanitized-}" ] || answered done fork spawn
unset BREAKOUT_OPEN

mode='with an output'
break_out scope "$graph" -output "csv:outfile=$BREAKOUT_HERE/out"
is_status 'the sandboxed program succeeds' 0
is 'the sandboxed program writes its output' test -s "$BREAKOUT_HERE/out"
needed
files_are_refused
calls_are_refused
if [ -n "$seccomp" ]; then answered refused 'signal the group'; fi

mode='on standard output'
break_out scope "$graph"
is_status 'the sandboxed program succeeds' 0
files_are_refused
if [ -n "$landlock" ]; then answered refused 'make a file here'; fi
calls_are_refused

mode='the page of what is loaded'
break_out summary "$graph"
files_are_refused
calls_are_refused

# Lines of the prompt may write anywhere; ^Z stops the job.
mode='the prompt'
break_out shell "$graph"
needed
answered done 'make a file' 'signal the group'
calls_are_refused

mode='the secure prompt'
TFPROF_SECURE=1
export TFPROF_SECURE
break_out shell "$graph"
needed
files_are_refused
calls_are_refused
unset TFPROF_SECURE

# The status of the program while it waits for its input.
mkfifo "$work/input"
held_to() {
  "$TFPROF" scope "$work/input" >"$work/stdout" 2>"$work/stderr" &
  pid=$!
  # Opened for reading and writing, so that opening never blocks; the program reads inside the sandbox.
  exec 9<>"$work/input"
  until grep -qE '^Seccomp:.*2' "/proc/$pid/status"; do kill -0 "$pid" || break; done
  cp "/proc/$pid/status" "$work/held"
  kill -TERM "$pid"
  wait "$pid"
  exec 9>&-
}
if [ -n "$seccomp" ]; then
  held_to
  is 'the program gains no privileges' grep -qE '^NoNewPrivs:.*1$' "$work/held"
  is 'system calls of the program are filtered' grep -qE '^Seccomp:.*2$' "$work/held"
else
  skipped 'the filter'
fi
finish
