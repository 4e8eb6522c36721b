#!/bin/sh
# round_trip.sh: what is written as a profile or an op log reads back to the same rows.
. "$top_srcdir/tests/cli/lib.sh"

for model in mobilenet seq2seq towers; do
  from=$models/$model
  graph_and_steps="--graph_path=$from/graph.pb.gz --run_meta_path=$from/run_meta_0.pb.gz,$from/run_meta_1.pb.gz"
  op_log=--op_log_path=$from/tfprof_log.pb.gz
  # shellcheck disable=SC2086  # two arguments
  {
    all_views $graph_and_steps "$op_log" >"$work/before"
    is "$model has rows" test "$(wc -l <"$work/before")" -gt 500
    run scope $graph_and_steps "$op_log" -output "profile:outfile=$work/profile.pb"
    is "$model as a profile has the same rows" same_rows --profile_path="$work/profile.pb"
    run scope $graph_and_steps "$op_log" -output "oplog:outfile=$work/log.pb"
    is "$model with its op log written anew has the same rows" \
      same_rows $graph_and_steps --op_log_path="$work/log.pb"
  }
done

for profile in "$sample" "$models/towers/profile_gpu.pb.gz"; do
  name=$(basename "$profile")
  all_views --profile_path="$profile" >"$work/before"
  run scope "$profile" -output "profile:outfile=$work/profile.pb"
  is "$name written anew has the same rows" same_rows --profile_path="$work/profile.pb"
done

# A profile of a later release: one node with a field 99 that nobody here knows.
printf '\012\030\010\000\022\024\012\004node\112\002Op\232\006\007KEEP_ME' >"$work/later.pb"
run scope --profile_path="$work/later.pb" -output "profile:outfile=$work/again.pb"
is_status 'a profile with unknown fields is read' 0
is 'they are kept' grep -q "$(printf '\232\006\007KEEP_ME')" "$work/again.pb"

finish
