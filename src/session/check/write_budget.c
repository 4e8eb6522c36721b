/* write_budget.c: writes a budget from the current figures. */
#include <inttypes.h>
#include <math.h>

#include "session/check/check.h"
#include "session/words.h"

/* Times and memory get a margin, because they vary between runs; graph metrics get none. */
enum { ROOM_PERCENT = 10, ROWS_MOST = 5 };

/* Appends the limit with its margin, rounded up to the last digit. */
static void add_limit(struct strbuf *sb, enum metric_id m, int64_t value)
{
    const enum metric_unit unit = metrics[m].unit;
    const double with_room = (double)value * (100 + ROOM_PERCENT) / 100;

    if (unit == UNIT_NUMBER)
        sb_addf(sb, "%" PRId64 "\n", value);
    else if (unit == UNIT_TIME_PS)
        sb_addf(sb, "%.2fms\n", ceil(with_room / 1e7) / 100);
    else
        sb_addf(sb, "%.2fKB\n", ceil(with_room / 10) / 100);
}

static void add_total(struct strbuf *sb, const struct result *r, enum metric_id m)
{
    if (result_is_unknown(r, (int)m) || r->total[m][0] <= 0)
        return;
    sb_addf(sb, "total %s <= ", metrics[m].name);
    add_limit(sb, m, r->total[m][0]);
}

static void add_row(struct strbuf *sb, const struct result *r, row_id row, enum metric_id m)
{
    const struct text name = tree_text(r->tree, row);
    const int64_t value = r->view->is_list ? r->self[m][row] : r->total[m][row];
    struct strbuf pattern = {0};

    if (value <= 0)
        return;
    regexes_quote(&pattern, name.bytes, name.len);
    sb_addf(sb, "%s ", view_names[r->view_id]);
    words_quote(sb, sb_text(&pattern));
    sb_addf(sb, " %s <= ", metrics[m].name);
    add_limit(sb, m, value);
    sb_done(&pattern);
}

static struct result *run(struct session *s, enum view_id view, field_set select, int order,
                          const struct options *options, struct err *err)
{
    struct options o = *options;

    o.select = select;
    o.order_by = order;
    return query_run(s->query, view, &o, (struct cancel_mark){NULL, 0}, err);
}

/* Names in parentheses are not part of the model. */
static bool is_named_row(const struct result *r, row_id row)
{
    const struct text name = tree_text(r->tree, row);

    return !name.len || name.bytes[0] != '(';
}

/* Adds rules for the costliest children of the root. */
static bool add_rows(struct strbuf *sb, struct session *s, enum view_id view, enum metric_id m,
                     const struct options *options, struct err *err)
{
    struct result *r = run(s, view, FIELD_BIT(m), ORDER_METRIC + (int)m, options, err);
    const row_id *rows;
    uint32_t n;

    if (!r)
        return false;
    rows = result_children(r, 0, &n);
    for (uint32_t i = 0, n_added = 0; i < n && n_added < ROWS_MOST; i++) {
        if (m == METRIC_ACCELERATOR_MICROS && !is_named_row(r, rows[i]))
            continue;
        add_row(sb, r, rows[i], m);
        n_added++;
    }
    result_free(r);
    return true;
}

/* Writes the rules of a run with accelerators; false with ERR. */
static bool write_device_budget(struct strbuf *sb, struct session *s, const struct device_figures *f,
                                const struct options *options, struct err *err)
{
    struct result *r =
        run(s, VIEW_SCOPE, FIELD_BIT(METRIC_FLOAT_OPS), ORDER_NAME, options, err);

    if (!r)
        return false;
    add_total(sb, r, METRIC_FLOAT_OPS);
    result_free(r);
    device_rules_write(sb, f, ROOM_PERCENT);
    return add_rows(sb, s, VIEW_SCOPE, METRIC_ACCELERATOR_MICROS, options, err) &&
           add_rows(sb, s, VIEW_OP, METRIC_ACCELERATOR_MICROS, options, err);
}

static bool write_graph_budget(struct strbuf *sb, struct session *s, const struct options *options,
                               struct err *err)
{
    static const enum metric_id totals[] = {METRIC_PARAMS, METRIC_FLOAT_OPS, METRIC_MICROS,
                                            METRIC_BYTES};
    enum { N_TOTALS = sizeof totals / sizeof *totals };
    field_set select = 0;
    enum metric_id main;
    struct result *r;

    for (size_t i = 0; i < N_TOTALS; i++)
        select |= FIELD_BIT(totals[i]);
    r = run(s, VIEW_SCOPE, select, ORDER_NAME, options, err);
    if (!r)
        return false;
    for (size_t i = 0; i < N_TOTALS; i++)
        add_total(sb, r, totals[i]);
    main = r->total[METRIC_MICROS][0] > 0 ? METRIC_MICROS : METRIC_PARAMS;
    result_free(r);
    return add_rows(sb, s, VIEW_SCOPE, main, options, err) &&
           add_rows(sb, s, VIEW_OP, main, options, err);
}

bool check_write_budget(struct strbuf *sb, struct session *s, const struct options *options,
                        struct err *err)
{
    const struct cancel_mark never = {NULL, 0};
    struct device_figures f;
    bool ok;

    if (!device_figures_make(&f, s->now, options, never, err))
        return false;
    sb_addf(sb, "# Figures of the profile, with a margin of %d percent for figures that vary between runs.\n",
            ROOM_PERCENT);
    ok = f.verdict.has_accelerators ? write_device_budget(sb, s, &f, options, err)
                                    : write_graph_budget(sb, s, options, err);
    device_figures_done(&f);
    return ok;
}
