/* details_brief.c: one line about a row, for screens without the details pane. */
#include "base/utf8.h"
#include "tui/app.h"
#include "tui/panes/cells.h"
#include "tui/panes/pane.h"

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

void details_brief(struct app *a, struct area where)
{
    const struct result *r = a->doc.result;
    const enum metric_id main = figure_primary(&r->options);
    const int room = where.cols - 16;
    int order[FIELD_COUNT];
    const row_id row = app_row(a);
    const node_id node = r->view->is_multi ? NODE_NONE : tree_node(r->tree, row);
    struct strbuf sb = {0}, name = {0};

    field_order(r->view->is_multi, order);
    utf8_escape(&name, tree_name(r->tree, row), tree_name_len(r->tree, row));
    text_cut_middle(&sb, sb_text(&name), name.len, where.cols / 3);
    if (main < METRIC_COUNT)
        brief_figure(a, row, main, room, &sb);
    for (int i = 0; i < FIELD_COUNT; i++)
        if (order[i] < METRIC_COUNT && order[i] != (int)main && field_in(r->options.select, order[i]))
            brief_figure(a, row, (enum metric_id)order[i], room, &sb);
    if (node != NODE_NONE)
        add_brief(&sb, room, profile_text(r->profile, r->profile->op[node]));
    area_put(area_sub(where, 0, 1, 1, where.cols - 15), 0, 0, sb_text(&sb), sb.len, ROLE_DIM);
    area_puts(where, 0, where.cols - 13, "Tab: details", ROLE_KEY);
    EACH(sb_done, &name, &sb);
}
