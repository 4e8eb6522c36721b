/* advise_expensive.c: the most expensive operation types, scopes and lines of code. */
#include "base/xalloc.h"
#include "model/format.h"
#include "view/advise/advise_priv.h"

enum { TOP = 3, DEEPEST_LEVEL = 3, MIN_US = 1000 };

/* Rows of VIEW ordered by time; NULL with ERR when cancelled. */
static struct result *by_time(struct advise *a, enum view_id view, int64_t max_depth,
                              int64_t min_us, struct err *err)
{
    struct options o;
    struct result *r;

    options_init(&o);
    o.order_by = ORDER_METRIC + METRIC_MICROS;
    o.max_depth = max_depth;
    o.min[METRIC_MICROS] = min_us;
    o.select = FIELD_BIT(METRIC_MICROS);
    r = query_run(a->query, view, &o, a->cancel, err);
    options_done(&o);
    return r;
}

/* Appends "NAME, cpu: T, accelerator: T, total: T" with the figures in COLUMNS (self or total). */
static void add_times(struct strbuf *line, const struct result *r, row_id row,
                      const int64_t *const *columns)
{
    struct text name = tree_text(r->tree, row);

    sb_add(line, name.bytes, name.len);
    sb_adds(line, ", cpu: ");
    format_time(line, columns[METRIC_CPU_MICROS][row]);
    sb_adds(line, ", accelerator: ");
    format_time(line, columns[METRIC_ACCELERATOR_MICROS][row]);
    sb_adds(line, ", total: ");
    format_time(line, columns[METRIC_MICROS][row]);
}

/* In a list each row is a finding of its own. */
static void begin_finding(struct advise *a, const struct result *r, row_id row)
{
    struct advice_report *report = advise_report(a);
    const struct text name = tree_text(r->tree, row);
    struct strbuf sb = {0};

    report->name = xmemdupz(name.bytes, name.len);
    sb_add(&sb, name.bytes, name.len);
    advice_report_row(report, &sb);
}

/* Adds one report with the root's first children and their times in COLUMNS; with SHARES also their
 * share of the total. */
static void report_top(struct advise *a, struct result *r, const char *what,
                       const int64_t *const *columns, bool shares)
{
    uint32_t n;
    const row_id *rows = result_children(r, 0, &n);
    struct strbuf line = {0}, shown = {0};

    if (n && !a->advice->is_list)
        advise_report(a);
    for (uint32_t i = 0; i < n && i < TOP; i++) {
        if (a->advice->is_list)
            begin_finding(a, r, rows[i]);
        sb_addf(&line, "top %u %s: ", i + 1, what);
        add_times(&line, r, rows[i], columns);
        if (shares) {
            double whole = (double)r->total[METRIC_MICROS][0];
            double self = (double)r->self[METRIC_MICROS][rows[i]];

            sb_addf(&line, " (%.2f%%)", whole > 0 ? 100 * self / whole : 0.0);
        }
        /* Rows are ordered by total time, but the original prints self times. */
        if (!columns[METRIC_MICROS][rows[i]]) {
            sb_addf(&shown, "top %u %s: ", i + 1, what);
            add_times(&shown, r, rows[i], r->total);
            sb_adds(&shown, " below it");
        }
        advise_line_shown(a, &line, &shown);
    }
}

static bool check_types(struct advise *a, struct err *err)
{
    struct result *r;

    if (!a->profile->n_steps)
        return true;
    r = by_time(a, VIEW_OP, TOP, 1, err);
    if (!r)
        return false;
    report_top(a, r, "operation type", r->self, true);
    result_free(r);
    return true;
}

static bool check_scopes(struct advise *a, struct err *err)
{
    struct result *r = by_time(a, VIEW_SCOPE, 100, 100, err);
    uint32_t n;
    const row_id *rows;

    if (!r)
        return false;
    report_top(a, r, "graph node", a->profile->programs || advise_has_trace(a->profile) ? r->total : r->self, false);
    rows = result_children(r, 0, &n);
    for (uint32_t i = 0; i < n && i < TOP; i++)
        if (tree_node(r->tree, rows[i]) != NODE_NONE)
            advise_mark(a, tree_node(r->tree, rows[i]), "among the most expensive nodes");
    result_free(r);
    return true;
}

/* A row whose children are listed at LEVEL, starting with child number NEXT. */
struct code_level {
    const row_id *rows;
    uint32_t n, next;
};

/* Lists the children of TOP, and descends while a row has more than one child. */
static void report_lines(struct advise *a, struct result *r, row_id top)
{
    struct code_level levels[DEEPEST_LEVEL + 1] = {{0}};
    size_t level = 0;
    struct strbuf line = {0};

    advise_report(a);
    levels[0].rows = result_children(r, top, &levels[0].n);
    for (;;) {
        struct code_level *at = &levels[level];
        row_id row;

        if (at->next == at->n || at->next == TOP) {
            if (level-- == 0)
                return;
            continue;
        }
        row = at->rows[at->next++];
        if (r->total[METRIC_MICROS][row] < MIN_US * PS_PER_US)
            continue;
        sb_pad(&line, ' ', level * 2);
        add_times(&line, r, row, r->total);
        advise_line(a, &line);
        if (level < DEEPEST_LEVEL) {
            uint32_t n;
            const row_id *rows = result_children(r, row, &n);

            if (n > 1)
                levels[++level] = (struct code_level){rows, n, 0};
        }
    }
}

static bool check_code(struct advise *a, struct err *err)
{
    struct result *r;
    row_id top = 0;
    uint32_t n;
    const row_id *rows;

    if (!a->profile->has_stacks)
        return true;
    r = by_time(a, VIEW_CODE, 100, 1, err);
    if (!r)
        return false;
    for (rows = result_children(r, top, &n); n == 1; rows = result_children(r, top, &n))
        top = rows[0];
    if (n)
        report_lines(a, r, top);
    result_free(r);
    return true;
}

static bool check(struct advise *a, struct err *err)
{
    return check_types(a, err) && check_scopes(a, err) && check_code(a, err);
}

const struct checker checker_expensive = {
    .name = "ExpensiveOperationChecker",
    .id = "expensive",
    .command = "scope",
    .help = "where the time goes, by operation type, scope and line of code",
    .check = check,
};
