/* compared.c: compares totals, steps, nodes and findings of two profiles. */
#include "session/brief/compared.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/sinks/json_members.h"
#include "model/format.h"

/* ---- figures */

COMPARE_VALUES(by_value, int64_t)

size_t step_range(const struct findings *f, int64_t range_ps[3])
{
    const size_t n = f->steps.n;
    int64_t *sorted = xreallocarray(NULL, n, sizeof *sorted);
    size_t slowest = 0;

    for (size_t i = 0; i < n; i++) {
        sorted[i] = f->steps.data[i].dur_ps;
        if (sorted[i] > f->steps.data[slowest].dur_ps)
            slowest = i;
    }
    qsort(sorted, n, sizeof *sorted, by_value);
    range_ps[0] = sorted[(n - 1) / 2];
    range_ps[1] = sorted[0];
    range_ps[2] = sorted[n - 1];
    free(sorted);
    return slowest;
}

static int64_t median_step(const struct findings *f)
{
    int64_t range_ps[3] = {INT64_MIN};

    if (f->steps.n)
        step_range(f, range_ps);
    return range_ps[0];
}

/* The total of the root; for list views the sum of all rows. */
static struct compared_figure total_of(const struct result *r, enum metric_id m)
{
    struct compared_figure total = {0, 0};

    if (m == METRIC_COUNT || result_is_unknown(r, (int)m) || !r->base_total[m] || !r->total[m])
        return (struct compared_figure){INT64_MIN, INT64_MIN};
    if (!r->view->is_list)
        return (struct compared_figure){r->base_total[m][0], r->total[m][0]};
    for (row_id row = 1; row < r->tree->n_rows; row++)
        if (result_has_self(r, row)) {
            total.base = clamp_add(total.base, r->base_self[m][row]);
            total.now = clamp_add(total.now, r->self[m][row]);
        }
    return total;
}

void compared_make(struct compared *c, const struct session *s, const char *base_path, struct result *r,
                   const struct findings *base, const struct findings *now)
{
    const struct profile *merged = r->profile;

    *c = (struct compared){.base_path = base_path,
                           .now_path = s->files.n ? s->files.items[0] : s->now->files[0].path,
                           .metric = options_compared_metric(&r->options),
                           .base = base,
                           .now = now};
    if (c->metric < METRIC_COUNT)
        result_need(r, FIELD_BIT(c->metric));
    c->total = total_of(r, c->metric);
    c->median_step_ps = (struct compared_figure){median_step(base), median_step(now)};
    for (node_id node = 0; r->comparison && node < merged->n_nodes; node++) {
        const unsigned sides = r->comparison->sides[node] & (SIDE_NOW | SIDE_BASE);

        c->n_matched += sides == (SIDE_NOW | SIDE_BASE);
        c->n_new += sides == SIDE_NOW;
        c->n_vanished += sides == SIDE_BASE;
    }
}

/* Tenths of a percent, rounded half away from 0; false: the base is 0. */
static bool percent_of(struct compared_figure f, int64_t *tenths)
{
    const double exact = f.base ? 1000.0 * ((double)f.now - (double)f.base) / (double)f.base : 0;

    *tenths = exact > 1e15 || exact < -1e15 ? 0 : (int64_t)(exact + (exact < 0 ? -0.5 : 0.5));
    return f.base != 0;
}

/* Appends "-8.3" between BEFORE and BEHIND. */
static void add_percent(struct strbuf *sb, const char *before, int64_t tenths, const char *behind)
{
    const int64_t size = tenths < 0 ? -tenths : tenths;

    sb_addf(sb, "%s%s%" PRId64 ".%" PRId64 "%s", before, tenths < 0 ? "-" : "", size / 10, size % 10, behind);
}

static bool has_finding(const struct findings *f, const struct finding_rule *rule)
{
    for (size_t i = 0; i < f->list.n; i++)
        if (f->list.data[i].rule == rule)
            return true;
    return false;
}

/* ---- JSON */

static bool is_known(struct compared_figure f)
{
    return f.base != INT64_MIN && f.now != INT64_MIN;
}

void compared_figure_json(struct strbuf *sb, struct compared_figure f, bool is_time)
{
    static const char *const keys[] = {"base", "now", "delta"};
    const int64_t values[] = {f.base, f.now, is_known(f) ? clamp_sub(f.now, f.base) : INT64_MIN};

    for (int i = 0; i < 3; i++)
        if (is_time && values[i] != INT64_MIN)
            member_micros(sb, keys[i], values[i]);
        else
            member_number(sb, keys[i], values[i]);
}

static void add_figure(struct strbuf *sb, const char *key, struct compared_figure f, bool is_time)
{
    int64_t tenths;

    member_open(sb, key, '{');
    compared_figure_json(sb, f, is_time);
    member_key(sb, "percent");
    if (is_known(f) && percent_of(f, &tenths))
        add_percent(sb, "", tenths, "}");
    else
        sb_adds(sb, "null}");
}

/* Adds the ids of rules found in OF but not in OTHER. */
static void add_ids(struct strbuf *sb, const struct findings *of, const struct findings *other,
                    const char *quote)
{
    bool any = false;

    for (size_t i = 0; finding_rules[i]; i++)
        if (has_finding(of, finding_rules[i]) && !has_finding(other, finding_rules[i])) {
            sb_addf(sb, "%s%s%s%s", any ? (*quote ? "," : ", ") : "", quote, finding_rules[i]->id, quote);
            any = true;
        }
    sb_adds(sb, !any && !*quote ? "none" : "");
}

void compared_json(struct strbuf *sb, const struct compared *c)
{
    const bool is_time = c->metric < METRIC_COUNT && metrics[c->metric].unit == UNIT_TIME_PS;

    sb_addc(sb, '{');
    member_string(sb, "base", c->base_path);
    member_string(sb, "now", c->now_path);
    if (c->metric < METRIC_COUNT)
        member_string(sb, "figure", metrics[c->metric].name);
    add_figure(sb, "total", c->total, is_time);
    add_figure(sb, "median_step", c->median_step_ps, true);
    member_open(sb, "nodes", '{');
    member_integer(sb, "matched", c->n_matched);
    member_integer(sb, "new", c->n_new);
    member_integer(sb, "vanished", c->n_vanished);
    sb_adds(sb, "},\"findings\":{\"appeared\":[");
    add_ids(sb, c->now, c->base, "\"");
    sb_adds(sb, "],\"disappeared\":[");
    add_ids(sb, c->base, c->now, "\"");
    sb_adds(sb, "]}}");
}

/* ---- text */

static void add_line(struct strbuf *sb, const char *name, struct compared_figure f, enum metric_unit unit)
{
    int64_t tenths;

    if (!is_known(f)) {
        sb_addf(sb, "%s: unknown\n", name);
        return;
    }
    sb_addf(sb, "%s: ", name);
    format_value(sb, unit, f.base);
    sb_adds(sb, " -> ");
    format_value(sb, unit, f.now);
    sb_adds(sb, ", ");
    format_delta(sb, unit, clamp_sub(f.now, f.base));
    if (percent_of(f, &tenths))
        add_percent(sb, tenths < 0 ? " (" : " (+", tenths, " %)");
    sb_addc(sb, '\n');
}

void compared_text(struct strbuf *sb, const struct compared *c)
{
    sb_adds(sb, "compared: ");
    utf8_escape(sb, c->base_path, strlen(c->base_path));
    sb_adds(sb, " -> ");
    utf8_escape(sb, c->now_path, strlen(c->now_path));
    sb_addc(sb, '\n');
    if (c->metric < METRIC_COUNT)
        add_line(sb, metrics[c->metric].name, c->total, metrics[c->metric].unit);
    add_line(sb, "median step", c->median_step_ps, UNIT_TIME_PS);
    sb_addf(sb, "nodes: %" PRIu32 " matched, %" PRIu32 " new, %" PRIu32 " vanished\n", c->n_matched, c->n_new,
            c->n_vanished);
    sb_adds(sb, "findings: appeared ");
    add_ids(sb, c->now, c->base, "");
    sb_adds(sb, "; disappeared ");
    add_ids(sb, c->base, c->now, "");
    sb_addc(sb, '\n');
}
