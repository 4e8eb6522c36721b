/* row_repeats.c: the suffix of rows that represent repeated layers. */
#include "render/row_facts.h"

#include <inttypes.h>

#include "base/utf8.h"
#include "model/format.h"
#include "view/delta.h"
#include "view/repeat_figures.h"

enum { OUTLIERS_NAMED = 3 };

void render_repeat_name(struct strbuf *sb, const struct result *r, row_id repeat)
{
    const struct tree *t = r->tree;
    struct text name = tree_text(t, repeat);
    const row_id set = t->parent[repeat];
    const struct text scope = tree_text(t, t->parent[set]);

    if (r->view_id == VIEW_SCOPE && t->parent[set] && name.len > scope.len + 1) {
        name.bytes += scope.len + 1;
        name.len -= scope.len + 1;
    }
    utf8_escape(sb, name.bytes, name.len);
}

static void add_value(struct strbuf *sb, const struct result *r, enum metric_id m, int64_t value)
{
    if (result_compares(r))
        format_delta(sb, metrics[m].unit, value);
    else
        format_value(sb, metrics[m].unit, value);
}

static void add_outliers(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m,
                         const struct repeat_figures *f)
{
    const struct tree *t = r->tree;
    uint32_t n = 0;

    if (!f->n_outliers)
        return;
    sb_adds(sb, f->n_outliers == 1 ? ", outlier: " : ", outliers: ");
    for (row_id repeat = row + 1; repeat < t->end[row] && n < OUTLIERS_NAMED; repeat = t->end[repeat]) {
        const int64_t figure = repeat_figure(r, m, repeat);

        if (!r->kept[repeat] || !repeat_is_outlier(f, figure))
            continue;
        sb_adds(sb, n++ ? ", " : "");
        render_repeat_name(sb, r, repeat);
        sb_addc(sb, ' ');
        add_value(sb, r, m, figure);
    }
    if (n < f->n_outliers)
        sb_addf(sb, " and %" PRIu32 " more", f->n_outliers - n);
}

void render_repeats(struct strbuf *sb, const struct result *r, row_id row)
{
    const enum metric_id m = options_compared_metric(&r->options);
    struct repeat_figures f;

    if (!tree_n_repeats(r->tree, row) || result_is_unknown(r, (int)m) || !r->total[m])
        return;
    f = repeat_figures_of(r, m, row);
    if (!f.n)
        return;
    sb_adds(sb, " each ");
    add_value(sb, r, m, f.mean);
    if (f.min != f.max) {
        sb_adds(sb, " (");
        add_value(sb, r, m, f.min);
        sb_adds(sb, " to ");
        add_value(sb, r, m, f.max);
        sb_addc(sb, ')');
    }
    add_outliers(sb, r, row, m, &f);
}
