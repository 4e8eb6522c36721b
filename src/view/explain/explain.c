/* explain.c: why rows are displayed, or by which option they are not. */
#include "view/explain/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/format.h"
#include "view/delta.h"
#include "view/result_priv.h"

#define MIN_NAME(id, name, ...) [WHY_MIN + METRIC_##id] = "min_" #name,

const char *why_option(unsigned why)
{
    static const char *const names[WHY_COUNT] = {
        [WHY_NOT_KEPT] = "account_type_regexes",
        [WHY_NOT_STARTED] = "start_name_regexes",
        [WHY_TRIMMED] = "trim_name_regexes",
        [WHY_TOO_DEEP] = "max_depth",
        [WHY_SHOW] = "show_name_regexes",
        [WHY_HIDE] = "hide_name_regexes",
        [WHY_DEVICE] = "device_regexes",
        [WHY_UNACCOUNTED] = "hide_unaccounted",
        [WHY_DELTA] = "min_delta",
        [WHY_PERCENT] = "min_percent",
        [WHY_TWINS] = "fold_twins",
        ALL_METRICS(MIN_NAME)
    };

    return why < WHY_COUNT ? names[why] : NULL;
}

/* How many rows there are for each reason; rows[WHY_SHOWN] are displayed. */
struct why_counts {
    uint32_t rows[WHY_COUNT];
};

/* Counts the rows below ROW in the tree of the view, ROW aside. */
static void count_below(const struct result *r, row_id row, struct why_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    for (row_id below = row + 1; below < r->tree->end[row]; below++)
        counts->rows[r->why[below]]++;
}

/* "14 by -min_micros, 5 by -hide_name_regexes": the most first. */
static void add_counts(struct strbuf *sb, struct why_counts counts)
{
    for (const char *comma = "";; comma = ", ") {
        unsigned max = WHY_SHOWN;

        counts.rows[WHY_SHOWN] = 0;
        for (unsigned why = 1; why < WHY_COUNT; why++)
            if (counts.rows[why] > counts.rows[max])
                max = why;
        if (max == WHY_SHOWN)
            return;
        sb_addf(sb, "%s%" PRIu32 " by -%s", comma, counts.rows[max], why_option(max));
        counts.rows[max] = 0;
    }
}

void explain_add_name(struct strbuf *sb, struct text name)
{
    sb_addc(sb, '\'');
    utf8_escape(sb, name.bytes, name.len);
    sb_addc(sb, '\'');
}

static void add_row_name(struct strbuf *sb, const struct result *r, row_id row)
{
    explain_add_name(sb, tree_text(r->tree, row));
}

/* The number of the first item of LIST that matches all of TEXT, from 1; 0
 * for none. */
static size_t matching_item(const char *list, struct text text)
{
    struct err err = {0};
    struct regexes *regexes = regexes_new(list, &err);
    size_t item = 0;

    if (regexes)
        item = (size_t)(regexes_match(regexes, text.bytes, text.len) + 1);
    regexes_free(regexes);
    err_done(&err);
    return item;
}

/* "-OPTION #2 'a.*'" of the item of LIST that matches TEXT. */
static void add_item(struct strbuf *sb, const char *option, const char *list, size_t item)
{
    struct err err = {0};
    struct regexes *regexes = regexes_new(list, &err);

    sb_addf(sb, "-%s", option);
    if (regexes && item) {
        const char *text = regexes_item(regexes, item - 1);

        if (regexes_count(regexes) > 1)
            sb_addf(sb, " #%zu", item);
        sb_addc(sb, ' ');
        explain_add_name(sb, (struct text){text, (uint32_t)strlen(text)});
    }
    regexes_free(regexes);
    err_done(&err);
}

/* ---- what made a row count */

/* The first of NODE's types that the account list matches, and the item. */
static size_t matching_type(const struct result *r, node_id node, struct text *type)
{
    const struct profile *p = r->profile;
    typeset_id set = p->typeset[node];

    *type = (struct text){"", 0};
    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
        size_t item;

        *type = intern_string(&p->strings, p->typeset_types[i]);
        item = matching_item(r->options.account_type_regexes, *type);
        if (item)
            return item;
    }
    return 0;
}

static void add_accounted_node(struct strbuf *sb, const struct result *r, node_id node)
{
    struct text type;
    size_t item = matching_type(r, node, &type);

    sb_adds(sb, "type ");
    explain_add_name(sb, type);
    sb_adds(sb, " matches ");
    add_item(sb, "account_type_regexes", r->options.account_type_regexes, item);
}

static void add_accounted(struct strbuf *sb, const struct result *r, row_id row)
{
    const struct tree *t = r->tree;
    uint32_t begin = t->member_begin[row], end = t->member_begin[row + 1];

    if (row == 0) {
        sb_adds(sb, "the root: always displayed, never accounted");
        return;
    }
    if (!r->accounted[row]) {
        sb_adds(sb, "not accounted itself: displayed for what is below it");
        return;
    }
    if (begin == end) {
        sb_adds(sb, "accounted: it stands for no node, and ");
        add_item(sb, "account_type_regexes", r->options.account_type_regexes, 1);
        sb_adds(sb, " takes such rows too");
        return;
    }
    sb_adds(sb, "accounted: ");
    if (r->view->is_multi)
        sb_addf(sb, "%" PRIu32 " of %" PRIu32 " nodes, the first by ", r->own[row], end - begin);
    for (uint32_t i = begin; i < end; i++)
        if (r->node_accounted[t->members[i]]) {
            add_accounted_node(sb, r, t->members[i]);
            return;
        }
}

static void explain_shown(struct strbuf *sb, const struct result *r, row_id row)
{
    struct why_counts counts;
    uint32_t below = r->tree->end[row] - row - 1;

    add_row_name(sb, r, row);
    sb_adds(sb, " is displayed\n");
    add_accounted(sb, r, row);
    count_below(r, row, &counts);
    if (below > counts.rows[WHY_SHOWN]) {
        sb_addf(sb, "\n%" PRIu32 " of %" PRIu32 " rows below are hidden: ",
                below - counts.rows[WHY_SHOWN], below);
        add_counts(sb, counts);
    }
}

/* ---- what hides a row */

/* The row whose match of -trim_name_regexes hides ROW. */
static row_id trimming_row(const struct result *r, row_id row)
{
    const struct columns *c = &r->priv->c;
    const row_id *rows = COLUMN(c->sequence, row_id);
    const char *list = r->options.trim_name_regexes;

    if (r->view->is_list) {
        for (uint32_t i = 0; i < c->n_sequence; i++)
            if (r->why[rows[i]] == WHY_TRIMMED)
                return rows[i];
        return row;
    }
    if (r->view->trim == TRIM_DESCENDANTS)
        row = r->tree->parent[row];
    while (row && !(r->kept[row] && matching_item(list, tree_text(r->tree, row))))
        row = r->tree->parent[row];
    return row;
}

/* The depth at which the display meets ROW (semantics.md section 4). */
static uint32_t display_depth(const struct result *r, row_id row)
{
    const struct columns *c = &r->priv->c;
    const row_id *rows = COLUMN(c->sequence, row_id);
    uint32_t depth = r->view->is_list ? 0 : 1;

    if (r->view->is_list) {
        for (uint32_t i = 0; i < c->n_sequence && rows[i] != row; i++)
            depth += r->why[rows[i]] != WHY_NOT_STARTED;
        return depth;
    }
    for (; row; row = r->tree->parent[row])
        depth += r->kept[row] && r->why[row] != WHY_NOT_STARTED && !tree_n_twins(r->tree, row);
    return depth;
}

static void add_trimmed(struct strbuf *sb, const struct result *r, row_id row)
{
    row_id by = trimming_row(r, row);

    if (by != row) {
        add_row_name(sb, r, by);
        sb_adds(sb, r->view->is_list ? ", before it, matches " : ", above it, matches ");
    } else {
        sb_adds(sb, "it matches ");
    }
    add_item(sb, "trim_name_regexes", r->options.trim_name_regexes,
             matching_item(r->options.trim_name_regexes, tree_text(r->tree, by)));
}

static void add_too_deep(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "its depth is %" PRIu32 ", -max_depth is %" PRId64, display_depth(r, row),
            r->options.max_depth);
}

static void add_not_kept(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "none of its types%s matches -account_type_regexes",
            r->view->kept == KEPT_WITH_DESCENDANTS && r->tree->end[row] > row + 1 ? ", nor of any row below,"
                                                                           : "");
}

static void add_not_started(struct strbuf *sb, const struct result *r, row_id row)
{
    (void)row;
    sb_adds(sb, r->view->is_list ? "no row up to it matches -start_name_regexes"
                                 : "neither it nor a row above matches -start_name_regexes");
}

static void add_show(struct strbuf *sb, const struct result *r, row_id row)
{
    (void)r;
    (void)row;
    sb_adds(sb, "its whole name does not match -show_name_regexes");
}

static void add_hide(struct strbuf *sb, const struct result *r, row_id row)
{
    const char *list = r->options.hide_name_regexes;

    sb_adds(sb, "it matches ");
    add_item(sb, "hide_name_regexes", list, matching_item(list, tree_text(r->tree, row)));
}

static void add_device(struct strbuf *sb, const struct result *r, row_id row)
{
    (void)row;
    sb_addf(sb, "%s does not match -device_regexes",
            r->view->is_multi ? "no device of its accounted nodes" : "its device");
}

static void add_unaccounted(struct strbuf *sb, const struct result *r, row_id row)
{
    (void)r;
    (void)row;
    sb_adds(sb, "it is not accounted itself, and -hide_unaccounted is set");
}

static void add_delta(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id m = options_compared_metric(&r->options);
    const struct delta d = delta_of(r, m, row);

    if (r->options.min_delta == MIN_DELTA_ANY && r->why[row] == WHY_DELTA) {
        sb_adds(sb, "nothing of it differs from the base");
        return;
    }
    sb_addf(sb, "its %s differs by ", metrics[m].name);
    format_delta(sb, metrics[m].unit, d.delta);
    if (d.base)
        sb_addf(sb, " (%+.1f%%)", delta_percent(d));
    if (r->why[row] == WHY_DELTA)
        sb_addf(sb, ", -min_delta is %" PRId64, r->options.min_delta);
    else
        sb_addf(sb, ", -min_percent is %" PRId64, r->options.min_percent);
}

static void add_twins(struct strbuf *sb, const struct result *r, row_id row)
{
    sb_addf(sb, "fewer than two of the %" PRIu32 " rows that it stands for are displayed",
            tree_n_twins(r->tree, row));
}

static void add_min(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id metric = (enum metric_id)(r->why[row] - WHY_MIN);
    const struct columns *c = &r->priv->c;
    const struct query_run run = {.view = r->view, .options = &r->options};
    const enum min_base base = show_min_base(&run, metric);
    int64_t value = base == MIN_OWN    ? r->own[row]
                    : base == MIN_SELF ? COLUMN(c->self[metric], int64_t)[row]
                                       : COLUMN(c->total[metric], int64_t)[row];

    sb_addf(sb, "its %s is ", base == MIN_TOTAL ? "total" : "own figure");
    format_value(sb, metrics[metric].unit, value);
    sb_addf(sb, ", -min_%s is ", metrics[metric].name);
    format_value(sb, metrics[metric].unit,
                 metric_of_named(metric, r->options.min[metric]));
}

static void explain_hidden(struct strbuf *sb, const struct result *r, row_id row)
{
    static void (*const add_why[])(struct strbuf *, const struct result *, row_id) = {
        [WHY_NOT_KEPT] = add_not_kept, [WHY_NOT_STARTED] = add_not_started,
        [WHY_TRIMMED] = add_trimmed,   [WHY_TOO_DEEP] = add_too_deep,
        [WHY_SHOW] = add_show,         [WHY_HIDE] = add_hide,
        [WHY_DEVICE] = add_device,     [WHY_UNACCOUNTED] = add_unaccounted,
        [WHY_DELTA] = add_delta,       [WHY_PERCENT] = add_delta,
        [WHY_TWINS] = add_twins,
    };

    add_row_name(sb, r, row);
    sb_adds(sb, " is hidden: ");
    if (r->why[row] >= WHY_MIN)
        add_min(sb, r, row);
    else
        add_why[r->why[row]](sb, r, row);
}

/* ---- rows by name */

void explain_row(struct strbuf *sb, const struct result *r, row_id row)
{
    if (r->why[row] == WHY_SHOWN)
        explain_shown(sb, r, row);
    else
        explain_hidden(sb, r, row);
}

/* A node that the view has no row for. */
static void explain_absent(struct strbuf *sb, const struct result *r, struct text name)
{
    explain_add_name(sb, name);
    if (r->view->needs_traces)
        sb_adds(sb, " is not in the code view: it has no call stack");
    else
        sb_addf(sb, " is not in the %s view: it lies on a loop that nothing outside takes from",
                view_names[r->view_id]);
}

row_id explain_name(struct strbuf *sb, const struct result *r, const char *name, size_t len)
{
    node_id node = profile_find(r->profile, name, len);
    row_id row = node == NODE_NONE ? ROW_NONE : r->tree->row_of_node[node];

    if (row == ROW_NONE)
        row = tree_find(r->tree, name, len);
    if (row != ROW_NONE) {
        explain_row(sb, r, row);
    } else if (node != NODE_NONE) {
        explain_absent(sb, r, (struct text){name, (uint32_t)len});
    } else {
        explain_add_name(sb, (struct text){name, (uint32_t)len});
        sb_addf(sb, ": no row of this name in the %s view, whatever the options", view_names[r->view_id]);
    }
    return row;
}

/* ---- what would show it */

unsigned explain_whys(const struct result *r, row_id row, uint8_t whys[WHY_COUNT])
{
    struct why_counts counts;
    unsigned n = 0;

    count_below(r, row, &counts);
    if (r->why[row] != WHY_SHOWN) {
        memset(&counts, 0, sizeof counts);
        counts.rows[r->why[row]] = 1;
    }
    for (unsigned why = WHY_SHOWN + 1; why < WHY_COUNT; why++)
        if (counts.rows[why])
            whys[n++] = (uint8_t)why;
    return n;
}

struct list_without {
    struct strbuf *sb;
    size_t item; /* from 1 */
    size_t at;
};

static void add_other(const char *item, size_t len, size_t offset, void *arg)
{
    struct list_without *w = arg;

    (void)offset;
    if (++w->at == w->item)
        return;
    if (w->sb->len)
        sb_addc(w->sb, ',');
    for (size_t i = 0; i < len; i++) {
        if (item[i] == ',')
            sb_addc(w->sb, '\\');
        sb_addc(w->sb, item[i]);
    }
}

/* LIST without the item that matches the name of ROW. */
static void add_without(struct strbuf *sb, const struct result *r, const char *list, row_id row)
{
    struct list_without w = {sb, matching_item(list, tree_text(r->tree, row)), 0};

    regexes_split(list, add_other, &w);
}

const char *explain_cure(const struct result *r, row_id row, unsigned why, struct strbuf *value)
{
    const bool itself = r->why[row] == why;

    if (why == WHY_TOO_DEEP && itself)
        sb_addf(value, "%" PRIu32, display_depth(r, row));
    else if (why == WHY_TOO_DEEP)
        sb_adds(value, "all");
    else if (why == WHY_HIDE && itself)
        add_without(value, r, r->options.hide_name_regexes, row);
    else if (why == WHY_TRIMMED && itself)
        add_without(value, r, r->options.trim_name_regexes, trimming_row(r, row));
    else
        sb_adds(value, option_find(why_option(why))->default_text);
    return why_option(why);
}

bool explain_empty(const struct result *r, struct strbuf *sb)
{
    struct why_counts counts;

    /* Without call stacks there is no view that options could empty. */
    if (r->n_shown || (r->view->needs_traces && !r->profile->has_trace))
        return false;
    count_below(r, 0, &counts);
    if (r->tree->n_rows < 2) {
        sb_adds(sb, "no row is shown: there is none in this view");
        return true;
    }
    sb_adds(sb, "no row is shown; hidden are ");
    add_counts(sb, counts);
    return true;
}
