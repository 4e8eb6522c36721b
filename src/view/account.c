/* account.c: the first stage: selects the nodes and rows that are accounted, and the rows that are
 * kept (semantics.md section 4, "Account"). */

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "view/stages.h"

/* One byte per typeset: 1 when one of its types matches; the caller frees the array. Sets
 * *N_GIVEN_UP to the number of types whose matching exceeded the work limit. */
static uint8_t *match_typesets(const struct regexes *r, const struct profile *p,
                               size_t *n_given_up)
{
    enum { UNKNOWN, NO, YES };
    uint8_t *of_type = xcalloc(p->strings.n, 1);
    uint8_t *of_set = xcalloc(p->n_typesets, 1);

    for (typeset_id set = 0; set < p->n_typesets; set++)
        for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
            strid type = p->typeset_types[i];

            if (of_type[type] == UNKNOWN)
                of_type[type] = regexes_match(r, intern_text(&p->strings, type),
                                              intern_len(&p->strings, type)) < 0
                                    ? NO
                                    : YES;
            of_set[set] |= of_type[type] == YES;
        }
    if (regexes_gave_up(r)) {
        memset(of_set, 0, p->n_typesets);
        for (strid type = 0; type < p->strings.n; type++)
            *n_given_up += of_type[type] != UNKNOWN;
    }
    free(of_type);
    return of_set;
}

/* Evaluates LIST: each distinct type once, then each distinct set of types. Does nothing when A
 * already holds the result for LIST. Returns false with ERR (usage) for a bad regex; A is then
 * unchanged. */
static bool account_update(struct account *a, const struct profile *p, const char *list,
                           struct column_pool *pool, struct err *err)
{
    struct account made = {0};
    uint8_t *nodes;

    if (a->list && strcmp(a->list, list) == 0)
        return true;
    made.regexes = regexes_new(list, err);
    if (!made.regexes) {
        err_prefix(err, "-account_type_regexes");
        return false;
    }
    made.list = xstrdup(list);
    made.nodes = column_new(pool, profile_n_ids(p), 1);
    nodes = made.nodes->data;
    if (regexes_is_wildcard(made.regexes)) {
        memset(nodes, 1, profile_n_ids(p));
    } else {
        uint8_t *of_set = match_typesets(made.regexes, p, &made.n_given_up);

        for (node_id node = 0; node < profile_n_ids(p); node++)
            nodes[node] = of_set[p->typeset[node]];
        free(of_set);
    }
    account_done(a);
    *a = made;
    return true;
}

/* True when rows of V that have no node are accounted. */
static bool accounts_synthetic(const struct account *a, const struct view *v)
{
    return v->accounts_synthetic &&
           (regexes_is_wildcard(a->regexes) ||
            (v->synthetic_type &&
             regexes_match(a->regexes, v->synthetic_type, strlen(v->synthetic_type)) >= 0));
}

void account_done(struct account *a)
{
    free(a->list);
    regexes_free(a->regexes);
    column_unref(a->nodes);
    memset(a, 0, sizeof *a);
}

struct account_work {
    const struct tree *tree;
    const uint8_t *nodes;
    uint8_t *accounted;
    uint32_t *own;
    bool synthetic;
};

static void account_range(void *arg, size_t from, size_t to)
{
    const struct account_work *w = arg;
    const struct tree *t = w->tree;

    for (size_t row = from; row < to; row++) {
        uint32_t begin = t->member_begin[row], end = t->member_begin[row + 1];
        uint32_t n = 0;

        for (uint32_t i = begin; i < end; i++)
            n += w->nodes[t->members[i]];
        w->own[row] = n;
        w->accounted[row] = begin < end ? n > 0 : w->synthetic;
    }
}

static void mark_kept(const struct query_run *run, const uint8_t *accounted, uint8_t *kept)
{
    const struct tree *t = run->c->tree;

    memcpy(kept, accounted, t->n_rows);
    if (run->view->kept == KEPT_WITH_DESCENDANTS)
        for (row_id row = t->n_rows; row-- > 1;)
            kept[t->parent[row]] |= kept[row];
    else if (t->n_repeats)
        for (row_id row = t->n_rows; row-- > 1;)
            kept[t->parent[row]] |= kept[row] && t->n_repeats[t->parent[row]];
    kept[0] = 1;
}

bool account_nodes(const struct query_run *run, struct err *err)
{
    struct account *a = run->account;

    if (!account_update(a, run->profile, run->options->account_type_regexes, run->pool, err))
        return false;
    column_unref(run->c->node_accounted);
    run->c->node_accounted = column_ref(a->nodes);
    return true;
}

void account_rows(const struct query_run *run)
{
    enum { ROWS_A_CHUNK = 32768 };
    struct columns *c = run->c;
    const uint32_t n = c->tree->n_rows;
    struct account_work w = {.tree = c->tree,
                             .synthetic = accounts_synthetic(run->account, run->view)};

    c->accounted = column_new(run->pool, n, sizeof *w.accounted);
    c->own = column_new(run->pool, n, sizeof *w.own);
    c->kept = column_new(run->pool, n, sizeof(uint8_t));
    w.nodes = COLUMN(c->node_accounted, uint8_t);
    w.accounted = c->accounted->data;
    w.own = c->own->data;
    workers_run(run->workers, n, ROWS_A_CHUNK, account_range, &w);
    w.accounted[0] = 0;
    for (row_id row = 0; row < n && c->tree->n_repeats; row++)
        if (c->tree->n_repeats[row])
            w.accounted[row] = 0; /* its layers are accounted instead */
    if (c->tree->outside)
        w.accounted[c->tree->outside] = 0;
    mark_kept(run, w.accounted, c->kept->data);
    if (c->tree->outside)
        COLUMN(c->kept, uint8_t)[c->tree->outside] = 1;
}
