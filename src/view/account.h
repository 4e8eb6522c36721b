/* account.h: which graph nodes count, by the regexes over types. */
#ifndef TFPROF_VIEW_ACCOUNT_H
#define TFPROF_VIEW_ACCOUNT_H

#include "base/regexes.h"
#include "view/column.h"
#include "model/profile.h"

/* A zeroed account has evaluated nothing. */
struct account {
    char *list; /* heap; NULL: nothing yet */
    struct regexes *regexes;
    struct column *nodes; /* uint8_t by node: 1 when a type matches */
    size_t n_given_up;    /* types that were looked at, when that was too much work */
};

/* Evaluates LIST: each distinct type once, then each distinct set of types.
 * Nothing is done when that is what A holds already.  False with ERR (usage)
 * for a bad regex; A is then unchanged. */
bool account_update(struct account *a, const struct profile *p, const char *list,
                    struct column_pool *pool, struct err *err);
void account_done(struct account *a);

#endif
