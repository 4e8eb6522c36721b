# causes.awk: a small trace of PyTorch, without a random number, with one cause of lost time or none:
#   awk -v cause=CAUSE -f causes.awk
# CAUSE: none, input, sync, sibling, step, compile, pageable, float32, collective, small, host, launch, shapes, growth
function event(cat, name, tid, from, to, args) {
  printf "%s{\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}}",
    n++ ? ",\n" : "", cat, name, tid < 10 ? 0 : 100, tid, from, to - from, args
}

# A kernel or copy of DUR us after all others, launched by an operator at the current time.
function work(op, cat, name, dur, args, call,    start) {
  correlation++
  event("cpu_op", op, 100, cpu, cpu + 10, "\"External id\":" correlation ",\"Input Dims\":[[" rows ",64],[64,64]]")
  event("cuda_runtime", call, 100, cpu + 2, cpu + 8, "\"correlation\":" correlation)
  start = gpu > cpu + 11 ? gpu : cpu + 11
  event(cat, name, 7, start, start + dur,
    "\"device\":0,\"stream\":7,\"grid\":[4,1,1],\"correlation\":" correlation (args == "" ? "" : "," args))
  gpu = start + dur
  cpu += 12
}

function module(layer, s,    begin, dur) {
  begin = cpu
  dur = cause == "sibling" && layer == 3 ? 800 : cause == "launch" ? 3 : 200
  work("aten::mm", "kernel", cause == "float32" ? "ampere_sgemm_128x64" : "ampere_bf16_s16816gemm", dur, "", "cudaLaunchKernel")
  work("aten::relu", "kernel", "relu_kernel", cause == "launch" ? 3 : 60, "", "cudaLaunchKernel")
  if (cause == "host") cpu += 350
  if (cause == "launch") cpu += 20
  event("python_function", "nn.Module: Layer_" layer, 100, begin, cpu, "\"Python id\":" (++python))
}

# A call that returns when the device is idle, followed by CPU work.
function wait(operator,    end) {
  end = gpu + 3
  event("python_function", "loss.py(12): log", 100, cpu, end + 6, "\"Python id\":" (++python))
  event("cpu_op", operator, 100, cpu + 1, end + 4, "")
  event("cuda_runtime", "cudaStreamSynchronize", 100, cpu + 2, end, "")
  cpu = end + 300
}

function step(s,    begin, layer, i) {
  begin = cpu
  rows = cause == "shapes" ? 64 + s : 64
  if (cause == "shapes") {
    event("cuda_runtime", "cudaMalloc", 100, cpu, cpu + 200, "")
    cpu += 200
  }
  if (cause == "growth") {
    event("cpu_op", "aten::clone", 100, cpu, cpu + 10, "")
    printf ",\n{\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":100,\"tid\":100,\"ts\":%.3f,\"args\":{\"Bytes\":4194304,\"Addr\":%d,\"Device Type\":1,\"Device Id\":0,\"Total Allocated\":%d,\"Total Reserved\":90000000}}",
      cpu + 5, 1000000 * s, 4194304 * (s + 1)
    cpu += 12
  }
  event("user_annotation", "enumerate(DataLoader)#_Iter.__next__", 100, cpu, cpu + (cause == "input" ? 3000 : 40), "")
  cpu += cause == "input" ? 3000 : 40
  if (cause == "step" && s == 5) cpu += 9000
  if (cause == "compile" && s == 4) {
    event("user_annotation", "backend_compile (dynamo_timed)", 100, cpu, cpu + 4000, "")
    cpu += 4000
  }
  if (cause == "pageable")
    work("aten::copy_", "gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 400, "\"bytes\":100", "cudaMemcpyAsync")
  for (layer = 0; layer < 6; layer++) module(layer, s)
  if (cause == "sync") wait("aten::item")
  if (cause == "collective")
    for (i = 0; i < 2; i++)
      work("c10d::allreduce_", "kernel", "ncclDevKernel_AllReduce", 400,
        "\"Collective name\":\"allreduce\",\"In msg nelems\":4000000,\"dtype\":\"Float\"", "cudaLaunchKernel")
  for (i = 0; cause == "small" && i < 40; i++)
    work("c10d::allreduce_", "kernel", "ncclDevKernel_AllReduce", 20,
      "\"Collective name\":\"allreduce\",\"In msg nelems\":1000,\"dtype\":\"Float\"", "cudaLaunchKernel")
  if (cpu < gpu - 500) cpu = gpu - 500
  event("user_annotation", "ProfilerStep#" s, 100, begin, cpu, "")
  cpu += 5
}

BEGIN {
  cpu = 1000
  gpu = 0
  printf "{\"schemaVersion\":1,\"record_shapes\":1,\"with_stack\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"GPU\",\"computeMajor\":8}],\"traceEvents\":[\n"
  for (s = 2; s < 8; s++) step(s)
  print "]}"
}
