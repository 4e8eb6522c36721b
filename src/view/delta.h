/* delta.h: base, now and difference of a row of a comparison. */
#ifndef TFPROF_VIEW_DELTA_H
#define TFPROF_VIEW_DELTA_H

#include "view/query.h"

struct delta {
    int64_t base, now, delta; /* in the unit of the metric; delta up to the 64-bit limits */
};

/* What METRIC of ROW, a total but in lists, is on either side; R has the metric and compares. */
struct delta delta_of(const struct result *r, enum metric_id m, row_id row);
struct delta delta_between(int64_t base, int64_t now);

/* The difference in percent of the base, which is not 0. */
double delta_percent(struct delta d);

/* How pictures tell a change by colour: as of which share of the base it is one (1 %), and a large
 * one (10 %).  Of nothing any change is large. */
enum change { CHANGE_SHRANK_MUCH, CHANGE_SHRANK, CHANGE_NONE, CHANGE_GREW, CHANGE_GREW_MUCH };
enum change delta_change(struct delta d);

/* '-' where SIDES (enum side_bit) has no now, '+' where it has no base, '~' where all that both
 * have is named otherwise in base, else ' '. */
char delta_mark(uint8_t sides);

/* True when the difference of ROW of R in the compared figure may be chance (-significant). */
bool delta_is_noise(const struct result *r, row_id row);

/* What ROW of R, a node of both sides with another name in base, is called there, and by what it
 * was found (match_reasons); NULL: no such row. */
const char *delta_moved_from(const struct result *r, row_id row, struct text *name);

/* True when the rows of R have a base. */
static inline bool result_compares(const struct result *r)
{
    return r->sides != NULL;
}

#endif
