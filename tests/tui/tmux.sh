#!/bin/sh
# tmux.sh: src/term in a real multiplexer under a real shell: keys, mouse,
# paste, resize, ^Z and fg, the restored terminal.  Waits for messages of the program, never for time.
top_srcdir=${top_srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
top_builddir=${top_builddir:-$top_srcdir/build}
. "$top_srcdir/tests/cli/lib.sh"
probe=${TFPROF_PROBE:-$top_builddir/tests/tui/probe}
if ! command -v tmux >/dev/null || [ ! -x "$probe" ]; then
  echo '1..0 # SKIP tmux or the probe is missing'
  exit 0
fi

tmux() { command tmux -S "$work/socket" -f "$work/conf" "$@"; }
trap 'tmux kill-server 2>/dev/null; rm -rf "$work"' EXIT
SHELL=/bin/sh # a user without a login has no shell for tmux to start
export SHELL
echo 'set -g default-terminal tmux-256color' >"$work/conf"
mkfifo "$work/sync"
# With a low limit on descriptors tmux itself exits.
case $(ulimit -n) in
  unlimited | [0-9][0-9][0-9][0-9]*) ;;
  *) echo '1..0 # SKIP tmux takes more open files than are allowed'; exit 0 ;;
esac
if ! tmux new-session -d -x 300 -y 20 "exec sh" 2>"$work/why" || ! tmux list-sessions >/dev/null 2>&1; then
  echo "1..0 # SKIP tmux does not start here: $(head -n 1 "$work/why")"
  exit 0
fi
# Opened for reading and writing, so that neither side blocks.
exec 3<>"$work/sync"

# The state that the program reports once everything sent so far is drawn.
sync() {
  tmux send-keys -H 1b 5b 39 39 7e
  timeout "$patience" head -c 1 <&3 >/dev/null && timeout "$patience" sh -c 'read -r line; echo "$line"' <&3
}
keys() { tmux send-keys "$@" && sync >/dev/null; }
# tmux updates its pane asynchronously: repeats until the time limit for a program that hangs.
becomes() {
  last=$(($(date +%s) + patience))
  until "$@"; do
    [ "$(date +%s)" -lt "$last" ] || return 1
  done
}
holds() { tmux capture-pane -p >"$work/stdout" && grep -qF -e "$1" "$work/stdout"; }
shows() { becomes holds "$1"; }
has_mode() { [ "$(tmux display-message -p "#{$1}")" = "$2" ]; }
mode() { becomes has_mode "$1" "$2"; }

tmux send-keys "TFPROF_TEST_FD=9 $probe 9>$work/sync" Enter
is 'it starts' sync
is 'the first screen is drawn' shows 'size 300x20 colors 256 utf8 1'
is 'on the alternate screen' mode alternate_on 1
is 'it asks for the mouse in the long form' mode mouse_sgr_flag 1
keys C-Left
is 'keys with modifiers arrive' shows 'key <c-left>'
tmux send-keys -H 1b 5b 3c 30 3b 32 35 31 3b 33 4d
keys
is 'the mouse works beyond column 223' shows 'mouse press 1 at 2,250'
tmux set-buffer 'q pasted'
tmux paste-buffer -p
keys
is 'a pasted q is text' shows 'paste 8 q pasted'
tmux resize-window -x 60 -y 10
keys
is 'it follows the size' shows 'size 60x10 colors 256 utf8 1'
tmux send-keys C-z
is '^Z gives the shell' shows 'Stopped'
is 'and the main screen' mode alternate_on 0
is 'without the mouse' mode mouse_any_flag 0
tmux send-keys fg Enter
is 'fg comes back' sync
is 'to the whole screen' shows 'size 60x10 colors 256 utf8 1'
is 'with the mouse' mode mouse_sgr_flag 1
tmux send-keys S
is 'a crash gives the main screen back' mode alternate_on 0
tmux send-keys 'echo is "b"ack; stty -a | grep -o "echo ec..e"' Enter
is 'and the shell' shows 'is back'
is 'and no mouse' mode mouse_any_flag 0
is 'and lines that echo' shows 'echo echoe'
finish
