/* facts.c: device, program and allocator data of a capture (formats-xplane.md section 12). */

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"
#include "load/idmap.h"
#include "load/xplane/program_nodes.h"
#include "load/xplane/stats.h"
#include "model/memory_log.h"

/* ---- devices */

struct device_busy {
    VEC(const void *) events;
};

static bool starts_before(const void *x, const void *y)
{
    const struct run_event *a = x, *b = y;

    return a->start_ps != b->start_ps ? a->start_ps < b->start_ps : a->dur_ps < b->dur_ps;
}

/* Sets busy time (union) and span of a device.  Events of one line are already sorted. */
static void cover(struct device_busy *times, struct program_device *d)
{
    int64_t begin_ps = 0, end_ps = 0;

    if (times->events.n)
        stable_sort(times->events.data, times->events.n, starts_before);
    for (size_t i = 0; i < times->events.n; i++) {
        const struct run_event *e = times->events.data[i];
        const int64_t event_end_ps = clamp_add(e->start_ps, e->dur_ps);

        if (!i)
            begin_ps = e->start_ps;
        if (!i || e->start_ps > end_ps)
            end_ps = e->start_ps;
        if (event_end_ps <= end_ps)
            continue;
        d->covered_ps = clamp_add(d->covered_ps, clamp_sub(event_end_ps, end_ps));
        end_ps = event_end_ps;
    }
    d->span_ps = clamp_sub(end_ps, begin_ps);
    vec_done(&times->events);
}

static void add_event(const struct run *r, const struct nodes *n, struct programs *c,
                      const struct run_event *e, struct device_busy *times)
{
    const struct run_op *op = &r->ops.data[e->op];
    struct program_device *d = &c->devices[op->device];
    const struct program_cost cost = n->costs.data[op->node];

    d->n_events++;
    d->self_ps = clamp_add(d->self_ps, e->self_ps);
    c->self_ps = clamp_add(c->self_ps, e->self_ps);
    if (cost.count == PROGRAM_NO_OP)
        d->no_op_ps = clamp_add(d->no_op_ps, e->self_ps);
    if (cost.count == PROGRAM_NO_RULE)
        c->self_without_rule_ps = clamp_add(c->self_without_rule_ps, e->self_ps);
    if (op->kind == OP_HLO)
        c->self_of_hlo_ps = clamp_add(c->self_of_hlo_ps, e->self_ps);
    if (op->kind == OP_HLO && !nodes_origin(n, op->node).has_stack)
        c->self_without_stack_ps = clamp_add(c->self_without_stack_ps, e->self_ps);
    vec_push(&times[op->device].events, e);
}

static void add_devices(const struct run *r, const struct nodes *n, struct programs *c)
{
    struct device_busy *times = xcalloc(r->devices.n + 1, sizeof *times);

    c->n_devices = r->devices.n;
    c->devices = arena_calloc(&c->arena, r->devices.n + 1, sizeof *c->devices);
    for (size_t i = 0; i < r->devices.n; i++) {
        const struct run_device *d = &r->devices.data[i];

        c->devices[i].name = d->name;
        c->devices[i].host = r->hosts.data[d->host].name;
        c->devices[i].is_accelerator = plane_is_device(d->kind);
        c->devices[i].is_silent = plane_is_device(d->kind) && !d->has_events;
        if (!d->about)
            continue;
        c->devices[i].peak_flops = peak_flops(d->about);
        c->devices[i].peak_bytes_per_s = peak_bytes_per_s(d->about);
    }
    for (size_t t = 0; t < r->tracks.n; t++)
        for (size_t i = 0; i < r->tracks.data[t].events.n; i++)
            add_event(r, n, c, &r->tracks.data[t].events.data[i], times);
    for (size_t i = 0; i < r->devices.n; i++)
        cover(&times[i], &c->devices[i]);
    free(times);
}

/* ---- nodes */

struct device_names {
    const struct run *r;
    const struct intern *strings;
};

/* Orders by node, then by the bytes of the device name. */
COMPARE_WITH(by_node, struct node_on_device, struct device_names,
             UP(node) || THEN(intern_compare(with->strings, with->r->devices.data[a->device].name,
                                             with->r->devices.data[b->device].name)))

static void join_names(struct loader *l, const struct programs *c, node_id node)
{
    const struct intern *strings = &builder_profile(l->builder)->strings;
    struct strbuf names = {0};
    strid id;

    for (uint32_t i = c->device_begin[node]; i < c->device_begin[node + 1]; i++)
        sb_addf(&names, "%s%s", i > c->device_begin[node] ? "|" : "",
                intern_text(strings, c->node_devices[i]));
    id = builder_str(l->builder, sb_text(&names), names.len);
    if (names.len)
        builder_set_devices(l->builder, node, id, STRID_EMPTY);
    sb_done(&names);
}

/* Adds the devices of every node.  Devices of different files may have the same name. */
static void add_node_devices(struct run *r, const struct nodes *n, struct loader *l,
                             struct programs *c)
{
    struct device_names names = {r, &builder_profile(l->builder)->strings};
    uint32_t at = 0, end = 0;

    vec_sort_arg(&r->places, by_node, &names);
    c->device_begin = arena_calloc(&c->arena, n->costs.n + 1, sizeof *c->device_begin);
    c->node_devices = arena_calloc(&c->arena, r->places.n + 1, sizeof *c->node_devices);
    for (node_id node = 0; node < n->costs.n; node++) {
        for (; at < r->places.n && r->places.data[at].node == node; at++) {
            const strid device = r->devices.data[r->places.data[at].device].name;

            if (end == c->device_begin[node] || c->node_devices[end - 1] != device)
                c->node_devices[end++] = device;
        }
        c->device_begin[node + 1] = end;
        join_names(l, c, node);
    }
}

/* ---- programs, allocators */

static void add_programs(const struct run *r, const struct nodes *n, struct programs *c)
{
    c->n_compiled = r->programs.n;
    c->compiled = arena_calloc(&c->arena, r->programs.n + 1, sizeof *c->compiled);
    for (size_t i = 0; i < r->programs.n; i++) {
        const struct run_program *p = &r->programs.data[i];
        struct compiled_program *to = &c->compiled[i];

        *to = (struct compiled_program){.host = r->hosts.data[p->host].name, .label = n->labels[i],
                                       .id = p->id, .ran = p->ran};
        if (n->module_of[i] == UINT32_MAX)
            continue;
        to->has_hlo = true;
        to->n_instructions = n->modules.data[n->module_of[i]].module->n_instructions;
        if (n->modules.data[n->module_of[i]].memory) {
            const struct hlo_memory *m = n->modules.data[n->module_of[i]].memory;

            to->peak_bytes = m->peak_bytes;
            to->argument_bytes = m->argument_bytes;
            to->result_bytes = m->result_bytes;
        }
    }
}

COMPARE_BY_TWO(by_instant, struct run_allocation, at_ps, order)

/* The effect of event I of FROM on the live set. */
static void log_event(struct memory_log *log, struct memory_allocator *a, struct idmap *at_address,
                      const struct run_allocation *e, uint32_t i)
{
    const uint32_t at = idmap_get(at_address, (int64_t)e->address);
    const struct memory_site site = {.id = NODE_NONE, .device = a->device, .name = e->name};

    a->counts[e->is_free ? MEMORY_FREE : MEMORY_ALLOC]++;
    a->ticks[i] = clamp_sub(e->at_ps, a->first_ticks);
    a->end_bytes = e->in_use_bytes;
    vec_push(&a->points, ((struct memory_point){e->in_use_bytes, i}));
    if (e->in_use_bytes > a->peak_bytes) {
        a->peak_bytes = e->in_use_bytes;
        a->peak = i + 1;
    }
    if (at != IDMAP_NONE && a->allocations.data[at].end == MEMORY_NEVER)
        a->allocations.data[at].end = i + 1;
    if (e->is_free || e->bytes <= 0)
        return;
    idmap_put(at_address, (int64_t)e->address, (uint32_t)a->allocations.n, 0);
    vec_push(&a->allocations, ((struct memory_allocation){
                 .address = e->address, .bytes = e->bytes, .begin = i + 1, .end = MEMORY_NEVER,
                 .pending = MEMORY_NEVER, .site = memory_log_site(log, &site)}));
}

/* Adds FROM to the memory log; its events are sorted by time. */
static void log_allocator(const struct run *r, const struct run_allocator *from, struct loader *l,
                          int64_t origin_ps)
{
    struct memory_log *log = builder_memory(l->builder);
    const struct run_allocation *first = from->events.data;
    const struct text host = intern_string(&builder_profile(l->builder)->strings,
                                           r->hosts.data[from->host].name);
    struct memory_allocator a = {
        .name = from->name, .step = STEP_ALL, .has_times = true, .counts_in_use = true,
        .first_ticks = first->at_ps, .has_run_ticks = true,
        .run_ticks = clamp_sub(first->at_ps, origin_ps), .ticks_per_us = PS_PER_US, .n_events = (uint32_t)from->events.n,
        .ticks = xreallocarray(NULL, from->events.n, sizeof *a.ticks),
        .reserved_start_bytes = MEMORY_UNKNOWN, .reserved_peak_bytes = MEMORY_UNKNOWN,
        .reserved_at_peak_bytes = MEMORY_UNKNOWN, .capacity_bytes = from->capacity_bytes,
        .lifetime_peak_bytes = from->lifetime_peak_bytes, .fragmentation = from->fragmentation};
    struct idmap at_address = {.n = 0};
    struct strbuf name = {0};
    int64_t live = 0;

    sb_adds(&name, "/host:");
    sb_add(&name, host.bytes, host.len);
    a.device = builder_str(l->builder, name.data, name.len);
    a.start_bytes = clamp_sub(first->in_use_bytes, first->is_free ? clamp_neg(first->bytes) : first->bytes);
    a.peak_bytes = a.start_bytes;
    for (size_t i = 0; i < from->events.n; i++)
        log_event(log, &a, &at_address, &first[i], (uint32_t)i);
    for (size_t i = 0; i < a.allocations.n; i++)
        if (memory_is_live(&a.allocations.data[i], a.peak))
            live = clamp_add(live, a.allocations.data[i].bytes);
    a.before_at_peak_bytes = clamp_sub(a.peak_bytes, live);
    vec_push(&log->allocators, a);
    idmap_done(&at_address);
    sb_done(&name);
}

static void add_allocators(struct run *r, struct loader *l, int64_t origin_ps)
{
    for (size_t i = 0; i < r->allocators.n; i++) {
        struct run_allocator *a = &r->allocators.data[i];

        vec_sort(&a->events, by_instant);
        if (a->events.n && a->events.n < MEMORY_NEVER)
            log_allocator(r, a, l, origin_ps);
    }
}

static void add_step_names(const struct run *r, struct programs *c)
{
    c->unmarked_step = r->n_marked_steps && r->n_marked_steps < r->steps.n
                           ? r->steps.data[r->n_marked_steps]
                           : -1;
    c->n_step_names = r->step_names.n;
    if (!r->step_names.n)
        return;
    c->step_names = arena_calloc(&c->arena, r->step_names.n, sizeof *c->step_names);
    memcpy(c->step_names, r->step_names.data, r->step_names.n * sizeof *c->step_names);
}

/* ---- counts */

static void release(void *context)
{
    nodes_free(context);
}

struct programs *facts_of_events(const struct run *r, const struct nodes *n, int64_t origin_ps)
{
    struct programs *c = xcalloc(1, sizeof *c);

    add_devices(r, n, c);
    step_times_add(r, n, c, origin_ps);
    input_times_add(r, c);
    held_add_steps(r, n, c);
    return c;
}

void facts_add(struct run *r, struct nodes *n, struct loader *l, struct programs *c,
               int64_t origin_ps)
{
    add_node_devices(r, n, l, c);
    held_add(n, c);
    add_programs(r, n, c);
    add_allocators(r, l, origin_ps);
    add_step_names(r, c);
    c->costs = n->costs.data;
    c->n_costs = (uint32_t)n->costs.n;
    c->formula = instruction_formula;
    c->target = instruction_target;
    c->attrs = instruction_attrs;
    c->context = n;
    c->release = release;
    builder_profile(l->builder)->programs = c;
}
