/* delta.h: baseline, current value and difference of a row of a comparison. */
#pragma once

#include "view/query.h"

struct delta {
    int64_t base, now, delta; /* in the unit of the metric; delta saturates */
};

/* Values of METRIC, which R compares, for ROW on both sides: totals, in lists self figures. */
struct delta delta_of(const struct result *r, enum metric_id m, row_id row);
struct delta delta_between(int64_t base, int64_t now);

/* Difference in percent of the baseline, which must not be 0. */
double delta_percent(struct delta d);

/* Colour classes for charts: a change counts from 1 % of the baseline on, as large from 10 % on. If
 * the baseline is 0, any change is large. */
enum change { CHANGE_SHRANK_MUCH, CHANGE_SHRANK, CHANGE_NONE, CHANGE_GREW, CHANGE_GREW_MUCH };
enum change delta_change(struct delta d);

/* '-' when SIDES (enum side_bit) has the baseline only, '+' when it has the current side only, '~'
 * when all shared nodes have other names in the baseline, else ' '. */
char delta_mark(uint8_t sides);

/* True when R compares, is no list, and shows no row because rows differ by less than -min_delta, and
 * so does the root. */
bool delta_hides_all(const struct result *r);

/* True when the difference of ROW in the compared figure may be chance (-significant). */
bool delta_is_noise(const struct result *r, row_id row);

/* Evidence for the pair of ROW's node (match_reasons); NULL: ROW has no node, or its node no pair. */
const char *delta_match(const struct result *r, row_id row);
/* Confidence of that pair (match_confidences), or NULL. */
const char *delta_confidence(const struct result *r, row_id row);

/* Code view: appends the path of ROW in the baseline, names of displayed rows joined by ';'. Returns the
 * evidence for the pair; NULL: ROW is on one side only. */
const char *delta_code_match(const struct result *r, row_id row, struct strbuf *path);

/* True when that pair has low confidence. */
bool delta_is_uncertain(const struct result *r, row_id row);

/* Returns the rules by which ROW's node was matched (match_reasons) with a baseline node of another
 * name, which is stored in NAME; NULL: no such node. */
const char *delta_moved_from(const struct result *r, row_id row, struct text *name);

/* True when R is the result of a comparison. */
static inline bool result_compares(const struct result *r)
{
    return r->sides != NULL;
}
