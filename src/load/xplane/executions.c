/* executions.c: finds the starts of executions (formats-xplane.md section 9).
 *
 * Kernels of a GPU are examined in launch order, since an op may launch several. */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/system/workers.h"
#include "base/xalloc.h"

static bool is_device_op(enum run_op_kind kind)
{
    return kind == OP_HLO || kind == OP_FRAMEWORK || kind == OP_PIPELINE;
}

/* ---- the main program: the one with most time */

uint32_t *executions_main_programs(struct run *r)
{
    int64_t *self = xcalloc(r->programs.n + 1, sizeof *self);
    uint32_t *main_of = xreallocarray(NULL, r->hosts.n + 1, sizeof *main_of);

    memset(main_of, 0xff, (r->hosts.n + 1) * sizeof *main_of);
    for (size_t t = 0; t < r->tracks.n; t++) {
        const struct track *track = &r->tracks.data[t];

        for (size_t i = 0; i < track->events.n; i++) {
            const struct run_op *op = &r->ops.data[track->events.data[i].op];

            if (op->kind == OP_HLO)
                self[op->program_place] =
                    clamp_add(self[op->program_place], run_self_ps(track, &track->events.data[i]));
        }
    }
    for (uint32_t i = 0; i < r->programs.n; i++) {
        const struct run_program *p = &r->programs.data[i];
        uint32_t *best = &main_of[p->host];

        if (p->ran && (*best == UINT32_MAX || self[i] > self[*best] ||
                       (self[i] == self[*best] && p->id < r->programs.data[*best].id)))
            *best = i;
    }
    free(self);
    return main_of;
}

/* ---- kernels by program and device, in the order of their launches */

/* The kernels of a program on a device: a range of the list. */
struct group {
    size_t from, to;
    size_t program; /* index in run.programs; run.programs.n: none */
    uint32_t device;
};

struct kernels {
    const struct run *r;
    const struct nodes *n;
    VEC(const void *) list; /* struct run_event */
    VEC(struct group) groups; /* by program; those without one are last */
};

static struct run_event *event_at(const struct kernels *k, size_t i)
{
    return (struct run_event *)k->list.data[i];
}

static const struct run_op *op_at(const struct kernels *k, size_t i)
{
    return &k->r->ops.data[event_at(k, i)->op];
}

/* The tracks of GPUs, grouped by device. */
static uint32_t *tracks_by_device(const struct run *r, size_t *n)
{
    uint32_t *begin = xcalloc(r->devices.n + 1, sizeof *begin);
    uint32_t *tracks = xcalloc(r->tracks.n + 1, sizeof *tracks);

    for (size_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].use == TRACK_DEVICE)
            begin[r->tracks.data[t].device + 1]++;
    for (size_t d = 1; d < r->devices.n + 1; d++)
        begin[d] += begin[d - 1];
    *n = begin[r->devices.n];
    for (uint32_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].use == TRACK_DEVICE)
            tracks[begin[r->tracks.data[t].device]++] = t;
    free(begin);
    return tracks;
}

static size_t program_of(const struct kernels *k, size_t i)
{
    const struct run_op *op = op_at(k, i);

    return op->kind == OP_HLO ? op->program_place : k->r->programs.n;
}

static bool launched_before(const void *x, const void *y)
{
    const struct run_event *a = x, *b = y;

    if (a->correlation != b->correlation)
        return a->correlation < b->correlation;
    return a->start_ps < b->start_ps;
}

/* Stable counting sort by program. */
static void sort_by_program(struct kernels *k)
{
    const void **sorted = xreallocarray(NULL, k->list.n + 1, sizeof *sorted);
    size_t *begin = xcalloc(k->r->programs.n + 2, sizeof *begin);

    for (size_t i = 0; i < k->list.n; i++)
        begin[program_of(k, i) + 1]++;
    for (size_t p = 1; p < k->r->programs.n + 2; p++)
        begin[p] += begin[p - 1];
    for (size_t i = 0; i < k->list.n; i++)
        sorted[begin[program_of(k, i)]++] = k->list.data[i];
    free(begin);
    free(k->list.data);
    k->list.data = sorted;
    k->list.capacity = k->list.n + 1;
}

static void collect_track(struct kernels *k, struct track *track)
{
    vec_reserve(&k->list, k->list.n + track->events.n);
    vec_each(struct run_event, e, &track->events) {
        if (is_device_op(k->r->ops.data[e->op].kind))
            k->list.data[k->list.n++] = e;
        else
            e->step |= EVENT_BEGINS;
    }
}

static void find_groups(struct kernels *k)
{
    for (size_t at = 0, to; at < k->list.n; at = to) {
        struct group group = {.from = at, .program = program_of(k, at),
                              .device = op_at(k, at)->device};

        for (to = at + 1; to < k->list.n && program_of(k, to) == group.program &&
                          op_at(k, to)->device == group.device;)
            to++;
        group.to = to;
        vec_push(&k->groups, group);
    }
}

/* Kernels are collected by device; of a capture of one program they are sorted then. */
static void collect(struct run *r, struct kernels *k)
{
    bool is_sorted = true;
    size_t n;
    uint32_t *tracks = tracks_by_device(r, &n);

    for (size_t t = 0; t < n; t++)
        collect_track(k, &r->tracks.data[tracks[t]]);
    free(tracks);
    find_groups(k);
    for (size_t i = 1; i < k->groups.n; i++)
        is_sorted &= k->groups.data[i - 1].program <= k->groups.data[i].program;
    if (is_sorted)
        return;
    k->groups.n = 0;
    sort_by_program(k);
    find_groups(k);
}

/* ---- executions of ops */

/* The computation that contains the instruction of a node; nodes without a module share one. */
static uint32_t computation_of(const struct nodes *n, node_id node)
{
    const struct node_origin origin = nodes_origin(n, node);

    if (origin.module == UINT32_MAX)
        return UINT32_MAX;
    return n->modules.data[origin.module].module->instructions[origin.instruction].computation;
}

/* For one device and program: the computations with more than one executed op. */
struct computations {
    VEC(uint32_t) id;
    VEC(node_id) node; /* NODE_NONE: more than one op */
    struct lookup by_id;
};

static uint32_t find_computation(struct computations *c, uint32_t id)
{
    const uint64_t hash = hash_pair(id, 1);
    size_t probe = lookup_begin(&c->by_id, hash);
    uint32_t i;

    while ((i = lookup_next(&c->by_id, hash, &probe)) != SLOTS_NONE)
        if (c->id.data[i] == id)
            return i;
    lookup_add(&c->by_id, hash);
    vec_push(&c->id, id);
    vec_push(&c->node, NODE_NONE);
    return (uint32_t)(c->id.n - 1);
}

static void find_computations(const struct nodes *n, const struct kernels *k, size_t from,
                              size_t to, struct computations *c)
{
    for (size_t i = from; i < to; i++) {
        const node_id node = op_at(k, i)->node;
        const size_t before = c->id.n;
        uint32_t at;

        if (i > from && node == op_at(k, i - 1)->node)
            continue;
        at = find_computation(c, computation_of(n, node));
        if (at == before)
            c->node.data[at] = node;
        else if (c->node.data[at] != node)
            c->node.data[at] = NODE_NONE;
    }
}

static void computations_done(struct computations *c)
{
    EACH(vec_done, &c->id, &c->node);
    lookup_done(&c->by_id);
}

/* The shortest period with which the names of kernels [FROM, TO) repeat (Knuth-Morris-Pratt failure
 * function). */
static size_t period(const struct kernels *k, size_t from, size_t to)
{
    const size_t n = to - from;
    size_t *fail = xreallocarray(NULL, n + 1, sizeof *fail);
    size_t len = 0, shortest;

    fail[0] = 0;
    for (size_t i = 1; i < n; i++) {
        while (len && op_at(k, from + i)->kernel != op_at(k, from + len)->kernel)
            len = fail[len - 1];
        len += op_at(k, from + i)->kernel == op_at(k, from + len)->kernel;
        fail[i] = len;
    }
    shortest = n - fail[n - 1];
    free(fail);
    return n % shortest ? n : shortest;
}

/* Marks the beginnings of executions in kernels [FROM, TO), which belong to one program on one
 * device. */
static void mark_executions(const struct nodes *n, const struct kernels *k, size_t from, size_t to)
{
    struct computations c = {0};

    find_computations(n, k, from, to, &c);
    for (size_t at = from, end; at < to; at = end) {
        const node_id node = op_at(k, at)->node;
        size_t step;

        for (end = at + 1; end < to && op_at(k, end)->node == node;)
            end++;
        step = c.node.data[find_computation(&c, computation_of(n, node))] == node
                   ? period(k, at, end)
                   : end - at;
        for (size_t i = at; i < end; i += step)
            event_at(k, i)->step |= EVENT_BEGINS;
    }
    computations_done(&c);
}

/* ---- executions of the program */

static bool is_entry(const struct nodes *n, node_id node)
{
    const struct node_origin origin = nodes_origin(n, node);
    const struct hlo_module *m;

    if (origin.module == UINT32_MAX)
        return true;
    m = n->modules.data[origin.module].module;
    return m->instructions[origin.instruction].computation == m->entry;
}

/* A new execution of the program begins when an instruction of the entry computation runs again. */
static void find_starts(const struct nodes *n, const struct kernels *k, size_t from, size_t to,
                        uint32_t *seen_in, uint32_t *current, struct device_runs *runs)
{
    ++*current; /* invalidates all stamps */
    vec_push(&runs->starts_ps, event_at(k, from)->start_ps);
    for (size_t i = from; i < to; i++) {
        const struct run_event *e = event_at(k, i);
        const node_id node = op_at(k, i)->node;

        if (!(e->step & EVENT_BEGINS) || !is_entry(n, node))
            continue;
        if (seen_in[node] == *current) {
            vec_push(&runs->starts_ps, e->start_ps);
            ++*current;
        }
        seen_in[node] = *current;
    }
}

COMPARE_VALUES(by_value, int64_t)

/* Events of compiled code on a CPU carry the id of their execution. */
static void add_cpu_runs(const struct run *r, const uint32_t *main_programs,
                         struct device_runs *runs)
{
    vec_each(const struct run_of_program, run, &r->runs) {
        const uint32_t main_program = main_programs[r->devices.data[run->device].host];

        if (main_program != UINT32_MAX && r->programs.data[main_program].id == run->program)
            vec_push(&runs[run->device].starts_ps, run->start_ps);
    }
}

static void mark_all(struct run *r)
{
    vec_each(struct track, track, &r->tracks) {
        for (size_t i = 0; track->use != TRACK_DEVICE && i < track->events.n; i++)
            track->events.data[i].step |= EVENT_BEGINS;
    }
}

/* Marks the executions in groups FROM to TO - 1. */
static void mark_groups(void *arg, size_t from, size_t to)
{
    const struct kernels *k = arg;

    array_each(const struct group, g, &k->groups.data[from], to - from) {
        stable_sort(k->list.data + g->from, g->to - g->from, launched_before);
        mark_executions(k->n, k, g->from, g->to);
    }
}

void executions_find(const struct nodes *n, struct run *r, const uint32_t *main_programs,
                     struct device_runs *runs)
{
    struct kernels k = {.r = r, .n = n};
    uint32_t n_nodes = 0, current = 0;
    uint32_t *seen_in;

    for (size_t i = 0; i < r->ops.n; i++)
        if (r->ops.data[i].has_events && r->ops.data[i].node >= n_nodes)
            n_nodes = r->ops.data[i].node + 1;
    seen_in = xcalloc((size_t)n_nodes + 1, sizeof *seen_in); /* by node: stamps */
    add_cpu_runs(r, main_programs, runs);
    mark_all(r);
    collect(r, &k);
    workers_run(r->workers, k.groups.n, 1, mark_groups, &k);
    vec_each(const struct group, g, &k.groups)
        if (main_programs[r->devices.data[g->device].host] == g->program)
            find_starts(n, &k, g->from, g->to, seen_in, &current, &runs[g->device]);
    for (size_t d = 0; d < r->devices.n; d++)
        vec_sort(&runs[d].starts_ps, by_value);
    EACH(vec_done, &k.list, &k.groups);
    free(seen_in);
}
