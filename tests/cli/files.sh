#!/bin/sh
# files.sh: outputs are written completely or not at all, and never over an input.
. "$top_srcdir/tests/cli/lib.sh"

cd "$work" || exit 1
gzip -dc "$sample" >input.pb
cp input.pb input.copy

run scope input.pb -max_depth 2 -output file:outfile=new
is_status 'a file is written' 0
is_text 'nothing is printed to standard output' stdout ''
run scope input.pb -max_depth 2
is 'the file equals the standard output' cmp stdout new

echo old >kept
run scope input.pb -step 99 -output file:outfile=kept
is_status 'a missing step is status 1' 1
is 'a missing step leaves the old file unchanged' grep -qx old kept
run code input.pb -select micros,bytes -output pprof:outfile=kept
is_status 'an unsupported selection of fields is status 2' 2
is 'an unsupported selection leaves the old file unchanged' grep -qx old kept

run scope input.pb -output file:outfile=input.pb
is_status 'an input is not overwritten' 1
is_line 'the error says why' stderr 'tfprof: input.pb: not written: it is the input input.pb'
ln -s input.pb alias
run scope input.pb -output file:outfile=alias
is_status 'an input is not overwritten through a link' 1

run_with input.pb scope - -output file:outfile=input.pb
is_status 'an input from standard input is not overwritten' 1
is 'the input is unchanged' cmp input.pb "$work/input.copy"
for file in "$models"/towers/model.ckpt.*; do
  copy=$(basename "$file" .gz)
  if [ "$copy" = "$(basename "$file")" ]; then cp "$file" "$copy"; else gzip -dc "$file" >"$copy"; fi
  chmod 644 "$copy"
done
gzip -dc "$models/towers/graph.pb.gz" >graph.pb
for copy in model.ckpt.*; do
  run scope graph.pb --checkpoint_path=model.ckpt -output "file:outfile=$copy"
  is "the checkpoint's $copy is not overwritten" grep -q 'not written: it is the input of the checkpoint' stderr
done

run scope input.pb -output file:outfile=/dev/full
is_status 'a full disk is status 1' 1
is_line 'a full disk gives one error line' stderr 'tfprof: /dev/full: cannot be written: No space left on device'
is 'the device is not replaced' test -c /dev/full

echo fixed >readonly
chmod 444 readonly
run scope input.pb -output file:outfile=readonly
is_status 'a read-only file is status 1' 1
is_line 'the error says that the file is read-only' stderr 'tfprof: readonly: cannot be written: it is read-only'
is 'the read-only file is unchanged' grep -qx fixed readonly

run scope input.pb -output file:outfile=.
is_line 'a folder is not overwritten' stderr 'tfprof: \.: cannot be written: it is a folder'

chmod 640 new
run scope input.pb -output file:outfile=new
is 'a replaced file keeps its mode' test "$(stat -c %a new)" = 640

run scope input.pb --dump_to_file old_name
is 'the old name of the option works' test -s old_name

# Ended by a limit on file sizes while writing.
limited() {
  (
    trap '' XFSZ
    ulimit -f 8
    "$TFPROF" scope input.pb -max_depth 100 -output json:outfile=kept 2>stderr
  )
  [ $? -eq 1 ] && grep -qx old kept
}
is 'a failed write leaves the old file unchanged' limited

# A small file system that becomes full, where one can be mounted.
on_small_disk() {
  mkdir small
  unshare -rm sh -c 'mount -t tmpfs -o size=64k none small && echo old >small/kept &&
    { "$TFPROF" scope input.pb -max_depth 100 -output json:outfile=small/kept 2>stderr
      echo "$?" >full_status; cp small/kept kept_there; ls -A small >names_there; }'
}
if unshare -rm true 2>/dev/null && on_small_disk && [ -f full_status ]; then
  is 'a disk that becomes full is status 1' grep -qx 1 full_status
  is_line 'a disk that becomes full gives one error line' stderr 'tfprof: small/kept: cannot be written: No space left on device'
  is 'a disk that becomes full leaves the old file unchanged' grep -qx old kept_there
  is 'a disk that becomes full leaves no other file' grep -qx kept names_there
else
  case_count=$((case_count + 1))
  echo "ok $case_count - a disk that fills up # SKIP no disk can be made here"
fi

run scope input.pb -output none
is_text '-output none prints nothing' stdout ''

# A pipe without a reader: the program waits with blocked signals, and a signal ends it.
mkfifo pipe
waits_and_ends() {
  "$TFPROF" scope input.pb -output csv:outfile=pipe 2>stderr &
  pid=$!
  until grep -q '^SigBlk:.*4007$' "/proc/$pid/status"; do kill -0 "$pid" || return 1; done
  kill -TERM "$pid"
  wait "$pid"
  [ $? -eq 143 ] && [ ! -s stderr ]
}
is 'a signal ends the wait for a reader' waits_and_ends
reads_it() {
  cat pipe >read &
  run scope input.pb -output csv:outfile=pipe
  wait $!
  [ "$status" -eq 0 ] && grep -q '^"' read
}
is 'a pipe with a reader gets the whole output' reads_it

# A folder like /tmp, with a symbolic link of another user.
if [ "$(id -u)" -eq 0 ]; then
  mkdir -m 1777 shared
  echo fixed >victim
  ln -s ../victim shared/trap
  chown -h nobody shared/trap
  run scope input.pb -output file:outfile=shared/trap
  is_status 'a link of another user is status 1' 1
  is_line 'the error names the link of another user' stderr 'tfprof: shared/trap: cannot be written: a link of another user .*'
  is 'the target of the link is unchanged' grep -qx fixed victim
else
  case_count=$((case_count + 1))
  echo "ok $case_count - a link of another user # SKIP nobody else is at hand"
fi

# A timeline of the graph view has a file for each step.
meta=$models/edge/times_meta_0.pb.gz
steps=$meta
for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do steps=$steps,$meta; done
mkdir timelines
run graph "$models/edge/times.pb.gz" --run_meta_path="$steps" -output timeline:outfile=timelines/a
is_status 'sixteen files are written without an option' 0
is 'sixteen files exist' test "$(ls timelines | wc -l)" -eq 16
run graph "$models/edge/times.pb.gz" --run_meta_path="$steps,$meta" -output timeline:outfile=timelines/b
is_status 'seventeen files are refused' 2
is_line 'the error names the option for more files' stderr \
  'tfprof: -output timeline: one file for each of 17 steps: allow them with outfile=FILE,files=17, .*'
is 'none of the seventeen files exists' test "$(ls timelines | wc -l)" -eq 16
run graph "$models/edge/times.pb.gz" --run_meta_path="$steps,$meta" \
  -output timeline:outfile=timelines/b,files=17
is_status 'the option allows seventeen files' 0
is 'all seventeen files exist' test "$(ls timelines | wc -l)" -eq 33
run graph "$models/edge/times.pb.gz" --run_meta_path="$steps,$meta" -step 3 \
  -output timeline:outfile=timelines/c
is_status 'one step gives one file' 0
is 'one step gives no other file' test "$(ls timelines | wc -l)" -eq 34
run graph "$models/edge/times.pb.gz" -output timeline:outfile=d,files=many
is_line 'the files option requires a number' stderr "tfprof: -output timeline: files: 'many' is not a number of files"
run scope input.pb -output csv:outfile=d,files=3
is_line 'only a timeline supports several files' stderr "tfprof: -output csv: 'files=3' is not outfile=FILE"
no_temporary_file() { [ -z "$(find . -name '*tfprof*')" ]; }
is 'no temporary file is left' no_temporary_file

finish
