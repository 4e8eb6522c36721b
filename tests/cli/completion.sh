#!/bin/sh
# completion.sh: completions of bash, zsh and fish, in each shell that is installed.
top_builddir=$(CDPATH='' cd -- "${top_builddir:-build}" && pwd)
. "$top_srcdir/tests/cli/lib.sh"
completions=$top_builddir/completions

# Each prints the completions of the last word of a line, whole or after its "=".
complete_in_bash() {
  # bash splits words at "=".  shellcheck disable=SC2016
  bash -c '. "$1"; COMP_WORDS=(${2//=/ = }); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    compopt() { :; }; _tfprof; printf "%s\n" "${COMPREPLY[@]}"' - "$completions/tfprof" "$1"
}
complete_in_fish() {
  # shellcheck disable=SC2016
  fish -c 'source $argv[1]; complete -C $argv[2]' "$completions/tfprof.fish" "$1" | cut -f 1
}
# zsh completes only on a terminal: its line editor presses Tab when it starts, and exits.
complete_in_zsh() {
  cat >"$work/.zshrc" <<'RC'
fpath=($COMPLETIONS $fpath)
autoload -Uz compinit && compinit -u -D && autoload -Uz _tfprof && compdef _tfprof tfprof
zle-line-init() {
  BUFFER=$LINE CURSOR=$#LINE
  zle complete-word
  print -r -- "$BUFFER" >$MADE
  exit
}
zle -N zle-line-init
RC
  rm -f "$work/made"
  COMPLETIONS=$completions LINE=$1 MADE=$work/made ZDOTDIR=$work \
    timeout "$patience" script -q -c 'zsh -i' "$work/typescript" </dev/null >/dev/null 2>&1
  sed 's/[ =,]*$//; s/.* //' "$work/made"
}

# completes SHELL LINE WORD
completes() { "complete_in_$1" "$2" | sed 's/=$//' | grep -q -x -E -e "([^ ]*=)?$3"; }

for shell in bash zsh fish; do
  if ! command -v "$shell" >/dev/null; then
    skip_case "$shell completes" "no $shell"
    continue
  fi
  is "$shell completes a command" completes "$shell" 'tfprof sco' scope
  is "$shell completes an option" completes "$shell" 'tfprof op -max_d' -max_depth
  is "$shell completes an option with two dashes" completes "$shell" 'tfprof --sel' --select
  is "$shell completes a switch" completes "$shell" 'tfprof --no-c' --no-config
  is "$shell completes a value" completes "$shell" 'tfprof op -order_by occ' occurrence
  is "$shell completes a value after =" completes "$shell" 'tfprof op -order_by=mic' micros
  is "$shell completes an output" completes "$shell" 'tfprof op -output timel' timeline:outfile
  is "$shell completes the second item of a list" completes "$shell" 'tfprof op -select params,mic' params,micros
done
finish
