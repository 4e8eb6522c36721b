/* limit.h: relation and value of a rule: "<= 120ms", "== 17.63b", "<= +5%". */
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
    bool is_percent;   /* of the baseline */
    double value;      /* in the unit of the metric's figures, or in percent */
    double half_digit; /* rounding error of the value as written; tolerance of == and != */
};

/* Parses RELATION ("<=") and VALUE ("120ms") for METRIC. Numbers accept k, m and b; times ns, us,
 * ms, s, sec and min (default us); memory B, KB, MB, GB and TB (default B); differences also %.
 * False with ERR (usage). */
bool limit_read(struct limit *limit, enum metric_id metric, const char *relation,
                const char *value, struct err *err);
/* Parses a relation such as "<=". False with ERR (usage). */
bool limit_read_relation(enum limit_relation *relation, const char *word, struct err *err);
/* True if RELATION holds for COMPARISON, the sign of (figure - limit). */
bool limit_relation_holds(enum limit_relation relation, int comparison);
/* True if LIMIT holds for the delta of D (IS_DELTA), or for its current value. */
bool limit_holds(const struct limit *limit, struct delta d, bool is_delta);
/* Returns by how much D violates LIMIT, to rank violations. */
double limit_excess(const struct limit *limit, struct delta d, bool is_delta);
