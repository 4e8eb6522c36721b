/* totals.c: totals over descendants by subtree sums (view/build/tree_sums.h); if these could
 * overflow, by a saturating scan from the last row to the first (parents precede children). */
#include "base/satmath.h"
#include "view/build/tree_sums.h"
#include "view/stages.h"

/* First node at or below ROW; a row with a non-zero sum has one. */
static node_id first_node(const struct tree *t, row_id row)
{
    return t->members[t->member_begin[row]];
}

/* Adds the total of each row to that of UP. */
static void add_up(const struct query_run *run, const row_id *up, int64_t *total,
                   node_id *first_saturated)
{
    const struct tree *t = run->c->tree;

    for (row_id row = t->n_rows; row-- > 1;) {
        bool saturated = false;

        if (up[row] == ROW_NONE)
            continue;
        total[up[row]] = sat_add(total[up[row]], total[row], &saturated);
        if (saturated && *first_saturated == NODE_NONE)
            *first_saturated = first_node(t, row);
    }
}

/* Selects the rows that are summed. */
struct sum {
    const uint8_t *flag; /* rows with the value PASS count */
    uint8_t pass;
    const row_id *up;
    bool only_passing; /* rows that do not count have no total */
    bool root_counts;  /* the root counts as a definition */
};

/* 1 for each row that is a definition. */
static struct column *definitions(const struct query_run *run, const struct sum *s)
{
    const struct tree *t = run->c->tree;
    struct column *column = column_new(run->pool, t->n_rows, sizeof(int64_t));
    int64_t *own = column->data;

    for (row_id row = 0; row < t->n_rows; row++)
        own[row] = !tree_n_repeats(t, row); /* not for a row of repeated layers */
    if (!s->root_counts)
        own[0] = 0;
    return column;
}

/* Saturating sums. A row that does not count adds nothing, but passes on the totals below it. */
static void sum_to_limit(const struct query_run *run, const struct tree_sum *of, const struct sum *s,
                         node_id *first_saturated)
{
    for (row_id row = 0; row < run->c->tree->n_rows; row++)
        of->sum[row] = s->flag[row] == s->pass ? of->own[row] : 0;
    add_up(run, s->up, of->sum, first_saturated);
}

/* Figures that are summed in one pass. */
struct sums {
    struct tree_sum of[FIGURE_COUNT];
    int figure[FIGURE_COUNT];
    size_t n;
};

/* Allocates columns for sums that are neither all zero nor shared with another figure. */
static void allocate_totals(const struct query_run *run, const struct figure_list *list,
                            struct column *ones, struct sums *sums)
{
    const struct columns *c = run->c;
    const uint32_t n = c->tree->n_rows;

    for (size_t i = 0; i < list->n; i++) {
        const int figure = list->figures[i];
        struct column *self = figure == FIGURE_DEFINITIONS ? ones : c->self[figure];
        struct column **total = &list->columns[figure];

        if (!self) /* cancelled */
            continue;
        if (self->zeros) {
            *total = column_zeros(run->pool, n, sizeof(int64_t));
        } else if (!figures_share(list, c->self, figure)) {
            *total = column_new(run->pool, n, sizeof(int64_t));
            sums->figure[sums->n] = figure;
            sums->of[sums->n++] = (struct tree_sum){self->data, (*total)->data, false};
        }
    }
}

static void sum_rows(const struct query_run *run, const struct figure_list *list,
                     const struct sum *s)
{
    struct columns *c = run->c;
    struct sums sums = {.n = 0};
    struct column *ones = NULL;

    for (size_t i = 0; i < list->n; i++)
        if (list->figures[i] == FIGURE_DEFINITIONS)
            ones = definitions(run, s);
    allocate_totals(run, list, ones, &sums);
    tree_sums_make(&(struct tree_sums){c->tree, run->workers, s->flag, s->pass, s->only_passing,
                                       sums.of, sums.n});
    for (size_t i = 0; i < sums.n; i++)
        if (sums.of[i].may_overflow)
            sum_to_limit(run, &sums.of[i], s, &c->saturated[sums.figure[i]]);
    figures_share_limits(list, c->saturated);
    column_unref(ones);
}

void total_kept(const struct query_run *run, const struct figure_list *list)
{
    const struct columns *c = run->c;
    const struct sum sum = {
        .flag = COLUMN(c->kept, uint8_t), .pass = 1, .up = c->tree->parent};

    sum_rows(run, list, &sum);
}

void total_shown(const struct query_run *run, const struct figure_list *list)
{
    const struct columns *c = run->c;
    const struct sum sum = {.flag = COLUMN(c->why, uint8_t), .pass = WHY_SHOWN,
                            .up = COLUMN(c->shown_parent, row_id), .only_passing = true,
                            .root_counts = true};

    sum_rows(run, list, &sum);
}

bool total_shown_is_wanted(const struct query_run *run)
{
    return run->options->account_displayed_op_only;
}

bool total_hidden_is_wanted(const struct query_run *run)
{
    return field_in(run->options->select, FIELD_NUM_HIDDEN_OPS);
}

void total_hidden(const struct query_run *run)
{
    struct columns *c = run->c;
    const struct tree *t = c->tree;
    const uint8_t *why = COLUMN(c->why, uint8_t);
    const uint32_t *own = COLUMN(c->own, uint32_t);
    int64_t *hidden;

    c->hidden = column_new(run->pool, t->n_rows, sizeof *hidden);
    hidden = c->hidden->data;
    for (row_id row = 0; row < t->n_rows; row++)
        hidden[row] = 0;
    for (row_id row = t->n_rows; row-- > 1;)
        hidden[t->parent[row]] += hidden[row] + (why[row] == WHY_SHOWN ? 0 : own[row]);
}
