/* search.h: the regex that was searched for and the rows it matches. */
#ifndef TFPROF_TUI_SEARCH_H
#define TFPROF_TUI_SEARCH_H

#include "base/regexes.h"
#include "tui/panes/rowmap.h"

struct app;

/* What is done once the matches are known. */
enum search_then {
    SEARCH_LOOK = 1,  /* look at the first one, while it is typed */
    SEARCH_KEEP = 2,  /* typing has ended: stay there */
    SEARCH_NEXT = 4,
    SEARCH_PREVIOUS = 8,
};

/* A zeroed struct: nothing is searched for. */
struct search {
    struct strbuf text;      /* as typed */
    struct strbuf last;      /* what was searched for last; empty: nothing yet */
    struct regexes *regexes; /* NULL: none, or it does not compile */
    uint32_t *before; /* see query_count_matches(); folded rows count too */
    const struct result *result; /* that they belong to; NULL: not known yet */
    unsigned then; /* enum search_then bits */
    row_id from;         /* where the search began, */
    struct tree *tree;   /* of which tree, with a reference */
    struct folds *folds; /* and what was open then; NULL: no search yet */
};

/* Searches for TEXT, a regex for part of a name; an empty one ends the search.
 * False with ERR when it does not compile.  TASK_SEARCH finds the matches. */
bool search_set(struct app *a, const char *text, struct err *err);
/* Appends the regex list that a name must match for that. */
void search_list(const struct search *s, struct strbuf *sb);
/* Takes BEFORE (heap, given) for what is seen. */
void search_take(struct app *a, uint32_t *before);
/* The matches are not (or not any more) those of what is seen. */
void search_forget(struct search *s);
/* True when they are. */
bool search_is_known(const struct app *a);
/* How many there are, when known. */
uint32_t search_count(const struct app *a);
/* Appends, when they are known, which of them the cursor is on and what was searched for: "3/247
 * for /conv", or how many there are. */
void search_said(struct app *a, struct strbuf *sb);
/* True when the name of ROW matches. */
bool search_matches(const struct app *a, row_id row);
/* The match after ROW (DIRECTION below 0: before it) as the rows stand on the
 * screen, folded ones too; ROW_NONE when there is none; *WRAPPED when it lies
 * on the other side of the end.  For known matches. */
row_id search_next(struct app *a, row_id row, int direction, bool *wrapped);
/* Leads where it began over MAPS [VIEW_COUNT]. */
void search_remap(struct search *s, const struct rowmap *maps);
void search_done(struct search *s);

#endif
