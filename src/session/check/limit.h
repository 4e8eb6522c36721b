/* limit.h: what a rule compares a figure with: "<= 120ms", "== 17.63b", "<= +5%". */
#pragma once

#include "base/err.h"
#include "view/delta.h"

enum limit_relation {
    LIMIT_AT_MOST,
    LIMIT_BELOW,
    LIMIT_AT_LEAST,
    LIMIT_ABOVE,
    LIMIT_EQUAL,
    LIMIT_UNEQUAL,
    LIMIT_RELATIONS
};

struct limit {
    enum limit_relation relation;
    enum metric_id metric;
    bool is_percent;   /* of the base */
    double value;      /* in the unit of the metric's figures, or in percent */
    double half_digit; /* of the last digit written: == and != look no closer */
};

/* Reads RELATION ("<=") and VALUE ("120ms") for METRIC.  Numbers take k, m and b; times ns, us, ms,
 * s, sec and min, microseconds without; memory B, KB, MB, GB and TB, bytes without; differences
 * also %.  False with ERR (usage). */
bool limit_read(struct limit *limit, enum metric_id metric, const char *relation,
                const char *value, struct err *err);
/* Reads "<=".  False with ERR (usage). */
bool limit_read_relation(enum limit_relation *relation, const char *word, struct err *err);
/* True when a figure that compares like COMPARISON (below 0, 0, above 0) with a limit keeps to it. */
bool limit_relation_holds(enum limit_relation relation, int comparison);
/* True when D keeps to LIMIT: its delta, where IS_DELTA, else its now. */
bool limit_holds(const struct limit *limit, struct delta d, bool is_delta);
/* How far beyond LIMIT it is, the larger the worse. */
double limit_excess(const struct limit *limit, struct delta d, bool is_delta);
