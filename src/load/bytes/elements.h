/* elements.h: loads single top-level elements in wire format.  Binary files are framed, texts are
 * converted by text_read(); both deliver the same bytes to these functions.  They return false with
 * ERR when the element is malformed. */
#pragma once

#include "load/loader.h"

/* Loads a NodeDef; DEF is stored with the node. */
bool load_node(struct loader *l, struct span node, struct node_def def, struct err *err);

/* Loads an argument of a function as a node; ATTRS is the map entry of its ArgAttrs (bytes NULL:
 * none), DEF its position. */
bool load_argument(struct loader *l, struct span name, struct span attrs, struct node_def def,
                   struct err *err);

/* The call stack of l->stack_parts; STACK_NONE when it is empty.  Strings of frames are inline or
 * ids in l->strings; an unknown id is the empty string. */
bool load_stack(struct loader *l, stack_id *stack, struct err *err);
/* Clears the stack cache, because ids of another file refer to other strings. */
void load_stacks_begin(struct loader *l);

/* Adds an entry of an id_to_string map to l->strings. */
bool load_id_string(struct loader *l, struct span entry, struct err *err);

/* Decodes an AllocationRecord. */
bool load_allocation(const struct loader *l, struct span record, struct allocation *allocation,
                     struct err *err);
/* Appends the numbers of a Tuple to NUMBERS. */
bool load_tuple(const struct loader *l, struct span tuple, dim_list *numbers, struct err *err);
