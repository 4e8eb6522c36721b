/* summary_trace.c: what traces have, where the time of their devices went, and what recording did
 * not bring. */
#include <inttypes.h>

#include "model/format.h"
#include "session/summary_parts.h"
#include "view/anatomy/anatomy.h"

static void add_time(struct strbuf *sb, int64_t ns, const char *what)
{
    format_time(sb, clamp_mul(ns, PS_PER_NS));
    sb_adds(sb, what);
}

static void add_recording(struct summary *s, const struct profile *p, const struct recording *r)
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
}

static void add_share(struct strbuf *sb, int64_t ns, int64_t span_ns, const char *what)
{
    if (ns > 0 && span_ns > 0)
        sb_addf(sb, ", %.1f%% %s", 100.0 * (double)ns / (double)span_ns, what);
}

static void add_row(struct summary *s, const struct profile *p, const struct anatomy_row *row)
{
    struct summary_line *line = summary_add(s, "accelerators", profile_text(p, row->device));

    if (row->rank >= 0 && p->n_recordings > 1)
        sb_addf(&line->label, " of rank %" PRId64, row->rank);
    add_time(&line->value, row->span_ns, "");
    add_share(&line->value, row->compute_ns, row->span_ns, "computes");
    add_share(&line->value, row->exposed_communication_ns, row->span_ns, "communicates alone");
    add_share(&line->value, row->exposed_memory_ns, row->span_ns, "copies alone");
    add_share(&line->value, row->idle_ns, row->span_ns, "idle");
    add_share(&line->value, row->idle_by_cause_ns[IDLE_HOST], row->span_ns,
              "waits for the CPU");
}

/* One line for each device: all of its steps. */
static void add_anatomy(struct summary *s, const struct profile *p)
{
    const struct anatomy_request request = {.by_stream = false};
    anatomy_rows rows = {0};
    size_t n = 0;

    anatomy_make(p, &request, &rows);
    for (size_t i = 0; i < rows.n; i++) {
        if (rows.data[i].step != STEP_ALL || !rows.data[i].n_works)
            continue;
        if (n++ < SUMMARY_MAX_LINES)
            add_row(s, p, &rows.data[i]);
    }
    summary_add_more(s, "accelerators", n > SUMMARY_MAX_LINES ? n - SUMMARY_MAX_LINES : 0);
    vec_done(&rows);
}

void summary_traces(struct summary *s, const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_recordings; i++)
        add_recording(s, p, &p->recordings[i]);
    if (p->n_recordings)
        add_anatomy(s, p);
}

static bool any_shapes(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++)
        if (p->call_dims[i])
            return true;
    return false;
}

static bool any_stacks(const struct profile *p)
{
    for (uint32_t i = 0; i < p->n_parts; i++)
        if (p->trace[p->n_nodes + i] != TRACE_NONE)
            return true;
    return false;
}

static void add_missing(struct summary *s, const char *what, const char *why)
{
    sb_adds(&summary_add(s, "not there", what)->value, why);
}

void summary_missing_in_traces(struct summary *s, const struct profile *p)
{
    bool works = false, steps = false, torch = false;

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        works |= p->recordings[i].n_works > 0;
        steps |= p->recordings[i].n_steps > 0;
        torch |= p->recordings[i].dialect == DIALECT_KINETO;
    }
    if (!torch)
        return;
    if (!works)
        add_missing(s, "kernels", "recorded with ProfilerActivity.CPU alone?");
    if (!steps)
        add_missing(s, "steps", "a schedule and prof.step() mark them");
    if (!any_shapes(p))
        add_missing(s, "shapes", "record_shapes=True records them; operation counts need them");
    if (!any_stacks(p))
        add_missing(s, "Python stacks", "with_stack=True records them");
}
