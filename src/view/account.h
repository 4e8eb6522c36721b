/* account.h: selects the graph nodes that are accounted, by regexes over their types. */
#ifndef TFPROF_VIEW_ACCOUNT_H
#define TFPROF_VIEW_ACCOUNT_H

#include "base/regex/regexes.h"
#include "view/column.h"
#include "model/profile.h"

/* Result of the last evaluation. A zeroed struct holds none. */
struct account {
    char *list; /* list that was evaluated; heap; NULL: none yet */
    struct regexes *regexes;
    struct column *nodes; /* uint8_t by node: 1 when a type matches */
    size_t n_given_up;    /* number of types whose matching exceeded the work limit */
};

/* Evaluates LIST: each distinct type once, then each distinct set of types. Does nothing when A
 * already holds the result for LIST. Returns false with ERR (usage) for a bad regex; A is then
 * unchanged. */
bool account_update(struct account *a, const struct profile *p, const char *list,
                    struct column_pool *pool, struct err *err);
void account_done(struct account *a);

#endif
