/* details_figures.c: the figures of a row for each metric. */
#include "tui/panes/details/details_parts.h"

#include <stdlib.h>
#include <string.h>

#include "model/format.h"
#include "model/profile_kind.h"
#include "tui/app.h"
#include "tui/panes/cells.h"
#include "tui/tasks/tasks.h"

enum { BAR_COLS = 8, FIGURE_NAME_COLS = 11, SELF_COLS = 9, TOTAL_COLS = 12 };

static bool has_figure(const struct result *r, row_id row, int m)
{
    return !metric_is_ratio(m) && profile_has_metric(r->profile, (enum metric_id)m) && r->total[m] && (r->total[m][row] || r->self[m][row]);
}

/* False if a share would be truncated. */
static bool share_fits(const struct lines *l)
{
    enum { BEFORE_COLS = FIGURE_NAME_COLS + SELF_COLS + TOTAL_COLS, SHARE_COLS = 7 };

    return l->cols >= BEFORE_COLS + SHARE_COLS;
}

static void add_figure(struct app *a, struct lines *l, row_id row, enum metric_id m)
{
    const struct result *r = a->doc.result;
    const double share = figure_part(r, row, 0, m);
    struct strbuf self = {0}, total = {0}, bar = {0};

    cell_add(a, row, m, CELL_SELF, &self);
    cell_add(a, row, m, CELL_TOTAL, &total);
    figure_bar(&bar, share, BAR_COLS);
    lines_next(l);
    lines_puts(l, ROLE_DIM, figure_label(m, FIGURE_NAME_COLS - 1));
    lines_tab(l, FIGURE_NAME_COLS);
    lines_right(l, ROLE_NUMBER, SELF_COLS, sb_text(&self));
    lines_right(l, ROLE_NUMBER, TOTAL_COLS, sb_text(&total));
    if (share_fits(l)) {
        lines_putf(l, ROLE_NUMBER, "%6.1f%% ", share * 100);
        lines_put(l, ROLE_BAR, sb_text(&bar), bar.len);
    }
    EACH(sb_done, &self, &total, &bar);
}

/* Adds the ratios of ROW including everything below it; ratios have no share. */
static void add_ratios(struct app *a, struct lines *l, row_id row)
{
    struct strbuf item = {0}, text = {0};
    const char *label = "rates";
    bool exceeds_step = false;

    for (int m = 0; m <= METRIC_COUNT; m++) {
        sb_clear(&item);
        if (m < METRIC_COUNT && metric_is_ratio(m) &&
            profile_has_metric(a->doc.result->profile, (enum metric_id)m) &&
            cell_state(a, row, (enum metric_id)m, CELL_TOTAL) == CELL_THERE) {
            figure_total(&item, a->doc.result, row, (enum metric_id)m);
            exceeds_step |= m == METRIC_STEP_PERCENT && strtod(sb_text(&item), NULL) > 100;
            if (metrics[m].unit == UNIT_RATE || strcmp(metrics[m].suffix, " flop/byte") == 0)
                format_rate_unit(&item, metrics[m].suffix + 1);
            else
                sb_adds(&item, metrics[m].suffix);
            if (metric_needs_roofs(m) && result_bound(a->doc.result, row))
                sb_addf(&item, " (%s bound)", bound_names[result_bound(a->doc.result, row)]);
        }
        if (text.len && (m == METRIC_COUNT ||
                         LABEL_COLS + text.len + 2 + item.len > (size_t)l->cols)) {
            lines_field(l, label, ROLE_NUMBER, "%s", sb_text(&text));
            label = "";
            sb_clear(&text);
        }
        if (item.len)
            sb_addf(&text, "%s%s", text.len ? "  " : "", sb_text(&item));
    }
    if (exceeds_step) {
        lines_next(l);
        lines_wrapped(l, ROLE_DIM, LABEL_COLS, l->cols,
                      "above 100 %: work runs after its step's mark, or on several streams at once");
    }
    EACH(sb_done, &item, &text);
}

void details_figures(struct app *a, struct lines *l, row_id row)
{
    bool any = false;

    for (int m = 0; m < METRIC_COUNT; m++)
        if (has_figure(a->doc.result, row, m)) {
            if (!any) {
                lines_next(l);
                lines_tab(l, FIGURE_NAME_COLS);
                lines_putf(l, ROLE_HEADER, "%*s%*s%s", SELF_COLS, "self", TOTAL_COLS, "total",
                           share_fits(l) ? " % root" : "");
            }
            any = true;
            add_figure(a, l, row, (enum metric_id)m);
        }
    add_ratios(a, l, row);
    if (figures_are_ready(a) && !any)
        lines_field(l, "figures", ROLE_DIM, "none recorded for this row");
}

void details_uncounted(struct doc *doc, struct lines *l, row_id row)
{
    const uint32_t n = uncounted_below(&doc->uncounted, row);

    if (n > 0)
        lines_field(l, "+", ROLE_NOTE, "%u of unknown shape", n);
}
