/* records.c: turns events into execution records of nodes (formats-xplane.md section 11). */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"
#include "hlo/opcode.h"
#include "load/slices/work_names.h"
#include "load/xplane/run.h"
#include "model/recorder.h"

/* An event with what orders the events of its node, so that few events are read out of order. */
struct placed {
    const struct run_event *event;
    uint32_t step, device;
};

/* All events grouped by node. */
struct by_node {
    size_t *begin; /* [n_nodes + 1] */
    struct placed *events;
    uint32_t n_nodes;
};

static void count(const struct run *r, struct by_node *of)
{
    vec_each(const struct track, track, &r->tracks)
        vec_each(const struct run_event, e, &track->events)
            of->begin[r->ops.data[e->op].node + 2]++;
}

static void place(const struct run *r, struct by_node *of)
{
    vec_each(const struct track, track, &r->tracks) {
        vec_each(const struct run_event, e, &track->events) {
            const struct run_op *op = &r->ops.data[e->op];

            of->events[of->begin[op->node + 1]++] =
                (struct placed){e, e->step & ~EVENT_BEGINS, op->device};
        }
    }
}

static void sort_by_node(const struct run *r, struct by_node *of)
{
    of->begin = xcalloc((size_t)of->n_nodes + 3, sizeof *of->begin);
    count(r, of);
    for (size_t i = 2; i < (size_t)of->n_nodes + 3; i++)
        of->begin[i] += of->begin[i - 1];
    of->events = xalloc_huge(of->begin[of->n_nodes + 2] + 1, sizeof *of->events);
    place(r, of);
}

/* Scratch memory of sort_by_step(). */
struct step_sort {
    VEC(struct placed) events;
    VEC(uint32_t) steps; /* distinct steps */
    size_t *begin;       /* [n_steps] counts, then end offsets of the steps */
};

struct adding {
    struct step_sort *sort;
    node_id *last_node; /* by device: the last node + 1 that ran there */
    struct run *r;
    const struct nodes *n;
    struct loader *l;
    int64_t origin_ps;
};

/* Orders by op: op numbers are grouped by device. */
COMPARE_BY(by_op, struct placed, event->op)

/* Orders by start: kernels of one execution may have several ops and lines. */
COMPARE_BY(by_start, struct placed, event->start_ps)

/* Sets output bytes of an execution of NODE and its share of the module's memory. */
static void fill_memory(const struct adding *a, node_id node, int64_t run_count,
                        struct exec_memory *memory)
{
    const struct node_origin origin = nodes_origin(a->n, node);
    const struct program_module *m;

    *memory = (struct exec_memory){0};
    if (origin.module == UINT32_MAX)
        return;
    m = &a->n->modules.data[origin.module];
    memory->output_bytes =
        clamp_mul(program_output_bytes(m->module, origin.instruction), run_count);
    memory->requested_bytes = memory->output_bytes;
    if (!m->memory)
        return;
    memory->peak_bytes = m->memory->instruction_peak_bytes[origin.instruction];
    memory->residual_bytes = m->memory->instruction_residual_bytes[origin.instruction];
}

/* The wait kind of the events of OP; for runtime calls it depends on the name. */
static enum wait_kind wait_of(const struct adding *a, const struct run_op *op)
{
    const struct intern *strings = &builder_profile(a->l->builder)->strings;

    return op->kind == OP_RUNTIME &&
                   call_name_blocks(intern_text(strings, op->name), intern_len(strings, op->name))
               ? WAIT_BLOCKING_CALL
               : WAIT_NONE;
}

static void add_record(const struct adding *a, node_id node, const struct placed *events, size_t n)
{
    struct loader *l = a->l;
    const struct run_event *first = events->event;
    const struct run_device *device = &a->r->devices.data[events->device];
    const enum wait_kind wait = wait_of(a, &a->r->ops.data[first->op]);
    struct exec_record record = {.step = a->r->steps.data[events->step], .n_devices = 1};
    struct exec_memory memory;
    bool saturated = false;

    l->times.n = 0;
    record.start_ticks = INT64_MAX;
    for (size_t i = 0; i < n; i++) {
        const struct run_event *e = events[i].event;
        struct exec_time time = {.device = device->name,
                                 .accelerator = plane_is_device(device->kind),
                                 .wait = (uint8_t)wait,
                                 .start_ticks = clamp_sub(e->start_ps, a->origin_ps),
                                 .dur_ticks = e->self_ps};
        const int64_t end = clamp_add(time.start_ticks, e->dur_ps);

        vec_push(&l->times, time);
        KEEP_MIN(record.start_ticks, time.start_ticks);
        KEEP_MAX(record.latest_end_ticks, end);
        if (e->step & EVENT_BEGINS)
            record.run_count = sat_add(record.run_count, a->r->ops.data[e->op].count, &saturated);
    }
    fill_memory(a, node, record.run_count, &memory);
    memory.memory_ticks = record.latest_end_ticks;
    record.times = l->times.data;
    record.n_times = (uint32_t)l->times.n;
    record.devices = &device->name;
    if (memory.output_bytes | memory.peak_bytes | memory.residual_bytes) {
        record.memories = &memory;
        record.n_memories = 1;
    }
    builder_add_record(l->builder, node, &record);
}

COMPARE_VALUES(by_number, uint32_t)

/* Stable counting sort of EVENTS by step. */
static void sort_by_step(struct step_sort *s, struct placed *events, size_t n)
{
    size_t at = 0, i = 1;

    while (i < n && events[i - 1].step <= events[i].step)
        i++;
    if (i >= n)
        return;
    s->events.n = s->steps.n = 0;
    for (i = 0; i < n; i++) {
        vec_push(&s->events, events[i]);
        if (!s->begin[events[i].step]++)
            vec_push(&s->steps, events[i].step);
    }
    vec_sort(&s->steps, by_number);
    for (i = 0; i < s->steps.n; i++) {
        const size_t n_step = s->begin[s->steps.data[i]];

        s->begin[s->steps.data[i]] = at;
        at += n_step;
    }
    for (i = 0; i < n; i++)
        events[s->begin[s->events.data[i].step]++] = s->events.data[i];
    for (i = 0; i < s->steps.n; i++)
        s->begin[s->steps.data[i]] = 0;
}

/* True if the events of each device are adjacent. */
static bool is_by_device(const struct placed *events, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (events[i].device < events[i - 1].device)
            return false;
    return true;
}

/* Adds the events of a node in one step, one record per device. */
static void add_step(const struct adding *a, node_id node, struct placed *events, size_t n)
{
    if (!is_by_device(events, n))
        stable_sort_array(events, n, sizeof *events, by_op);
    for (size_t at = 0, end; at < n; at = end) {
        const uint32_t device = events[at].device;

        for (end = at + 1; end < n && events[end].device == device;)
            end++;
        stable_sort_array(events + at, end - at, sizeof *events, by_start);
        if (a->last_node[device] != node + 1)
            vec_push(&a->r->places, ((struct node_on_device){node, device}));
        a->last_node[device] = node + 1;
        add_record(a, node, events + at, end - at);
    }
}

static void add_node(const struct adding *a, node_id node, struct placed *events, size_t n)
{
    sort_by_step(a->sort, events, n);
    for (size_t at = 0, end; at < n; at = end) {
        for (end = at + 1; end < n && events[end].step == events[at].step;)
            end++;
        add_step(a, node, events + at, end - at);
    }
}

void ops_sort_by_device(struct run *r)
{
    uint32_t *begin = xcalloc(r->devices.n + 2, sizeof *begin);
    uint32_t *new_number = xreallocarray(NULL, r->ops.n + 1, sizeof *new_number);
    struct run_op *sorted = xreallocarray(NULL, r->ops.n + 1, sizeof *sorted);

    for (size_t i = 0; i < r->ops.n; i++)
        begin[r->ops.data[i].device + 1]++;
    for (size_t d = 1; d < r->devices.n + 1; d++)
        begin[d] += begin[d - 1];
    for (size_t i = 0; i < r->ops.n; i++) {
        new_number[i] = begin[r->ops.data[i].device]++;
        sorted[new_number[i]] = r->ops.data[i];
    }
    for (size_t t = 0; t < r->tracks.n; t++)
        for (size_t i = 0; i < r->tracks.data[t].events.n; i++)
            r->tracks.data[t].events.data[i].op = new_number[r->tracks.data[t].events.data[i].op];
    free(r->ops.data);
    r->ops.data = sorted;
    r->ops.capacity = r->ops.n + 1;
    lookup_done(&r->op_by_all); /* the array has old numbers */
    EACH(free, new_number, begin);
}

void records_add(struct run *r, const struct nodes *n, struct loader *l, int64_t origin_ps)
{
    struct by_node of = {.n_nodes = builder_n_nodes(l->builder)};
    struct step_sort sort = {.begin = xcalloc(r->steps.n + 1, sizeof *sort.begin)};
    const struct adding a = {.sort = &sort, .last_node = xcalloc(r->devices.n + 1, sizeof *a.last_node),
                             .r = r, .n = n, .l = l, .origin_ps = origin_ps};

    sort_by_node(r, &of);
    for (node_id node = 0; node < of.n_nodes; node++) {
        const size_t from = of.begin[node], to = of.begin[node + 1];

        if (from < to)
            add_node(&a, node, of.events + from, to - from);
    }
    EACH(free, a.last_node, sort.begin, of.begin, of.events);
    EACH(vec_done, &sort.events, &sort.steps);
}
