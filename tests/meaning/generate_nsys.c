/* generate_nsys.c: exports of Nsight Systems: ranges that overlap or never end, kernels that no call
 * launched or several did, replays of graphs with and without their kernels, names that are not in
 * the table of strings, columns that are missing, views instead of tables. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "tests/meaning/nsys.pb-c.h"

enum { MAX_STRINGS = 24, MAX_EVENTS = 50, CORRELATIONS = 12 };

struct job {
    struct draw *d;
    uint32_t n_processes;
    int64_t now; /* ns */
};

static const char *const strings[] = {
    "cudaLaunchKernel_v7000", "cudaGraphLaunch_v10000", "cuLaunchKernel", "cudaMemcpyAsync_v3020", "gemm_64x32",
    "void k<float>(int)", "ncclDevKernel_AllReduce_Sum_f32", "ncclDevKernel_SendRecv", "forward", "a/b", "", "x\ny",
    "step 1", "iteration: 2", "_v1234", "aten::mm, seq = 4, op_id = 7, sizes = [[8, 64], [64, 32]]", "\xff\xfe",
    "main thread", "ncclAllReduce", "(no recorded launch)", "NCCL",
    "{\"Message size [bytes]\":\"9223372036854775807\",\"No. of ranks\":[2]}",
};

static const char *const ranges[] = {
    "step 1", "step 2", "ProfilerStep#3", "iteration: 2", "train_step_99999999999999999999", "batch=1", "forward",
    "aten::linear, seq = 4, op_id = 7, sizes = [[8, 64], [64, 32], []]", "aten::mm, seq = 99999999999999999999",
    "AddmmBackward0, seq = 4", "aten::conv2d, op_id = 1, sizes = [[1, 3], [", ", seq = 1", "a/b/c", "", "x\ny", "\xff",
    "aten::bmm, seq = -1, sizes = [[2, -3, 9223372036854775807]]", "ncclAllReduce",
};

/* ---- fields */

/* A number below BELOW, so that rows share it; rarely any other, or none. */
static void put_link(struct draw *d, const char *column, uint32_t below)
{
    if (!draw_rarely(d, 25))
        put_int(d->tree, column, draw_rarely(d, 25) ? draw_int(d) : draw_below(d, below));
}

static int64_t draw_pid(struct job *j)
{
    return (int64_t)(1 + draw_below(j->d, j->n_processes)) << 24;
}

static void put_times(struct job *j)
{
    struct draw *d = j->d;
    int64_t dur;

    if (draw_rarely(d, 30))
        j->now = draw_int(d);
    else if (draw_rarely(d, 10))
        j->now = (int64_t)((uint64_t)j->now - draw_below(d, 60000));
    else
        j->now = (int64_t)((uint64_t)j->now + draw_below(d, draw_rarely(d, 3) ? 60000 : 4000));
    dur = draw_rarely(d, 40) ? draw_int(d) : (int64_t)draw_below(d, 50000);
    put_int(d->tree, "start", j->now);
    if (!draw_rarely(d, 20))
        put_int(d->tree, "end", (int64_t)((uint64_t)j->now + (uint64_t)dur));
}

static void put_sizes(struct draw *d)
{
    static const char *const names[] = {"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
                                        "staticSharedMemory", "dynamicSharedMemory"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put_link(d, names[i], 5);
}

/* ---- rows */

static void put_work(struct job *j, const char *table)
{
    struct draw *d = j->d;

    put_open(d->tree, table);
    put_times(j);
    put_link(d, "deviceId", 2);
    put_link(d, "streamId", 3);
    put_link(d, "correlationId", CORRELATIONS);
    put_int(d->tree, "globalPid", draw_rarely(d, 40) ? draw_int(d) : draw_pid(j));
    put_link(d, draw_rarely(d, 4) ? "shortName" : "demangledName", MAX_STRINGS);
    if (draw_rarely(d, 4))
        put_link(d, "graphNodeId", 4);
    if (draw_rarely(d, 3))
        put_link(d, "graphId", 3);
    if (draw_rarely(d, 2))
        put_sizes(d);
    put_link(d, "copyKind", 14);
    put_link(d, "contextId", 2);
    if (draw_rarely(d, 40))
        put_text(d->tree, "demangledName__as_text", "no number");
    case_tree_close(d->tree);
}

static void put_call(struct job *j)
{
    struct draw *d = j->d;

    put_open(d->tree, "CUPTI_ACTIVITY_KIND_RUNTIME");
    put_times(j);
    put_int(d->tree, "globalTid", draw_rarely(d, 40) ? draw_int(d) : draw_pid(j) + draw_below(d, 3));
    put_link(d, "correlationId", CORRELATIONS);
    put_link(d, "nameId", MAX_STRINGS);
    put_link(d, "eventClass", 2);
    case_tree_close(d->tree);
}

static void put_range(struct job *j)
{
    static const int types[] = {59, 59, 59, 59, 70, 60, 71, 34, 65, 75, 75, 0};
    struct draw *d = j->d;

    put_open(d->tree, "NVTX_EVENTS");
    put_times(j);
    put_int(d->tree, "eventType", DRAW_ONE(d, types));
    put_int(d->tree, "globalTid", draw_rarely(d, 40) ? draw_int(d) : draw_pid(j) + draw_below(d, 3));
    if (draw_rarely(d, 4))
        put_link(d, "textId", MAX_STRINGS);
    else
        put_text(d->tree, "text", DRAW_ONE(d, ranges));
    put_link(d, "domainId", 3);
    if (draw_rarely(d, 8))
        put_link(d, "jsonTextId", MAX_STRINGS);
    if (draw_rarely(d, 4))
        put_text(d->tree, "jsonText", draw_rarely(d, 3) ? "{\"Message size [bytes]\":[" :
                 "{\"Message size [bytes]\":1024,\"Rank\":0,\"No. of ranks\":2,\"NCCL communicator ID\":-1}");
    case_tree_close(d->tree);
}

static void put_event(struct job *j)
{
    static const char *const tables[] = {
        "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_KERNEL",
        "CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    struct draw *d = j->d;

    switch (draw_below(d, 8)) {
    case 0:
    case 1:
    case 2:
        put_work(j, DRAW_ONE(d, tables));
        break;
    case 3:
    case 4:
        put_call(j);
        break;
    case 5:
        put_open(d->tree, draw_rarely(d, 2) ? "CUPTI_ACTIVITY_KIND_OVERHEAD" : "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION");
        put_times(j);
        put_int(d->tree, draw_rarely(d, 2) ? "globalPid" : "globalTid", draw_pid(j));
        put_link(d, "nameId", MAX_STRINGS);
        case_tree_close(d->tree);
        break;
    default:
        put_range(j);
    }
}

static void put_strings(struct job *j)
{
    struct draw *d = j->d;

    for (uint32_t i = 0; i < MAX_STRINGS; i++) {
        if (draw_rarely(d, 10))
            continue;
        put_open(d->tree, "StringIds");
        put_int(d->tree, "id", draw_rarely(d, 40) ? draw_int(d) : i);
        put_text(d->tree, "value", i < sizeof strings / sizeof *strings ? strings[i] : DRAW_ONE(d, ranges));
        case_tree_close(d->tree);
    }
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(d->tree, "ThreadNames");
        put_link(d, "nameId", MAX_STRINGS);
        put_int(d->tree, "globalTid", draw_pid(j) + draw_below(d, 3));
        case_tree_close(d->tree);
    }
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(d->tree, "TARGET_INFO_GPU");
        put_link(d, "id", 3);
        put_text(d->tree, "name", DRAW_ONE(d, strings));
        put_link(d, "computeMajor", 10);
        case_tree_close(d->tree);
    }
    for (uint32_t n = draw_below(d, 4); n > 0; n--) {
        put_open(d->tree, "TARGET_INFO_CUDA_DEVICE");
        put_link(d, "gpuId", 3);
        put_link(d, "cudaId", 3);
        put_link(d, "pid", 4);
        case_tree_close(d->tree);
    }
    put_open(d->tree, "TARGET_INFO_SESSION_START_TIME");
    put_int(d->tree, "utcEpochNs", draw_rarely(d, 6) ? draw_int(d) : INT64_C(1700000000000000000));
    put_int(d->tree, "systemClockNs", draw_amount(d));
    case_tree_close(d->tree);
}

void generate_nsys(struct draw *d)
{
    struct job j = {.d = d};
    const uint32_t n_files = draw_rarely(d, 5) ? 2 : 1;

    for (uint32_t file = 0; file < n_files; file++) {
        char name[32];

        snprintf(name, sizeof name, "rank_%u.sqlite", file);
        put_file_as(d->tree, ITEM_SQLITE, name, &tfp__nsys__descriptor);
        j.n_processes = draw_rarely(d, 4) ? 1 + draw_below(d, 3) : 1;
        j.now = 1000000;
        put_strings(&j);
        for (uint32_t n = draw_below(d, MAX_EVENTS); n > 0; n--)
            put_event(&j);
        if (draw_rarely(d, 15))
            put_int(d->tree, "missing_column", draw_below(d, 60));
        if (draw_rarely(d, 40))
            put_int(d->tree, "view", draw_below(d, 11));
        case_tree_close(d->tree);
        put_option(d->tree, "@/%s", name);
    }
    if (draw_rarely(d, 3))
        put_option(d->tree, "-kernels=rows");
    if (draw_rarely(d, 6))
        put_option(d->tree, "-nvtx_steps=(\\d+)");
    if (draw_rarely(d, 4))
        put_option(d->tree, "-rank=%s", draw_rarely(d, 2) ? "all" : "0");
}
