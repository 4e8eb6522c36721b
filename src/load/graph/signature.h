/* signature.h: the signatures of a model, and the part of a graph that one of them needs. */
#pragma once

#include "base/intern.h"
#include "load/loader.h"

/* Names of the nodes to load. */
struct node_choice {
    struct intern names;
};

/* Finds the transitive inputs of the outputs of META's signature NAME, and the nodes of its inputs.
 * False with ERR when there is no such signature. */
bool signature_choose(struct loader *l, struct span meta, const char *name,
                      struct node_choice *choice, struct err *err);
/* Adds inputs and outputs of META's signatures, or of the selected one, to the profile
 * (formats-graph.md section 10, SignatureDef). */
bool signatures_add(struct loader *l, struct span meta, struct err *err);
void node_choice_done(struct node_choice *choice);

/* True when CHOICE has the node NAME, or is NULL. */
bool node_chosen(const struct node_choice *choice, struct span name);
