/* filter.c: matches one list of regexes against the names of a tree's rows.
 *
 * Names are matched by id, which is the memory order of the profile's strings. Names that the tree
 * owns may be scattered in memory, so batches of them are prefetched before matching. The results
 * are then distributed to the rows in tree order. */
#include "view/filter.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/profile_kind.h"
#include "opt/aliases.h"

enum { NAMES_A_CHUNK = 4096, NAMES_AT_ONCE = 512, ROWS_A_CHUNK = 65536 };

struct matching {
    const struct filter_work *work;
    const struct regexes *regexes;
    const uint8_t *candidates; /* by name: names without this flag cannot match; NULL: all can */
    uint8_t *by_name, *match;
};

static void match_names(void *arg, size_t from, size_t to)
{
    const struct matching *m = arg;
    const struct tree *t = m->work->tree;

    if (cancel_asked(m->work->cancel))
        return;
    for (size_t id = from; id < to;) {
        struct text texts[NAMES_AT_ONCE];
        strid ids[NAMES_AT_ONCE];
        uint8_t matches[NAMES_AT_ONCE];
        size_t n = 0;

        for (; id < to && n < NAMES_AT_ONCE; id++) {
            m->by_name[id] = 0;
            if (!m->candidates[id])
                continue;
            texts[n] = tree_name_text(t, (strid)id);
            if (id >= t->n_base) {
                __builtin_prefetch(texts[n].bytes);
                __builtin_prefetch(texts[n].bytes + texts[n].len);
            }
            ids[n++] = (strid)id;
        }
        regexes_match_many(m->regexes, texts, n, matches);
        for (size_t i = 0; i < n; i++)
            m->by_name[ids[i]] = matches[i];
    }
}

static void match_rows(void *arg, size_t from, size_t to)
{
    const struct matching *m = arg;
    const strid *name = m->work->tree->name;

    for (size_t row = from; row < to; row++)
        m->match[row] = m->by_name[name[row]];
}

/* Fills the columns of MADE; F holds the previous evaluation. Returns false when cancelled. */
static bool evaluate(const struct filter *f, struct filter *made, const struct filter_work *work)
{
    const struct tree *t = work->tree;
    const size_t n_names = (size_t)t->n_base + t->n_own;
    struct matching m = {.work = work, .regexes = made->regexes, .candidates = t->is_name};

    if (f->by_name && regexes_undecided(f->regexes) == 0 &&
        regexes_implies(made->regexes, f->regexes))
        m.candidates = f->by_name->data;
    made->by_name = column_new(work->pool, n_names, sizeof *m.by_name);
    made->match = column_new(work->pool, t->n_rows, sizeof *m.match);
    m.by_name = made->by_name->data;
    m.match = made->match->data;
    workers_run(work->workers, n_names, NAMES_A_CHUNK, match_names, &m);
    if (cancel_asked(work->cancel))
        return false;
    if (regexes_gave_up(made->regexes)) {
        memset(m.by_name, 0, n_names);
        for (size_t id = 0; id < n_names; id++)
            made->n_given_up += m.candidates[id];
    }
    workers_run(work->workers, t->n_rows, ROWS_A_CHUNK, match_rows, &m);
    return true;
}

bool filter_update(struct filter *f, const char *name, const char *list,
                   const struct filter_work *work, struct err *err)
{
    struct filter made = {.kind = FILTER_SOME};
    struct strbuf present = {0};

    if (f->list && strcmp(f->list, list) == 0)
        return true;
    if (work->tree->profile->kind >= PROFILE_TRACE)
        made.renamed = alias_rows(&present, list);
    made.regexes = regexes_new(made.renamed ? sb_text(&present) : list, err);
    sb_done(&present);
    if (!made.regexes) {
        err_prefix(err, "-%s", name);
        return false;
    }
    if (regexes_count(made.regexes) == 0)
        made.kind = FILTER_NONE;
    else if (regexes_is_wildcard(made.regexes))
        made.kind = FILTER_ALL;
    if (made.kind == FILTER_SOME && !evaluate(f, &made, work)) {
        filter_done(&made);
        return err_set(err, ERR_CANCELLED, "cancelled");
    }
    made.list = xstrdup(list);
    filter_done(f);
    *f = made;
    return true;
}

void filter_note(const struct filter *f, const char *name, struct notes *notes)
{
    struct strbuf option = {0};

    if (!f->regexes)
        return;
    sb_addf(&option, "-%s", name);
    if (f->renamed)
        note_add(notes, "%s: names a row that is now called (%s)", sb_text(&option), f->renamed);
    regexes_note_undecided(f->regexes, sb_text(&option), f->n_given_up, notes);
    sb_done(&option);
}

void filter_done(struct filter *f)
{
    free(f->list);
    regexes_free(f->regexes);
    EACH(column_unref, f->by_name, f->match);
    memset(f, 0, sizeof *f);
}
