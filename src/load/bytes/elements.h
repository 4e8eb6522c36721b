/* elements.h: one top-level element at a time, in wire form.
 *
 * Binary files are walked by their framing, texts come through text_read();
 * both deliver the same bytes to the same functions.  Each returns false with
 * ERR set when the element is malformed. */
#ifndef TFPROF_LOAD_ELEMENTS_H
#define TFPROF_LOAD_ELEMENTS_H

#include "load/loader.h"

/* A NodeDef; DEF is kept with the node. */
bool load_node(struct loader *l, struct span node, struct node_def def, struct err *err);

/* An argument of a function as a node; ATTRS is the map entry with its ArgAttrs (bytes
 * NULL: none), DEF where that stands. */
bool load_argument(struct loader *l, struct span name, struct span attrs, struct node_def def,
                   struct err *err);

/* The call stack of l->stack_parts; STACK_NONE when there are none.  Strings of
 * frames are inline or ids in l->strings, an unknown id is an empty string. */
bool load_stack(struct loader *l, stack_id *stack, struct err *err);
/* Forgets the stacks of the last file, whose ids meant other strings. */
void load_stacks_begin(struct loader *l);

/* Adds an entry of an id_to_string map to l->strings. */
bool load_id_string(struct loader *l, struct span entry, struct err *err);

/* An AllocationRecord. */
bool load_allocation(const struct loader *l, struct span record, struct allocation *allocation,
                     struct err *err);
/* Appends the numbers of a Tuple to NUMBERS. */
bool load_tuple(const struct loader *l, struct span tuple, dim_list *numbers, struct err *err);

#endif
