/* filter.h: one list of regexes over the names of a tree's rows. */
#ifndef TFPROF_VIEW_FILTER_H
#define TFPROF_VIEW_FILTER_H

#include "base/regexes.h"
#include "base/workers.h"
#include "view/column.h"
#include "view/build/tree.h"

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
    struct column *by_name; /* uint8_t by name of the tree; NULL unless FILTER_SOME */
    struct column *match;   /* uint8_t by row; likewise */
    size_t n_given_up;      /* names that were looked at, when that was too much work */
};

/* What filters are evaluated on, and with. */
struct filter_work {
    const struct tree *tree;
    struct column_pool *pool;
    struct workers *workers;
    struct cancel_mark cancel;
};

/* Evaluates LIST over the rows of the tree, each distinct name once; nothing
 * is done when that is what F holds already, and only names that matched are
 * looked at again when LIST cannot match more than the one before.  False
 * with ERR: a bad regex (usage; the text begins with the option's NAME) or
 * cancelled; F is then unchanged. */
bool filter_update(struct filter *f, const char *name, const char *list,
                   const struct filter_work *work, struct err *err);
/* Adds the note that names were too much work for the list of the option NAME, when
 * some were. */
void filter_note(const struct filter *f, const char *name, struct notes *notes);
/* Forgets the evaluation: the tree has changed. */
void filter_done(struct filter *f);

#endif
