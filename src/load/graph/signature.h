/* signature.h: what a model's signatures name, and the part of a graph that
 * one of them needs. */
#ifndef TFPROF_LOAD_SIGNATURE_H
#define TFPROF_LOAD_SIGNATURE_H

#include "base/intern.h"
#include "load/loader.h"

/* Names of the nodes to load. */
struct node_choice {
    struct intern names;
};

/* Finds the nodes of META's graph that the outputs of its signature NAME read,
 * directly or not, and those of its inputs.  False with ERR when there is no
 * such signature. */
bool signature_choose(struct loader *l, struct span meta, const char *name,
                      struct node_choice *choice, struct err *err);
/* Adds the inputs and outputs of META's signatures, or of the one chosen, to
 * the profile (formats-graph.md section 10, SignatureDef). */
bool signatures_add(struct loader *l, struct span meta, struct err *err);
void node_choice_done(struct node_choice *choice);

/* True when the node NAME is wanted; a NULL choice wants all. */
bool node_chosen(const struct node_choice *choice, struct span name);

#endif
