/* filter.h: one list of regexes over the names of a tree's rows. */
#ifndef TFPROF_VIEW_FILTER_H
#define TFPROF_VIEW_FILTER_H

#include "base/regexes.h"
#include "view/column.h"
#include "view/tree.h"

enum filter_kind {
    FILTER_NONE, /* an empty list: no name matches */
    FILTER_ALL,  /* the wildcard: every name does */
    FILTER_SOME
};

/* What was evaluated last.  A zeroed filter has evaluated nothing. */
struct filter {
    char *list; /* heap; NULL: nothing yet */
    enum filter_kind kind;
    struct regexes *regexes;
    struct column *match; /* uint8_t by row; NULL unless FILTER_SOME */
};

/* Evaluates LIST over the rows of T, each distinct name once; nothing is done
 * when that is what F holds already.  False with ERR: a bad regex (usage; the
 * text begins with the option's NAME) or cancelled; F is then unchanged. */
bool filter_update(struct filter *f, const char *name, const char *list, const struct tree *t,
                   struct column_pool *pool, struct cancel_mark cancel, struct err *err);
/* Forgets the evaluation: the tree has changed. */
void filter_done(struct filter *f);

#endif
