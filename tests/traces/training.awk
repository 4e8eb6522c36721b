# training.awk: four training steps of a small model as PyTorch would record them:
#
#     awk -f training.awk </dev/null | gzip -9n >data/training.pt.trace.json.gz
#
# Their problems are intentional: the loss is read in each step, so that the CPU waits
# and then is late; the gradients' all-reduce runs behind the backward pass instead of overlapping it; the
# optimizer launches a kernel for each parameter; and a list keeps what each step computed.

function event(text) { printf "%s\n{%s}", n_events++ ? "," : "", text }

function slice(category, name, tid, ts, dur, args) {
  event(sprintf("\"ph\":\"X\",\"cat\":\"%s\",\"name\":\"%s\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f,\"args\":{%s}",
                category, name, category ~ /^(kernel|gpu_)/ ? 0 : PID, tid, base + ts, dur, args))
}

function frame(name, parent, ts, dur) {
  slice("python_function", name, PID, ts, dur,
        sprintf("\"Python id\":%d,\"Python parent id\":%s", ++frames, parent ? parent : "null"))
  return frames
}

function call(name, tid, ts, dur, dims) {
  slice("cpu_op", name, tid, ts, dur,
        sprintf("\"External id\":%d%s", ++calls,
                dims ? sprintf(",\"Input Dims\":[%s],\"Concrete Inputs\":[\"\",\"\",\"\",\"1\",\"1\"]", dims) : ""))
}

# A call of DUR us that launches WORK us of NAME on STREAM, which is free from ready[STREAM] on.
function launch(name, tid, ts, dur, stream, work, args,    start) {
  slice("cuda_runtime", name ~ /^Memcpy/ ? "cudaMemcpyAsync" : "cudaLaunchKernel",
        tid, ts, dur, sprintf("\"External id\":%d,\"correlation\":%d", calls, ++launches))
  start = ts + dur + 2 > ready[stream] ? ts + dur + 2 : ready[stream]
  slice(name ~ /^Memcpy/ ? "gpu_memcpy" : "kernel", name, stream, start, work,
        sprintf("\"External id\":%d,\"device\":0,\"stream\":%d,\"correlation\":%d%s", calls, stream, launches, args))
  ready[stream] = start + work
}

function memory(tid, ts, bytes, address) {
  allocated += bytes
  event(sprintf("\"ph\":\"i\",\"s\":\"t\",\"cat\":\"cpu_instant_event\",\"name\":\"[memory]\",\"pid\":%d,\"tid\":%d,\"ts\":%.3f,\"args\":{\"Bytes\":%d,\"Addr\":%d,\"Device Type\":1,\"Device Id\":0,\"Total Allocated\":%d,\"Total Reserved\":%d}",
                PID, tid, base + ts, bytes, address, allocated, 64 * MIB))
}

function flow(phase, id, tid, ts) {
  event(sprintf("\"ph\":\"%s\",\"cat\":\"fwdbwd\",\"name\":\"fwdbwd\",\"id\":%d,\"pid\":%d,\"tid\":%d,\"ts\":%.3f%s",
                phase, id, PID, tid, base + ts, phase == "f" ? ",\"bp\":\"e\"" : ""))
}

function linear(number, parent, ts, dims, work) {
  frame("nn.Module: Linear_" number, parent, ts, 190)
  call("aten::linear", PID, ts + 8, 170, "")
  call("aten::addmm", PID, ts + 20, 140, dims)
  flow("s", 10 * step + number, PID, ts + 20)
  memory(PID, ts + 30, 4 * MIB, 4096 * (1 + number))
  launch("sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n", PID, ts + 110, 12, 7, work, "")
}

function backward(number, ts, work) {
  call("autograd::engine::evaluate_function: AddmmBackward0", BACKWARD, ts, 120, "")
  call("AddmmBackward0", BACKWARD, ts + 6, 105, "")
  flow("f", 10 * step + number, BACKWARD, ts + 6)
  call("aten::mm", BACKWARD, ts + 15, 80, "[1024,512],[512,4096]")
  launch("sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n", BACKWARD, ts + 60, 12, 7, work, "")
  memory(BACKWARD, ts + 90, -4 * MIB, 4096 * (1 + number))
}

function all_reduce(ts) {
  call("nccl:all_reduce", BACKWARD, ts, 60, "")
  call("record_param_comms", BACKWARD, ts + 8, 45, "")
  ready[20] = ready[7]
  launch("ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*, unsigned long)", BACKWARD, ts + 20, 15, 20, 260,
         ",\"Collective name\":\"allreduce\",\"Process Group Name\":\"0\",\"Process Group Ranks\":\"[0, 1]\",\"dtype\":\"BFloat16\"")
  ready[7] = ready[20]
}

function train(    i, top, forward, model) {
  base = 81000000 + 2400 * step
  ready[7] = ready[20] = 0
  slice("user_annotation", "ProfilerStep#" step, PID, 0, 2390, "")
  top = frame("train.py(31): train_step", 0, 3, 2380)
  forward = frame("model.py(18): forward", top, 20, 640)
  model = frame("nn.Module: MLP_0", forward, 24, 630)
  linear(0, model, 40, "[4096],[512,1024],[1024,4096],[],[]", 95)
  frame("nn.Module: GELU_0", model, 250, 120)
  call("aten::gelu", PID, 258, 90, "[512,4096],[]")
  launch("void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)", PID, 300, 10, 7, 14, "")
  linear(1, model, 400, "[1024],[512,4096],[4096,1024],[],[]", 92)
  frame("train.py(36): read_loss", top, 690, 330)
  call("aten::item", PID, 700, 300, "")
  call("aten::_local_scalar_dense", PID, 710, 280, "")
  launch("Memcpy DtoH (Device -> Pinned)", PID, 730, 12, 7, 3, "")
  slice("cuda_runtime", "cudaStreamSynchronize", PID, 745, 240, sprintf("\"External id\":%d", calls))
  frame("train.py(39): keep_outputs", top, 1030, 60)
  call("aten::clone", PID, 1040, 40, "[512,1024],[]")
  memory(PID, 1045, MIB, 1048576 * step)
  launch("void at::native::vectorized_elementwise_kernel<4, at::native::CopyFunctor>(int)", PID, 1060, 9, 7, 6, "")
  backward(1, 1140, 160)
  backward(0, 1290, 170)
  all_reduce(1440)
  frame("train.py(44): update", top, 1900, 460)
  slice("user_annotation", "Optimizer.step#AdamW.step", PID, 1905, 450, "")
  for (i = 0; i < 8; i++) {
    call("aten::addcdiv_", PID, 1920 + 50 * i, 40, "[1024,4096],[1024,4096],[1024,4096]")
    launch("void at::native::vectorized_elementwise_kernel<4, at::native::AddcdivFunctor>(int)", PID, 1935 + 50 * i, 11, 7, 4, "")
  }
}

BEGIN {
  PID = 100
  BACKWARD = 101
  MIB = 1048576
  printf "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA H100 80GB HBM3\"}],\n"
  printf "\"distributedInfo\":{\"backend\":\"nccl\",\"rank\":0,\"world_size\":2},\n"
  printf "\"record_shapes\":1,\"with_stack\":1,\"profile_memory\":1,\"baseTimeNanoseconds\":1700000000000000000,\n\"traceEvents\":["
  event("\"ph\":\"M\",\"name\":\"process_name\",\"pid\":100,\"args\":{\"name\":\"python\"}")
  event("\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":100,\"tid\":100,\"args\":{\"name\":\"main\"}")
  for (step = 4; step < 8; step++)
    train()
  printf "],\n\"traceName\":\"training.pt.trace.json\"}\n"
}
