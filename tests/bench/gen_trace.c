/* gen_trace.c: generates traces of any size that resemble those of PyTorch.
 *
 *     gen_trace EVENTS > FILE
 *
 * A training job: steps of 48 blocks of modules with Python frames, operators with shapes,
 * allocations, launches, kernels and flows; backward on a separate thread, an all-reduce on a
 * second stream.  Everything is a function of the event's number, so files are equal on every
 * machine.  An event takes about 200 bytes.  Events are in PyTorch's order: operators, allocations,
 * frames, then launches with their work. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum pass { PASS_OPERATORS, PASS_MEMORY, PASS_FRAMES, PASS_DEVICE, PASS_COUNT };
enum { BLOCKS = 48, FORWARD_TID = 4321, BACKWARD_TID = 4400, PID = 4321, COMPUTE_STREAM = 7,
       COMMUNICATION_STREAM = 20 };

struct op {
    const char *name, *inner, *kernel;
    const char *dims, *values;
};

static const struct op ops[] = {
    {"aten::linear", "aten::addmm", "sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64",
     "[[4096], [512, 1024], [1024, 4096], [], []]", "[\"\", \"\", \"\", \"1\", \"1\"]"},
    {"aten::gelu", "aten::empty",
     "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl>(int)",
     "[[512, 4096], []]", "[\"\", \"none\"]"},
    {"aten::layer_norm", "aten::native_layer_norm",
     "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int)",
     "[[512, 1024], [], [1024], [1024], []]", "[\"\", \"[1024]\", \"\", \"\", \"1e-05\"]"},
    {"aten::add_", "aten::to", "void at::native::vectorized_elementwise_kernel<4, AddFunctor>(int)",
     "[[512, 1024], [512, 1024], []]", "[\"\", \"\", \"1\"]"},
    {"aten::scaled_dot_product_attention", "aten::_scaled_dot_product_flash_attention",
     "pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 64, 4>>(params)",
     "[[8, 16, 64, 64], [8, 16, 64, 64], [8, 16, 64, 64], [], [], []]",
     "[\"\", \"\", \"\", \"0.\", \"False\", \"\"]"},
};

enum { N_OPS = sizeof ops / sizeof *ops };

struct writer {
    enum pass pass;
    uint64_t n_events, events_most;
    bool counts; /* counts without writing */
    uint64_t cpu_ns, backward_ns, gpu_ns, comm_ns;
    uint64_t correlation, external, python_id, allocated_bytes;
};

static void event(struct writer *w, enum pass pass, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void event(struct writer *w, enum pass pass, const char *format, ...)
{
    va_list args;

    w->n_events += w->counts;
    if (w->counts || pass != w->pass)
        return;
    va_start(args, format);
    fputs("  {\n    ", stdout);
    vfprintf(stdout, format, args);
    fputs("\n  },\n", stdout);
    va_end(args);
}

#define TIME "%" PRIu64 ".%03u"
#define TIME_OF(ns) (ns) / 1000, (unsigned)((ns) % 1000)

/* Writes a Python frame of PARENT (0: none); returns its number. */
static uint64_t frame(struct writer *w, const char *name, unsigned number, uint64_t parent,
                      uint64_t start_ns, uint64_t dur_ns)
{
    const uint64_t id = ++w->python_id;
    char above[24] = "null";

    if (parent)
        snprintf(above, sizeof above, "%" PRIu64, parent);
    event(w, PASS_FRAMES,
          "\"ph\": \"X\", \"cat\": \"python_function\", \"name\": \"%s%.0u\", \"pid\": %d, \"tid\": "
          "%d,\n    \"ts\": " TIME ", \"dur\": " TIME ",\n    \"args\": {\n      \"Python parent id\": "
          "%s, \"Python id\": %" PRIu64 ", \"Ev Idx\": %" PRIu64 "\n    }",
          name, number, PID, FORWARD_TID, TIME_OF(start_ns), TIME_OF(dur_ns), above, id, id);
    return id;
}

static void operator_slice(struct writer *w, const struct op *op, const char *name, int tid,
                           uint64_t start_ns, uint64_t dur_ns)
{
    const uint64_t id = ++w->external;

    event(w, PASS_OPERATORS,
          "\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"%s\", \"pid\": %d, \"tid\": %d,\n    "
          "\"ts\": " TIME ", \"dur\": " TIME ",\n    \"args\": {\n      \"External id\": %" PRIu64
          ", \"Concrete Inputs\": %s, \"Input Dims\": %s, \"Ev Idx\": %" PRIu64 "\n    }",
          name, PID, tid, TIME_OF(start_ns), TIME_OF(dur_ns), id, op->values, op->dims, id);
}

static void memory(struct writer *w, int tid, uint64_t at_ns, int64_t bytes)
{
    w->allocated_bytes += (uint64_t)bytes;
    event(w, PASS_MEMORY,
          "\"ph\": \"i\", \"cat\": \"cpu_instant_event\", \"s\": \"t\", \"name\": \"[memory]\",\n    "
          "\"pid\": %d, \"tid\": %d, \"ts\": " TIME ",\n    \"args\": {\n      \"Total Allocated\": %"
          PRIu64 ", \"Bytes\": %" PRId64 ", \"Addr\": 12345, \"Device Id\": 0, \"Device Type\": 1\n    }",
          PID, tid, TIME_OF(at_ns), w->allocated_bytes, bytes);
}

/* Writes a launch at START_NS and its work on STREAM, which is free at *READY_NS. */
static void launch(struct writer *w, const char *kernel, int tid, int stream, uint64_t start_ns,
                   uint64_t work_ns, uint64_t *ready_ns)
{
    const uint64_t id = ++w->correlation;
    const uint64_t begin_ns = *ready_ns > start_ns + 6000 ? *ready_ns : start_ns + 6000;

    *ready_ns = begin_ns + work_ns;
    event(w, PASS_DEVICE,
          "\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": %d, "
          "\"tid\": %d,\n    \"ts\": " TIME ", \"dur\": 4.211,\n    \"args\": {\n      \"External id\": %"
          PRIu64 ", \"cbid\": 211, \"correlation\": %" PRIu64 "\n    }",
          PID, tid, TIME_OF(start_ns), w->external, id);
    event(w, PASS_DEVICE,
          "\"ph\": \"s\", \"id\": %" PRIu64 ", \"pid\": %d, \"tid\": %d, \"ts\": " TIME
          ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\"",
          id, PID, tid, TIME_OF(start_ns));
    event(w, PASS_DEVICE,
          "\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"%s\", \"pid\": 0, \"tid\": %d,\n    \"ts\": "
          TIME ", \"dur\": " TIME ",\n    \"args\": {\n      \"External id\": %" PRIu64
          ", \"queued\": 0, \"device\": 0, \"context\": 1, \"stream\": %d, \"correlation\": %" PRIu64
          ", \"grid\": [64, 1, 1], \"block\": [128, 1, 1]\n    }",
          kernel, stream, TIME_OF(begin_ns), TIME_OF(work_ns), w->external, stream, id);
    event(w, PASS_DEVICE,
          "\"ph\": \"f\", \"id\": %" PRIu64 ", \"pid\": 0, \"tid\": %d, \"ts\": " TIME
          ",\n    \"cat\": \"ac2g\", \"name\": \"ac2g\", \"bp\": \"e\"",
          id, stream, TIME_OF(begin_ns));
}

/* Writes an operator within an operator that launches a kernel: 30 us. */
static void call(struct writer *w, const struct op *op, int tid, uint64_t *now_ns)
{
    const uint64_t start_ns = *now_ns;

    operator_slice(w, op, op->name, tid, start_ns, 28000);
    operator_slice(w, op, op->inner, tid, start_ns + 2000, 24000);
    memory(w, tid, start_ns + 3000, 1 << 20);
    launch(w, op->kernel, tid, COMPUTE_STREAM, start_ns + 8000,
           9000 + 700 * (w->correlation % 13), &w->gpu_ns);
    *now_ns += 30000;
}

static void block(struct writer *w, unsigned number, uint64_t parent)
{
    static const char *const names[] = {"nn.Module: Block_", "nn.Module: Linear_",
                                        "nn.Module: LayerNorm_", "nn.Module: Attention_"};
    const uint64_t start_ns = w->cpu_ns;
    const uint64_t outer = frame(w, names[0], number, parent, start_ns, 420000);
    const uint64_t forward =
        frame(w, "model/block.py(88): forward", 0, outer, start_ns + 1000, 418000);

    for (unsigned i = 0; i < 12; i++) {
        const struct op *op = &ops[(number + i) % N_OPS];
        const uint64_t at_ns = start_ns + 2000 + i * 34000;
        const uint64_t module = frame(w, names[1 + i % 3], number * 12 + i, forward, at_ns, 33000);
        const uint64_t inner = frame(w, "torch/nn/modules/module.py(1747): _call_impl", 0, module,
                                     at_ns + 300, 32400);
        uint64_t now_ns = at_ns + 1500;

        frame(w, "<built-in function linear>", 0, inner, at_ns + 1000, 31000);
        call(w, op, FORWARD_TID, &now_ns);
    }
    for (unsigned i = 0; i < 12; i++)
        call(w, &ops[(number + i) % N_OPS], BACKWARD_TID, &w->backward_ns);
    if (number % 8 == 7)
        launch(w, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevComm*, unsigned long)",
               BACKWARD_TID, COMMUNICATION_STREAM, w->backward_ns, 150000, &w->comm_ns);
    w->cpu_ns += 425000;
}

static void step(struct writer *w, unsigned number)
{
    const uint64_t start_ns = w->cpu_ns, external = ++w->external;
    const uint64_t dur_ns = (uint64_t)BLOCKS * 425000 + 50000;
    const uint64_t script = frame(w, "train.py(41): step", 0, 0, start_ns, dur_ns);

    event(w, PASS_OPERATORS,
          "\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"ProfilerStep#%u\", \"pid\": %d, "
          "\"tid\": %d,\n    \"ts\": " TIME ", \"dur\": " TIME ",\n    \"args\": {\n      \"External id\": %"
          PRIu64 "\n    }",
          number, PID, FORWARD_TID, TIME_OF(start_ns), TIME_OF(dur_ns), external);
    w->backward_ns = start_ns;
    w->cpu_ns += 10000;
    for (unsigned i = 0; i < BLOCKS && w->n_events < w->events_most; i++)
        block(w, i, script);
    memory(w, FORWARD_TID, w->cpu_ns, -(int64_t)w->allocated_bytes + (64 << 20));
    w->cpu_ns = start_ns + dur_ns + 20000;
}

static struct writer job(enum pass pass, bool counts, uint64_t events_most, unsigned steps)
{
    enum { START_NS = 1000000000 };
    struct writer w = {.pass = pass, .counts = counts, .events_most = events_most};

    w.cpu_ns = w.gpu_ns = w.comm_ns = UINT64_C(1419247) * START_NS;
    for (unsigned i = 0; i < steps && w.n_events < events_most; i++)
        step(&w, i);
    return w;
}

int main(int argc, char **argv)
{
    const uint64_t n_events = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    const uint64_t in_step = job(PASS_OPERATORS, true, UINT64_MAX, 1).n_events;
    const unsigned steps = (unsigned)(n_events / in_step) + 1;

    if (!n_events) {
        fputs("usage: gen_trace EVENTS\n", stderr);
        return 2;
    }
    fputs("{\n  \"schemaVersion\": 1,\n  \"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H100\"}],\n"
          "  \"record_shapes\": 1, \"with_stack\": 1, \"profile_memory\": 1,\n  \"traceEvents\": [\n",
          stdout);
    for (int pass = 0; pass < PASS_COUNT; pass++)
        job((enum pass)pass, false, UINT64_MAX, steps);
    puts("  {\n    \"name\": \"process_name\", \"ph\": \"M\", \"pid\": 4321, \"args\": {\"name\": \"python3\"}"
         "\n  }\n  ],\n  \"traceName\": \"bench.pt.trace.json\"\n}");
    return fflush(stdout) || ferror(stdout);
}
