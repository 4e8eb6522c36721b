/* comparison.h: two profiles as one: the nodes of both, each with its place on either side. */
#ifndef TFPROF_MATCH_COMPARISON_H
#define TFPROF_MATCH_COMPARISON_H

#include "match/pairs.h"

/* What a node of a comparison, or a row of its nodes, has: bits. */
enum side_bit {
    SIDE_NOW = 1,
    SIDE_BASE = 2,
    SIDE_SAME_NAME = 4, /* a node of both with the same name */
    SIDE_MOVED = 8,     /* a node of both with another name */
};

/* MERGED has the nodes of NOW with their ids, then those of BASE that have no partner.  Views and
 * options work on it as on any profile, but its executions are those of NOW: figures come from
 * each side by now_of and base_of.  It borrows from both, which must outlive it.
 *
 * Where a node of either side has parts, those of both are parts here, each of one side alone; a
 * side without parts is one part. */
struct comparison {
    struct pairs pairs;
    struct profile *merged;
    node_id *now_of, *base_of; /* by id of merged: ids of nodes or parts, NODE_NONE: none */
    uint8_t *sides;            /* by id of merged: enum side_bit */
};

/* Borrows BASE and NOW; RENAME is as renames_new() takes it, NULL: no rules; UNMATCH is a list of
 * regexes, NULL: none: pairs of which either name matches are none.  NULL with ERR: usage of a
 * wrong rule or regex; input, when together they are too large. */
struct comparison *comparison_new(const struct profile *base, const struct profile *now,
                                  const char *rename, const char *unmatch, struct err *err);
void comparison_free(struct comparison *c); /* NULL is fine */

#endif
