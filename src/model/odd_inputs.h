/* odd_inputs.h: inputs with an explicit position and source name. */
#pragma once

#include "base/vec.h"
#include "model/profile.h"

typedef VEC(struct odd_input) odd_input_list;

/* Appends ODD to LIST if it differs from the position and name that INPUT, number INDEX of its
 * node, implies. P's nodes must have names. */
static inline void odd_inputs_note(odd_input_list *list, const struct profile *p,
                                   const struct node_input *input, uint32_t index,
                                   struct odd_input odd)
{
    if (odd.position != (int32_t)index || input->source == NODE_NONE ||
        p->name[input->source] != odd.source_name)
        vec_push(list, odd);
}

/* Moves LIST to P and empties it. */
static inline void odd_inputs_keep(odd_input_list *list, struct profile *p)
{
    p->n_odd_inputs = (uint32_t)list->n;
    p->odd_inputs = arena_copy(&p->arena, list->data, list->n, sizeof *list->data);
    vec_done(list);
}
