/* search.h: the regex that was searched for and the rows it matches. */
#ifndef TFPROF_TUI_SEARCH_H
#define TFPROF_TUI_SEARCH_H

#include "base/regexes.h"
#include "base/vec.h"
#include "tui/folds.h"

struct app;

/* A zeroed struct: nothing is searched for. */
struct search {
    struct strbuf text;      /* as typed */
    struct regexes *regexes; /* NULL: none, or it does not compile */
    VEC(row_id) matches;     /* displayed rows, folded ones too, in order */
    const struct result *result; /* that they belong to */
    row_id from;         /* where the search began, */
    struct tree *tree;   /* of which tree, with a reference */
    struct folds *folds; /* and what was open then; NULL: no search yet */
};

/* Searches for TEXT, a regex for part of a name; an empty one ends the search.
 * False with ERR when it does not compile. */
bool search_set(struct app *a, const char *text, struct err *err);
/* True when the name of ROW matches. */
bool search_matches(const struct app *a, row_id row);
/* The match after ROW (DIRECTION below 0: before it), ROW_NONE when there is
 * none; *WRAPPED when it lies on the other side of the end. */
row_id search_next(struct app *a, row_id row, int direction, bool *wrapped);
void search_done(struct search *s);

#endif
