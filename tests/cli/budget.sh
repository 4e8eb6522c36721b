# budget.sh: -budget and -top keep the heaviest rows; printed and omitted rows add up to the total.
. "$top_srcdir/tests/cli/lib.sh"
command -v jq >/dev/null || skip 'no jq'

trace=$top_srcdir/data/training.pt.trace.json.gz
figures=accelerator_micros,cpu_micros,occurrence

# Picoseconds and executions of all rows, including omitted ones; then the number of rows.
sums='[([.rows[], (.omitted // empty)] | map(.accelerator_micros.self_ps // 0) | add),
  ([.rows[], (.omitted // empty)] | map(.cpu_micros.self_ps // 0) | add),
  ([.rows[], (.omitted // empty)] | map(.occurrence.self // 0) | add),
  (.rows | length) + (.omitted.rows // 0)] | @text'
paths='[.rows[].path] | sort'

for view in scope graph op code; do
  set -- "$view" "$trace" -select "$figures" -max_depth 100000 -output json
  run "$@"
  cp "$work/stdout" "$work/whole"
  is "$view: the returned rows are all rows" jq -e '.returned == .total and .total == (.rows | length) and .truncated == false' "$work/whole"
  echo '[]' >"$work/kept"
  for bytes in 1000 2000 5000 20000; do
    run "$@" -budget $bytes
    is "$view: at most $bytes bytes" test "$(wc -c <"$work/stdout")" -le $bytes
    is "$view: printed and omitted rows add up at $bytes bytes" test "$(jq -r "$sums" "$work/stdout")" = "$(jq -r "$sums" "$work/whole")"
    is "$view: truncated is set when rows are omitted" \
      jq -e '.truncated == (.returned < .total) and .truncated == (.omitted != null)' "$work/stdout"
    jq "$paths" "$work/stdout" >"$work/more"
    is "$view: $bytes bytes include the rows of smaller budgets" \
      jq -en --slurpfile a "$work/kept" --slurpfile b "$work/more" '$a[0] - $b[0] == []'
    cp "$work/more" "$work/kept"
  done
  run "$@" -budget 100M
  is "$view: a large budget gives the same bytes" cmp "$work/stdout" "$work/whole"
  run "$@" -budget 60
  least=$(sed -n 's/^tfprof: -budget 60: this answer needs at least \([0-9]*\) bytes$/\1/p' "$work/stderr")
  run "$@" -budget "${least:-1}"
  is_status "$view: the reported minimum budget is enough" 0
  run "$@" -budget "$((${least:-2} - 1))"
  is_status "$view: one byte less than the minimum is refused" 2
  is_text "$view: a budget below the minimum prints nothing" stdout ''
  run "$@" -top 3
  is "$view: -top 3 keeps three rows and their ancestors" jq -e '.returned >= 3 and .returned < 12' "$work/stdout"
  is "$view: printed and omitted rows add up with -top" test "$(jq -r "$sums" "$work/stdout")" = "$(jq -r "$sums" "$work/whole")"
done

run scope "$trace" -budget 1500
is 'text output respects the budget' test "$(wc -c <"$work/stdout")" -le 1500
is_line 'text output reports the omitted rows' stdout 'omitted: [0-9]+ rows, accelerator_micros .*'

for command in kernels breakdown gaps collectives; do
  run $command "$trace" -output json
  cp "$work/stdout" "$work/whole"
  run $command "$trace" -output json -budget 100M
  is "$command: a large budget gives the same bytes" cmp "$work/stdout" "$work/whole"
  run $command "$trace" -output json -budget 1600
  is "$command: at most 1600 bytes" test "$(wc -c <"$work/stdout")" -le 1600
  is "$command: every row is counted" jq -e '.returned + (.omitted.rows // 0) == .total' "$work/stdout"
  run $command "$trace"
  cp "$work/stdout" "$work/whole"
  run $command "$trace" -budget 100M
  is "$command: a large budget gives the same text" cmp "$work/stdout" "$work/whole"
done
run breakdown "$trace" -output json -budget 1600
is 'breakdown keeps the row of all steps' jq -e '.rows | any(.step == "all")' "$work/stdout"
run kernels "$trace" -output json
cp "$work/stdout" "$work/whole"
run kernels "$trace" -output json -budget 2000
is 'printed and omitted kernel times add up to the total' test \
  "$(jq '([.rows[].total] | add) + .omitted.total | . * 1000 | round' "$work/stdout")" = \
  "$(jq '[.rows[].total] | add | . * 1000 | round' "$work/whole")"

run sql 'SELECT name FROM nodes ORDER BY node' "$trace" -output json -budget 600
is 'sql keeps the first rows' jq -e '.returned + .omitted.rows == .total and .columns == ["name"]' "$work/stdout"
run advise "$trace" -output json -budget 8000
is 'advice has causes' jq -e '.findings | length > 0' "$work/stdout"
run advise "$trace" -output json -budget 3000
is 'a smaller budget omits findings' jq -e '.findings_omitted > 0' "$work/stdout"
is 'advice respects the budget' test "$(wc -c <"$work/stdout")" -le 3000
run summary "$trace" -budget 300
is 'summary keeps the first lines' test "$(wc -c <"$work/stdout")" -le 300
run summary "$trace" -output json
cp "$work/stdout" "$work/whole"
run summary "$trace" -output json -budget 100k
is 'a summary that fits is unchanged' cmp "$work/stdout" "$work/whole"
run summary "$trace" -output json -budget 600
is 'a file entry that does not fit is counted' jq -e '.omitted.rows == 1 and .files == []' "$work/stdout"
run memory "$trace" -output json -budget 10
is_status 'an indivisible document is refused when it does not fit' 2
run sql 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c' "$trace" -time_limit 1
is_status 'a command over the time limit fails' 1
is_line 'the error names the time limit' stderr 'tfprof: time limit of 1 s exceeded'
is_text 'a command over the time limit prints nothing' stdout ''
run op "$trace" -output csv -budget 900
is_status 'csv supports no budget' 2
is_text 'the error lists the supported outputs' stderr 'tfprof: -budget: works with -output text and json'
finish
