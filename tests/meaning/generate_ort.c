/* generate_ort.c: profiles of ONNX Runtime, mostly with a model: names of nodes that the model has twice
 * or not at all, runs that overlap, sizes and shapes that contradict the model, kernels without a
 * parent or of several. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "tests/meaning/trace.pb-c.h"

enum { MAX_EVENTS = 60, MAX_NODES = 25 };

struct session {
    struct draw *d;
    int64_t now; /* in thousandths of the microseconds of `ts` */
};

static const char *const op_names[] = {"MatMul", "Conv", "Gemm", "LSTM", "Add", "If", "Loop", "Attention", "FusedConv",
                                       "QLinearConv", "Softmax", "MaxPool", "", "a/b", "x\ny", "Unknown"};

/* "n3", "/layer.3/n", "Conv_3", "v3_nchwc" or another name, and SUFFIX. */
static const char *node_name(struct draw *d, const char *suffix)
{
    static const char *const odd[] = {"", "/", "a/b", "\xff", "x\ny", "_nchwc", "v0_nchwc_nchwc", "ReorderOutput_token_1"};
    const uint32_t number = draw_below(d, MAX_NODES);

    switch (draw_below(d, 6)) {
    case 0:
        snprintf(d->text, sizeof d->text, "/layer.%u/n%s", number, suffix);
        break;
    case 1:
        snprintf(d->text, sizeof d->text, "%s_%u%s", DRAW_ONE(d, op_names), number, suffix);
        break;
    case 2:
        snprintf(d->text, sizeof d->text, "v%u_nchwc%s", number, suffix);
        break;
    case 3:
        snprintf(d->text, sizeof d->text, "%s%s", DRAW_ONE(d, odd), suffix);
        break;
    default:
        snprintf(d->text, sizeof d->text, "n%u%s", number, suffix);
    }
    return d->text;
}

static void open_event(struct session *s, const char *category, const char *name, const char *phase)
{
    struct draw *d = s->d;

    if (draw_rarely(d, 30))
        s->now = draw_int(d);
    else
        s->now = (int64_t)((uint64_t)s->now + draw_below(d, 30000) - (draw_rarely(d, 10) ? 60000 : 0));
    put_open(d->tree, "element");
    put_text(d->tree, "cat", category);
    put_int(d->tree, "pid", 1);
    put_int(d->tree, "tid", draw_rarely(d, 8) ? draw_below(d, 3) : 1);
    put_int(d->tree, "ts", s->now);
    put_int(d->tree, "dur", draw_rarely(d, 40) ? draw_int(d) : (int64_t)draw_below(d, 50000));
    put_text(d->tree, "ph", phase);
    put_text(d->tree, "name", name);
}

/* A number as text, as all numbers of these arguments are. */
static void put_size(struct draw *d, const char *field)
{
    char text[24];

    snprintf(text, sizeof text, "%lld", (long long)draw_amount(d));
    put_text(d->tree, field, draw_rarely(d, 20) ? "99999999999999999999" : draw_rarely(d, 20) ? "" : text);
}

static void put_shapes(struct draw *d, const char *field)
{
    put_open(d->tree, field);
    for (uint32_t n = draw_below(d, 5); n > 0; n--) {
        put_open(d->tree, "element");
        put_open(d->tree, draw_rarely(d, 4) ? "int64__as_type" : "float__as_type");
        for (uint32_t k = draw_below(d, 6); k > 0; k--)
            put_int(d->tree, "element", draw_rarely(d, 6) ? draw_int(d) : (int64_t)draw_size(d));
        case_tree_close(d->tree);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

/* Sizes, and times of threads. */
static void put_threads(struct draw *d)
{
    if (draw_rarely(d, 2))
        put_size(d, "activation_size");
    if (draw_rarely(d, 2))
        put_size(d, "mem_in_use_peak");
    if (draw_rarely(d, 2))
        return;
    put_open(d->tree, "thread_scheduling_stats");
    for (uint32_t n = draw_below(d, 3); n > 0; n--) {
        put_open(d->tree, draw_rarely(d, 2) ? "main_thread" : "sub_threads");
        put_int(d->tree, "Run", draw_int(d));
        put_int(d->tree, "Wait", (int64_t)draw_below(d, 1000));
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
}

static void put_node(struct session *s)
{
    static const char *const suffixes[] = {"_kernel_time", "_kernel_time", "_kernel_time", "_fence_before", "_fence_after", ""};
    static const char *const providers[] = {"CPUExecutionProvider", "CUDAExecutionProvider", "TensorrtExecutionProvider", "",
                                            "a/b"};
    struct draw *d = s->d;

    open_event(s, "Node", node_name(d, DRAW_ONE(d, suffixes)), draw_rarely(d, 30) ? "B" : "X");
    put_open(d->tree, "args");
    if (!draw_rarely(d, 10))
        put_text(d->tree, "op_name", DRAW_ONE(d, op_names));
    put_text(d->tree, "provider", DRAW_ONE(d, providers));
    if (!draw_rarely(d, 4))
        put_shapes(d, "input_type_shape");
    if (!draw_rarely(d, 4))
        put_shapes(d, "output_type_shape");
    if (!draw_rarely(d, 4))
        put_size(d, "output_size");
    put_threads(d);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_kernel(struct session *s)
{
    struct draw *d = s->d;
    const bool is_call = draw_rarely(d, 3);

    open_event(s, is_call ? "Api" : "Kernel", is_call ? "cudaLaunchKernel" : "gemm", "X");
    put_open(d->tree, "args");
    if (!draw_rarely(d, 3))
        put_text(d->tree, "parent_name", node_name(d, "_kernel_time"));
    put_text(d->tree, "stream__as_text", draw_rarely(d, 3) ? "" : "7");
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_session(struct session *s)
{
    static const char *const names[] = {"model_run", "model_run", "model_run", "session_initialization",
                                        "model_loading_uri", "SequentialExecutor::Execute", "BatchRun", "a/b", ""};

    open_event(s, "Session", DRAW_ONE(s->d, names), "X");
    case_tree_close(s->d->tree);
}

void generate_ort(struct draw *d)
{
    struct session s = {.d = d, .now = 1000000};

    if (!draw_rarely(d, 3))
        generate_onnx(d);
    put_file_as(d->tree, ITEM_JSON, "onnxruntime_profile.json", &tfp__trace__events__descriptor);
    put_session(&s);
    for (uint32_t n = draw_below(d, MAX_EVENTS); n > 0; n--)
        (draw_rarely(d, 6) ? put_session : draw_rarely(d, 6) ? put_kernel : put_node)(&s);
    case_tree_close(d->tree);
    put_option(d->tree, "@/onnxruntime_profile.json");
    if (draw_rarely(d, 3))
        put_option(d->tree, "-kernels=rows");
    if (draw_rarely(d, 3))
        put_option(d->tree, "-batch=2");
}
