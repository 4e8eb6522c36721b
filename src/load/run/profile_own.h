/* profile_own.h: what profiles that we wrote say beside the fields of the original
 * (doc/formats-tfprof.md section 2.3). */
#ifndef TFPROF_LOAD_PROFILE_OWN_H
#define TFPROF_LOAD_PROFILE_OWN_H

#include "load/loader.h"

/* The nodes of a profile name each other by id: what a first walk finds out, and states. */
struct profile_names {
    struct idmap ordinals; /* id -> number of its entry; the last entry of an id counts */
    VEC(strid) names;      /* by number */
    VEC(struct span) sites; /* where bodies of functions stand */
    VEC(uint8_t) states;    /* of counts, by node that was added */
};

/* profile_references.c: fills NAMES but for the states, and takes all that is not said of a
 * node alone. */
bool profile_references(struct loader *l, struct profile_names *names, struct err *err);
/* Once all nodes are there, in the order of their ids: where bodies of functions stand.
 * Places that cannot be are passed over with a note. */
void profile_own_sites(struct loader *l, const struct profile_names *names);
/* Keeps the states of NAMES with the profile. */
void profile_own_states(struct loader *l, const struct profile_names *names);

#endif
