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
is_line 'which says what to type' stderr "tfprof: .*/logs: holds 4 runs: name one of them, as in tfprof .*/logs/train"
is_line 'and lists them' stdout '.*/logs/train  *2 steps  *135.55KB  2026-11-04 10:00'
is_line 'with those that have no steps' stdout '.*/logs/eval  *graph alone  *60.81KB  2026-11-03 10:00'
is 'the last that changed first' test "$(sed 's|  .*||; s|.*/||' "$work/stdout" | tr '\n' ' ')" = \
  'RUN train eval 2026_11_02 2026_11_01 '
cp "$work/stdout" "$work/list"

run runs "$logs"
is_status 'the list alone can be asked for' 0
is 'which is the same' cmp "$work/stdout" "$work/list"
run runs "$logs" -output json
is_line 'the same as json' stdout '\{"path":".*/logs/train","steps":2,"bytes":135[0-9]*,"date":"2026-11-04 10:00"\},'
run runs "$logs" -output csv:outfile="$work/runs.csv"
is 'and as csv' grep -q '/logs/eval",0,60[0-9]*,"2026-11-03 10:00"' "$work/runs.csv"
for path in $(sed -n '2,$s|  .*||p' "$work/list"); do
  run scope "$path" -max_depth 1
  is_status "${path##*/} can be typed as it is listed" 0
done

run scope "$logs/cap"
is_status 'the last of captures alone is read, as ever' 0
is_line 'with a note' stderr 'tfprof: .*/2026_11_02: the last of 2 runs in .*/logs/cap, which `tfprof runs` lists'

rm -r "$logs/cap" "$logs/eval"
run scope "$logs"
is_status 'the only run is read' 0

mkdir "$work/empty"
run runs "$work/empty"
is_status 'where there are none' 1
is_line 'that is said' stderr 'tfprof: .*/empty: has no runs: neither captures nor event files'
run runs
is_status 'a folder must be named' 2

# Event files next to the folders of captures can be named too.
mkdir -p "$logs/train/plugins/profile/one"
cp "$top_srcdir/data/training.xplane.pb" "$logs/train/plugins/profile/one/host.xplane.pb"
run runs "$logs"
is_line 'event files beside captures' stdout '.*/logs/train/events[.]out[.]tfevents[.]1[.]host  *2 steps .*'
is_line 'and the captures' stdout '.*/logs/train/plugins/profile/one  *2 steps .*'
finish
