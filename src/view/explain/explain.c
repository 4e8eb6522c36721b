/* explain.c: explains why a row is displayed, or which option hides it. */
#include "view/explain/explain.h"

#include <inttypes.h>
#include <string.h>

#include "base/regex/regexes.h"
#include "base/utf8.h"
#include "view/explain/explain_parts.h"

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
        [WHY_REPEATS] = "fold_twins",
        ALL_METRICS(MIN_NAME)
    };

    return why < WHY_COUNT ? names[why] : NULL;
}

/* Number of rows by reason; rows[WHY_SHOWN] are displayed. */
struct why_counts {
    uint32_t rows[WHY_COUNT];
};

/* Counts the rows below ROW in the tree of the view, without ROW itself. */
static void count_below(const struct result *r, row_id row, struct why_counts *counts)
{
    memset(counts, 0, sizeof *counts);
    for (row_id below = row + 1; below < r->tree->end[row]; below++)
        counts->rows[r->why[below]]++;
}

/* Appends "14 by -min_micros, 5 by -hide_name_regexes", largest count first. */
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

void explain_add_row_name(struct strbuf *sb, const struct result *r, row_id row)
{
    explain_add_name(sb, tree_text(r->tree, row));
}

size_t explain_matching_item(const char *list, struct text text)
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

void explain_add_item(struct strbuf *sb, const char *option, const char *list, size_t item)
{
    struct err err = {0};
    struct regexes *regexes = regexes_new(list, &err);

    sb_addf(sb, "-%s", option);
    if (regexes && item) {
        const char *text = regexes_item(regexes, item - 1);

        if (regexes_count(regexes) > 1)
            sb_addf(sb, " #%zu", item);
        sb_addc(sb, ' ');
        explain_add_name(sb, text_from(text));
    }
    regexes_free(regexes);
    err_done(&err);
}

/* ---- what made a row count */

/* The first type of NODE that the account list matches, and the number of the list item. */
static size_t matching_type(const struct result *r, node_id node, struct text *type)
{
    const struct profile *p = r->profile;
    typeset_id set = p->typeset[node];

    *type = (struct text){"", 0};
    for (uint32_t i = p->typeset_begin[set]; i < p->typeset_begin[set + 1]; i++) {
        size_t item;

        *type = intern_string(&p->strings, p->typeset_types[i]);
        item = explain_matching_item(r->options.account_type_regexes, *type);
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
    explain_add_item(sb, "account_type_regexes", r->options.account_type_regexes, item);
}

static void add_accounted(struct strbuf *sb, const struct result *r, row_id row)
{
    const struct tree *t = r->tree;
    uint32_t begin = t->member_begin[row], end = t->member_begin[row + 1];

    if (row == 0) {
        sb_adds(sb, "the root row: it has no time of its own");
        return;
    }
    if (!r->accounted[row]) {
        sb_adds(sb, "not accounted itself: displayed for the rows below it");
        return;
    }
    if (begin == end) {
        sb_adds(sb, "accounted: it has no node of its own, and ");
        explain_add_item(sb, "account_type_regexes", r->options.account_type_regexes, 1);
        sb_adds(sb, " matches such rows too");
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

    explain_add_row_name(sb, r, row);
    sb_adds(sb, " is displayed\n");
    add_accounted(sb, r, row);
    count_below(r, row, &counts);
    if (below > counts.rows[WHY_SHOWN]) {
        sb_addf(sb, "\n%" PRIu32 " of %" PRIu32 " rows below are hidden: ",
                below - counts.rows[WHY_SHOWN], below);
        add_counts(sb, counts);
    }
}

/* ---- rows by name */

void explain_row(struct strbuf *sb, const struct result *r, row_id row)
{
    if (r->why[row] == WHY_SHOWN)
        explain_shown(sb, r, row);
    else
        explain_hidden(sb, r, row);
}

/* Explains a node that has no row in the view. */
static void explain_absent(struct strbuf *sb, const struct result *r, struct text name)
{
    explain_add_name(sb, name);
    if (r->view->needs_stacks)
        sb_adds(sb, " is not in the code view: it has no call stack");
    else
        sb_addf(sb, " is not in the %s view: it is on a loop whose outputs are not used outside",
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
        sb_addf(sb, ": no row of this name in the %s view, with any options", view_names[r->view_id]);
    }
    return row;
}

/* ---- what would show it */

unsigned explain_reasons(const struct result *r, row_id row, uint8_t reasons[WHY_COUNT])
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
            reasons[n++] = (uint8_t)why;
    return n;
}

struct list_without {
    struct strbuf *sb;
    size_t item; /* counted from 1 */
    size_t at;
};

static void add_other(const char *item, size_t len, size_t offset UNUSED, void *arg)
{
    struct list_without *w = arg;

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

/* Appends LIST without the item that matches the name of ROW. */
static void add_without(struct strbuf *sb, const struct result *r, const char *list, row_id row)
{
    struct list_without w = {sb, explain_matching_item(list, tree_text(r->tree, row)), 0};

    regexes_split(list, add_other, &w);
}

const char *explain_remedy(const struct result *r, row_id row, unsigned why, struct strbuf *value)
{
    const bool itself = r->why[row] == why;

    if (why == WHY_TOO_DEEP && itself)
        sb_addf(value, "%" PRIu32, explain_display_depth(r, row));
    else if (why == WHY_TOO_DEEP)
        sb_adds(value, "all");
    else if (why == WHY_HIDE && itself)
        add_without(value, r, r->options.hide_name_regexes, row);
    else if (why == WHY_TRIMMED && itself)
        add_without(value, r, r->options.trim_name_regexes, explain_trimming_row(r, row));
    else
        sb_adds(value, option_find(why_option(why))->default_text);
    return why_option(why);
}

bool explain_empty(const struct result *r, struct strbuf *sb)
{
    struct why_counts counts;

    /* A view without call stacks is not empty because of options. */
    if (r->n_shown || (r->view->needs_stacks && !r->profile->has_stacks))
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
