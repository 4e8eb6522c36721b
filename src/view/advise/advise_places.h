/* advise_places.h: figures of a trace by row and line of code; private to view/advise. */
#pragma once

#include "base/vec.h"
#include "view/advise/advise_priv.h"

/* A node together with one of its call stacks. */
struct advice_amount {
    node_id node;
    stack_id stack; /* STACK_NONE: no call stack */
    int64_t amount; /* picoseconds or bytes */
    uint64_t count;
};

typedef VEC(struct advice_amount) amounts;

/* Appends AMOUNT and COUNT for NODE and STACK; amounts_merge() merges equal entries. */
void amounts_add(amounts *all, node_id node, stack_id stack, int64_t amount, uint64_t count);
/* Merges entries of the same node and stack, and sorts by amount, largest first. */
void amounts_merge(amounts *all);

/* Reports the three entries of ALL (settled) with the largest amounts, each with its share of
 * WHOLE:
 *
 *     top 1 WHAT: 812us (22.6%), 3 times, NODE, FILE:LINE:FUNCTION
 *
 * and marks their nodes with MARK, a static text. UNIT is the unit of the amounts. */
void amounts_report(struct advise *a, const amounts *all, enum metric_unit unit, int64_t whole,
                    const char *what, const char *mark);

/* Appends "/gpu:0", and " of rank 1" if the profile has several ranks; RANK < 0: unknown. */
void advise_add_device(struct advise *a, struct strbuf *line, int64_t rank, strid device);
/* Appends PART and its share of WHOLE: "812us (22.6%)". */
void advise_add_share(struct strbuf *line, enum metric_unit unit, int64_t part, int64_t whole);
