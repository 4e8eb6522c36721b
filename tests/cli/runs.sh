# runs.sh: a log folder with several runs gives a list to choose from.
. "$top_srcdir/tests/cli/lib.sh"
export TZ=UTC

events=$top_srcdir/tests/golden/modern/cnn_session.tfevents.gz
logs=$work/logs
mkdir -p "$logs/train" "$logs/eval" "$logs/cap/plugins/profile/2026_11_01" \
  "$logs/cap/plugins/profile/2026_11_02"
gunzip -c "$events" >"$logs/train/events.out.tfevents.1.host"
gunzip -c "$top_srcdir/tests/golden/modern/tf2_trace.tfevents.gz" >"$logs/eval/events.out.tfevents.1.host"
for run in 1 2; do
  cp "$top_srcdir/data/training.xplane.pb" "$logs/cap/plugins/profile/2026_11_0$run/host.xplane.pb"
  touch -d "2026-11-0$run 10:00 UTC" "$logs/cap/plugins/profile/2026_11_0$run/host.xplane.pb"
done
touch -d '2026-11-03 10:00 UTC' "$logs/eval"/*
touch -d '2026-11-04 10:00 UTC' "$logs/train"/*

run scope "$logs"
is_status 'a folder of several runs is not read' 2
is_line 'the error names a command for one run' stderr "tfprof: .*/logs: contains 4 runs; choose one: tfprof .*/logs/train"
is_line 'the runs are listed' stdout '.*/logs/train  *2 steps  *135.55KB  2026-11-04 10:00'
is_line 'runs without steps are listed' stdout '.*/logs/eval  *graph alone  *60.81KB  2026-11-03 10:00'
is 'the last modified run is first' test "$(sed 's|  .*||; s|.*/||' "$work/stdout" | tr '\n' ' ')" = \
  'RUN train eval 2026_11_02 2026_11_01 '
cp "$work/stdout" "$work/list"

run runs "$logs"
is_status 'the runs command lists the runs' 0
is 'the runs command prints the same list' cmp "$work/stdout" "$work/list"
run runs "$logs" -output json
is_line 'the list as json' stdout '\{"path":".*/logs/train","steps":2,"bytes":135[0-9]*,"date":"2026-11-04 10:00"\},'
run runs "$logs" -output csv:outfile="$work/runs.csv"
is 'the list as csv' grep -q '/logs/eval",0,60[0-9]*,"2026-11-03 10:00"' "$work/runs.csv"
for path in $(sed -n '2,$s|  .*||p' "$work/list"); do
  run scope "$path" -max_depth 1
  is_status "${path##*/} is accepted as listed" 0
done

run scope "$logs/cap"
is_status 'the last of several captures is read' 0
is_line 'a note names the capture' stderr 'tfprof: .*/2026_11_02: the last of 2 runs in .*/logs/cap, which `tfprof runs` lists'

rm -r "$logs/cap" "$logs/eval"
run scope "$logs"
is_status 'a single run is read' 0

mkdir "$work/empty"
run runs "$work/empty"
is_status 'a folder without runs is an error' 1
is_line 'the error says that there are no runs' stderr 'tfprof: .*/empty: has no runs: neither captures nor event files'
run runs
is_status 'the runs command requires a folder' 2

# Event files next to the folders of captures can also be opened by name.
mkdir -p "$logs/train/plugins/profile/one"
cp "$top_srcdir/data/training.xplane.pb" "$logs/train/plugins/profile/one/host.xplane.pb"
run runs "$logs"
is_line 'event files next to captures are listed' stdout '.*/logs/train/events[.]out[.]tfevents[.]1[.]host  *2 steps .*'
is_line 'captures next to event files are listed' stdout '.*/logs/train/plugins/profile/one  *2 steps .*'
finish
