#!/bin/sh
# list_terminfo.sh: print the entries of common terminals as rows of a table in C.
# The names are those that Debian's ncurses-base holds.  infocmp's -Q2 writes a compiled entry in base64.
set -eu

for name in ansi cygwin linux rxvt rxvt-unicode rxvt-unicode-256color screen screen-256color \
  screen.xterm-256color tmux tmux-256color vt100 vt220 xterm xterm-256color xterm-color; do
  text=$("${INFOCMP:-infocmp}" -q -Q2 "$name" | tr -d '\n')
  printf '{"%s",\n "%s"},\n' "$name" "$text"
done
