/* details_brief.c: one line about a row, for screens without the details pane. */
#include "base/utf8.h"
#include "tui/app.h"
#include "tui/panes/cells.h"
#include "tui/panes/picture.h"

/* Appends ITEM after two blanks if it fits into COLS. */
static void add_brief(struct strbuf *sb, int cols, const char *item)
{
    const size_t before = sb->len;

    sb_addf(sb, "  %s", item);
    if (text_cols(sb_text(sb), sb->len) > cols)
        sb_truncate(sb, before);
}

/* Appends self and total, "micros 289.05ms/4.64sec"; in a list, whose totals are running sums,
 * self only. */
static void brief_figure(struct app *a, row_id row, enum metric_id m, int cols, struct strbuf *sb)
{
    struct strbuf own = {0}, total = {0}, item = {0};

    cell_add(a, row, m, CELL_SELF, &own);
    cell_add(a, row, m, CELL_TOTAL, &total);
    if (a->doc.result->view->is_list && row)
        sb_addf(&item, "%s %s", metrics[m].name, sb_text(&own));
    else
        sb_addf(&item, "%s %s/%s", metrics[m].name, own.len ? sb_text(&own) : "--", sb_text(&total));
    if (own.len || total.len)
        add_brief(sb, cols, sb_text(&item));
    EACH(sb_done, &own, &total, &item);
}

/* Appends at most COLS columns about the selected row. */
static void brief_row(struct app *a, int cols, struct strbuf *sb)
{
    const struct result *r = a->doc.result;
    const enum metric_id main = figure_primary(&r->options);
    int order[FIELD_COUNT];
    const row_id row = app_row(a);
    const node_id node = r->view->is_multi ? NODE_NONE : tree_node(r->tree, row);
    struct strbuf name = {0};

    field_order(r->view->is_multi, order);
    utf8_escape(&name, tree_name(r->tree, row), tree_name_len(r->tree, row));
    text_cut_middle(sb, sb_text(&name), name.len, cols * 2 / 5);
    if (main < METRIC_COUNT)
        brief_figure(a, row, main, cols, sb);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (order[i] < METRIC_COUNT && order[i] != (int)main && field_in(r->options.select, order[i]))
            brief_figure(a, row, (enum metric_id)order[i], cols, sb);
    if (node != NODE_NONE)
        add_brief(sb, cols, profile_text(r->profile, r->profile->op[node]));
    sb_done(&name);
}

void details_brief(struct app *a, struct area where)
{
    const struct picture_ops *picture = picture_displayed(a);
    struct strbuf sb = {0};

    if (picture && picture->brief)
        picture->brief(a, where.cols - 16, &sb);
    else
        brief_row(a, where.cols - 16, &sb);
    area_put(area_sub(where, 0, 1, 1, where.cols - 15), 0, 0, sb_text(&sb), sb.len, ROLE_DIM);
    area_puts(where, 0, where.cols - 13, "Tab: details", ROLE_KEY);
    sb_done(&sb);
}
