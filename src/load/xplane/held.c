/* held.c: memory of parameters and constants, which have no events (formats-xplane.md section
 * 11). */
#include "load/xplane/program_nodes.h"

#include <stdlib.h>

#include "base/compare.h"

/* A program that ran in a step on a device. */
struct presence {
    uint32_t list; /* in nodes.lists */
    uint32_t step, device;
};

struct presences {
    VEC(struct presence) all;
    size_t max; /* length at which duplicates are removed */
};

COMPARE_CHAIN(by_list, struct presence, UP(list) || UP(step) || UP(device))

static void settle(struct presences *p)
{
    vec_sort(&p->all, by_list);
    vec_keep(&p->all, i, !i || by_list(&p->all.data[i - 1], &p->all.data[i]) != 0);
}

static void add(struct presences *p, struct presence at)
{
    if (p->all.n && by_list(&p->all.data[p->all.n - 1], &at) == 0)
        return;
    if (p->all.n >= p->max) {
        settle(p);
        p->max = 2 * p->all.n > p->max ? 2 * p->all.n : p->max;
    }
    vec_push(&p->all, at);
}

static void find(const struct run *r, const struct nodes *n, struct presences *p)
{
    for (size_t t = 0; t < r->tracks.n; t++) {
        vec_each(const struct run_event, e, &r->tracks.data[t].events) {
            const struct run_op *op = &r->ops.data[e->op];
            const struct node_origin origin = nodes_origin(n, op->node);

            if (op->kind == OP_HLO && origin.module != UINT32_MAX)
                add(p, (struct presence){origin.list, e->step & ~EVENT_BEGINS, op->device});
        }
    }
    settle(p);
}

/* Adds the steps of each list and their devices. */
static void add_steps(const struct run *r, const struct nodes *n, const struct presences *p,
                      struct programs *c)
{
    size_t at = 0, n_steps = 0;

    c->held_begin = arena_calloc(&c->arena, n->lists.n + 1, sizeof *c->held_begin);
    c->held_steps = arena_calloc(&c->arena, p->all.n + 1, sizeof *c->held_steps);
    c->held_devices = arena_calloc(&c->arena, p->all.n + 1, sizeof *c->held_devices);
    for (uint32_t list = 0; list < n->lists.n; list++) {
        for (; at < p->all.n && p->all.data[at].list == list; at++) {
            const int64_t step = r->steps.data[p->all.data[at].step];

            if (n_steps == c->held_begin[list] || c->held_steps[n_steps - 1].step != step)
                c->held_steps[n_steps++] =
                    (struct program_held_step){.step = step, .first_device = at};
            c->held_devices[at] = r->devices.data[p->all.data[at].device].name;
            c->held_steps[n_steps - 1].n_devices++;
        }
        c->held_begin[list + 1] = n_steps;
    }
}

void held_add_steps(const struct run *r, const struct nodes *n, struct programs *c)
{
    enum { FIRST_MAX = 4096 };
    struct presences p = {.max = FIRST_MAX};

    find(r, n, &p);
    add_steps(r, n, &p, c);
    vec_done(&p.all);
}

void held_add(const struct nodes *n, struct programs *c)
{
    c->held = arena_calloc(&c->arena, n->costs.n + 1, sizeof *c->held);
    for (node_id node = 0; node < n->costs.n; node++) {
        const struct node_origin origin = nodes_origin(n, node);
        const struct hlo_memory *memory;

        if (origin.module == UINT32_MAX || c->device_begin[node] < c->device_begin[node + 1])
            continue;
        memory = n->modules.data[origin.module].memory;
        if (!memory)
            continue;
        c->held[node].list = origin.list;
        c->held[node].peak_bytes = memory->instruction_peak_bytes[origin.instruction];
        c->held[node].residual_bytes = memory->instruction_residual_bytes[origin.instruction];
    }
}
