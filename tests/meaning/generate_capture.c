/* generate_capture.c: captures: planes that are duplicated or split, events and stats with
 * duplicate ids, launches without kernels, instructions of other programs, several hosts. */
#include <stdio.h>
#include <string.h>

#include "meaning/generators.h"
#include "proto/hlo.pb-c.h"
#include "tests/meaning/xplane.pb-c.h"

enum { N_KINDS = 12, MAX_INSTRUCTIONS = 64, FIRST_TEXT_ID = 100 };

enum value_kind { VALUE_NUMBER, VALUE_PLACE, VALUE_REAL, VALUE_TEXT, VALUE_MODULE, VALUE_INSTRUCTION };

/* Stats; their ids are index + 1. */
static const struct {
    const char *name;
    enum value_kind kind;
} stats[] = {
    {"hlo_op", VALUE_INSTRUCTION},  {"hlo_module", VALUE_MODULE},          {"program_id", VALUE_PLACE},
    {"run_id", VALUE_PLACE},        {"device_ordinal", VALUE_PLACE},     {"correlation_id", VALUE_PLACE},
    {"tf_op", VALUE_TEXT},          {"kernel_details", VALUE_TEXT},      {"memcpy_details", VALUE_TEXT},
    {"step_num", VALUE_PLACE},      {"_r", VALUE_PLACE},                 {"eager_op", VALUE_TEXT},
    {"is_func", VALUE_PLACE},       {"device_offset_ps", VALUE_NUMBER},  {"device_duration_ps", VALUE_NUMBER},
    {"hlo_category", VALUE_TEXT},   {"flops", VALUE_NUMBER},             {"bytes_accessed", VALUE_NUMBER},
    {"allocator_name", VALUE_TEXT}, {"bytes_allocated", VALUE_NUMBER},   {"bytes_reserved", VALUE_NUMBER},
    {"bytes_available", VALUE_NUMBER}, {"peak_bytes_in_use", VALUE_NUMBER}, {"fragmentation", VALUE_REAL},
    {"source", VALUE_TEXT},         {"source_stack", VALUE_TEXT},        {"model_flops", VALUE_NUMBER},
    {"clock_rate", VALUE_NUMBER},   {"core_count", VALUE_NUMBER},        {"memory_bandwidth", VALUE_NUMBER},
    {"compute_cap_major", VALUE_PLACE}, {"compute_cap_minor", VALUE_PLACE}, {"device_vendor", VALUE_TEXT},
    {"gpu_device_name", VALUE_TEXT}, {"peak_teraflops_per_second", VALUE_REAL},
    {"peak_hbm_bw_gigabytes_per_second", VALUE_REAL}, {"dropped_stacks", VALUE_NUMBER}, {"Hlo Proto", VALUE_TEXT},
};

enum { N_STATS = sizeof stats / sizeof *stats, FIRST_OF_PLANE = 27 };

static const char *const texts[] = {
    "jit_step", "jit_step", "jit_other(7)", "jit(step)/dot_general:", "a/b:MatMul", "XlaModule:", "(null)", "",
    "grid:8,1,1", "size:16384", "GPU_0_bfc", "loop fusion", "Sum", "AMD", "gfx90a", "/x/net.py:3", "a\nb",
    "/x/net.py:3\n/x/main.py:7", "fusion.1::dot.2::", "\xff\xfe", "\x1b]0;t\x07",
};

static const char *const host_events[] = {
    "train", "TraceContext", "cuLaunchKernel", "Iterator::Root::Prefetch", "next:IteratorGetNext", "a/b/add:add[x]",
    "a/b:MatMul", "EagerExecute", "$train.py:12 step", "$net.py:3 forward", "$<built-in> f", "MemoryAllocation",
    "MemoryDeallocation", "c:Conv2D#key=value,hlo_op=dot.1#", "ExecuteOp#correlation_id=3#", "", "$", "::", "a/b/c:",
    "op#step_num=99999999999999999999,_r=1#", "x\ny", "Thunk:#hlo_op=,=,#",
};

static const char *const device_events[] = {
    "gemm_main", "ncclDevKernel_AllReduce", "MemcpyH2D", "Memset", "%fusion.1 = f32[8]{0} fusion(p)", "%while.2", "",
    "void k<float, 4>(int)", "a/b", "4", "\xff",
};

struct plane {
    const char *name;
    const char *const *kinds; /* names of its events */
    uint32_t n_kinds;
    bool is_device;
};

#define KINDS(list) list, sizeof(list) / sizeof *(list)
static const struct plane planes[] = {
    {"/device:GPU:0", KINDS(device_events), true},
    {"/host:CPU", KINDS(host_events), false},
    {"/device:TPU:0", KINDS(device_events), true},
    {"/device:GPU:1", KINDS(device_events), true},
    {"/host:python-tracer", KINDS(host_events), false},
    {"/device:TPU:0 SparseCore 1", KINDS(device_events), true},
    {"/device:GPU:99999999999999999999", KINDS(device_events), true},
    {"/host:CUPTI", KINDS(host_events), false},
    {"Task Environment", KINDS(host_events), false},
    {"/device:CUSTOM:a\nb", KINDS(device_events), true},
};

/* What events may refer to: names of instructions, as items of the tree. */
struct programs {
    struct draw *d;
    size_t instructions[MAX_INSTRUCTIONS];
    uint32_t n_instructions;
    uint32_t n_correlations;
};

/* ---- compiled programs */

static void collect_instructions(struct programs *c, size_t from)
{
    const struct case_tree *t = c->d->tree;
    const ProtobufCFieldDescriptor *name =
        protobuf_c_message_descriptor_get_field_by_name(&tfp__hlo_instruction_proto__descriptor, "name");

    for (size_t i = from; i < t->items.n && c->n_instructions < MAX_INSTRUCTIONS; i++)
        if (t->items.data[i].field == name)
            c->instructions[c->n_instructions++] = i;
}

/* The id of an entry of a map, rarely another one. */
static void put_id(struct draw *d, const char *field, int64_t id)
{
    put_int(d->tree, field, draw_rarely(d, 40) ? draw_int(d) : id);
}

static void put_name_of_stat(struct draw *d, int64_t id, const char *name)
{
    put_open(d->tree, "stat_metadata");
    put_id(d, "key", id);
    put_open(d->tree, "value");
    put_int(d->tree, "id", id);
    put_text(d->tree, "name", name);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_program(struct programs *c, uint32_t id)
{
    struct draw *d = c->d;
    const size_t from = d->tree->items.n;
    char name[32];

    snprintf(name, sizeof name, "jit_step(%u)", id);
    put_open(d->tree, "event_metadata");
    put_id(d, "key", id);
    put_open(d->tree, "value");
    put_text(d->tree, "name", draw_rarely(d, 8) ? DRAW_ONE(d, texts) : name);
    put_open(d->tree, "stats");
    put_int(d->tree, "metadata_id", 1);
    put_open_as(d->tree, "bytes_value", &tfp__hlo_proto__descriptor);
    draw_hlo(d);
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    if (!draw_rarely(d, 4)) {
        put_open(d->tree, "stats");
        put_int(d->tree, "metadata_id", 2);
        put_id(d, "int64_value", id);
        case_tree_close(d->tree);
    }
    case_tree_close(d->tree);
    case_tree_close(d->tree);
    collect_instructions(c, from);
}

static void put_programs(struct programs *c)
{
    struct draw *d = c->d;

    put_open(d->tree, "planes");
    put_text(d->tree, "name", "/host:metadata");
    put_name_of_stat(d, 1, "Hlo Proto");
    put_name_of_stat(d, 2, "program_id");
    for (uint32_t n = 1 + draw_below(d, 2); n > 0; n--)
        put_program(c, draw_below(d, 3));
    case_tree_close(d->tree);
}

/* ---- stats */

/* A string as str_value, bytes_value or ref_value. */
static void put_text_value(struct draw *d, const char *text, size_t len)
{
    if (draw_rarely(d, 4))
        put_int(d->tree, "ref_value", FIRST_TEXT_ID + draw_below(d, sizeof texts / sizeof *texts + 1));
    else
        put_bytes(d->tree, draw_rarely(d, 6) ? "bytes_value" : "str_value", text, len);
}

static void put_value(struct programs *c, enum value_kind kind)
{
    struct draw *d = c->d;
    const char *text = DRAW_ONE(d, texts);
    char name[64];

    if (draw_rarely(d, 20))
        kind = (enum value_kind)draw_below(d, VALUE_INSTRUCTION + 1);
    switch (kind) {
    case VALUE_NUMBER:
        put_int(d->tree, draw_rarely(d, 3) ? "uint64_value" : "int64_value", draw_amount(d));
        break;
    case VALUE_PLACE:
        put_int(d->tree, "int64_value", draw_rarely(d, 20) ? draw_int(d) : draw_below(d, 4));
        break;
    case VALUE_REAL:
        put_real(d->tree, "double_value", (double)draw_amount(d) / 100);
        break;
    case VALUE_MODULE:
        put_text(d->tree, "str_value", "jit_step");
        break;
    case VALUE_INSTRUCTION:
        if (c->n_instructions && !draw_rarely(d, 12)) {
            const size_t i = c->instructions[draw_below(d, c->n_instructions)];

            /* A copy: the buffer of the tree's texts may move. */
            snprintf(name, sizeof name, "%.*s", (int)d->tree->items.data[i].text_len, case_tree_text(d->tree, i));
            put_bytes(d->tree, "str_value", name, strlen(name));
            break;
        }
        put_text_value(d, text, strlen(text));
        break;
    case VALUE_TEXT:
        put_text_value(d, text, strlen(text));
        break;
    }
}

/* ID is the index + 1. */
static void put_stat(struct programs *c, uint32_t id)
{
    struct draw *d = c->d;

    put_open(d->tree, "stats");
    put_id(d, "metadata_id", id);
    put_value(c, stats[id - 1].kind);
    case_tree_close(d->tree);
}

static void put_correlation(struct programs *c)
{
    struct draw *d = c->d;

    put_open(d->tree, "stats");
    put_id(d, "metadata_id", 6);
    put_int(d->tree, "uint64_value", draw_below(d, c->n_correlations + 1));
    case_tree_close(d->tree);
}

/* ---- events */

static void put_event(struct programs *c, const struct plane *plane, int64_t *at_ps)
{
    struct draw *d = c->d;
    const int64_t dur_ps = draw_rarely(d, 20) ? draw_int(d) : (int64_t)draw_below(d, 5000) * 1000;

    put_open(d->tree, "events");
    put_int(d->tree, "metadata_id", draw_rarely(d, 30) ? draw_int(d) : 1 + draw_below(d, N_KINDS));
    if (draw_rarely(d, 20))
        put_int(d->tree, "num_occurrences", draw_int(d));
    else
        put_int(d->tree, "offset_ps", *at_ps);
    put_int(d->tree, "duration_ps", dur_ps);
    if (!draw_rarely(d, 3))
        put_correlation(c);
    if (!draw_rarely(d, 3))
        for (uint32_t id = plane->is_device ? 1 : 10; id < (plane->is_device ? 4 : 12); id++)
            put_stat(c, id);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_stat(c, 1 + draw_below(d, N_STATS));
    case_tree_close(d->tree);
    /* The next event starts after the start of this one, often before its end; rarely anywhere. */
    *at_ps = draw_rarely(d, 20) ? draw_int(d) : (int64_t)((uint64_t)*at_ps + draw_below(d, 5000) * 1000);
}

static void put_line(struct programs *c, const struct plane *plane, int64_t from_ns)
{
    static const char *const names[] = {"XLA Ops", "XLA Ops", "Stream #7(Kernel)", "python", "Steps", "XLA Modules",
                                        "Sparse Core Ops", "_counters_", "tf_Compute", ""};
    struct draw *d = c->d;
    int64_t at_ps = 0;

    put_open(d->tree, "lines");
    put_int(d->tree, "id", draw_rarely(d, 20) ? 0xdeadbeef : draw_rarely(d, 10) ? draw_int(d) : draw_below(d, 4));
    put_text(d->tree, "name", DRAW_ONE(d, names));
    put_int(d->tree, "timestamp_ns", draw_rarely(d, 12) ? draw_int(d) : from_ns);
    for (uint32_t n = draw_below(d, 16); n > 0; n--)
        put_event(c, plane, &at_ps);
    case_tree_close(d->tree);
}

static void put_kind(struct programs *c, const struct plane *plane, uint32_t id)
{
    struct draw *d = c->d;

    put_open(d->tree, "event_metadata");
    put_id(d, "key", id);
    put_open(d->tree, "value");
    put_id(d, "id", id);
    put_text(d->tree, "name", plane->kinds[draw_below(d, plane->n_kinds)]);
    if (draw_rarely(d, 6))
        put_text(d->tree, "display_name", plane->kinds[draw_below(d, plane->n_kinds)]);
    for (uint32_t n = draw_rarely(d, 3) ? draw_below(d, 4) : 0; n > 0; n--)
        put_stat(c, 1 + draw_below(d, N_STATS));
    case_tree_close(d->tree);
    case_tree_close(d->tree);
}

static void put_plane(struct programs *c, int64_t from_ns)
{
    struct draw *d = c->d;
    const struct plane *plane = &DRAW_ONE(d, planes);

    if (!draw_rarely(d, 3))
        plane = &planes[draw_below(d, 2)];
    put_open(d->tree, "planes");
    put_int(d->tree, "id", draw_int(d));
    put_text(d->tree, "name", plane->name);
    for (uint32_t n = draw_below(d, 4); n > 0; n--)
        put_line(c, plane, from_ns);
    for (uint32_t id = 1; id <= N_KINDS; id++)
        if (!draw_rarely(d, 20))
            put_kind(c, plane, id);
    for (uint32_t id = 1; id <= N_STATS; id++)
        if (!draw_rarely(d, 30))
            put_name_of_stat(d, id, stats[id - 1].name);
    for (uint32_t k = 0; k < sizeof texts / sizeof *texts; k++)
        put_name_of_stat(d, FIRST_TEXT_ID + k, texts[k]);
    for (uint32_t n = draw_rarely(d, 2) ? draw_below(d, 8) : 0; n > 0; n--)
        put_stat(c, FIRST_OF_PLANE + 1 + draw_below(d, N_STATS - FIRST_OF_PLANE));
    case_tree_close(d->tree);
}

/* ---- files */

static void put_host(struct programs *c, uint32_t number)
{
    static const int64_t origins_ns[] = {1000, 1000, 0, INT64_C(1700000000000000000)};
    struct draw *d = c->d;
    const int64_t from_ns = DRAW_ONE(d, origins_ns);
    char name[32];

    snprintf(name, sizeof name, "host_%u.xplane.pb", number);
    put_file(d->tree, name, &tfp__xspace__descriptor);
    for (uint32_t n = draw_rarely(d, 4) ? draw_below(d, 3) : 1; n > 0; n--) {
        snprintf(name, sizeof name, "worker-%u", draw_rarely(d, 4) ? 0 : number);
        put_text(d->tree, "hostnames", name);
    }
    if (!draw_rarely(d, 4))
        put_programs(c);
    for (uint32_t n = 1 + draw_below(d, 4); n > 0; n--)
        put_plane(c, from_ns);
    if (draw_rarely(d, 6))
        put_text(d->tree, draw_rarely(d, 2) ? "errors" : "warnings", "3 events were dropped");
    case_tree_close(d->tree);
}

void generate_capture(struct draw *d)
{
    static const char *const what[] = {"python", "runtime", "all"};
    struct programs c = {.d = d, .n_correlations = 1 + draw_below(d, 12)};
    const uint32_t n_hosts = draw_rarely(d, 4) ? 2 + draw_below(d, 2) : 1;

    for (uint32_t i = 0; i < n_hosts; i++)
        put_host(&c, i);
    if (n_hosts > 1 && draw_rarely(d, 2))
        put_option(d->tree, "@/");
    else
        for (uint32_t i = 0; i < n_hosts; i++)
            put_option(d->tree, "@/host_%u.xplane.pb", i);
    if (draw_rarely(d, 2))
        put_option(d->tree, "-host_events=%s", DRAW_ONE(d, what));
    if (draw_rarely(d, 4))
        put_option(d->tree, "-devices=split");
}
