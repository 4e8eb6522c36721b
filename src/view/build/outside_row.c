/* outside_row.c: the row of work outside of all steps. */
#include "view/build/outside_row.h"

#include <string.h>

#include "model/recording.h"
#include "model/row_names.h"

bool outside_has_work(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recordings; i++)
        if (p->recordings[i].n_steps && p->recordings[i].outside_accelerator_ns > 0)
            return true;
    return false;
}

/* A copy of N elements of SIZE_BYTES with room for one more, which is zero. */
static void *grown(struct tree *t, const void *from, size_t n, size_t size_bytes)
{
    void *to = arena_calloc(&t->arena, n + 1, size_bytes);

    memcpy(to, from, n * size_bytes);
    return to;
}

#define GROW(t, member, n) ((t)->member = grown((t), (t)->member, (n), sizeof *(t)->member))

static void add_name(struct tree *t)
{
    GROW(t, own, t->n_own);
    t->own[t->n_own++] = (struct text){OUTSIDE_NAME, sizeof OUTSIDE_NAME - 1};
    tree_mark_names(t);
}

void outside_row_add(struct tree *t)
{
    const row_id row = t->n_rows;

    GROW(t, parent, row);
    GROW(t, end, row);
    GROW(t, depth, row);
    GROW(t, name, row);
    GROW(t, member_begin, (size_t)row + 1);
    if (t->rank)
        GROW(t, rank, row);
    if (t->frame)
        GROW(t, frame, row);
    if (t->n_folded)
        GROW(t, n_folded, row);
    if (t->is_gradient)
        GROW(t, is_gradient, row);
    t->end[0] = t->end[row] = row + 1;
    t->depth[row] = 1;
    t->name[row] = t->n_base + t->n_own;
    t->member_begin[row + 1] = t->member_begin[row];
    if (t->rank)
        t->rank[row] = UINT32_MAX;
    t->outside = row;
    t->n_rows++;
    add_name(t);
}
