/* advise_places.h: figures of a trace by the row and the line of code that they belong to; private to
 * view/advise*.c. */
#ifndef TFPROF_VIEW_ADVISE_PLACES_H
#define TFPROF_VIEW_ADVISE_PLACES_H

#include "base/vec.h"
#include "view/advise/advise_priv.h"

/* A node with one of its call stacks. */
struct advice_place {
    node_id node;
    trace_id trace; /* TRACE_NONE: no stack */
    int64_t amount; /* picoseconds or bytes */
    uint64_t count;
};

typedef VEC(struct advice_place) places;

/* Adds to the amounts of a place; they are summed by places_settle(). */
void places_add(places *all, node_id node, trace_id trace, int64_t amount, uint64_t count);
/* Sums what is of one place, and sorts by amount, the largest first. */
void places_settle(places *all);

/* Reports the three largest of what has settled, each with its share of WHOLE:
 *
 *     top 1 WHAT: 812us (22.6%), 3 times, NODE, FILE:LINE:FUNCTION
 *
 * and marks their nodes with MARK, a static text.  UNIT is that of the amounts. */
void places_report(struct advise *a, const places *all, enum metric_unit unit, int64_t whole,
                   const char *what, const char *mark);

/* "/gpu:0", with " of rank 1" where there are several. */
void advise_add_device(struct advise *a, struct strbuf *line, const struct recording *r,
                       strid device);
/* "812us (22.6%)": a part of WHOLE. */
void advise_add_share(struct strbuf *line, enum metric_unit unit, int64_t part, int64_t whole);

#endif
