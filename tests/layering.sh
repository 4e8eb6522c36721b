#!/bin/sh
# layering.sh: the rules between layers in HACKING.md, one case each.
. "$top_srcdir/tests/cli/lib.sh"

cd "$top_srcdir" || exit 1

# All sources are read once: $work/wrong gets a line "RULE: FILE:LINE: TEXT" for each violation.
cat >"$work/rules.awk" <<'END'
# Layer NAME may include its own folder, proto and OTHERS.
function layer(name, others) { allowed[name] = " " name " proto " others " " }

# Folders of layer NAME, the lowest first; "." is that of the layer itself.  A file may include those up to its own.
function folders(name, list,  i, n, parts) {
  n = split(list, parts, " ")
  for (i = 1; i <= n; i++) rank["src/" name (parts[i] == "." ? "" : "/" parts[i])] = i
  is_ordered[name] = 1
}

function directory(path) { sub(/\/[^\/]*$/, "", path); return path }

# REGEX may match only in files whose path matches WHERE.
function only_in(rule, where, regex) {
  rules[++n_rules] = rule
  files[n_rules] = where
  text[n_rules] = regex
}

function wrong(rule) { print rule ": " FILENAME ":" FNR ": " $0 }

BEGIN {
  low = "base model"
  core = low " load shapes flops opt match"
  layer("base", "")
  layer("term", "base")
  layer("hlo", "base")
  layer("digest", "base")
  layer("model", "base")
  layer("load", low " opt hlo digest")
  layer("opt", low)
  layer("match", low)
  layer("shapes", low)
  layer("flops", low " shapes")
  layer("activity", low " opt")
  layer("view", core " activity")
  layer("render", core " view")
  layer("export", core " activity view render digest")
  layer("session", core " activity view render export")
  layer("cli", core " activity view render export session digest")
  layer("tui", core " activity view render export session term")

  folders("base", ". regex system")
  folders("load", "text . bytes slices graph checkpoint xplane hlo trace replay nsys tflite onnx pprof run snapshot digest inputs")
  folders("view", "build . breakdown pictures explain advise findings")
  folders("shapes", ". rules values")
  folders("export", "sinks rows tables . pictures parquet sql timeline")
  folders("session", "summary . check brief")
  folders("tui", "rows . tasks dialogs panes panes/details pictures tables commands screen")

  before = "(^|[^a-z_0-9])"
  only_in("ncurses", "^src/term/(term_curses|terminfo)[.]c$", "#include <(n?curses|term)[.]h")
  only_in("pcre2", "^src/base/regex/regex_engine[.]c$", "#include <pcre2")
  only_in("protobuf-c", "^src/(load|export)/", "#include (<protobuf-c|\"proto/)")
  only_in("print", "^src/(cli/|main[.]c$|docgen|base/xalloc[.]c$)",
    before "((v?printf|puts|putchar|perror) *[(]|(f[a-z]+|putc) *[(](.*[(, ])?std(out|err)[,)])")
  # Constant text when out of memory, output of libraries while the screen was active, what libedit requires, and
  # a command whose output goes to /dev/null.
  only_in("standard error",
    "^src/(cli/report[.]c|docgen.*|base/xalloc[.]c|term/stderr_capture[.].*|cli/prompt[.]c|tui/commands/spawn[.]c)$",
    "[(, ]stderr *[,);]|STDERR_FILENO|perror|[^a-z_](v?warnx?|v?errx?) *[(]")
  only_in("exit", "^src/(main|base/xalloc)[.]c$", before "(_?exit|_Exit|quick_exit|abort) *[(]")
  only_in("open", "^src/(base/system/open_input[.].*|cli/confine[.]c|export/sinks/(sink_file|target_path)[.]c|" \
    "session/state[.]c|term/term_tty[.]c)$",
    "(^|[^a-z_0-9.>])((f|fre)open(64)?|open(at|at2)?(64)?) *[(]")
  only_in("read", "^src/base/system/open_input[.]c$", "O_RDONLY")
  only_in("thread", "^src/base/system/thread[.]", before "pthread_create *[(]")
  only_in("unfinished", "^$", "TODO|FIXME")

  # Names of formats in code: consumers of a profile must not depend on its format.  Exceptions are a
  # format that is written, states of the screen that undo restores, standard error that is captured,
  # captured graphs of CUDA and HIP, and the name of a trace's writer, which is a field of its record.
  format_files = "^src/(load|model|hlo|term)/|^src/export/(pprof[.]c|output[.]h)$|" \
    "^src/tui/(undo[.].|nav[.]h|places[.]c|commands/cmd_undo[.]c)$"
  format_names = before "(captur|recordin|snapshot|xplane|xspace|kineto|nsys|pprof|xprof|dialect)"
  no_format = "graph_capture|captures|row->capture|r->capture|add_capture|AT\\(capture\\)|\\*capture;|" \
    "JOIN_NO_CAPTURE|dialect_(name|framework)\\(\\(enum dialect\\)r?(b->p->recorders\\[0\\])?(->|[.])dialect"
}

# The code of a line: without comments and strings.
function code_of(line) {
  if (line ~ /^ *(\/\*|\*)/) return ""
  sub(/\/\*.*/, "", line)
  gsub(/"([^"\\]|\\.)*"/, "", line)
  return line
}

FNR == 1 {
  split(FILENAME, folder, "/")
  n_held = 0
  for (i = 1; i <= n_rules; i++)
    if (FILENAME !~ files[i]) held[++n_held] = i
  decodes = FILENAME ~ /^src\/(load|model)\/.*[.]c$/
}

{
  for (i = 1; i <= n_held; i++)
    if ($0 ~ text[held[i]]) wrong(rules[held[i]])
}

FILENAME !~ format_files {
  line = code_of($0)
  gsub(no_format, "", line)
  if (tolower(line) ~ format_names) wrong("format")
}

/^#include "/ && FILENAME ~ /^src\/.*\// {
  split(substr($0, 11), other, "/")
  if (is_ordered[folder[2]] && other[1] == folder[2]) {
    from = rank[directory(FILENAME)]
    to = rank["src/" directory(substr($2, 2))]
    if (!from || !to || to > from) wrong("folders " folder[2])
  }
  if (other[1] !~ /["]/ && index(allowed[folder[2]], " " other[1] " ") == 0) wrong("layer " folder[2])
}

/stderr/ && !/el_init/ && FILENAME == "src/cli/prompt.c" { wrong("libedit") }

# A mapped file may change between two reads.  So a function that walks a message twice allocates no
# memory by a count: the second walk might find more elements.
!decodes { next }
/^{/ { split("", walks); twice = takes = "" }
/^}/ && twice && takes { print "walks: " FILENAME ": " twice " twice, and " takes }
match($0, /[^a-z_](ARENA_NEW|arena_alloc|arena_calloc|xcalloc|xmalloc|xreallocarray)[(]/) {
  takes = substr($0, RSTART + 1, RLENGTH - 2)
}
/span_walk|wire_in_of/ {
  line = $0
  while (match(line, /(span_walk|wire_in_of)[(][a-z_.>-]+/)) {
    walk = substr(line, RSTART, RLENGTH)
    if (walks[walk]++) twice = walk ")"
    line = substr(line, RSTART + RLENGTH)
  }
}
/struct wire_in [a-z_]+ = [a-z_]+;/ { twice = $0 }
END
find src -name '*.[ch]' | sort | xargs awk -f "$work/rules.awk" >"$work/wrong" || exit 1

# holds RULE: no line violates it.
holds() { ! grep "^$1: " "$work/wrong"; }

# layer_holds NAME: the rule exists, and no line violates it.
layer_holds() { grep -q "^  layer(\"$1\"," "$work/rules.awk" && holds "layer $1"; }

# Symbols in writable sections of our own objects; constant tables that contain addresses are in
# .data.rel.ro, which is read-only at run time.  Three exceptions: any thread may run out
# of memory, a signal handler can only use variables at file level, and the key of hashes is
# drawn before main().
no_mutable_globals() {
  ! objdump -t "$top_builddir/libtfprof.a" "$top_builddir/libtfprofui.a" |
    awk '/file format/ { file = $1 } / O \.(data|bss|tbss|tdata)(\.[^r][^ ]*)?[ \t]/ { print file, $NF }' |
    grep -vE 'xalloc\.o: (hooks|lock)$|hash\.o: hash_key$|term_signal\.o: state$|mapping\.o: (mappings|previous|setting)$|__(gcov|asan|odr_asan|sancov)|\*?\.LASAN'
}

# Prototypes on standard input of functions that fill an array of the caller up to a maximum given by the caller:
# the actual size of the array may differ.
fillers() {
  tr '\n' ' ' | tr ';' '\n' | sed 's/const [a-z_0-9 ]*[*]//g' |
    grep -oE '[a-z_0-9]+\([^()]*[*] ?[a-z_]+, *(size_t|u?int[0-9]*_t|int|unsigned) (n_)?(max|most|capacity|room)[,)]'
}

fills_what_it_makes() {
  echo 'size_t decode(const struct span *s, int64_t *values, size_t max);' | fillers >/dev/null || return 1
  ! find src/hlo src/load src/model src/shapes src/flops -name '*.h' -exec cat {} + | fillers
}

# Undefined symbols of the library, ncurses ones among them.
library_knows_no_terminal() {
  ! $NM -u "$top_builddir/libtfprof.a" | grep -E ' (initscr|newterm|endwin|wget_wch|waddch|setupterm|tigetstr)$'
}

for directory in src/*/; do
  layer=${directory#src/} layer=${layer%/}
  is "$layer includes nothing above it" layer_holds "$layer"
done
for layer in base load shapes view export session tui; do
  is "folders of $layer include none above them" holds "folders $layer"
done
is 'ncurses is known to two files' holds ncurses
is 'pcre2 is known to one file' holds pcre2
is 'protobuf-c is known to load and export alone' holds protobuf-c
is 'only cli prints' holds print
is 'one function writes to standard error' holds 'standard error'
is 'libedit alone is given standard error' holds libedit
is 'only main exits' holds exit
is 'one function opens files for reading' holds open
is 'whoever else opens files writes them' holds read
is 'one function starts threads' holds thread
is 'nothing is left to do' holds unfinished
is 'no file format is named above load' holds format
is 'no message is walked once to count and once to fill' holds walks
is 'no decoder fills an array by a size said elsewhere' fills_what_it_makes
is 'no global can be changed' no_mutable_globals
is 'the library knows no terminal' library_knows_no_terminal
finish
