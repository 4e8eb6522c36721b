/* memory_growth.c: live memory of an allocator and of a base (memory.md section 6). */
#include <string.h>

#include "session/memory_table.h"

/* The allocator of BASE that A is compared with; NULL: there is none. */
static const struct memory_allocator *find_base(const struct profile *p, const struct memory_allocator *a,
                                                const struct profile *base)
{
    for (size_t i = 0; base->memory && i < base->memory->allocators.n; i++) {
        const struct memory_allocator *b = &base->memory->allocators.data[i];

        if (strcmp(profile_text(base, b->device), profile_text(p, a->device)) == 0 &&
            strcmp(profile_text(base, b->name), profile_text(p, a->name)) == 0)
            return b;
    }
    return NULL;
}

static int64_t sum_of(const struct live_rows *live)
{
    int64_t sum = 0;

    for (size_t i = 0; i < live->rows.n; i++)
        sum = clamp_add(sum, live->rows.data[i].bytes);
    return sum;
}

void memory_growth_make(struct memory_growth *g, const struct table_rows *t,
                        const struct live_question *q)
{
    static const struct memory_allocator nothing = {.ticks_per_us = 1};
    const struct profile *base = t->request->base;
    const struct memory_allocator *b = find_base(t->request->now, q->allocator, base);
    struct live_question base_q = memory_question(t, b ? b : &nothing, false);

    *g = (struct memory_growth){.bytes = 0};
    base_q.by = q->by;
    live_rows_make(&g->now, t->request->now, q);
    if (b)
        live_rows_make(&g->base, base, &base_q);
    else
        intern_init(&g->base.names);
    live_rows_compare(&g->pairs, &g->now, &g->base);
    g->bytes = sum_of(&g->now);
    g->base_bytes = sum_of(&g->base);
}

void memory_growth_done(struct memory_growth *g)
{
    vec_done(&g->pairs);
    live_rows_done(&g->now);
    live_rows_done(&g->base);
}
