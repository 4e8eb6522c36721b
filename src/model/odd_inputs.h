/* odd_inputs.h: which inputs have to say their position and the name of their source. */
#ifndef TFPROF_MODEL_ODD_INPUTS_H
#define TFPROF_MODEL_ODD_INPUTS_H

#include "base/vec.h"
#include "model/profile.h"

typedef VEC(struct odd_input) odd_input_list;

/* Appends ODD to LIST when it is one: its input is INPUT, number PLACE of its node.  The names of P's
 * nodes are known. */
static inline void odd_inputs_note(odd_input_list *list, const struct profile *p,
                                   const struct node_input *input, uint32_t place,
                                   struct odd_input odd)
{
    if (odd.position != (int32_t)place || input->source == NODE_NONE ||
        p->name[input->source] != odd.source_name)
        vec_push(list, odd);
}

/* Gives LIST to P; it is empty afterwards. */
static inline void odd_inputs_keep(odd_input_list *list, struct profile *p)
{
    p->n_odd_inputs = (uint32_t)list->n;
    p->odd_inputs = arena_copy(&p->arena, list->data, list->n, sizeof *list->data);
    vec_done(list);
}

#endif
