#!/bin/sh
# compared_tables.sh: tables with -diff_base: rows of two profiles joined by their keys.
. "$top_srcdir/tests/cli/lib.sh"

now=$top_srcdir/data/training.pt.trace.json.gz
# One kernel is shorter, another one is renamed.
gunzip -c "$now" | sed -e 's/"dur":160.000/"dur":120.000/' -e '/"kernel"/s/CopyFunctor/FillFunctor/' >"$work/base.json"
ranks=$top_srcdir/tests/traces

run kernels "$now" -diff_base "$work/base.json"
is_status 'kernels are compared' 0
is_line 'the column heads are those of trees' stdout ' *kernel .*shared  baseline +now +delta +change'
is_line 'a row has both values, the difference and its percentage' stdout \
  ' *sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n .* 1.16ms  1.32ms  [+]160us +[+]13.79%'
is_line 'a new row is marked and has no percentage' stdout '[+]  vectorized_elementwise_kernel<Copy> .* 0us +24us +[+]24us +-'
is_line 'a vanished row is marked' stdout '-  vectorized_elementwise_kernel<Fill> .* 24us +0us +-24us  -100.00%'
second_line() { sed -n 2p "$work/stdout" | grep -q "$1"; }
is 'the largest difference is first' second_line f32_nt_n
run kernels "$now" -diff_base "$work/base.json" -min_delta 1 -top 2
is 'unchanged rows are hidden and -top limits the rest' test "$(wc -l <"$work/stdout")" -eq 4
is_line 'the hidden rows are counted' stdout 'and 1 more differences'
run kernels "$now" -diff_base "$work/base.json" -order_by delta_percent
is 'every order of a comparison is accepted' second_line '<Copy>'
run kernels "$now" -diff_base "$work/base.json" -order_by max
is_line '-order_by selects the compared column' stdout ' *sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n .* 170us  170us +0us +[+]0.00%'
run kernels "$now" -diff_base "$work/base.json" -output json
is_line 'json has the field names of trees' stdout \
  '[{]"mark":null,"name":"sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n",.*"figure":"total","base":1160,"now":1320,"delta":160,"percent":13.79[}],'
is_line 'json has marks' stdout '[{]"mark":"[+]","name":"vectorized_elementwise_kernel<Copy>",.*"base":0,"now":24,"delta":24,"percent":null[}].*'
run kernels "$now" -diff_base "$work/base.json" -output csv
is_line 'csv has marks and both values' stdout 'mark,name,kernel,op,rank,device,stream,grid,block,registers,shared_memory,figure,base,now,delta,percent'
run kernels "$now" -diff_base "$work/base.json" -output html
is_line 'html has both values' stdout '.*<th>baseline</th><th>now</th><th>delta</th><th>change</th>.*'

run breakdown "$now" -diff_base "$work/base.json"
is_status 'the breakdown is compared' 0
is_line 'figures of a device are rows' stdout ' *0  /gpu:0  compute +2.12ms  2.28ms +[+]160us +[+]7.56%'
is_line 'the baseline has its verdict' stdout 'baseline: CPU-bound: .*'
is_line 'the current profile has its verdict' stdout 'now: CPU-bound: .*'
is 'the legend describes the columns' sh -c "grep -q '^idle, host' '$work/stdout' && ! grep -q '^short' '$work/stdout'"
is 'steps of two profiles are not paired' sh -c "! grep -q ' 4  ' '$work/stdout'"
sed -e '/"kernel"\|gpu_mem/s/"device":0/"device":3/' "$work/base.json" >"$work/other.json"
run breakdown "$now" -diff_base "$work/other.json"
is_line 'the only device of each profile is matched' stdout ' *0  /gpu:0  compute +2.12ms  2.28ms +[+]160us +[+]7.56%'
run breakdown "$now" -diff_base "$work/base.json" -output json
is_line 'json matches the only device of each profile' stdout '.*[{]"mark":null,"rank":0,"device":"/gpu:0","step":"all","figure":"compute","base":2116,"now":2276,"delta":160,"percent":7.56[}].*'

run ranks "$ranks/rank_0.json" "$ranks/rank_1.json" -diff_base "$ranks/rank_0.json,$ranks/rank_1.json" -output json
is_status 'ranks are compared' 0
is_line 'a profile does not differ from itself' stdout '[{]"mark":null,"rank":1,"figure":"work","base":360,"now":360,"delta":0,"percent":0.00[}].*'
is_line 'the second list is compared' stdout '[{]"mark":null,"name":"allreduce",.*"figure":"waited","base":60,"now":60,"delta":0,"percent":0.00[}].*'
is 'the second list has no other deltas' sh -c "! grep -q '\"delta\":[1-9-]' '$work/stdout'"
run hosts "$ranks/rank_0.json" "$ranks/rank_1.json" -diff_base "$ranks/rank_0.json,$ranks/rank_1.json"
is_line 'hosts are compared' stdout ' *rank 1  work +360us  360us +0us +[+]0.00%'

only_line() { grep -v '^tfprof: .*\(outside steps\|base: \)' "$work/stderr" >"$work/errors"; [ "$(cat "$work/errors")" = "$1" ]; }
run kernels "$now" -diff_base "$sample"
is_status 'a baseline of another kind is an error' 1
is 'the error is one line' only_line 'tfprof: kernels: baseline: no device work in this input: the run used no accelerator'
run ranks "$ranks/rank_0.json" "$ranks/rank_1.json" -diff_base "$ranks/rank_0.json"
is 'the error names the missing data of the baseline' only_line 'tfprof: ranks: baseline: needs the traces of several ranks of one job'
run kernels "$sample" -diff_base "$now"
is 'the error names the missing data of the current profile' only_line 'tfprof: kernels: no device work in this input: the run used no accelerator'
run gaps "$now" -diff_base "$work/base.json"
is_status 'a table without keys is refused' 2
is_line 'the error for a table without keys is one line' stderr 'tfprof: gaps: does not compare: remove -diff_base'
run kernels "$now" -diff_step 0
is_status 'steps of one profile are not compared' 2
is_line 'the error for steps of one profile is one line' stderr 'tfprof: kernels: does not compare steps: remove -diff_step'
run sql 'select 1' "$now" -diff_base "$work/base.json"
is_status 'a query reads one profile' 2
is_line 'the error for a query names the alternative' stderr 'tfprof: sql: reads one profile: remove -diff_base, or .* -output sqlite .*'
run breakdown "$now" -diff_base "$work/base.json" -step 99
is_status 'a missing step is an error' 1
run breakdown "$now" -diff_base "$sample" -step 5
is_line 'a step missing in the baseline is an error' stderr 'tfprof: baseline: -step=5 not found.*'

finish
