#!/bin/sh
# manual.sh: the manual and the completions name all options.
. "$top_srcdir/tests/cli/lib.sh"

page=$top_builddir/man/tfprof.1
bash_file=$top_builddir/completions/tfprof
zsh_file=$top_builddir/completions/_tfprof
fish_file=$top_builddir/completions/tfprof.fish

# Ignores messages about pages that are not installed.
lint() { ! mandoc -Tlint "$page" 2>&1 | grep -v -e 'outdated mandoc.db' -e 'referenced manual not found'; }
if command -v mandoc >/dev/null; then is 'mandoc reports no problem' lint; else skip_case 'mandoc' 'no mandoc'; fi

no_table_left() { ! grep -q '^@' "$page"; }
is 'every table is filled in' no_table_left

run help options
options=$(sed -n 's/^ *-\([a-z_]*\) [A-Z].*/\1/p' "$work/stdout")
for name in $options; do
  is "-$name is in the manual and in all completions" \
    sh -c "grep -q '^.It Fl $name ' '$page' && grep -q -- '-$name|--$name)' '$bash_file' ||
      grep -q -- ' -$name ' '$bash_file' && grep -q -- '-$name=-*\[' '$zsh_file' && grep -q -- '-o $name ' '$fish_file'"
done
is 'the manual has options' test -n "$options"

finish
