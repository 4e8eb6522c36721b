/* profile_node.h: one ProfileNode of a stored profile. */
#ifndef TFPROF_LOAD_PROFILE_NODE_H
#define TFPROF_LOAD_PROFILE_NODE_H

#include "load/run/profile_own.h"

/* Adds NODE, which the map's ENTRY holds, number ORDINAL of those in NAMES. */
bool profile_add_node(struct loader *l, const struct profile_names *names, uint32_t ordinal,
                      struct span entry, struct span node, struct err *err);

#endif
