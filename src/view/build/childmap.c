/* childmap.c: hash map from parent row and name to child row (open addressing). */
#include "view/build/childmap.h"

#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { FIRST_SLOTS = 256 };

static struct childmap_slot *find_slot(const struct childmap *m, row_id parent, strid name)
{
    size_t i = (size_t)hash_pair(parent, name) & (m->n_slots - 1);

    while (m->slots[i].row && (m->slots[i].parent != parent || m->slots[i].name != name))
        i = (i + 1) & (m->n_slots - 1);
    return &m->slots[i];
}

static void grow(struct childmap *m)
{
    struct childmap bigger = {.n_slots = m->n_slots ? m->n_slots * 2 : FIRST_SLOTS, .n = m->n};

    bigger.slots = xcalloc(bigger.n_slots, sizeof *bigger.slots);
    for (size_t i = 0; i < m->n_slots; i++)
        if (m->slots[i].row)
            *find_slot(&bigger, m->slots[i].parent, m->slots[i].name) = m->slots[i];
    free(m->slots);
    *m = bigger;
}

row_id *childmap_at(struct childmap *m, row_id parent, strid name)
{
    struct childmap_slot *slot;

    if (m->n * 2 >= m->n_slots)
        grow(m);
    slot = find_slot(m, parent, name);
    if (!slot->row) {
        slot->parent = parent;
        slot->name = name;
        m->n++;
    }
    return &slot->row;
}

void childmap_done(struct childmap *m)
{
    free(m->slots);
    *m = (struct childmap){0};
}
