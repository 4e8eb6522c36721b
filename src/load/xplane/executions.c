/* executions.c: finds where executions begin (formats-xplane.md section 9).
 *
 * Kernels of a GPU are examined in launch order, as an op may launch several. */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/hash.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/xalloc.h"

static bool is_device_op(enum run_op_kind kind)
{
    return kind == OP_HLO || kind == OP_FRAMEWORK || kind == OP_PIPELINE;
}

/* ---- the program that most time goes to */

static int64_t time_of(const struct track *t, const struct run_event *e)
{
    return t->use == TRACK_DEVICE ? e->dur_ps : e->self_ps;
}

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
                    clamp_add(self[op->program_place], time_of(track, &track->events.data[i]));
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

/* ---- kernels of a device in the order of their launches */

struct ordered {
    struct run_event *event;
    const struct run_op *op;
};

struct kernels {
    VEC(struct ordered) list;
    const void **items;
    uint32_t *track_begin, *tracks; /* of each device */
};

static void index_tracks(const struct run *r, struct kernels *k)
{
    k->track_begin = xcalloc(r->devices.n + 2, sizeof *k->track_begin);
    k->tracks = xcalloc(r->tracks.n + 1, sizeof *k->tracks);
    for (size_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].use == TRACK_DEVICE)
            k->track_begin[r->tracks.data[t].device + 2]++;
    for (size_t d = 2; d < r->devices.n + 2; d++)
        k->track_begin[d] += k->track_begin[d - 1];
    for (uint32_t t = 0; t < r->tracks.n; t++)
        if (r->tracks.data[t].use == TRACK_DEVICE)
            k->tracks[k->track_begin[r->tracks.data[t].device + 1]++] = t;
}

static uint64_t program_key(const struct run_op *op)
{
    return op->kind == OP_HLO ? op->program_place : UINT32_MAX;
}

static bool launched_before(const void *x, const void *y)
{
    const struct ordered *a = x, *b = y;

    if (program_key(a->op) != program_key(b->op))
        return program_key(a->op) < program_key(b->op);
    if (a->event->correlation != b->event->correlation)
        return a->event->correlation < b->event->correlation;
    return a->event->start_ps < b->event->start_ps;
}

static void collect(struct run *r, uint32_t device, struct kernels *k)
{
    k->list.n = 0;
    for (uint32_t t = k->track_begin[device]; t < k->track_begin[device + 1]; t++) {
        struct track *track = &r->tracks.data[k->tracks[t]];

        for (size_t i = 0; i < track->events.n; i++) {
            struct ordered o = {&track->events.data[i], &r->ops.data[track->events.data[i].op]};

            if (is_device_op(o.op->kind))
                vec_push(&k->list, o);
            else
                o.event->step |= EVENT_BEGINS;
        }
    }
    k->items = xreallocarray(k->items, k->list.n + 1, sizeof *k->items);
    for (size_t i = 0; i < k->list.n; i++)
        k->items[i] = &k->list.data[i];
    stable_sort(k->items, k->list.n, launched_before);
}

static const struct ordered *item(const struct kernels *k, size_t i)
{
    return k->items[i];
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
        const node_id node = item(k, i)->op->node;
        const size_t before = c->id.n;
        const uint32_t at = find_computation(c, computation_of(n, node));

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
        while (len && item(k, from + i)->op->kernel != item(k, from + len)->op->kernel)
            len = fail[len - 1];
        len += item(k, from + i)->op->kernel == item(k, from + len)->op->kernel;
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
        const node_id node = item(k, at)->op->node;
        size_t step;

        for (end = at + 1; end < to && item(k, end)->op->node == node;)
            end++;
        step = c.node.data[find_computation(&c, computation_of(n, node))] == node
                   ? period(k, at, end)
                   : end - at;
        for (size_t i = at; i < end; i += step)
            item(k, i)->event->step |= EVENT_BEGINS;
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

/* An execution of the program begins where an instruction of the entry computation runs again. */
static void find_starts(const struct nodes *n, const struct kernels *k, size_t from, size_t to,
                        uint32_t *seen_in, uint32_t *current, struct device_runs *runs)
{
    ++*current; /* invalidates all stamps */
    vec_push(&runs->starts_ps, item(k, from)->event->start_ps);
    for (size_t i = from; i < to; i++) {
        const struct ordered *o = item(k, i);

        if (!(o->event->step & EVENT_BEGINS) || !is_entry(n, o->op->node))
            continue;
        if (seen_in[o->op->node] == *current) {
            vec_push(&runs->starts_ps, o->event->start_ps);
            ++*current;
        }
        seen_in[o->op->node] = *current;
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

void executions_find(const struct nodes *n, struct run *r, const uint32_t *main_programs,
                     struct device_runs *runs)
{
    struct kernels k = {0};
    uint32_t n_nodes = 0, current = 0;
    uint32_t *seen_in;

    for (size_t i = 0; i < r->ops.n; i++)
        if (r->ops.data[i].has_events && r->ops.data[i].node >= n_nodes)
            n_nodes = r->ops.data[i].node + 1;
    seen_in = xcalloc((size_t)n_nodes + 1, sizeof *seen_in); /* by node: stamps */
    index_tracks(r, &k);
    add_cpu_runs(r, main_programs, runs);
    mark_all(r);
    for (uint32_t d = 0; d < r->devices.n; d++) {
        const uint32_t main_program = main_programs[r->devices.data[d].host];

        if (r->devices.data[d].kind != PLANE_GPU)
            continue;
        collect(r, d, &k);
        for (size_t from = 0, to; from < k.list.n; from = to) {
            const uint64_t key = program_key(item(&k, from)->op);

            for (to = from + 1; to < k.list.n && program_key(item(&k, to)->op) == key;)
                to++;
            mark_executions(n, &k, from, to);
            if (key == main_program && main_program != UINT32_MAX)
                find_starts(n, &k, from, to, seen_in, &current, &runs[d]);
        }
    }
    for (size_t d = 0; d < r->devices.n; d++)
        vec_sort(&runs[d].starts_ps, by_value);
    vec_done(&k.list);
    EACH(free, k.items, k.track_begin, k.tracks, seen_in);
}
