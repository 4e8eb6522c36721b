/* filter.h: matches one list of regexes against the names of a tree's rows. */
#pragma once

#include "base/regex/regexes.h"
#include "base/system/workers.h"
#include "view/build/tree.h"
#include "view/column.h"

enum filter_kind {
    FILTER_NONE, /* empty list: matches no name */
    FILTER_ALL,  /* wildcard: matches every name */
    FILTER_SOME
};

/* Result of the last evaluation; a zeroed filter has none. */
struct filter {
    char *list; /* heap; NULL: none yet */
    enum filter_kind kind;
    struct regexes *regexes;
    struct column *by_name; /* uint8_t by name of the tree; NULL unless FILTER_SOME */
    struct column *match;   /* uint8_t by row; likewise */
    const char *renamed; /* current name of a row in the list under a retired name */
    size_t n_given_up;      /* number of names whose matching exceeded the work limit */
};

/* Inputs of an evaluation. */
struct filter_work {
    const struct tree *tree;
    struct column_pool *pool;
    struct workers *workers;
    struct cancel_mark cancel;
};

/* Evaluates LIST over the rows of the tree, each distinct name once. Does nothing if F already
 * holds the result; if LIST can only match a subset of the previous list, only names that matched
 * are tested again. False with ERR: a bad regex (usage; the text begins with the option's NAME) or
 * cancelled; F is then unchanged. */
bool filter_update(struct filter *f, const char *name, const char *list,
                   const struct filter_work *work, struct err *err);
/* Adds a note if names exceeded the work limit of the list of option NAME. */
void filter_note(const struct filter *f, const char *name, struct notes *notes);
/* Discards the evaluation; call it when the tree changes. */
void filter_done(struct filter *f);
