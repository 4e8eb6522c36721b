/* step_set.c: union-find in a hash table: each used step points to a later candidate, with path
 * compression. */
#include "model/builder_priv.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"

enum { FIRST_SLOTS = 16 };

struct step_slot {
    int64_t step, later; /* no free step lies in between */
    bool is_taken;
};

static struct step_slot *find_slot(const struct step_set *set, int64_t step)
{
    size_t i = (size_t)hash_pair((uint64_t)step, 0) & (set->n_slots - 1);

    while (set->slots[i].is_taken && set->slots[i].step != step)
        i = (i + 1) & (set->n_slots - 1);
    return &set->slots[i];
}

static void grow(struct step_set *set)
{
    const struct step_set old = *set;

    set->n_slots = old.n_slots ? old.n_slots * 2 : FIRST_SLOTS;
    set->slots = xcalloc(set->n_slots, sizeof *set->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i].is_taken)
            *find_slot(set, old.slots[i].step) = old.slots[i];
    free(old.slots);
}

void step_set_add(struct step_set *set, int64_t step)
{
    struct step_slot *slot;

    if (set->n * 2 >= set->n_slots)
        grow(set);
    slot = find_slot(set, step);
    if (slot->is_taken)
        return;
    *slot = (struct step_slot){step, step < INT64_MAX ? step + 1 : step, true};
    set->n++;
}

int64_t step_set_free_from(struct step_set *set, int64_t step)
{
    while (set->n > 0) {
        struct step_slot *slot = find_slot(set, step), *next;

        if (!slot->is_taken || slot->later == step)
            return step;
        next = find_slot(set, slot->later);
        if (next->is_taken)
            slot->later = next->later;
        step = slot->later;
    }
    return step;
}

void step_set_done(struct step_set *set)
{
    free(set->slots);
    *set = (struct step_set){0};
}
