/* summary_trace.c: contents of traces, breakdown of device time, and missing data. */
#include <inttypes.h>
#include <string.h>

#include "activity/breakdown.h"
#include "activity/memory_steps.h"
#include "model/format.h"
#include "model/profile_kind.h"
#include "session/summary/summary_parts.h"

static const struct cancel_mark never = {NULL, 0};

static void add_time(struct strbuf *sb, int64_t ns, const char *what)
{
    format_time(sb, clamp_mul(ns, PS_PER_NS));
    sb_adds(sb, what);
}

/* Appends "9.10 ms placed". */
static void add_pass(struct strbuf *sb, const char *before, int64_t ns, const char *what)
{
    sb_adds(sb, before);
    format_time_apart(sb, clamp_mul(ns, PS_PER_NS));
    sb_addf(sb, " %s", what);
}

static double percent_of(int64_t ns, int64_t all_ns)
{
    return all_ns > 0 ? 100.0 * (double)ns / (double)all_ns : 0.0;
}

/* Adds how much backward device time has a forward operator, and the largest name without one. */
static void add_backward(struct summary *s, const struct profile *p, const struct backward_times *t)
{
    const int64_t unplaced_ns = t->pass_ns[PASS_UNPLACED];
    const char *name = profile_text(p, t->unplaced_name), *last;
    struct strbuf *sb;

    if (!t->is_recorded)
        return;
    sb = &summary_add(s, "traces", "  backward")->value;
    add_pass(sb, "", t->pass_ns[PASS_PLACED], "placed");
    add_pass(sb, ", ", unplaced_ns, "without forward operator");
    while ((last = strstr(name, "::")))
        name = last + 2;
    if (unplaced_ns)
        sb_addf(sb, " (%s %.0f %%)", name, percent_of(t->unplaced_name_ns, unplaced_ns));
    add_pass(sb, ", ", t->pass_ns[PASS_RECOMPUTED], "recomputed");
    sb_addf(sb, "; %.0f %% of device time has a line", percent_of(t->with_line_ns, t->all_ns));
}

/* Adds device time outside of steps or without a recorded launch, if any. */
static void add_device_time(struct summary *s, const struct recorder *r)
{
    const bool has_steps = r->n_steps && r->outside_accelerator_ns;
    struct strbuf *sb;

    if (!has_steps && !r->unlaunched_ns)
        return;
    sb = &summary_add(s, "traces", "  device time")->value;
    add_pass(sb, "", r->accelerator_ns, has_steps ? "in all: " : "in all");
    if (has_steps) {
        add_pass(sb, "", clamp_sub(r->accelerator_ns, r->outside_accelerator_ns), "in steps");
        add_pass(sb, ", ", r->outside_accelerator_ns, "outside of steps");
    }
    if (r->unlaunched_ns)
        add_pass(sb, " (", r->unlaunched_ns, "with no recorded launch)");
}

/* Adds the kinds of waits by descending time. */
static void add_waits(struct summary *s, const struct recorder *r)
{
    const int64_t all_ns = recorder_wait_ns(r);
    struct strbuf *sb;
    unsigned left = (1U << WAIT_KINDS) - 1;

    if (!all_ns)
        return;
    sb = &summary_add(s, "traces", "  wait")->value;
    format_time_apart(sb, clamp_mul(all_ns, PS_PER_NS));
    for (int n = 1; n < WAIT_KINDS; n++) {
        int most = WAIT_NONE;

        for (int kind = 1; kind < WAIT_KINDS; kind++)
            if (left >> kind & 1 && (most == WAIT_NONE || r->wait_ns[kind] > r->wait_ns[most]))
                most = kind;
        left &= ~(1U << most);
        if (r->wait_ns[most])
            add_pass(sb, n == 1 ? ": " : ", ", r->wait_ns[most], wait_words((enum wait_kind)most));
        if (r->wait_ns[most] && most == WAIT_NOT_RECORDED)
            sb_adds(sb, " (with_stack=True records more)");
    }
}

static void add_recorder(struct summary *s, const struct profile *p, const struct recorder *r)
{
    struct summary_line *line = summary_add(s, "traces", p->files[r->file].path);

    if (r->rank >= 0)
        sb_addf(&line->value, "rank %" PRId64 ", ", r->rank);
    sb_addf(&line->value, "%s, %" PRIu64 " events, %" PRIu32 " thread%s, ",
            dialect_name((enum dialect)r->dialect), r->n_events, r->n_threads,
            r->n_threads == 1 ? "" : "s");
    add_time(&line->value, r->cpu_ns, " on CPUs, ");
    add_time(&line->value, r->accelerator_ns, " on accelerators");
    for (int i = 0; i < REPAIR_COUNT; i++)
        if (r->repairs[i])
            sb_addf(&line->value, ", %" PRIu64 " %s", r->repairs[i],
                    repair_words((enum repair)i, r->repairs[i]));
    if (r->n_unlaunched)
        sb_addf(&line->value, ", %" PRIu64 " kernels without a launch", r->n_unlaunched);
    add_device_time(s, r);
    add_waits(s, r);
    add_backward(s, p, &r->backward);
    for (uint32_t i = 0; i < r->n_errors && i < SUMMARY_MAX_LINES; i++)
        sb_adds(&summary_add(s, "traces", "  recorder's error")->value,
                profile_text(p, r->errors[i]));
}

/* Appends "24% computes", in whole percents to fit on a line. */
static void add_share(struct strbuf *sb, const char *before, int64_t ps, int64_t span_ps,
                      const char *what)
{
    if (ps > 0 && span_ps > 0)
        sb_addf(sb, "%s%.0f%% %s", before, 100.0 * (double)ps / (double)span_ps, what);
}

static struct summary_line *row_line(struct summary *s, const char *section,
                                     const struct profile *p, const struct breakdown_row *row)
{
    struct summary_line *line = summary_add(s, section, profile_text(p, row->device));

    if (row->rank >= 0 && p->n_recorders > 1)
        sb_addf(&line->label, " of rank %" PRId64, row->rank);
    if (row->step != STEP_ALL)
        sb_addf(&line->label, ", step %" PRId64, row->step);
    if (row->stream)
        sb_addf(&line->label, ", stream %s", profile_text(p, row->stream));
    return line;
}

static void add_row(struct summary *s, const char *section, const struct profile *p,
                    const struct breakdown_row *row)
{
    const int64_t host_ps = row->idle_by_cause_ps[IDLE_HOST];
    struct strbuf *value;

    if (row->model_name && row->step == STEP_ALL && !row->stream)
        sb_adds(&row_line(s, section, p, row)->value, profile_text(p, row->model_name));
    value = &row_line(s, section, p, row)->value;
    format_time(value, row->span_ps);
    sb_addc(value, ':');
    add_share(value, " ", row->compute_ps, row->span_ps, "computes,");
    add_share(value, " ", row->exposed_communication_ps, row->span_ps, "only communicates,");
    add_share(value, " ", row->exposed_memory_ps, row->span_ps, "only copies,");
    sb_addf(value, " %.0f%% idle",
            row->span_ps ? 100.0 * (double)row->idle_ps / (double)row->span_ps : 0.0);
    add_share(value, " (", host_ps, row->span_ps, "CPU late)");
    if (row->stream)
        sb_addf(value, ", queue up to %" PRId64, row->queue_max);
    if (row->stream && row->n_short)
        sb_addf(value, ", %" PRIu32 "/%" PRIu32 " kernels short", row->n_short, row->n_kernels);
}

/* Adds at most SUMMARY_MAX_LINES rows of one step, or of all steps. */
static void add_rows(struct summary *s, const char *section, const struct profile *p,
                     const breakdown_rows *rows, bool of_steps)
{
    size_t n = 0;

    for (size_t i = 0; i < rows->n; i++)
        if (rows->data[i].n_works && (rows->data[i].step != STEP_ALL) == of_steps &&
            n++ < SUMMARY_MAX_LINES)
            add_row(s, section, p, &rows->data[i]);
    summary_add_more(s, section, n);
}

/* Adds device time over all steps, per step, and per stream. */
static void add_breakdown(struct summary *s, const struct profile *p)
{
    breakdown_rows rows = {0};
    struct selection sel;

    for (int by_stream = 0; by_stream < 2; by_stream++) {
        rows.n = 0;
        selection_open_all(&sel, p, never);
        breakdown_make(&sel, &(struct breakdown_request){.by_stream = by_stream}, &rows);
        selection_done(&sel);
        add_rows(s, by_stream ? "streams" : "accelerators", p, &rows, false);
        if (!by_stream)
            add_rows(s, "steps of accelerators", p, &rows, true);
    }
    vec_done(&rows);
}

/* Adds the highest memory use of each step. */
static void add_memory(struct summary *s, const struct profile *p)
{
    size_t n = 0;

    for (uint32_t i = 0; i < p->n_recorders; i++) {
        const struct recorder *r = &p->recorders[i];
        struct memory_steps m;

        memory_steps_make(&m, p, r);
        vec_each(const struct memory_use, use, &m.uses) {
            struct summary_line *line;

            if (!use->peak_bytes || n++ >= SUMMARY_MAX_LINES)
                continue;
            line = summary_add(s, "memory", profile_text(p, use->device));
            if (r->rank >= 0 && p->n_recorders > 1)
                sb_addf(&line->label, " of rank %" PRId64, r->rank);
            if (use->step == STEP_OUTSIDE)
                sb_adds(&line->label, ", outside steps");
            else if (r->n_steps)
                sb_addf(&line->label, ", step %" PRId64, use->step);
            format_memory(&line->value, use->peak_bytes);
            sb_adds(&line->value, " at most, ");
            format_memory(&line->value, use->end_bytes);
            sb_adds(&line->value, " at its end");
            if (use->reserved_bytes) {
                sb_adds(&line->value, ", ");
                format_memory(&line->value, use->reserved_bytes);
                sb_adds(&line->value, " reserved");
            }
        }
        memory_steps_done(&m);
    }
    summary_add_more(s, "memory", n);
}

void summary_traces(struct summary *s, const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recorders; i++)
        add_recorder(s, p, &p->recorders[i]);
    if (p->n_recorders)
        add_breakdown(s, p);
    add_memory(s, p);
}

static bool has_call_stacks(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++)
        if (p->stack[p->n_nodes + i] != STACK_NONE)
            return true;
    return false;
}

void summary_missing_in_traces(struct summary *s, const struct profile *p)
{
    const struct recorders all = profile_recorders(p);

    if (!all.is_torch)
        return;
    if (!all.has_work)
        summary_add_missing(s, "kernels", "recorded with ProfilerActivity.CPU alone?");
    if (!all.has_steps)
        summary_add_missing(s, "steps", "a schedule and prof.step() mark them");
    if (all.has_work && !all.has_runtime)
        summary_add_missing(s, "launches",
                            "without them only External id attributes work to operators");
    if (metric_unknown(p, METRIC_FLOAT_OPS) && !all.has_shapes)
        summary_add_missing(s, "shapes",
                            "record_shapes=True records them; operation counts need them");
    if (metric_unknown(p, METRIC_BYTES))
        summary_add_missing(s, "allocations", "profile_memory=True records them");
    if (!has_call_stacks(p))
        summary_add_missing(s, "Python stacks", "with_stack=True records them");
}
