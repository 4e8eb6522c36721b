#!/bin/sh
# hosts.sh: hosts of captures and of parts of digests, and ranks of traces: comparison, and selection
# with -host_regexes.
. "$top_srcdir/tests/cli/lib.sh"

texts=$top_srcdir/tests/golden/captures
capture() { # NAME SED TEXT
  sed "$2" "$texts/$3.txt" >"$work/text"
  "$top_builddir/tests/fixtures/write_capture" "$work/text" "$work/$1.xplane.pb" || exit 1
}

# same_as_alone WHAT FILE REGEX FILES...: FILES with -host_regexes REGEX print the same as FILE.
same_as_alone() {
  what=$1 file=$2 regex=$3
  shift 3
  for view in scope graph op code advise steps ranks; do
    run "$view" "$file"
    cp "$work/stdout" "$work/alone"
    run "$view" "$@" -host_regexes "$regex"
    is "$what: $view" cmp "$work/alone" "$work/stdout"
  done
}

# ---- captures: a file for each host
capture a '' two_hosts_a
capture b '' two_hosts_b
run hosts "$work/a.xplane.pb" "$work/b.xplane.pb"
is_line 'hosts of a capture are compared' stdout 'a delayed others by .* in [0-9]* of [0-9]* collectives? \(own work .*, median .*\)'
same_as_alone 'the first host' "$work/a.xplane.pb" a "$work/a.xplane.pb" "$work/b.xplane.pb"
same_as_alone 'the second host' "$work/b.xplane.pb" '[^a]' "$work/a.xplane.pb" "$work/b.xplane.pb"
run scope "$work/a.xplane.pb" "$work/b.xplane.pb" -host_regexes a
is_line 'the number of selected hosts is reported' stderr 'tfprof: -host_regexes: 1 of 2 hosts'
run scope "$work/a.xplane.pb" "$work/b.xplane.pb" -host_regexes c
is_status 'a regex that matches no host is an error' 1
is_line 'the error lists the hosts' stderr 'tfprof: -host_regexes: matches no host; available: a, b'

# ---- clocks: the start of a host's clock has no effect
capture c 's/^\(line; .*; \)1000$/\1500001000/' two_hosts_b
capture d 's/^\(line; .*; \)1000$/\1500001000/' two_hosts_a
for pair in a:c d:b; do
  # same_clocks WHAT ARGUMENTS...: the output does not depend on the hosts' clocks.
  same_clocks() {
    what=$1 command=$2
    shift 2
    run "$command" "$work/a.xplane.pb" "$work/b.xplane.pb" "$@"
    cp "$work/stdout" "$work/together"
    run "$command" "$work/${pair%:*}.xplane.pb" "$work/${pair#*:}.xplane.pb" "$@"
    is "clocks of $pair: $what" cmp "$work/together" "$work/stdout"
  }
  same_clocks 'a range of a step' scope -step 3 -time_range 20us:80us -select micros,device
  same_clocks 'a range of all steps' op -step all -time_range 50us:150us
  run summary -q "$work/${pair%:*}.xplane.pb" "$work/${pair#*:}.xplane.pb"
  is_line "clocks of $pair: the duration of a step is the same" stdout \
    '  step 2  *[0-9]+ nodes ran, .* of execution within 3[0-9]us'
done
pair=a:c
same_clocks 'a timeline' graph -step 3 -output timeline:outfile=/dev/stdout
run scope "$work/a.xplane.pb" "$work/c.xplane.pb" -step 2 -time_range 0:10us -select micros -output json
is_line 'a range counts from the first execution of each host' stdout \
  '.*"name":"_TFProfRoot",.*"micros":\{"self":null,"total":20[,}].*'

# Hosts with the same name get the names of their files, even if only one is selected.
mkdir "$work/same"
capture same/one 's/^host; .*/host; localhost/' two_hosts_a
capture same/two 's/^host; .*/host; localhost/' two_hosts_b
run scope "$work/same" -select micros,device -host_regexes '(?!one).*' -max_depth 9
is_status 'one of two hosts with the same name is selected' 0
is 'a host with an ambiguous name has the name of its file' grep -q '/host:two/' "$work/stdout"
is 'the other host is not read' sh -c "! grep -q '/host:one/\|/host:localhost/' '$work/stdout'"
run scope "$work/same" -host_regexes localhost
is_line 'the ambiguous name itself does not match' stderr 'tfprof: -host_regexes: matches no host; available: one, two'

# A file of a folder with damaged events is left out when it is read, also with -host_regexes.
printf '\n\042\022\011/host:CPU\032\025\042\023\010\001\022\000\030\001\042\013\010\377\377\377\377\377\377\377\377\377\377\377' >"$work/same/zzz.xplane.pb"
run scope "$work/same"
is_status 'a folder with a damaged capture is read' 0
cp "$work/stderr" "$work/without"
run scope "$work/same" -host_regexes '.+'
is_status 'a folder with a damaged capture is read with -host_regexes' 0
is 'the damaged capture is reported' sh -c "grep -c 'zzz.*skipped' '$work/without' '$work/stderr' | grep -c ':1$' | grep -qx 2"

# ---- traces: a file for each rank
ranks=$top_srcdir/tests/traces
run hosts "$ranks/rank_0.json" "$ranks/rank_1.json"
is_line 'ranks of traces are compared' stdout 'rank 1 delayed others by 60 us in 2 of 2 collectives \(own work 360 us, median 360 us\)'
same_as_alone 'rank 0' "$ranks/rank_0.json" 'rank 0' "$ranks/rank_0.json" "$ranks/rank_1.json"
same_as_alone 'rank 1' "$ranks/rank_1.json" 'rank [1-9]' "$ranks/rank_0.json" "$ranks/rank_1.json"
run scope "$ranks/rank_0.json" "$ranks/rank_1.json" -host_regexes 1
is_status 'a regex that matches no rank is an error' 1
is_line 'the error lists the ranks' stderr 'tfprof: -host_regexes: matches no host; available: rank 0, rank 1'
# Ranks without a number are numbered before the selection.
for name in x y z; do
  sed 's/"distributedInfo"/"nothing"/' "$ranks/rank_0.json" >"$work/$name.json"
done
run summary "$work/x.json" "$work/y.json" "$work/z.json" -host_regexes 'rank [02]'
is_line 'unnumbered ranks are selected by their position' stdout ' *.*/z\.json +rank 2, .*'
is 'a rank that is not selected is not read' sh -c "! grep -q 'rank 1,' '$work/stdout'"

# ---- parts, and other inputs
run digest "$work/a.xplane.pb"
cp "$work/stdout" "$work/a.part"
run hosts "$work/a.part" "$work/b.xplane.pb"
is_line 'parts and captures are compared' stdout '2 hosts: .*'
run scope "$work/a.part" -host_regexes b
is_line 'the host of a part is named' stderr 'tfprof: -host_regexes: matches no host; available: a'
run scope "$sample" -host_regexes a
is_status 'an input without hosts is read' 0
is_line 'a note says that the option has no effect' stderr 'tfprof: -host_regexes: no effect: .*'
run scope "$work/a.xplane.pb" -host_regexes '('
is_status 'a malformed regex is refused' 2
finish
