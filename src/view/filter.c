/* filter.c: one list of regexes over the names of a tree's rows. */
#include "view/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

enum { CANCEL_EVERY = 4096 };

/* Rows by name where names repeat: each distinct one is matched once. */
static bool match_names(const struct regexes *r, const struct tree *t, uint8_t *match,
                        struct cancel_mark cancel)
{
    enum { UNKNOWN = 2 };
    uint8_t *by_rank = t->names_repeat ? xreallocarray(NULL, t->store.n, 1) : NULL;
    bool done = true;

    if (by_rank)
        memset(by_rank, UNKNOWN, t->store.n);
    for (row_id row = 0; row < t->n_rows; row++) {
        struct text text = tree_text(t, row);

        if (row % CANCEL_EVERY == 0 && cancel_asked(cancel)) {
            done = false;
            break;
        }
        if (by_rank && by_rank[t->rank[row]] != UNKNOWN) {
            match[row] = by_rank[t->rank[row]];
            continue;
        }
        match[row] = regexes_match(r, text.bytes, text.len) >= 0;
        if (by_rank)
            by_rank[t->rank[row]] = match[row];
    }
    free(by_rank);
    return done;
}

bool filter_update(struct filter *f, const char *name, const char *list, const struct tree *t,
                   struct column_pool *pool, struct cancel_mark cancel, struct err *err)
{
    struct filter made = {.kind = FILTER_SOME};

    if (f->list && strcmp(f->list, list) == 0)
        return true;
    made.regexes = regexes_new(list, err);
    if (!made.regexes) {
        err_prefix(err, "-%s", name);
        return false;
    }
    if (regexes_count(made.regexes) == 0)
        made.kind = FILTER_NONE;
    else if (regexes_is_wildcard(made.regexes))
        made.kind = FILTER_ALL;
    if (made.kind == FILTER_SOME) {
        made.match = column_new(pool, t->n_rows, 1);
        if (!match_names(made.regexes, t, made.match->data, cancel)) {
            filter_done(&made);
            return err_set(err, ERR_CANCELLED, "cancelled");
        }
    }
    made.list = xstrdup(list);
    filter_done(f);
    *f = made;
    return true;
}

void filter_done(struct filter *f)
{
    free(f->list);
    regexes_free(f->regexes);
    column_unref(f->match);
    memset(f, 0, sizeof *f);
}
