/* generate_trace.c: traces of one or several ranks: slices that overlap, shared correlation ids,
 * flows without an end, launches that are missing or launch a whole graph, shapes that do not
 * match, memory freed before it is allocated, Python frames before their parents. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "tests/meaning/trace.pb-c.h"

enum { MAX_EVENTS = 60, MAX_TEXT = 64 };

enum trace_kind { TRACE_PYTORCH, TRACE_XPROF, TRACE_TF_TIMELINE, TRACE_OTHER };

struct call_stack {
    struct draw *d;
    uint32_t rank, n_ranks;
    int64_t now; /* in thousandths of the microseconds of `ts` */
};

static const char *const ops[] = {
    "aten::linear", "aten::addmm", "aten::mm", "aten::bmm", "aten::baddbmm", "aten::conv2d", "aten::convolution",
    "aten::convolution_backward", "aten::add", "aten::mul", "aten::_scaled_dot_product_flash_attention",
    "aten::_scaled_dot_product_efficient_attention_backward", "autograd::engine::evaluate_function: AddmmBackward0",
    "nccl:all_reduce", "aten::item", "a/b", "", "x\ny", "\xff\xfe", "=1+1", "(unlaunched)",
};

static const char *const kernels[] = {
    "gemm_64x32", "ncclDevKernel_AllReduce_Sum_f32", "void k<float>(int)", "ncclDevKernel_SendRecv", "Memset (Device)",
    "MEMORY_COPY_", "triton_poi_fused_0", "a/b",
};

static const char *const frames[] = {
    "train.py(12): train", "model.py(4): forward", "nn.Module: Linear_0", "nn.Module: Linear_1", "nn.Module: MLP_0",
    "<built-in method mm of type object at 0x7f0000000000>", "torch/nn/modules/module.py(1500): _call_impl", "",
    "a(99999999999): f", "(1): ", "nn.Module: ", "model.py(4): forward\n",
};

/* ---- fields */

/* A number below BELOW, so that events share it; rarely any other. */
static void put_link(struct draw *d, const char *field, uint32_t below)
{
    put_int(d->tree, field, draw_rarely(d, 20) ? draw_int(d) : draw_below(d, below));
}

static int64_t draw_dur(struct draw *d)
{
    return draw_rarely(d, 40) ? draw_int(d) : (int64_t)draw_below(d, 50000);
}

/* Moves the time of the next event forward; sometimes back, rarely anywhere. */
static void advance_time(struct call_stack *t)
{
    struct draw *d = t->d;

    if (draw_rarely(d, 30))
        t->now = draw_int(d);
    else if (draw_rarely(d, 15))
        t->now = (int64_t)((uint64_t)t->now - draw_below(d, 60000));
    else
        t->now = (int64_t)((uint64_t)t->now + draw_below(d, draw_rarely(d, 3) ? 60000 : 4000));
}

/* Opens an event; the tracks of a process are threads. */
static void open_event(struct call_stack *t, const char *phase, const char *category, const char *name, uint32_t process)
{
    struct draw *d = t->d;

    put_open(d->tree, "element");
    put_text(d->tree, "ph", phase);
    if (category)
        put_text(d->tree, "cat", category);
    put_text(d->tree, "name", name);
    if (draw_rarely(d, 40))
        put_text(d->tree, "pid__as_text", draw_device(d));
    else
        put_int(d->tree, "pid", process);
    if (draw_rarely(d, 20))
        put_text(d->tree, "tid__as_text", "stream 7");
    else if (!draw_rarely(d, 30))
        put_int(d->tree, "tid", draw_below(d, 3));
    put_int(d->tree, "ts", t->now);
}

static void put_dims(struct draw *d)
{
    put_open(d->tree, "Input__Dims");
    for (uint32_t n = draw_below(d, 6); n > 0; n--) {
        put_open(d->tree, "element");
        for (uint32_t k = draw_below(d, 5); k > 0; k--)
            put_int(d->tree, "element", draw_rarely(d, 6) ? draw_int(d) : (int64_t)draw_size(d));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_values(struct draw *d)
{
    static const char *const values[] = {"", "1", "[1, 1]", "[2, 2]", "[0, 0]", "False", "True", "0.5", "[]", "[1", "-1",
                                         "99999999999999999999", "[0, 0, 0]", "None"};

    put_open(d->tree, "Concrete__Inputs");
    for (uint32_t n = draw_below(d, 12); n > 0; n--)
        put_text(d->tree, "element", DRAW_ONE(d, values));
    case_tree_close(d->tree);
}

/* ---- events of PyTorch */

static void put_op(struct call_stack *t)
{
    struct draw *d = t->d;

    open_event(t, "X", "cpu_op", DRAW_ONE(d, ops), 100);
    put_int(d->tree, "dur", draw_dur(d));
    put_open(d->tree, "args");
    put_link(d, "External__id", 12);
    if (draw_rarely(d, 20))
        put_text(d->tree, "Input__Dims__as_text", "[[2, 3], [3");
    else if (!draw_rarely(d, 3))
        put_dims(d);
    if (!draw_rarely(d, 3))
        put_values(d);
    if (draw_rarely(d, 2))
        put_link(d, "Sequence__number", 6);
    if (draw_rarely(d, 4))
        put_link(d, "Fwd__thread__id", 3);
    if (draw_rarely(d, 6))
        put_text(d->tree, "Call__stack", "model.py(4): forward;train.py(12): train;<module>");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_annotation(struct call_stack *t)
{
    static const char *const names[] = {"ProfilerStep#1", "ProfilerStep#2", "ProfilerStep#2", "ProfilerStep#-1",
                                        "ProfilerStep#99999999999999999999", "forward", "a/b/c", "## Call ##"};
    struct draw *d = t->d;

    open_event(t, "X", draw_rarely(d, 6) ? "gpu_user_annotation" : "user_annotation", DRAW_ONE(d, names), 100);
    put_int(d->tree, "dur", draw_dur(d));
    case_tree_close(d->tree);
}

static void put_frame(struct call_stack *t)
{
    struct draw *d = t->d;

    open_event(t, "X", "python_function", DRAW_ONE(d, frames), 100);
    put_int(d->tree, "dur", draw_dur(d));
    put_open(d->tree, "args");
    put_link(d, "Python__id", 12);
    if (!draw_rarely(d, 4))
        put_link(d, "Python__parent__id", 12);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_launch(struct call_stack *t)
{
    static const char *const names[] = {"cudaLaunchKernel", "cudaLaunchKernel", "cudaGraphLaunch", "cudaMemcpyAsync",
                                        "cudaMemcpy", "cudaStreamSynchronize", "cudaFree", "cuLaunchKernelEx"};
    struct draw *d = t->d;

    open_event(t, "X", draw_rarely(d, 6) ? "cuda_driver" : "cuda_runtime", DRAW_ONE(d, names), 100);
    put_int(d->tree, "dur", draw_dur(d) / 4);
    put_open(d->tree, "args");
    put_link(d, "correlation", 12);
    if (draw_rarely(d, 2))
        put_link(d, "External__id", 12);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_collective(struct call_stack *t)
{
    static const char *const ranks[] = {"[0, 1]", "[0, 1]", "[0]", "[7, 9]", "", "[0, 1", "[0, 1, ..., 1023]"};
    struct draw *d = t->d;

    put_text(d->tree, "Collective__name", draw_rarely(d, 6) ? "_allgather_base" : "allreduce");
    put_text(d->tree, "Process__Group__Name", draw_rarely(d, 6) ? "1" : "0");
    put_text(d->tree, "Process__Group__Ranks", DRAW_ONE(d, ranks));
    if (draw_rarely(d, 2))
        put_link(d, "Seq", 4);
}

static void put_work(struct call_stack *t)
{
    static const char *const categories[] = {"kernel", "kernel", "kernel", "gpu_memcpy", "gpu_memset", "hpu_op"};
    struct draw *d = t->d;

    open_event(t, "X", DRAW_ONE(d, categories), DRAW_ONE(d, kernels), draw_below(d, 2));
    put_int(d->tree, "dur", draw_dur(d));
    put_open(d->tree, "args");
    if (!draw_rarely(d, 6))
        put_link(d, "correlation", 12);
    if (draw_rarely(d, 2))
        put_link(d, "External__id", 12);
    put_link(d, "device", 2);
    put_link(d, "stream", 3);
    if (draw_rarely(d, 3))
        put_collective(t);
    if (draw_rarely(d, 4)) {
        put_link(d, "graph__id", 2);
        put_link(d, "graph__node__id", 9);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_memory(struct call_stack *t)
{
    struct draw *d = t->d;

    open_event(t, "i", "cpu_instant_event", "[memory]", 100);
    put_open(d->tree, "args");
    put_int(d->tree, "Bytes", draw_rarely(d, 2) ? -(int64_t)draw_below(d, 5000) : draw_amount(d));
    put_link(d, "Addr", 4);
    if (!draw_rarely(d, 6))
        put_link(d, "Device__Type", 2);
    put_link(d, "Device__Id", 2);
    if (!draw_rarely(d, 3))
        put_int(d->tree, "Total__Allocated", draw_amount(d));
    if (!draw_rarely(d, 3))
        put_int(d->tree, "Total__Reserved", draw_amount(d));
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

/* ---- events of any writer */

static void put_flow(struct call_stack *t)
{
    static const char *const categories[] = {"fwdbwd", "fwdbwd", "ac2g", "other"};
    static const char *const phases[] = {"s", "f", "t", "s", "f"};
    struct draw *d = t->d;
    const char *category = DRAW_ONE(d, categories);

    open_event(t, DRAW_ONE(d, phases), category, category, draw_rarely(d, 4) ? 0 : 100);
    put_link(d, "id", 4);
    if (draw_rarely(d, 2))
        put_text(d->tree, "bp", "e");
    case_tree_close(d->tree);
}

/* Begin and end events that do not match, counters and unknown phases. */
static void put_mark(struct call_stack *t)
{
    static const char *const phases[] = {"B", "E", "B", "E", "b", "e", "n", "C", "N", "P", "", "?", "I"};
    struct draw *d = t->d;

    open_event(t, DRAW_ONE(d, phases), draw_rarely(d, 2) ? "cpu_op" : "other", DRAW_ONE(d, ops), 100);
    put_link(d, "id", 3);
    if (draw_rarely(d, 4))
        put_int(d->tree, "dur", draw_dur(d));
    case_tree_close(d->tree);
}

static void put_name(struct call_stack *t, const char *what, uint32_t process, const char *name)
{
    struct draw *d = t->d;

    open_event(t, "M", NULL, what, process);
    put_open(d->tree, "args");
    put_text(d->tree, "name", name);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

/* ---- events of other programs */

static void put_xprof_slice(struct call_stack *t)
{
    static const char *const names[] = {"$train.py:12 step", "$net.py:3 forward", "gemm", "train", "fusion.1",
                                        "MemcpyH2D", "a/b:MatMul", "$", ""};
    struct draw *d = t->d;

    open_event(t, "X", NULL, DRAW_ONE(d, names), draw_below(d, 3));
    put_int(d->tree, "dur", draw_dur(d));
    put_open(d->tree, "args");
    if (draw_rarely(d, 3))
        put_link(d, "step_num", 4);
    if (draw_rarely(d, 3))
        put_link(d, "group_id", 4);
    if (draw_rarely(d, 3))
        put_text(d->tree, "hlo_op", "dot.1");
    if (draw_rarely(d, 3))
        put_text(d->tree, "hlo_module", "jit_step");
    if (draw_rarely(d, 3))
        put_text(d->tree, "tf_op", "a/b/c:MatMul");
    put_link(d, "correlation_id", 6);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_timeline_slice(struct call_stack *t)
{
    struct draw *d = t->d;
    const char *op = draw_type(d);

    if (draw_rarely(d, 5)) {
        open_event(t, "O", "Tensor", draw_any_node(d), 1);
        put_open(d->tree, "args");
        put_open(d->tree, "snapshot");
        put_text(d->tree, "tensor_description", "dtype: DT_FLOAT allocation_description { requested_bytes: 99 }");
        case_tree_close(d->tree);
    } else {
        open_event(t, "X", "Op", op, draw_below(d, 2));
        put_int(d->tree, "dur", draw_dur(d));
        put_open(d->tree, "args");
        put_text(d->tree, "name", draw_any_node(d));
        put_text(d->tree, "op", op);
        put_text(d->tree, "input0", draw_any_node(d));
        if (draw_rarely(d, 2))
            put_text(d->tree, "input1", draw_any_node(d));
        put_int(d->tree, "weight", draw_int(d));
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

/* Slices as other programs and the timeline export of this one write them. */
static void put_plain_slice(struct call_stack *t)
{
    struct draw *d = t->d;

    open_event(t, "X", draw_rarely(d, 2) ? "Op" : NULL, draw_rarely(d, 8) ? "_TFProfRoot" : draw_any_node(d), draw_below(d, 4));
    put_int(d->tree, "dur", draw_dur(d));
    case_tree_close(d->tree);
}

/* ---- files */

static void put_pytorch_event(struct call_stack *t)
{
    static void (*const puts[])(struct call_stack *) = {put_op,   put_op,     put_op,   put_frame,      put_frame, put_launch,
                                                   put_work, put_memory, put_flow, put_annotation, put_work,  put_mark};

    DRAW_ONE(t->d, puts)(t);
}

static void put_events(struct call_stack *t, enum trace_kind kind)
{
    static void (*const puts[])(struct call_stack *) = {
        [TRACE_PYTORCH] = put_pytorch_event, [TRACE_XPROF] = put_xprof_slice,
        [TRACE_TF_TIMELINE] = put_timeline_slice, [TRACE_OTHER] = put_plain_slice};
    struct draw *d = t->d;

    for (uint32_t n = 1 + draw_below(d, MAX_EVENTS); n > 0; n--) {
        if (draw_rarely(d, 12))
            put_flow(t);
        else if (draw_rarely(d, 12))
            put_mark(t);
        else
            puts[draw_rarely(d, 40) ? draw_below(d, TRACE_OTHER + 1) : kind](t);
        advance_time(t);
    }
}

static void put_names(struct call_stack *t, enum trace_kind kind)
{
    static const char *const names[][3] = {
        [TRACE_PYTORCH] = {"python", "GPU 0", "Spans"},
        [TRACE_XPROF] = {"/host:CPU", "/device:GPU:0", "/device:TPU:0"},
        [TRACE_TF_TIMELINE] = {"/device:GPU:0 Compute", "Op execution threads: /gpu:0", "Tensors"},
        [TRACE_OTHER] = {"Scope:0", "Scope:1", "Scope:2"},
    };
    static const char *const tracks[] = {"Stream #7(Kernel)", "XLA Ops", "python", "", "Steps"};
    struct draw *d = t->d;

    for (uint32_t i = 0; i < 3; i++)
        if (!draw_rarely(d, 8))
            put_name(t, "process_name", i, names[kind][i]);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_name(t, "thread_name", draw_below(d, 3), DRAW_ONE(d, tracks));
}

static void put_head(struct call_stack *t, enum trace_kind kind)
{
    struct draw *d = t->d;

    if (kind == TRACE_XPROF)
        put_text(d->tree, "displayTimeUnit", "ns");
    if (kind != TRACE_PYTORCH)
        return;
    put_int(d->tree, "schemaVersion", 1);
    put_open(d->tree, "deviceProperties");
    put_open(d->tree, "element");
    put_link(d, "id", 2);
    put_text(d->tree, "name", "NVIDIA H100");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    if (t->n_ranks > 1 || draw_rarely(d, 3)) {
        put_open(d->tree, "distributedInfo");
        put_text(d->tree, "backend", "nccl");
        put_int(d->tree, "rank", draw_rarely(d, 12) ? draw_int(d) : t->rank);
        put_int(d->tree, "world_size", draw_rarely(d, 30) ? draw_int(d) : t->n_ranks);
        case_tree_close(d->tree);
    }
    put_int(d->tree, "baseTimeNanoseconds", draw_rarely(d, 6) ? draw_int(d) : INT64_C(1700000000000000000));
    put_int(d->tree, "record_shapes", draw_below(d, 2));
    put_int(d->tree, "with_stack", draw_below(d, 2));
    put_int(d->tree, "profile_memory", draw_below(d, 2));
    if (draw_rarely(d, 20))
        put_text(d->tree, "ERROR", "buffer full");
}

static void put_rank(struct call_stack *t, enum trace_kind kind)
{
    struct draw *d = t->d;
    char name[MAX_TEXT];

    snprintf(name, sizeof name, "rank_%u.pt.trace.json", t->rank);
    put_file_as(d->tree, ITEM_JSON, name, &tfp__trace__descriptor);
    put_head(t, kind);
    put_open(d->tree, "traceEvents");
    put_names(t, kind);
    t->now = 1000000;
    put_events(t, kind);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    put_option(d->tree, "@/%s", name);
}

void generate_trace(struct draw *d)
{
    struct call_stack t = {.d = d, .n_ranks = draw_rarely(d, 4) ? 2 + draw_below(d, 2) : 1};
    const enum trace_kind kind = draw_rarely(d, 3) ? (enum trace_kind)draw_below(d, TRACE_OTHER + 1) : TRACE_PYTORCH;

    for (t.rank = 0; t.rank < t.n_ranks; t.rank++)
        put_rank(&t, kind);
    if (draw_rarely(d, 3))
        put_option(d->tree, "-kernels=rows");
    if (t.n_ranks > 1 && draw_rarely(d, 3))
        put_option(d->tree, "-rank=%u", draw_below(d, t.n_ranks));
    else if (t.n_ranks > 1 && draw_rarely(d, 3))
        put_option(d->tree, "-rank=all");
}
