#!/bin/sh
# waits.sh: CPU time of traces is divided into work and wait; the kinds of wait add up.
. "$top_srcdir/tests/cli/lib.sh"

# slice CATEGORY THREAD NAME FROM TO [MORE ARGUMENTS]
slice() {
  printf ',\n{"ph":"X","cat":"%s","pid":1,"tid":%s,"name":"%s","ts":%s,"dur":%s,"args":{%s}}' \
    "$1" "$2" "$3" "$4" $(($5 - $4)) "${6-}"
}
begin_trace() {
  printf '{"schemaVersion":1,"traceEvents":[\n{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"main"}}'
}
{
  begin_trace
  slice user_annotation 2 step 0 100
  slice cpu_op 2 aten::copy_ 10 40
  slice cuda_runtime 2 cudaMemcpyAsync 11 21 '"correlation":7'
  slice cuda_runtime 2 cudaMemcpyAsync 22 24 '"correlation":8'
  slice cuda_runtime 2 cudaStreamSynchronize 25 30
  slice gpu_memcpy 0 Memcpy 12 20 '"correlation":7,"device":0,"stream":7'
  slice gpu_memcpy 0 Memcpy 23 26 '"correlation":8,"device":0,"stream":7'
  slice python_function 2 'threading.py(1): wait' 50 60
  slice python_function 2 'train.py(1): f' 60 65
  slice cpu_op 3 'autograd::engine::evaluate_function: X' 70 85
  printf ']}\n'
} >"$work/waits.json"

run summary "$work/waits.json" -output json
is_status 'a trace with waiting threads is read' 0
is_line 'CPU time is divided into work and wait' stdout '.*"cpu_work":35,"cpu_wait":80.*'
is_line 'json has the kinds of wait' stdout \
  '.*"wait":{"blocking_call":15,"sleeping_frame":10,"autograd":15,"not_recorded":40}.*'
is_line 'json orders threads by wait' stdout \
  '.*"cpu_threads":\[{"thread":"1/2","name":"main","cpu":100,"wait":80},{"thread":"1/3",.*'
run summary "$work/waits.json"
is_line 'text orders kinds of wait by time' stdout \
  ' +wait +80 us: 40 us nothing recorded \(with_stack=True records more\), 15 us blocking calls, 15 us autograd thread, 10 us sleeping frames'
run sql 'select thread, name, cpu_micros, wait_micros from cpu_threads order by wait_micros desc limit 1' \
  "$work/waits.json" -output csv
is_exact 'threads in SQL' stdout '"1/2","main",100,80'
run summary "$work/waits.json" -output json
is_line 'device work in json' stdout \
  '.*"device":{"count":1,"sum":11,"busy":11,"no_recorded_launch":0,"outside_steps":0}.*'

run op "$work/waits.json" -max_depth 99 -select cpu_micros,work_micros,wait_micros -order_by wait_micros
is_line 'an annotation waits except in working frames' stdout 'step +70us \(.*, +5us \(.*, +65us \(.*'
run scope "$work/waits.json" -max_depth 99 -min_wait_micros 9 -select wait_micros
is_status '-min_wait_micros is accepted' 0
is 'the threshold hides the synchronization' test 0 -eq "$(grep -c cudaStream "$work/stdout")"
is_line 'the threshold keeps the copies' stdout ' *step/aten::copy_/cudaMemcpyAsync .*'

{
  begin_trace
  slice user_annotation 2 ProfilerStep#3 10 20
  slice cuda_runtime 2 cudaLaunchKernel 12 13 '"correlation":1'
  slice cuda_runtime 2 cudaLaunchKernel 30 31 '"correlation":2'
  slice kernel 0 first 40 44 '"correlation":1,"device":0,"stream":7'
  slice kernel 0 second 45 47 '"correlation":2,"device":0,"stream":7'
  slice kernel 0 third 48 49 '"device":0,"stream":7'
  printf ']}\n'
} >"$work/outside.json"
run summary "$work/outside.json"
is_line 'device time outside of steps' stdout \
  '    device time  *7 us in all: 4 us in steps, 3 us outside of steps \(1 us with no recorded launch\)'
finish
