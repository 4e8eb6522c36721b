#!/bin/sh
# words.sh [list]: comments, strings and documents use the terms of the field, and the subjects of commits have the
# form "area: what changed".  With `list` it prints the findings of each folder instead.
top_srcdir=${top_srcdir:-$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)}
. "$top_srcdir/tests/cli/lib.sh"
cd "$top_srcdir" || exit 1

# Retired words: an extended regular expression in lower case (\< and \> are ends of words), what to write
# instead, and why.  Columns are separated by "  ".
cat >"$work/table" <<'END'
# Terms with two meanings, or unknown in the field.
\<lanes?\>  track (of events), queue (of tasks), timeline (the picture)  three meanings
\<icicles?\>( (plot|view|picture|pane)s?)?  flame graph  the usual name of the picture
\<twins?\>  repeated layers  the usual name in profilers of models
\<anatom(y|ies)\>  breakdown  the usual name
\<trace_ids?\>|\<stack traces?\>|\<traces? of (calls|a call)\>  call stack  a trace is a file of events
\<recordings?\>  trace (a file), screen recording (a cast)  a file of events is a trace
\<query steps?\>|\<steps? of (the|a) query\>|\<step_(show|load|lift|match)\>  stage  a step is a training step
\<(the )?other side\>  baseline  the usual name of what a comparison compares with
\<ma(de|kes?) (the |all )?(others|other ranks|other hosts)?( )?wait\>|\<who waits for whom\>  stragglers  the usual name
\<is there work\>|\<nothing to do (for|but)\>  busy, idle  the usual names
\<ordinary time between a launch\>  launch latency  the usual name
\<(not|is) hidden behind comput(ing|ation)\>  exposed communication  the usual name
\<calls in which a thread waits\>  blocking synchronization  the usual name
[(]unlaunched[)]  (no recorded launch)  says what is missing
[(]no python frame[)]  (no Python stack)  says what is missing
# Unclear messages.
\<cpu was late\>  launch queue empty  the usual name
\<nothing but (communicat(e|ion)|runtime)\>  exposed communication, only runtime events  the usual names
\<kernels too short for their launch\>  launch-bound kernels  the usual name
\<always displayed, never accounted\>  the root row; it has no time of its own  not a sentence of the field
\<nothing any more\>|\<nodes more\>  stop comparing; N of M nodes matched  not English
\<works in a shell only\>  not available here; run `tfprof ...`  says what to do
\<nothing begins like this\>  no completion  the usual message
\<as short as the clock\>|\<the clock tells\>  maximum zoom: one column is one clock tick  a riddle
\<fewest rows that hold\>  top rows that make up N %  the usual words
\<the dearest\>  most expensive  money is not time
\<what stands out\>  diagnose bottlenecks  says what is reported
\<no name to go by\>  select a row first  says what to do
# Sentences that are not standard English.
\<lest\>  so that ... not, to avoid  archaic
\<whose each\>|\<each of whose\>  a sentence with a subject  not a sentence
\<what is of\>|\<of which (one|all|each|none) \>  name the thing  a riddle
\<(told|telling|tells?|tell) (them )?(apart|by)\>  distinguished by, identified by  idiom
\<of now\>  current  not English
\<of (what|which) (it|they|all) (is|are) of\>  name the thing  a riddle
\<lets? [a-z][a-z]+ (have|be|begin|go|say|know|stand)\>  a verb with an object  personification
\<(do|does|did|doing) without\>  needs no  idiom
\<go(es)? on (from|with)\>  continues  idiom
\<stands? (beside|behind|before|there|here|in the place)\>  is, follows, precedes  metaphor
\<as they are all\>|\<all that there (is|are)\>|\<that there (is|are) (for|of)\>|\<what there is (to|of)\>  name the things  a riddle
\<(it|they) (is|are) of\>  belongs to  not English
\<ends? last is alone\>  a sentence with a subject  a riddle
\<(what|who|that) is (seen|wanted) (is|was)\>|\<what is seen what is wanted\>  displayed view, requested view  a riddle
\<how much of what is\>|\<is attained\>  share of, achieved  a riddle
\<to and fro\>|\<hither\>|\<whence\>|\<thereof\>|\<wherein\>  back and forth  archaic
\<be (it|they)\>  or  archaic
\<to be had\>|\<may be had\>  available  archaic
\<nor (need|do|does|is|are|has|have) (it|they|there)\>  and ... not  inverted
\<it is no\>|\<there is no telling\>  it is not a  idiom
\<beside (it|them|that|those|each other|one another|what)\>  next to, in addition to  place is not order
\<no (matter|less|more) (but|than that)\>  name the condition  a riddle
\<does (no )?harm\>|\<do no harm\>  changes nothing, is safe  metaphor
\<begin(s)? nothing\>|\<say(s)? nothing of\>  start no task; does not mention  not English
\<twice the same proof\>|\<as good as\>  almost  idiom
# Personification of data and code.
\<(files?|events?|traces?|captures?|headers?|options?|rows?|nodes?|columns?|records?|request) (says?|tells?|asks?|knows?|wants?)\>  records, contains, requires, supports  data do not speak
\<whatever (it|they) says?\>|\<as [pq] says\>|\<tells? (whether|which|how|why|what|nothing)\>  shows, determines  data do not speak
\<knows (at|its|what|nothing|our)\>  has, stores  data do not know
\<brings? (them|it)\>  read, record  says what to do
\<takers?\>  consumers, users  the usual name of readers of an output
\<vouch(es)?\>  untrusted  metaphor
\<there (is|are):  available:  the usual message
\<too much work for\>  work limit exceeded  names the cause
\<leaves? what\>|\<what nothing\>  a sentence with a subject and an object  a riddle
END

# Exceptions: file, expression, reason.
cat >"$work/exceptions" <<'END'
.  [-"`_ ,]fold_twins|"twins"|'twins'|`twins`|,twins,  names of an option and of a json field
.  "(anatomy|base_name|made_wait|unlaunched|lanes)"|`(anatomy|made_wait|unlaunched|lanes)`  json fields and names that stay as aliases
.  (tfprof|run|help) (anatomy|lanes)|-picture (icicle|lanes)|icicle layout|/anatomy"  names that stay as aliases; the layout
.  casts?\>|screen  recordings of the screen
.  before recording\>  a row that outputs have
.  recording[.](c|h|devices|collectives|configs)\>|struct recording  names in the source
.  (in|row) [^a-z]*[(](unlaunched|no python frame)[)]|`[(](unlaunched|no python frame)[)]`  names of rows that outputs have
^src/(load/trace/trace_work|view/build/code)[.]c$|^tests/meaning/  [(](unlaunched|no python frame)[)]  names of rows that outputs have
^Makefile[.]am$  [a-z_]/[a-z_]*$|[/][a-z_/]*[.][ch]\>  names of sources
^doc/glossary[.]md$  .  old names, for whoever looks for them
^src/opt/aliases[.]c$|^tests/unit/tui/test_actions[.]c$  .  the old names of commands, actions and contexts of keys
^NEWS$  (flame graph|timeline|tracks|layers|breakdown)[^.]*[(](was )?(icicle|lanes|twins|anatomy)[)]  the retired names, once
^src/cli/glossary[.]c$  .  old names as synonyms, for whoever looks for them
^src/opt/view_list[.]h$  straggler|anatomy  synonyms that a search for an action finds
^src/cli/help_pages[.]c$|^src/session/brief/brief(_json|_text)?[.]c$|^tests/cli/brief[.]sh$  \<anatomy\>  the part of `brief`
^src/(export/rows/row_cells_parts|view/breakdown/breakdown_table)[.]c$  \<(twins|anatomy)\>  json fields
^tests/tui/test_open_calls[.]c$  nodes more  a note of the program
^tests/cli/compare[.]sh$|^src/view/delta[.]c$  of now  a note of the program
^src/match/  of now  the parameter NOW
^subjects$  (captures tell|event says|tell)  commits before this expression
^tests/cli/capture[.]sh$|^src/load/trace/trace_load[.]c$  beside it  a note of the program
END

# Reads files and prints "FOLDER: FILE:LINE: TEXT: write ...".
cat >"$work/words.awk" <<'END'
function bounded(regex) {
  gsub(/\\</, "(^|[^a-z0-9_])", regex)
  gsub(/\\>/, "([^a-z0-9_]|$)", regex)
  return regex
}

BEGIN {
  while ((getline line <table) > 0) {
    if (line ~ /^#/) continue
    split(line, part, "  ")
    regex[++n] = bounded(part[1])
    better[n] = part[2]
    any = any (n > 1 ? "|" : "") regex[n]
  }
  while ((getline line <exceptions) > 0) {
    split(line, part, "  ")
    where[++n_right] = part[1]
    right[n_right] = bounded(part[2])
  }
}

# Words of a block of text whose lines begin at start[1..n_lines].
function block_end(rule, rest, at, from) {
  text = tolower(block)
  if (text ~ any)
    for (rule = 1; rule <= n; rule++)
      for (at = 0; match(substr(text, at + 1), regex[rule]); at = from + RLENGTH - 1) {
        from = at + RSTART
        if (!is_right(substr(text, from > 24 ? from - 24 : 1, RLENGTH + 48))) found(from, RLENGTH, rule)
      }
  block = ""
  n_lines = 0
}

function is_right(text, i) {
  for (i = 1; i <= n_right; i++)
    if (file ~ where[i] && text ~ right[i]) return 1
  return 0
}

function found(from, len, rule, i) {
  for (i = n_lines; i > 1 && start[i] > from; i--);
  print folder ": " file ":" number[i] ": " substr(block, from > 20 ? from - 20 : 1, len + 40) ": write " better[rule]
}

function add(part) {
  gsub(/[ \t]+/, " ", part)
  start[++n_lines] = length(block) + 1
  number[n_lines] = FNR
  block = block part " "
}

FNR == 1 {
  block_end()
  file = FILENAME
  if (file ~ /subjects$/) file = "subjects"
  folder = file
  if (!sub(/\/.*/, "", folder)) folder = file == "subjects" ? file : "top"
  is_c = file ~ /[.][ch]$/
  in_comment = 0
}

!is_c {
  line = $0
  sub(/^[ \t]*(#+|\/\/|\*|[.]\\"|dnl) ?/, "", line)
  if (line == "" || file == "subjects") block_end()
  if (line != "") add(line)
  next
}

# Comments and strings of C.
{
  line = $0
  if (in_comment) {
    at = index(line, "*/")
    text = at ? substr(line, 1, at - 1) : line
    sub(/^[ \t]*\*? ?/, "", text)
    if (text != "") add(text)
    else block_end()
    if (!at) next
    in_comment = 0
    line = substr(line, at + 2)
  } else if (line !~ /["]|\/[*\/]/) {
    if (n_lines) block_end()
    next
  }
  while (match(line, /"([^"\\]|\\.)*"|\/\*|\/\//)) {
    token = substr(line, RSTART, 2)
    rest = substr(line, RSTART + RLENGTH)
    if (token == "/*") {
      at = index(rest, "*/")
      add(at ? substr(rest, 1, at - 1) : rest)
      if (!at) { in_comment = 1; next }
      line = substr(rest, at + 2)
    } else if (token == "//") {
      add(rest)
      next
    } else {
      if (line !~ /^#include/) add(substr(line, RSTART + 1, RLENGTH - 2))
      line = rest
    }
  }
}

END { block_end() }
END

# Texts written by people; not expected outputs of tests, nor generated files.
texts() {
  find .ci README.md HACKING.md NEWS Makefile.am configure.ac bootstrap.sh contrib debian doc man packaging proto src tests \
    -type d \( -path doc/casts -o -path tests/golden/cases -o -path tests/golden/captures -o -path tests/golden/models \
    -o -path tests/golden/modern -o -path '*/corpus' -o -path tests/tui/screens -o -path tests/fixtures/programs -o -name .deps \) \
    -prune -o -type f \( -name '*.[ch]' -o -name '*.sh' -o -name '*.awk' -o -name '*.md' -o -name '*.proto' -o -name '*.in' \
    -o -name '*.ac' -o -name '*.am' -o -path .ci/run -o -path NEWS -o -path 'contrib/*' -o -path 'debian/*' \) \
    ! -name '*.pb-c.[ch]' ! -name terminfo_entries.h ! -path tests/words.sh -print
}

# Subjects of the commits since this test runs in `make check`, in $work/subjects.
is_in_git() { git ls-files --error-unmatch tests/words.sh >/dev/null 2>&1; }
rule_commit() { git log -1 --format=%H --grep='^tests: run words[.]sh in make check$'; }
: >"$work/subjects"
! is_in_git || git log --no-merges --format=%s "$(rule_commit)..HEAD" >"$work/subjects"

# shellcheck disable=SC2046  # names without blanks
awk -v table="$work/table" -v exceptions="$work/exceptions" -f "$work/words.awk" $(texts) "$work/subjects" >"$work/found" || exit 1
if [ "${1:-}" = list ]; then
  cut -d: -f1 "$work/found" | sort | uniq -c
  cut -d: -f2- "$work/found"
  exit
fi

standard() { ! grep "^$1: " "$work/found"; }
formed() { ! grep -vE '^[a-z0-9_./-]+(, ?[a-z0-9_./-]+)*: [^ ].{5,}$' "$work/subjects"; }
short() { ! grep -E '.{73}' "$work/subjects"; }

is 'README, HACKING, NEWS and what builds use standard terms' standard top
for folder in contrib debian doc man packaging proto src tests; do
  is "$folder uses standard terms" standard "$folder"
done
if is_in_git; then
  is 'subjects of commits use standard terms' standard subjects
  is 'they have the form "area: what changed"' formed
  is 'they have at most 72 characters' short
else
  skip_case 'subjects of commits' 'no git'
fi
finish
