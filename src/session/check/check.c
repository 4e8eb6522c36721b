/* check.c: checks the rules of a budget. */
#include "session/check/check.h"

#include <inttypes.h>

#include "base/xalloc.h"
#include "model/format.h"

struct checking {
    struct session *session;
    const struct options *options;
    struct advice *advice; /* NULL: not yet computed */
    struct device_figures devices;
    bool has_devices; /* devices is initialised */
    struct cancel_mark cancel;
    struct err *err;
};

/* Result of checking a rule on all its rows. */
struct row_judgement {
    uint32_t n_rows, n_broken, n_noise;
    row_id worst;
    double excess;
    double n_expected; /* expected number of rows that differ by chance */
};

/* True if RULE applies to ROW. Rows that only the baseline has are checked for differences only. */
static bool is_checked(const struct result *r, row_id row, const struct rule *rule)
{
    const struct text name = tree_text(r->tree, row);

    if (!rule->pattern)
        return row == 0;
    return row && r->kept[row] && (!r->sides || rule->is_delta || (r->sides[row] & SIDE_NOW)) &&
           regexes_match(rule->pattern, name.bytes, name.len) >= 0;
}

static struct delta figure_of(const struct result *r, const struct rule *rule, row_id row)
{
    const enum metric_id m = rule->limit.metric;

    if (r->sides)
        return delta_of(r, m, row);
    return delta_between(0, r->view->is_list && row ? r->self[m][row] : r->total[m][row]);
}

static bool is_noise(const struct result *r, const struct rule *rule, row_id row)
{
    const uint8_t verdict = r->noise.verdicts ? r->noise.verdicts[row] : SAMPLES_UNKNOWN;

    return rule->when_significant && (verdict == SAMPLES_WITHIN || verdict == SAMPLES_SIGNS);
}

static struct row_judgement judge(const struct result *r, const struct rule *rule)
{
    const row_id n = rule->pattern ? r->tree->n_rows : 1;
    struct row_judgement v = {.n_rows = 0};

    for (row_id row = 0; row < n; row++) {
        struct delta d;
        double excess;

        if (!is_checked(r, row, rule))
            continue;
        d = figure_of(r, rule, row);
        excess = limit_excess(&rule->limit, d, rule->is_delta);
        v.n_expected += rule->when_significant && r->noise.rates ? (double)r->noise.rates[row] : 0;
        if (is_noise(r, rule, row)) {
            v.worst = v.n_rows++ ? v.worst : row;
            v.n_noise++;
            continue;
        }
        v.n_broken += !limit_holds(&rule->limit, d, rule->is_delta);
        if (v.n_rows++ == v.n_noise || excess > v.excess) {
            v.worst = row;
            v.excess = excess;
        }
    }
    return v;
}

static void add_figure(struct strbuf *sb, const struct rule *rule, struct delta d)
{
    const enum metric_unit unit = metrics[rule->limit.metric].unit;

    if (rule->is_delta) {
        format_value(sb, unit, d.base);
        sb_adds(sb, " -> ");
    }
    format_value(sb, unit, d.now);
    if (!rule->is_delta)
        return;
    sb_adds(sb, ", ");
    format_delta(sb, unit, d.delta);
    if (d.base)
        sb_addf(sb, " (%+.1f%%)", delta_percent(d));
}

static enum check_state append_judgement(struct strbuf *sb, const struct result *r,
                                    const struct rule *rule, struct row_judgement v)
{
    if (!v.n_rows) {
        sb_adds(sb, "no row matches");
        return CHECK_ERROR;
    }
    if (rule->pattern) {
        const struct text name = tree_text(r->tree, v.worst);

        sb_add(sb, name.bytes, name.len);
        sb_adds(sb, ": ");
    }
    add_figure(sb, rule, figure_of(r, rule, v.worst));
    if (v.n_broken > 1)
        sb_addf(sb, " (the worst of %" PRIu32 " of %" PRIu32 " rows)", v.n_broken, v.n_rows);
    else if (v.n_rows > 1)
        sb_addf(sb, " (of %" PRIu32 " rows)", v.n_rows);
    if (v.n_noise)
        sb_addf(sb, "; noise: %" PRIu32, v.n_noise);
    if (rule->when_significant && v.n_rows > 1 && r->noise.verdicts)
        sb_addf(sb, "; about %.1f would differ by chance", v.n_expected);
    if (rule->when_significant && !r->noise.verdicts)
        sb_adds(sb, "; noise is unknown: the limit applies without it");
    return v.n_broken ? CHECK_BROKEN : CHECK_HELD;
}

/* False if a regex gave up: rows that were not matched might break the rule. */
static bool is_decided(const struct checking *c, const struct rule *rule, const struct result *r,
                       struct strbuf *message)
{
    if (rule->pattern && !regexes_is_decided(rule->pattern))
        sb_adds(message, "the pattern exceeds the work limit on some names");
    else if (c->session->profile->notes.is_undecided || c->session->now->notes.is_undecided ||
             (r && r->notes.is_undecided))
        sb_adds(message, "the regexes of an option exceed the work limit on some names");
    else
        return true;
    return false;
}

/* Stores the worst row of R with its value and limit, in the units of JSON output. */
static void store_figures(struct check_item *item, const struct result *r, const struct rule *rule,
                          struct row_judgement v)
{
    const struct delta d = figure_of(r, rule, v.worst);
    const bool is_time = metrics[rule->limit.metric].unit == UNIT_TIME_PS;
    const double scale = is_time && !rule->limit.is_percent ? (double)PS_PER_US : 1;
    const struct text name = tree_text(r->tree, v.worst);

    if (rule->limit.is_percent && !d.base)
        return;
    item->row = xmemdupz(name.bytes, name.len);
    item->value = rule->limit.is_percent ? delta_percent(d) : (double)(rule->is_delta ? d.delta : d.now) / scale;
    item->limit = rule->limit.value / scale;
}

static bool check_figure(struct checking *c, const struct rule *rule, struct strbuf *message,
                         struct check_item *item)
{
    enum check_state *state = &item->state;
    const char *unknown = metric_unknown(c->session->now, rule->limit.metric);
    struct row_judgement judged = {.n_rows = 0};
    struct options o = *c->options;
    struct result *r;

    *state = CHECK_ERROR;
    if (unknown) {
        sb_adds(message, unknown);
        return true;
    }
    o.select = FIELD_BIT(rule->limit.metric);
    o.order_by = ORDER_NAME;
    o.significant = rule->when_significant;
    r = query_run(c->session->query, rule->view, &o, c->cancel, c->err);
    if (!r)
        return false;
    if (rule->is_delta && !r->sides)
        sb_adds(message, "needs a comparison: -diff_base FILES or -diff_step N");
    else
        judged = judge(r, rule);
    if (!message->len)
        *state = append_judgement(message, r, rule, judged);
    if (judged.n_rows)
        store_figures(item, r, rule, judged);
    if (*state != CHECK_BROKEN) {
        struct strbuf why = {0};

        if (!is_decided(c, rule, r, &why)) {
            *state = CHECK_ERROR;
            sb_clear(message);
            sb_add(message, sb_text(&why), why.len);
        }
        sb_done(&why);
    }
    result_free(r);
    return true;
}

/* Runs the checkers on first use. */
static bool make_advice(struct checking *c)
{
    struct query *q;

    if (c->advice)
        return true;
    q = query_new(c->session->now); /* of the current profile alone */
    c->advice = advise_run(c->session->now, q, NULL, true, c->cancel, c->err);
    query_free(q);
    return c->advice != NULL;
}

static bool check_finding(struct checking *c, const struct rule *rule, struct strbuf *message,
                          enum check_state *state)
{
    struct findings findings;

    if (!make_advice(c) || !findings_make(&findings, c->session->now, false, c->cancel, c->err))
        return false;
    findings_add_advice(&findings, c->advice, true);
    *state = CHECK_HELD;
    for (size_t i = 0; i < findings.list.n; i++)
        if (findings.list.data[i].rule == rule->finding) {
            sb_addf(message, "%s%s", message->len ? "; " : "", findings.list.data[i].claim);
            *state = CHECK_BROKEN;
        }
    sb_adds(message, !message->len ? "none" : "");
    findings_done(&findings);
    return true;
}

static bool check_advice(struct checking *c, const struct rule *rule, struct strbuf *message,
                         enum check_state *state)
{
    bool applies = !rule->checker;
    size_t n = 0;

    if (rule->finding)
        return check_finding(c, rule, message, state);
    if (!make_advice(c))
        return false;
    array_each(const struct checker_advice, section, c->advice->sections, c->advice->n_sections) {
        if (rule->checker ? section->checker != rule->checker : section->checker->is_addition)
            continue;
        applies = true;
        n += section->n_reports;
        if (section->n_reports)
            sb_addf(message, "%s%zu of %s", message->len ? ", " : "", section->n_reports,
                    section->checker->name);
    }
    if (applies && !n && !is_decided(c, rule, NULL, message))
        applies = false;
    if (!message->len)
        sb_adds(message, applies ? "none" : "the profile has no data for this checker");
    *state = !applies ? CHECK_ERROR : n ? CHECK_BROKEN : CHECK_HELD;
    return true;
}

static bool check_devices(struct checking *c, const struct rule *rule, struct strbuf *message,
                          enum check_state *state)
{
    if (!c->has_devices &&
        !device_figures_make(&c->devices, c->session->now, c->options, c->cancel, c->err))
        return false;
    c->has_devices = true;
    *state = device_rule_check(&rule->device, c->session->now, &c->devices, message);
    return true;
}

static bool check_rule(struct checking *c, const struct rule *rule, struct strbuf *message,
                       struct check_item *item)
{
    if (rule->device.subject != SUBJECT_OF_NONE)
        return check_devices(c, rule, message, &item->state);
    if (rule->memory.figure != MEMORY_NO_FIGURE) {
        memory_rule_check(item, &rule->memory, c->session->now, c->options->step, message);
        return true;
    }
    return rule->view == VIEW_ADVISE ? check_advice(c, rule, message, &item->state)
                                     : check_figure(c, rule, message, item);
}

bool check_run(struct check_report *report, const struct rule_file *budget, struct session *s,
               const struct options *options, struct cancel_mark cancel, struct err *err)
{
    struct checking c = {.session = s, .options = options, .cancel = cancel, .err = err};
    bool ok = true;

    *report = (struct check_report){.file = xstrdup(budget->file)};
    for (size_t i = 0; ok && i < budget->rules.n; i++) {
        const struct rule *rule = &budget->rules.data[i];
        struct check_item item = {.line = rule->line, .rule = xstrdup(rule->text)};
        struct strbuf message = {0};

        ok = check_rule(&c, rule, &message, &item);
        item.message = sb_take(&message);
        report->n[item.state]++;
        vec_push(&report->items, item);
    }
    advice_free(c.advice);
    if (c.has_devices)
        device_figures_done(&c.devices);
    if (!ok)
        check_report_done(report);
    return ok;
}
