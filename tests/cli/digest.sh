#!/bin/sh
# digest.sh: digests of profiles are merged in any order and opened like any profile.
. "$top_srcdir/tests/cli/lib.sh"

# A small run: digest_of HOST FILE
digest_of() {
  "$TFPROF" digest --graph_path="$models/edge/times.pb.gz" --run_meta_path="$models/edge/times_meta_0.pb.gz" \
    -host "$1" -q >"$2"
}
cd "$work" || exit 1

# ---- contents of a part

run digest "$sample" -host h1
is_status 'a profile is digested' 0
cp stdout h1.part
total='select sum(micros) as micros, sum(run_count) as runs, sum(bytes) as bytes from executions'
if "$TFPROF" sql .schema >/dev/null 2>&1; then
  run sql "$total" "$sample"
  cp stdout profile.sums
  run sql "$total" h1.part
  is 'the sums of a part are those of all steps' cmp stdout profile.sums
fi
views=$("$TFPROF" op "$sample" -q -max_depth 999 -output csv -select occurrence | grep -c ',')
run op h1.part -output csv -select occurrence,float_ops -max_depth 999
is_line 'a part has types' stdout '"Conv2D","Conv2D",1,true,.*'
is 'a part has only types that ran' test "$(wc -l <stdout)" -le "$views"
run code h1.part -max_depth 3 -select micros
is_line 'a part has lines of code' stdout ' *resnet_main.py:81:main .*'
run scope h1.part -max_depth 2 -select micros
is_status 'a part has a scope view' 0
run digest "$top_srcdir/data/training.xplane.pb" -program train
cp stdout capture.part
run scope capture.part -max_depth 2 -select micros,device
is_line 'a program has its own scope' stdout ' *train .*'
run advise capture.part -q
is_status 'advice on a part is printed' 0

if "$TFPROF" sql .schema >/dev/null 2>&1; then
  run sql "select min(s.count), max(abs(s.mean_micros * s.count - e.micros) < 1), min(s.min_micros <= s.p50_micros and s.p50_micros <= s.p99_micros and s.p99_micros <= s.max_micros and s.deviation_micros >= 0) from spreads s join executions e using (node) where s.count" h1.part -output csv
  is_line 'spreads equal those of the times' stdout '[1-9][0-9]*,1,1'
fi

# ---- merging

for host in h2 h3 h4 h5; do "$TFPROF" digest "$sample" -host $host >$host.part; done
"$TFPROF" merge h1.part h2.part h3.part h4.part h5.part capture.part >all
"$TFPROF" merge capture.part h5.part h2.part >some
"$TFPROF" merge h4.part h1.part >others
"$TFPROF" merge others h3.part some >tree
is 'merges in another order give the same bytes' cmp all tree
"$TFPROF" merge all >again
is 'a merge of one part is that part' cmp all again
printf '%s\0' h1.part h2.part h3.part h4.part h5.part capture.part >list
"$TFPROF" merge -files_from list >listed
is 'file names are read from a list' cmp all listed
"$TFPROF" merge -files_from - <list >listed
is 'file names are read from standard input' cmp all listed
(ulimit -n 12 && exec "$TFPROF" merge -files_from list) >few
is 'a low limit on open files is sufficient' cmp all few

# All files in one process, or each in a separate process.
cp "$sample" "$work/one.gz"
cp "$top_srcdir/data/training.xplane.pb" "$work/two.pb"
printf '%s\0' one.gz two.pb one.gz | "$TFPROF" digest -files_from - -q >at_once
for file in one.gz two.pb; do "$TFPROF" digest $file -q >$file.part; done
"$TFPROF" merge one.gz.part two.pb.part one.gz.part >apart
is 'one process or several give the same bytes' cmp at_once apart

# ---- damage

head -c 5000 h2.part >cut.part
echo 'no part' >text.part
{ head -c 3000 h3.part; printf x; tail -c +3002 h3.part; } >bad.part
run merge h1.part cut.part text.part bad.part missing.part h2.part
is_status 'damaged parts are an error' 1
is_line 'a truncated part is named' stderr 'tfprof: cut.part: offset 5000: the part ends early'
is_line 'a file that is not a part is named' stderr 'tfprof: text.part: offset .*: (not a part of a digest|the part ends early)'
is_line 'a part with changed bytes is named' stderr 'tfprof: bad.part: offset .*'
is_line 'a missing part is named' stderr 'tfprof: missing.part: .*'
is_line 'damaged parts are counted' stderr 'tfprof: 4 of 6 files left out'
"$TFPROF" merge h1.part h2.part >two
is 'the other parts are merged' cmp stdout two
run scope cut.part
is_status 'a damaged part is not opened' 1
is_line 'the error names the damaged part' stderr 'tfprof: cut.part: offset 5000: the part ends early'
printf '%s\0' one.gz text.part | "$TFPROF" digest -files_from - -q >left 2>stderr
is_line 'a file that is not a profile is skipped' stderr 'tfprof: 1 of 2 files left out'
is 'the other files are digested' cmp left one.gz.part
run merge h1.part -files_from list
is_status 'two sources of file names are refused' 2
run merge
is_status 'none' 2
run scope h1.part "$models/edge/times_meta_0.pb.gz"
is_status 'a part cannot be combined with single steps' 2

# ---- hosts: one of twenty takes 3 % longer

host=1
while [ $host -le 20 ]; do
  digest_of "host$host" one
  times=100
  [ $host -ne 7 ] || times=103
  seq $times | sed 's/.*/one/' | tr '\n' '\0' | "$TFPROF" merge -files_from - >"fleet$host"
  host=$((host + 1))
done
"$TFPROF" merge fleet* >fleet
run hosts fleet
is_status 'hosts' 0
is_line 'the straggler is found' stdout '20 hosts: median .*; worst host7, \+3\.00%; best .*'
is_line 'the work that took longer is named' stdout 'host7 .*[1-9].*[a-z]+.* \+3\.00%'
run hosts fleet -output json
is_line 'hosts as json' stdout '\{"host":"host7","work":[0-9.]*,"communication":null,"waited":null,"made_wait":null,"last":null,"node":"[^"]*","excess":[0-9.]*\},'
run hosts fleet -host_regexes 'host[12]'
is_line '-host_regexes selects hosts' stdout '2 hosts: .*'
run hosts one
is_status 'a single host is not compared' 1
finish
