/* brief_text.c: a brief as text. */
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "model/format.h"
#include "model/memory_log.h"
#include "model/profile_kind.h"
#include "session/brief/brief_parts.h"
#include "view/pictures/live_memory.h"

static void add_text(struct strbuf *sb, const char *text)
{
    utf8_escape(sb, text, strlen(text));
}

static void add_name(struct strbuf *sb, const struct profile *p, strid id)
{
    utf8_escape(sb, profile_text(p, id), intern_len(&p->strings, id));
}

/* Appends "12.7 %". */
static void add_percent(struct strbuf *sb, int64_t tenths)
{
    sb_addf(sb, "%" PRId64 ".%" PRId64 " %%", tenths / 10, tenths % 10);
}

static void add_inputs(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    sb_adds(sb, "inputs:");
    for (size_t i = 0; i < plan->n_inputs; i++) {
        sb_adds(sb, i ? "; " : " ");
        add_text(sb, b->p->files[i].path);
        sb_addf(sb, ", %s, ", b->p->files[i].format);
        format_memory(sb, (int64_t)b->p->files[i].file_size_bytes);
    }
    if (plan->n_inputs < b->p->n_files)
        sb_addf(sb, "%s%zu in all", plan->n_inputs ? "; " : " ", b->p->n_files);
    sb_addc(sb, '\n');
}

static void add_system(struct strbuf *sb, const struct brief *b)
{
    const struct brief_counts n = brief_count(b);

    sb_addf(sb, "system: %s", profile_framework(b->p));
    if (n.n_ranks)
        sb_addf(sb, ", %zu rank%s", n.n_ranks, n.n_ranks == 1 ? "" : "s");
    if (n.n_devices) {
        const struct breakdown_row *row = &b->verdict.rows.data[0];

        sb_addf(sb, ", %zu x ", n.n_devices);
        add_name(sb, b->p, row->model_name != STRID_EMPTY ? row->model_name : row->device);
    }
    sb_addc(sb, '\n');
}

/* Appends " not recorded (profile_memory=True)". */
static void add_unknown(struct strbuf *sb, const char *option)
{
    sb_adds(sb, " not recorded");
    if (option)
        sb_addf(sb, " (%s)", option);
    sb_addc(sb, '\n');
}

static void add_steps(struct strbuf *sb, const struct brief *b)
{
    static const char *const names[] = {"median ", "min ", "max "};
    const struct step_time *steps = b->findings.steps.data;
    const size_t n = b->findings.steps.n;
    int64_t range_ps[3];
    size_t slowest;

    if (!brief_has_time(b)) {
        sb_adds(sb, "steps:");
        add_unknown(sb, brief_option(b, UNKNOWN_STEPS));
        return;
    }
    slowest = step_range(&b->findings, range_ps);
    sb_addf(sb, "steps: %zu (%" PRId64 "..%" PRId64 ")", n, steps[0].number, steps[n - 1].number);
    for (int i = 0; i < 3; i++) {
        sb_addf(sb, ", %s", names[i]);
        format_time_apart(sb, range_ps[i]);
    }
    sb_addf(sb, " (step %" PRId64 "), total ", steps[slowest].number);
    format_time_apart(sb, b->findings.total_ps);
    sb_addc(sb, '\n');
}

static void add_anatomy(struct strbuf *sb, const struct brief *b)
{
    static const char *const names[BRIEF_SHARES] = {"compute", "exposed communication", "exposed copies",
                                                    "idle"};

    sb_adds(sb, "anatomy:");
    for (int i = 0; i < BRIEF_SHARES && b->verdict.span_ps > 0; i++) {
        sb_addf(sb, "%s %s ", i ? "," : "", names[i]);
        add_percent(sb, brief_tenths(brief_share_ps(b, i), b->verdict.span_ps));
    }
    if (b->verdict.span_ps > 0)
        sb_addc(sb, '\n');
    else
        add_unknown(sb, brief_option(b, UNKNOWN_ANATOMY));
}

static void add_verdict(struct strbuf *sb, const struct brief *b)
{
    struct strbuf text = {0};

    brief_add_verdict(&text, b);
    sb_addf(sb, "verdict: %s: ", brief_verdict_id(b));
    utf8_escape(sb, sb_text(&text), text.len);
    sb_addc(sb, '\n');
    sb_done(&text);
}

static void add_location(struct strbuf *sb, const struct profile *p, const struct finding *f)
{
    if (f->rank != INT64_MIN)
        sb_addf(sb, " rank %" PRId64, f->rank);
    if (f->step != INT64_MIN)
        sb_addf(sb, " step %" PRId64, f->step);
    if (f->node != NODE_NONE) {
        sb_addc(sb, ' ');
        add_name(sb, p, p->name[f->node]);
    } else if (f->op != STRID_EMPTY) {
        sb_addc(sb, ' ');
        add_name(sb, p, f->op);
    }
    if (f->source) {
        sb_addc(sb, ' ');
        add_name(sb, p, f->source->file);
        sb_addf(sb, ":%" PRId32 " ", f->source->lineno);
        add_name(sb, p, f->source->function);
    }
    if (f->explained_by)
        sb_addf(sb, ", explained by %s", f->explained_by);
}

static void add_finding(struct strbuf *sb, const struct brief *b, size_t i)
{
    const struct finding *f = &b->findings.list.data[i];
    struct strbuf command = {0};

    sb_addf(sb, "  %zu %s %s ", i + 1, f->rule->id, finding_severity(f));
    format_time_apart(sb, f->lost_ps);
    sb_addc(sb, ' ');
    add_percent(sb, finding_share(f));
    add_location(sb, b->p, f);
    sb_adds(sb, "\n    ");
    add_text(sb, f->claim);
    sb_addf(sb, "\n    fix: %s\n    ", f->rule->fix);
    command_add_finding(&command, &b->inputs, f);
    utf8_escape(sb, sb_text(&command), command.len);
    sb_addc(sb, '\n');
    sb_done(&command);
}

static void add_findings(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    sb_adds(sb, b->findings.list.n ? "findings:\n" : "findings: none\n");
    for (size_t i = 0; i < plan->n_findings; i++)
        add_finding(sb, b, i);
    if (plan->n_findings < b->findings.list.n)
        sb_addf(sb, "  omitted: %zu findings\n", b->findings.list.n - plan->n_findings);
}

/* Appends VALUE; times have a blank before the unit. */
static void add_value(struct strbuf *sb, enum metric_id metric, int64_t value)
{
    if (metrics[metric].unit == UNIT_TIME_PS)
        format_time_apart(sb, value);
    else
        format_value(sb, metrics[metric].unit, value);
}

static void add_top(struct strbuf *sb, const struct brief *b, const struct brief_top *top, size_t n)
{
    int64_t rest = top->sum;

    sb_addf(sb, "top %s by %s, total ", view_names[top->view], metrics[b->metric].name);
    add_value(sb, b->metric, top->sum);
    sb_adds(sb, ":\n");
    for (size_t i = 0; i < n; i++) {
        const struct brief_row *row = &top->rows.data[i];

        sb_adds(sb, "  ");
        add_value(sb, b->metric, row->value);
        sb_addc(sb, ' ');
        if (b->session->base)
            format_delta(sb, metrics[b->metric].unit, clamp_sub(row->value, row->base));
        else
            add_percent(sb, brief_tenths(row->value, top->sum));
        sb_adds(sb, "  ");
        add_text(sb, row->name);
        sb_addc(sb, '\n');
        rest = clamp_sub(rest, row->value);
    }
    if (n < top->n_rows) {
        sb_addf(sb, "  omitted: %" PRIu64 " rows, ", top->n_rows - n);
        add_value(sb, b->metric, rest);
        sb_addc(sb, '\n');
    }
}

static void add_memory(struct strbuf *sb, const struct brief *b)
{
    const struct memory_allocator *m = b->highest;

    sb_adds(sb, "memory:");
    if (!m) {
        add_unknown(sb, brief_option(b, UNKNOWN_MEMORY));
        return;
    }
    sb_adds(sb, m->has_live_set_only ? " live " : " peak ");
    format_memory(sb, memory_most_bytes(m));
    if (m->device != STRID_EMPTY) {
        sb_adds(sb, " on ");
        add_name(sb, b->p, m->device);
    }
    if (m->capacity_bytes != MEMORY_UNKNOWN) {
        sb_adds(sb, " of ");
        format_memory(sb, m->capacity_bytes);
    }
    sb_addc(sb, '\n');
}

static void add_flops(struct strbuf *sb, const struct brief *b)
{
    const int64_t busy_ps = b->verdict.span_ps - b->verdict.idle_ps;

    sb_adds(sb, "flops:");
    if (b->float_ops == INT64_MIN) {
        add_unknown(sb, brief_option(b, UNKNOWN_FLOPS));
        return;
    }
    sb_addc(sb, ' ');
    format_number(sb, b->float_ops);
    sb_adds(sb, " FLOPs");
    if (busy_ps > 0)
        sb_addf(sb, ", %.3g TFLOP/s of busy time", (double)b->float_ops / (double)busy_ps);
    if (roofs_source(b->peak_flops.source) && busy_ps > 0) {
        sb_adds(sb, ", ");
        add_percent(sb, brief_flops_tenths(b, busy_ps));
        sb_addf(sb, " of %.4g TFLOP/s (%s), MFU ", (double)b->peak_flops.per_second / 1e12,
                roofs_source(b->peak_flops.source));
        add_percent(sb, brief_flops_tenths(b, b->verdict.span_ps));
    }
    sb_addc(sb, '\n');
}

static void add_missing(struct strbuf *sb, const struct brief *b)
{
    sb_adds(sb, b->missing.n ? "missing:" : "missing: nothing");
    for (size_t i = 0; i < b->missing.n; i++) {
        sb_adds(sb, i ? ", " : " ");
        add_text(sb, b->missing.data[i].what);
        if (b->missing.data[i].option)
            sb_addf(sb, " (%s)", b->missing.data[i].option);
    }
    sb_addc(sb, '\n');
}

static void add_omitted(struct strbuf *sb, const struct brief_plan *plan)
{
    bool any = false;

    for (int i = 0; i < BRIEF_PARTS; i++)
        if (!plan->parts[i]) {
            sb_addf(sb, "%s%s", any ? ", " : "omitted: ", brief_part_names[i]);
            any = true;
        }
    sb_adds(sb, any ? "\n" : "");
}

void brief_text(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan)
{
    add_inputs(sb, b, plan);
    if (plan->parts[PART_SYSTEM])
        add_system(sb, b);
    add_steps(sb, b);
    if (b->compared.base_path)
        compared_text(sb, &b->compared);
    if (plan->parts[PART_ANATOMY])
        add_anatomy(sb, b);
    add_verdict(sb, b);
    add_findings(sb, b, plan);
    for (int i = 0; i < BRIEF_VIEWS; i++)
        if (b->top[i].rows.n)
            add_top(sb, b, &b->top[i], plan->n_top[i]);
    if (plan->parts[PART_MEMORY])
        add_memory(sb, b);
    if (plan->parts[PART_FLOPS])
        add_flops(sb, b);
    if (plan->parts[PART_MISSING])
        add_missing(sb, b);
    sb_adds(sb, "next:\n");
    for (size_t i = 0; i < 3; i++) {
        sb_adds(sb, "  ");
        add_text(sb, b->next[i]);
        sb_addc(sb, '\n');
    }
    add_omitted(sb, plan);
}
