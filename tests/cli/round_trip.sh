#!/bin/sh
# round_trip.sh: a written profile or op log is read back to the same rows.
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
    is "$model with a rewritten op log has the same rows" \
      same_rows $graph_and_steps --op_log_path="$work/log.pb"
  }
done

# Bodies of functions: rows, counts, iterations, calls and their positions; losses are reported.
# (Shapes inferred inside bodies are not stored.)
for model in while_if_module nested_module; do
  from=$top_srcdir/tests/golden/modern/$model.saved_model.pb.gz
  for rules in compat full; do
    steps=-1 fields=params,float_ops,occurrence,op_types
    all_views "$from" -flops $rules >"$work/before"
    run scope "$from" -select float_ops -flops $rules
    grep '^tfprof: counted' "$work/stderr" >"$work/coverage"
    run scope "$from" -flops $rules -output "profile:outfile=$work/profile.pb"
    is_line "$model: data that a profile cannot store is reported" stderr \
      "tfprof: a profile stores no functions, .* by -flops $rules; .*"
    is "$model as a profile has the same rows" same_rows "$work/profile.pb" -flops $rules
    run scope "$work/profile.pb" -select float_ops
    is "$model as a profile has the same coverage" grep -qxF "$(cat "$work/coverage")" "$work/stderr"
    run scope "$work/profile.pb" -output "profile:outfile=$work/again.pb"
    is "$model as a profile of a profile has the same rows" same_rows "$work/again.pb" -flops $rules
  done
  run scope "$work/profile.pb" -select float_ops -flops compat
  is_line "$model: a note says which counts are stored" stderr \
    'tfprof: bodies of functions count as .*'
  unset fields
  run scope "$from" -output "profile:outfile=$work/profile.pb"
  all_views "$from" >"$work/before"
  is "$model as a profile has the same rows, shapes too" same_rows "$work/profile.pb"
  unset steps
done

# Shapes known only from a run are used for counts in a profile too.
from=$models/seq2seq
for rules in compat full; do
  run scope --graph_path="$from/graph.pb.gz" --run_meta_path="$from/run_meta_0.pb.gz" \
    -select float_ops -flops $rules -max_depth 0
  cp "$work/stdout" "$work/before"
  grep '^tfprof: counted' "$work/stderr" >"$work/coverage"
  run scope --graph_path="$from/graph.pb.gz" --run_meta_path="$from/run_meta_0.pb.gz" \
    -output "profile:outfile=$work/profile.pb"
  run scope "$work/profile.pb" -select float_ops -flops $rules -max_depth 0
  is "$rules: a profile has the same counts as its files" cmp "$work/before" "$work/stdout"
  is "$rules: a profile has the same coverage as its files" \
    grep -qxF "$(cat "$work/coverage")" "$work/stderr"
done

for profile in "$sample" "$models/towers/profile_gpu.pb.gz"; do
  name=$(basename "$profile")
  all_views --profile_path="$profile" >"$work/before"
  run scope "$profile" -output "profile:outfile=$work/profile.pb"
  is "$name rewritten has the same rows" same_rows --profile_path="$work/profile.pb"
done

# A profile of a later release: one node with an unknown field 99.
printf '\012\030\010\000\022\024\012\004node\112\002Op\232\006\007KEEP_ME' >"$work/later.pb"
run scope --profile_path="$work/later.pb" -output "profile:outfile=$work/again.pb"
is_status 'a profile with unknown fields is read' 0
is 'unknown fields are written back' grep -q "$(printf '\232\006\007KEEP_ME')" "$work/again.pb"

finish
