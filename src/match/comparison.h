/* comparison.h: a profile that contains the nodes of two profiles, with the ids of each node on
 * both sides. */
#pragma once

#include "match/frames.h"
#include "match/pairs.h"

/* Sides of a node or row of a comparison, as bits. */
enum side_bit {
    SIDE_NOW = 1,
    SIDE_BASE = 2,
    SIDE_SAME_NAME = 4, /* a node of both sides with the same name */
    SIDE_MOVED = 8,     /* a node of both sides whose names differ */
};

/* MERGED contains the nodes of NOW with their ids, followed by the unmatched nodes of BASE. Views
 * and options work on it as on any profile, but its executions are those of NOW; figures of each
 * side are read through now_of and base_of. It borrows from both profiles, which must outlive it.
 *
 * If a node has parts on either side, the merged node has the parts of both sides, each of one side
 * only; a side without parts is a single part. */
struct comparison {
    struct pairs pairs;
    struct frames base_frames, now_frames; /* paired */
    struct profile *merged;
    /* by merged id: id of the node or part on that side; NODE_NONE: none */
    node_id *now_of, *base_of;
    uint8_t *sides;            /* by merged id: enum side_bit */
};

/* Borrows BASE and NOW. RENAME has the format of renames_new(), NULL: no rules. UNMATCH is a list
 * of regexes, NULL: none; pairs with a matching name are separated. NULL with ERR: a bad rule or
 * regex (usage), or the profiles are too large together (input). */
struct comparison *comparison_new(const struct profile *base, const struct profile *now,
                                  const char *rename, const char *unmatch, struct err *err);
void comparison_free(struct comparison *c); /* accepts NULL */
