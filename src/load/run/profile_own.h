/* profile_own.h: reads our own fields of stored profiles (doc/formats-tfprof.md section 2.3). */
#ifndef TFPROF_LOAD_PROFILE_OWN_H
#define TFPROF_LOAD_PROFILE_OWN_H

#include "load/loader.h"

/* Results of a first pass, because nodes refer to each other by id; and states. */
struct profile_names {
    struct idmap ordinals; /* id -> index of its entry; of equal ids the last */
    VEC(strid) names;      /* by index of the entry */
    VEC(struct span) sites; /* call sites of function bodies */
    VEC(uint8_t) states;    /* of counts, by new node */
};

/* profile_references.c: fills NAMES, except the states, and loads everything that does not belong
 * to a single node. */
bool profile_references(struct loader *l, struct profile_names *names, struct err *err);
/* After all nodes are added in the order of their ids: adds the call sites of function bodies.
 * Invalid ones are skipped with a note. */
void profile_own_sites(struct loader *l, const struct profile_names *names);
/* Moves the states of NAMES to the profile. */
void profile_own_states(struct loader *l, const struct profile_names *names);

#endif
