/* memory_steps.c: divides the memory log of a trace by its steps. */
#include "activity/memory_steps.h"

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/satmath.h"
#include "model/memory_log.h"

/* The step that contains event AT - 1 of A. */
static int64_t step_of(const struct recorder *r, const struct memory_allocator *a, uint32_t at)
{
    const int64_t ns = clamp_add(a->first_ticks, memory_ticks(a, at));
    size_t after = 0;

    if (!r->n_steps)
        return 0;
    LOWER_BOUND(after, r->n_steps, i, r->steps[i].start_ns <= ns);
    return after && ns < r->steps[after - 1].end_ns ? r->steps[after - 1].step : STEP_OUTSIDE;
}

/* Adds one row for the consecutive events of a step. */
static void add_uses(struct memory_steps *m, const struct recorder *r, const struct memory_allocator *a)
{
    const size_t first = m->uses.n;
    int64_t reserved = 0;
    size_t next = 0;

    vec_each(const struct memory_point, point, &a->points) {
        const int64_t step = step_of(r, a, point->event + 1);
        struct memory_use *use;

        for (; next < a->reservations.n && a->reservations.data[next].event <= point->event; next++)
            reserved = a->reservations.data[next].reserved_bytes;
        if (m->uses.n == first || m->uses.data[m->uses.n - 1].step != step)
            vec_push(&m->uses, ((struct memory_use){.device = a->device, .step = step}));
        use = &m->uses.data[m->uses.n - 1];
        KEEP_MAX(use->peak_bytes, point->in_use_bytes);
        KEEP_MAX(use->reserved_bytes, reserved);
        use->end_bytes = point->in_use_bytes;
    }
}

static void add_left(struct memory_steps *m, const struct profile *p, const struct recorder *r,
                     const struct memory_allocator *a)
{
    vec_each(const struct memory_allocation, from, &a->allocations) {
        const uint32_t id = p->memory->sites[from->site].id;

        if (from->end == MEMORY_NEVER && from->begin && id != NODE_NONE)
            vec_push(&m->left, ((struct memory_left){
                         .node = profile_node_of_part(p, id), .stack = p->stack[id], .step = step_of(r, a, from->begin),
                         .device = a->device, .bytes = from->bytes, .n_allocations = 1}));
    }
}

COMPARE_CHAIN(by_origin, struct memory_left, UP(device) || UP(step) || UP(node) || UP(stack))

static void merge_left(struct memory_steps *m)
{
    vec_sort(&m->left, by_origin);
    vec_merge(&m->left, last, left, by_origin(last, left) == 0, {
        last->bytes = clamp_add(last->bytes, left->bytes);
        last->n_allocations++;
    });
}

void memory_steps_make(struct memory_steps *m, const struct profile *p, const struct recorder *r)
{
    *m = (struct memory_steps){.uses = {0}};
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++) {
        const struct memory_allocator *a = &p->memory->allocators.data[i];

        if (a->file != r->file)
            continue;
        add_uses(m, r, a);
        add_left(m, p, r, a);
    }
    merge_left(m);
}

void memory_steps_done(struct memory_steps *m)
{
    EACH(vec_done, &m->uses, &m->left);
}
