/* step_times.c: time of each step on each device, and input wait time (formats-xplane.md section
 * 12). */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "hlo/opcode.h"

/* ---- steps */

struct step_times {
    VEC(struct program_step_device) list;
    size_t max; /* length at which entries are sorted and merged */
};

COMPARE_BY_TWO(by_step, struct program_step_device, step, device)

static void join(struct program_step_device *to, const struct program_step_device *from)
{
    to->self_ps = clamp_add(to->self_ps, from->self_ps);
    to->collective_ps = clamp_add(to->collective_ps, from->collective_ps);
    to->begin_ps = from->begin_ps < to->begin_ps ? from->begin_ps : to->begin_ps;
    to->end_ps = from->end_ps > to->end_ps ? from->end_ps : to->end_ps;
}

static bool is_same(const struct program_step_device *a, const struct program_step_device *b)
{
    return a->step == b->step && a->device == b->device;
}

/* Sorts the list, with one entry for each step and device. */
static void settle(struct step_times *s)
{
    vec_sort(&s->list, by_step);
    vec_merge(&s->list, last, next, is_same(last, next), join(last, next));
}

/* Merges with the last entry if possible.  The list is compacted when it has doubled, so that its
 * length stays proportional to the number of distinct entries. */
static void add(struct step_times *s, const struct program_step_device *entry)
{
    if (s->list.n && is_same(&s->list.data[s->list.n - 1], entry)) {
        join(&s->list.data[s->list.n - 1], entry);
        return;
    }
    if (s->list.n >= s->max) {
        settle(s);
        s->max = 2 * s->list.n > s->max ? 2 * s->list.n : s->max;
    }
    vec_push(&s->list, *entry);
}

/* True for opcodes and categories of collective operations. */
static bool is_collective_name(const char *name)
{
    static const char *const begins[] = {"all-reduce", "all-gather", "all-to-all", "collective-",
                                         "reduce-scatter", "ragged-all-to-all"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static bool is_collective(const struct nodes *n, const struct run_op *op)
{
    const struct node_origin origin = nodes_origin(n, op->node);
    const struct hlo_module *m;
    const char *name;

    if (op->kind != OP_HLO || origin.module == UINT32_MAX)
        return false;
    m = n->modules.data[origin.module].module;
    name = hlo_opcodes[m->instructions[origin.instruction].opcode].name;
    return name && is_collective_name(name);
}

void step_times_add(const struct run *r, const struct nodes *n, struct programs *c, int64_t origin_ps)
{
    enum { FIRST_MAX = 4096 };
    struct step_times s = {.max = FIRST_MAX};
    bool *collective = xcalloc(r->ops.n + 1, sizeof *collective);

    for (size_t i = 0; i < r->ops.n; i++)
        collective[i] = r->ops.data[i].has_events && is_collective(n, &r->ops.data[i]);
    for (size_t t = 0; t < r->tracks.n; t++) {
        const enum track_use use = r->tracks.data[t].use;
        const bool of_programs = use == TRACK_DEVICE || use == TRACK_NESTED || use == TRACK_HLO;

        vec_each(const struct run_event, e, &r->tracks.data[t].events) {
            const int64_t start_ps = clamp_sub(e->start_ps, origin_ps);
            const struct program_step_device entry = {
                .step = r->steps.data[e->step & ~EVENT_BEGINS],
                .device = r->ops.data[e->op].device,
                .self_ps = e->self_ps,
                .collective_ps = collective[e->op] ? e->self_ps : 0,
                .begin_ps = of_programs ? start_ps : INT64_MAX,
                .end_ps = of_programs ? clamp_add(start_ps, e->dur_ps) : INT64_MIN};

            add(&s, &entry);
        }
    }
    settle(&s);
    c->n_step_devices = s.list.n;
    c->step_devices = arena_calloc(&c->arena, s.list.n + 1, sizeof *c->step_devices);
    if (s.list.n)
        memcpy(c->step_devices, s.list.data, s.list.n * sizeof *c->step_devices);
    vec_done(&s.list);
    free(collective);
}

/* ---- input */

/* Time in the input pipeline.  Lines with pipeline events only prefetch, so ops do not wait for
 * them. */
static int64_t waited_ps(const struct run *r, const struct track *track)
{
    int64_t input_ps = 0;
    bool has_ops = false;

    vec_each(const struct run_event, e, &track->events) {
        if (r->ops.data[e->op].kind == OP_PIPELINE)
            input_ps = clamp_add(input_ps, e->self_ps);
        else
            has_ops = true;
    }
    return has_ops ? input_ps : 0;
}

void input_times_add(const struct run *r, struct programs *c)
{
    c->n_inputs = r->hosts.n;
    c->inputs = arena_calloc(&c->arena, r->hosts.n + 1, sizeof *c->inputs);
    for (size_t h = 0; h < r->hosts.n; h++)
        c->inputs[h].host = r->hosts.data[h].name;
    vec_each(const struct track, track, &r->tracks) {
        const int64_t ps = track->use == TRACK_OPS ? waited_ps(r, track) : 0;
        struct program_input *of = &c->inputs[track->host];

        KEEP_MAX(of->waited_ps, ps);
    }
    for (size_t h = 0; h < r->hosts.n; h++) {
        const struct run_host *host = &r->hosts.data[h];

        for (size_t i = 0; i < host->marks.n; i++)
            c->inputs[h].within_ps = clamp_add(c->inputs[h].within_ps, host->marks.data[i].dur_ps);
        for (size_t d = 0; !host->marks.n && d < r->devices.n; d++)
            if (r->devices.data[d].host == h && c->devices[d].span_ps > c->inputs[h].within_ps)
                c->inputs[h].within_ps = c->devices[d].span_ps;
    }
}
