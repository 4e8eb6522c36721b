#!/bin/sh
# manual.sh: the manual and the completions are well-formed and complete.
. "$top_srcdir/tests/cli/lib.sh"

page=$top_builddir/man/tfprof.1
bash_file=$top_builddir/completions/tfprof
zsh_file=$top_builddir/completions/_tfprof
fish_file=$top_builddir/completions/tfprof.fish

# skip WHAT PROGRAM
skip() {
  case_count=$((case_count + 1))
  echo "ok $case_count - $1 # SKIP no $2"
}

# Messages about pages that are not installed say nothing about ours.
lint() { ! mandoc -Tlint "$page" 2>&1 | grep -v 'outdated mandoc.db'; }
if command -v mandoc >/dev/null; then is 'mandoc finds nothing wrong' lint; else skip 'mandoc' mandoc; fi

no_table_left() { ! grep -q '^@' "$page"; }
is 'every table is filled in' no_table_left

run help options
options=$(sed -n 's/^ *-\([a-z_]*\) [A-Z].*/\1/p' "$work/stdout")
for name in $options; do
  is "-$name is in the manual and in all completions" \
    sh -c "grep -q '^.It Fl $name ' '$page' && grep -q -- '-$name|--$name)' '$bash_file' ||
      grep -q -- ' -$name ' '$bash_file' && grep -q -- '-$name\[' '$zsh_file' && grep -q -- '-o $name ' '$fish_file'"
done
is 'there are options' test -n "$options"

if command -v bash >/dev/null; then
  complete_with_bash() {
    bash -c '. "$1"; COMP_WORDS=(tfprof scope '"$1"'); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
      compopt() { :; }; _tfprof; printf "%s\n" "${COMPREPLY[@]}"' - "$bash_file" | grep -qx -e "$2"
  }
  is 'bash completes options' complete_with_bash '-max_d' '-max_depth'
  is 'bash completes orders' complete_with_bash '-order_by occ' 'occurrence'
  is 'bash completes the last of several fields' complete_with_bash '-select params,mic' 'params,micros'
else
  skip 'bash completes' bash
fi
if command -v zsh >/dev/null; then is 'zsh reads its file' zsh -n "$zsh_file"; else skip 'zsh reads its file' zsh; fi
if command -v fish >/dev/null; then is 'fish reads its file' fish -n "$fish_file"; else skip 'fish reads its file' fish; fi

finish
