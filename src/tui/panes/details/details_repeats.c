/* details_repeats.c: the repeated layers of a row, and its figures on both sides. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>

#include "base/satmath.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "render/row_facts.h"
#include "tui/rows/figures.h"
#include "view/delta.h"
#include "view/repeat_figures.h"

/* Limits of the work done in the screen's thread. */
enum { REPEATS_LISTED = 12, REPEATS_COUNTED = 10000, VALUE_COLS = 12 };
/* Columns of both sides. Figures are never cut: if three do not fit, the difference gets a line
 * of its own, with the percentage if it fits. */
enum { NAME_COLS = 9, BASE_COLS = 9, SIDE_COLS = 10, DELTA_COLS = 11, PERCENT_COLS = 9 };

static int n_beside(const struct lines *l)
{
    return l->cols >= NAME_COLS + BASE_COLS + SIDE_COLS + DELTA_COLS ? 3 : 2;
}

/* ---- repeated layers */

static void add_value(struct strbuf *sb, const struct result *r, enum metric_id m, int64_t value)
{
    if (result_compares(r) && value)
        sb_addc(sb, value > 0 ? '+' : '-');
    format_spaced(sb, metrics[m].unit, result_compares(r) && value < 0 ? clamp_neg(value) : value);
}

static void add_extreme(struct lines *l, const struct result *r, enum metric_id m,
                        const char *label, int64_t value, row_id repeat)
{
    struct strbuf text = {0}, name = {0};

    add_value(&text, r, m, value);
    lines_field(l, label, ROLE_NUMBER, "%s", sb_text(&text));
    if (repeat != ROW_NONE) {
        render_repeat_name(&name, r, repeat);
        lines_puts(l, ROLE_TEXT, "  ");
        lines_fit(l, ROLE_TEXT, sb_text(&name), name.len, l->cols);
    }
    EACH(sb_done, &text, &name);
}

static void add_repeat(struct lines *l, const struct result *r, enum metric_id m, row_id repeat,
                     bool is_outlier)
{
    struct strbuf text = {0}, name = {0};

    add_value(&text, r, m, repeat_figure(r, m, repeat));
    render_repeat_name(&name, r, repeat);
    lines_next(l);
    lines_right(l, ROLE_NUMBER, VALUE_COLS, sb_text(&text));
    lines_puts(l, is_outlier ? ROLE_HOT : ROLE_DIM, is_outlier ? " ! " : "   ");
    lines_fit(l, ROLE_TEXT, sb_text(&name), name.len, l->cols);
    EACH(sb_done, &text, &name);
}

/* Lists outliers, or the other layers, as many as fit. Returns their number. */
static uint32_t list_repeats(struct lines *l, const struct result *r, enum metric_id m, row_id row,
                           const struct repeat_figures *f, bool outliers, uint32_t n)
{
    const struct tree *t = r->tree;

    for (row_id repeat = row + 1; repeat < t->end[row] && n < REPEATS_LISTED; repeat = t->end[repeat]) {
        const bool is_outlier = r->kept[repeat] && repeat_is_outlier(f, repeat_figure(r, m, repeat));

        if (is_outlier != outliers)
            continue;
        add_repeat(l, r, m, repeat, is_outlier);
        n++;
    }
    return n;
}

void details_repeats(struct lines *l, const struct result *r, row_id row, enum metric_id metric)
{
    const uint32_t n = tree_n_repeats(r->tree, row);
    struct repeat_figures f;
    uint32_t listed;

    if (!n)
        return;
    lines_field(l, "repeated", ROLE_NUMBER, "%" PRIu32 " of one shape", n);
    if (metric >= METRIC_COUNT || !r->total[metric] || result_is_unknown(r, (int)metric) ||
        n > REPEATS_COUNTED)
        return;
    f = repeat_figures_of(r, metric, row);
    if (!f.n)
        return;
    add_extreme(l, r, metric, "mean", f.mean, ROW_NONE);
    add_extreme(l, r, metric, "min", f.min, f.min_row);
    add_extreme(l, r, metric, "max", f.max, f.max_row);
    lines_next(l);
    lines_puts(l, ROLE_HEADER, metrics[metric].name);
    lines_puts(l, ROLE_HEADER, result_compares(r) ? " of each, minus baseline" : " of each");
    if (f.n_outliers)
        lines_putf(l, ROLE_HOT, "  %" PRIu32 " %s", f.n_outliers,
                   f.n_outliers == 1 ? "outlier" : "outliers");
    listed = list_repeats(l, r, metric, row, &f, true, 0);
    listed = list_repeats(l, r, metric, row, &f, false, listed);
    if (listed < n)
        lines_field(l, "", ROLE_DIM, "and %" PRIu32 " more", n - listed);
}

/* ---- both sides */

static void add_side(struct lines *l, int cols, enum metric_unit unit, int64_t value)
{
    struct strbuf text = {0};

    format_spaced(&text, unit, value);
    lines_right(l, ROLE_NUMBER, cols, sb_text(&text));
    sb_done(&text);
}

static void add_sides(struct lines *l, const char *label, enum metric_unit unit, struct delta d)
{
    const int used = NAME_COLS + BASE_COLS + SIDE_COLS + (n_beside(l) == 3 ? DELTA_COLS : 0);
    struct strbuf text = {0};

    lines_next(l);
    lines_puts(l, ROLE_DIM, label);
    lines_tab(l, NAME_COLS);
    add_side(l, BASE_COLS, unit, d.base);
    add_side(l, SIDE_COLS, unit, d.now);
    sb_adds(&text, d.delta > 0 ? "+" : "");
    format_spaced(&text, unit, d.delta);
    if (n_beside(l) == 2 && d.delta) {
        lines_next(l);
        lines_tab(l, NAME_COLS + BASE_COLS + SIDE_COLS - DELTA_COLS);
    }
    if (n_beside(l) == 3 || d.delta)
        lines_right(l, ROLE_NUMBER, DELTA_COLS, d.delta ? sb_text(&text) : "0");
    if (d.base && d.delta && l->cols >= used + PERCENT_COLS)
        lines_putf(l, ROLE_NUMBER, " %+.1f%%", delta_percent(d));
    sb_done(&text);
}

void details_sides(struct lines *l, const struct result *r, row_id row)
{
    bool any = false;

    for (int m = 0; m < METRIC_COUNT; m++) {
        const bool is_made = r->total[m] && r->base_total[m] && r->self[m] && r->base_self[m];
        struct delta total, self;

        if (!is_made || result_is_unknown(r, m) ||
            !profile_has_metric(r->profile, (enum metric_id)m))
            continue;
        total = delta_of(r, (enum metric_id)m, row);
        self = delta_between(r->base_self[m][row], r->self[m][row]);
        if (!total.base && !total.now && !self.base && !self.now)
            continue;
        if (!any) {
            lines_next(l);
            lines_tab(l, NAME_COLS);
            lines_putf(l, ROLE_HEADER, "%*s%*s", BASE_COLS, "base", SIDE_COLS,
                       n_beside(l) == 3 ? "now" : "now/delta");
            if (n_beside(l) == 3)
                lines_putf(l, ROLE_HEADER, "%*s", DELTA_COLS, "delta");
        }
        any = true;
        add_sides(l, figure_label((enum metric_id)m, NAME_COLS - 1), metrics[m].unit, total);
        if (row && r->accounted[row] && !r->view->is_list && r->tree->end[row] > row + 1 &&
            (self.base || self.now))
            add_sides(l, "  self", metrics[m].unit, self);
    }
}
