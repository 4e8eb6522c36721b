#!/bin/sh
# layering.sh: holds the rules between the layers that HACKING.md states, one case each.
. "$top_srcdir/tests/cli/lib.sh"

cd "$top_srcdir" || exit 1

# What a file of each layer may include besides its own directory and those below it.
allowed_for() {
  low='base model'
  core="$low load shapes flops opt match"
  case $1 in
    base) echo ;;
    term | hlo | digest) echo base ;;
    model) echo base ;;
    load) echo "$low opt hlo digest" ;;
    opt) echo "$low" ;;
    match) echo "$low" ;;
    shapes) echo "$low" ;;
    flops) echo "$low shapes" ;;
    view) echo "$core" ;;
    render) echo "$core view" ;;
    export) echo "$core view render digest" ;;
    session) echo "$core view render export" ;;
    cli) echo "$core view render export session digest" ;;
    tui) echo "$core view render export session term" ;;
    *) return 1 ;;
  esac
}

includes_stay_below() {
  layer=$1
  allowed="$layer $(allowed_for "$layer")" || return 1
  find src/"$layer" -name '*.[ch]' | sort | while read -r file; do
    sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u | while read -r other; do
      case " $allowed proto " in *" $other "*) ;; *) echo "$file includes $other/" ;; esac
    done
  done >"$work/wrong"
  cat "$work/wrong"
  [ ! -s "$work/wrong" ]
}

# only_in REGEX FILE-PATTERN...: no other source file has a line that matches.
only_in() {
  regex=$1
  shift
  find src -name '*.[ch]' | sort | while read -r file; do
    for place in "$@"; do
      # shellcheck disable=SC2254  # a pattern is meant
      case $file in $place) continue 2 ;; esac
    done
    grep -nE "$regex" "$file" /dev/null
  done >"$work/wrong"
  cat "$work/wrong"
  [ ! -s "$work/wrong" ]
}

# Symbols in writable sections of our own objects; constant tables that hold addresses live in
# .data.rel.ro, which is read-only once the program runs.  Three exceptions: any thread may run out
# of memory, a signal handler knows nothing but what lies at file level, and the key of hashes is
# drawn before main().
no_mutable_globals() {
  for archive in libtfprof.a libtfprofui.a; do
    objdump -t "$top_builddir/$archive" |
      awk '/file format/ { file = $1 } / O \.(data|bss|tbss|tdata)(\.[^r][^ ]*)?[ \t]/ { print file, $NF }'
  done | grep -vE 'xalloc\.o: (hooks|lock)$|hash\.o: hash_key$|term_signal\.o: state$|mapping\.o: (mappings|previous|setting)$' | grep -vE '__(gcov|asan|odr_asan|sancov)|\*?\.LASAN' >"$work/wrong"
  cat "$work/wrong"
  [ ! -s "$work/wrong" ]
}

# A mapped file may change between two looks at it.  So a function that walks a message twice takes no
# memory: what the first walk counted, the second one might find more of.
counts_and_fills_in_one_walk() {
  find src/load src/model -name '*.c' | sort | xargs awk '
    /^{/ { split("", walks); twice = takes = "" }
    /^}/ && twice && takes { print FILENAME ": " twice " twice, and " takes }
    match($0, /[^a-z_](ARENA_NEW|arena_alloc|arena_calloc|xcalloc|xmalloc|xreallocarray)\(/) {
      takes = substr($0, RSTART + 1, RLENGTH - 2)
    }
    {
      line = $0
      while (match(line, /(span_walk|wire_in_of)\([a-z_.>-]+/)) {
        walk = substr(line, RSTART, RLENGTH)
        if (walks[walk]++) twice = walk ")"
        line = substr(line, RSTART + RLENGTH)
      }
    }
    /struct wire_in [a-z_]+ = [a-z_]+;/ { twice = $0 }' >"$work/wrong"
  cat "$work/wrong"
  [ ! -s "$work/wrong" ]
}

# Prototypes in FILE... of what fills an array of the caller up to a maximum that the caller states: where the array
# is made, its size may be another one.
fillers() {
  cat "$@" | tr '\n' ' ' | tr ';' '\n' | sed 's/const [a-z_0-9 ]*[*]//g' |
    grep -oE '[a-z_0-9]+\([^()]*[*] ?[a-z_]+, *(size_t|u?int[0-9]*_t|int|unsigned) (n_)?(max|most|capacity|room)[,)]'
}

fills_what_it_makes() {
  echo 'size_t decode(const struct span *s, int64_t *values, size_t max);' >"$work/filler.h"
  [ -n "$(fillers "$work/filler.h")" ] || return 1
  find src/hlo src/load src/model src/shapes src/flops -name '*.h' >"$work/headers"
  # shellcheck disable=SC2046  # names without blanks
  ! fillers $(cat "$work/headers")
}

# Undefined symbols of the library, ncurses ones among them.
library_knows_no_terminal() {
  ! $NM -u "$top_builddir/libtfprof.a" | grep -E ' (initscr|newterm|endwin|wget_wch|waddch|setupterm|tigetstr)$'
}

for directory in src/*/; do
  layer=$(basename "$directory")
  is "$layer includes nothing above it" includes_stay_below "$layer"
done
is 'ncurses is known to two files' only_in '#include <(n?curses|term)[.]h' \
  'src/term/term_curses.c' 'src/term/terminfo.c'
is 'pcre2 is known to one file' only_in '#include <pcre2' 'src/base/regex_engine.c'
is 'protobuf-c is known to load and export alone' \
  only_in '#include (<protobuf-c|"proto/)' 'src/load/*' 'src/export/*'
is 'only cli prints' \
  only_in '(^|[^a-z_0-9])((v?printf|puts|putchar|perror) *\(|(f[a-z]+|putc) *\((.*[(, ])?std(out|err)[,)])' \
  'src/cli/*' 'src/main.c' 'src/docgen*.c' 'src/base/xalloc.c'
# Aside from constant text when memory is out, what libraries wrote while the screen was on, what
# libedit asks for, and a command whose words go to /dev/null.
is 'one function writes to standard error' only_in '[(, ]stderr *[,);]|STDERR_FILENO|perror|[^a-z_](v?warnx?|v?errx?) *\(' \
  'src/cli/say.c' 'src/docgen*.c' 'src/base/xalloc.c' 'src/term/stderr_capture.*' 'src/cli/prompt.c' 'src/tui/commands/spawn.c'
is 'libedit alone is given standard error' sh -c "! grep -n stderr '$top_srcdir/src/cli/prompt.c' | grep -v el_init"
is 'only main exits' only_in '(^|[^a-z_0-9])(_?exit|_Exit|quick_exit|abort) *\(' 'src/main.c' 'src/base/xalloc.c'
is 'one function opens files for reading' \
  only_in '(^|[^a-z_0-9.>])((f|fre)open(64)?|open(at|at2)?(64)?) *\(' \
  'src/base/system/open_input.*' 'src/cli/confine.c' 'src/export/sinks/sink_file.c' 'src/export/sinks/target_path.c' 'src/session/state.c' 'src/term/term_tty.c'
is 'whoever else opens files writes them' only_in 'O_RDONLY' 'src/base/system/open_input.c'
is 'one function starts threads' only_in '(^|[^a-z_0-9])pthread_create *\(' 'src/base/system/thread.*'
is 'nothing is left to do' only_in 'TODO|FIXME'
is 'no message is walked once to count and once to fill' counts_and_fills_in_one_walk
is 'no decoder fills an array by a size said elsewhere' fills_what_it_makes
is 'no global can be changed' no_mutable_globals
is 'the library knows no terminal' library_knows_no_terminal
finish
