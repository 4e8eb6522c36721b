/* merge.h: the profile that has the nodes of two; private to match/. */
#ifndef TFPROF_MATCH_MERGE_H
#define TFPROF_MATCH_MERGE_H

#include "match/pairs.h"

/* The profile that struct comparison has as `merged`, and by its ids (heap memory) those of each
 * side; it borrows from both. */
struct profile *merge_profiles(const struct pairs *pairs, node_id **now_of, node_id **base_of);
void merge_free(struct profile *merged); /* NULL is fine */

#endif
