/* summary_runs.c: operation counts, steps, and missing data. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/satmath.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/programs.h"
#include "model/format.h"
#include "session/summary/summary_parts.h"
#include "view/origins.h"
#include "view/roofs.h"

void summary_float_ops(struct summary *s, const struct profile *p, const struct flops *flops)
{
    const int64_t *counts = flops ? flops->count : p->static_float_ops;
    uint32_t n_counted = 0;
    int64_t sum = 0;
    bool saturated = false;

    for (node_id node = 0; node < p->n_nodes; node++) {
        sum = sat_add(sum, counts[node], &saturated);
        n_counted += counts[node] != 0;
    }
    format_number(&summary_add(s, "float_ops", "of the graph, each node once")->value, sum);
    sb_addf(&s->lines[s->n - 1].value, " (%" PRId64 ") in %u nodes", sum, n_counted);
    if (!flops)
        return;
    flops_coverage(flops, &summary_add(s, "float_ops", "coverage")->value);
    sb_addf(&summary_add(s, "float_ops", "nodes without arithmetic")->value, "%u",
            flops->n_state[FLOPS_NO_COMPUTE]);
    sb_addf(&summary_add(s, "float_ops", "nodes of unknown shape")->value, "%u",
            flops->n_state[FLOPS_UNKNOWN_SHAPE]);
    sb_addf(&summary_add(s, "float_ops", "nodes without a rule")->value, "%u",
            flops->n_state[FLOPS_NO_RULE]);
}

void summary_mfu(struct summary *s, const struct profile *p, const struct flops *flops,
                 const struct options *o, int64_t span_ps)
{
    const int64_t *counts = flops ? flops->count : p->static_float_ops;
    const struct figures f = {.profile = p, .static_float_ops = counts, .rank = RANK_ALL,
                              .step = STEP_ALL};
    struct roofs roofs = {.width = PEAK_16};
    int64_t sum = 0;
    bool saturated = false;
    struct strbuf *value;

    if (span_ps <= 0 || metric_unknown(p, METRIC_FLOAT_OPS))
        return;
    for (node_id node = 0; node < p->n_nodes; node++)
        sum = sat_add(sum, metric_self(&f, METRIC_FLOAT_OPS, node, &saturated), &saturated);
    roofs.width = roofs_width(p, counts);
    roofs = roofs_choose(p, o, roofs);
    if (sum <= 0 || roofs.flops.source == ROOF_UNKNOWN)
        return;
    value = &summary_add(s, "operations", "model FLOPs utilization")->value;
    sb_addf(value, "%.1f %%: ", 100 * (double)sum / (double)span_ps * (double)PS_PER_SECOND /
                                    (double)roofs.flops.per_second);
    format_value(value, UNIT_NUMBER, sum);
    sb_adds(value, " FLOPs in ");
    format_time(value, span_ps);
    sb_adds(value, " of devices, at most ");
    roofs_flops_text(value, p, &roofs);
}

void summary_step_name(struct strbuf *label, const struct profile *p, int64_t step)
{
    const strid name = program_step_name(p->programs, step);

    if (name != STRID_EMPTY)
        sb_addf(label, ", %s", profile_text(p, name));
}

/* Extent of one step. */
struct step_span {
    uint32_t n_nodes;
    int64_t length_ticks; /* from first start to last end, on the host where it is longest */
    int64_t busy_ps;
};

/* First start and last end of the executions on one clock. */
struct ends {
    int64_t first_ticks, last_ticks;
};

static void extend_ends(struct ends *ends, int64_t start_ticks, int64_t end_ticks)
{
    if (start_ticks > 0 && (!ends->first_ticks || start_ticks < ends->first_ticks))
        ends->first_ticks = start_ticks;
    KEEP_MAX(ends->last_ticks, end_ticks);
}

/* Extends ENDS by the executions of E, per clock. */
static void add_record_ends(struct ends *ends, const struct host_clocks *clocks,
                         const struct profile *p, const struct exec *e)
{
    bool saturated = false;

    for (uint32_t i = 0; i < e->n_records && clocks->n > 1; i++) {
        const uint8_t *record = profile_record(p, p->exec_positions[e->first_record + i]);
        struct exec one = {.step = e->step};

        exec_add(&one, record, p->clock, &saturated);
        extend_ends(&ends[host_clock_of_record(clocks, record)], one.start_ticks, one.latest_end_ticks);
    }
    if (clocks->n == 1)
        extend_ends(ends, e->start_ticks, e->latest_end_ticks);
}

static struct step_span span_of(const struct profile *p, const struct host_clocks *clocks,
                                int64_t step)
{
    struct ends *ends = xcalloc(clocks->n, sizeof *ends);
    struct step_span span = {0};
    bool saturated = false;

    for (node_id node = 0; node < p->n_nodes; node++) {
        struct exec e;

        if (!profile_exec(p, node, step, &e))
            continue;
        span.n_nodes++;
        add_record_ends(ends, clocks, p, &e);
        span.busy_ps = sat_add(span.busy_ps, sat_add(e.accelerator_ps, e.cpu_ps, &saturated),
                               &saturated);
    }
    for (uint32_t i = 0; i < clocks->n; i++)
        KEEP_MAX(span.length_ticks, clamp_sub(ends[i].last_ticks, ends[i].first_ticks));
    free(ends);
    return span;
}

static void add_step(struct summary *s, const struct profile *p, const struct host_clocks *clocks,
                     int64_t step)
{
    struct summary_line *line = summary_add(s, "steps", "step ");
    struct step_span span = span_of(p, clocks, step);

    sb_addf(&line->label, "%" PRId64, step);
    summary_step_name(&line->label, p, step);
    sb_addf(&line->value, "%u nodes ran, ", span.n_nodes);
    format_time(&line->value, span.busy_ps);
    sb_adds(&line->value, " of execution");
    if (span.length_ticks > 0) {
        sb_adds(&line->value, " within ");
        format_time(&line->value, clock_ps_between(p->clock, 0, span.length_ticks));
    }
}

static void add_devices(struct summary *s, const struct profile *p)
{
    uint32_t *nodes_on = xcalloc(p->strings.n, sizeof *nodes_on);
    VEC(strid) devices = {0};

    for (node_id node = 0; node < p->n_nodes; node++)
        nodes_on[p->device[node]]++;
    for (strid device = STRID_EMPTY + 1; device < p->strings.n; device++)
        if (nodes_on[device])
            vec_push(&devices, device);
    intern_sort(&p->strings, devices.data, devices.n);
    for (size_t i = 0; i < devices.n; i++)
        sb_addf(&summary_add(s, "devices", profile_text(p, devices.data[i]))->value, "%u nodes",
                nodes_on[devices.data[i]]);
    vec_done(&devices);
    free(nodes_on);
}

void summary_runs(struct summary *s, const struct profile *p)
{
    struct host_clocks clocks;

    host_clocks_init(&clocks, p);
    for (uint32_t i = 0; i < p->n_steps && i < SUMMARY_MAX_LINES; i++)
        add_step(s, p, &clocks, p->steps[i]);
    host_clocks_done(&clocks);
    if (p->n_steps > SUMMARY_MAX_LINES)
        summary_add_more(s, "steps", p->n_steps - SUMMARY_MAX_LINES);
    if (!p->programs)
        add_devices(s, p);
}

void summary_missing(struct summary *s, const struct profile *p)
{
    bool any_input = p->input_begin[p->n_nodes] > 0;

    if (p->programs)
        return; /* captures have notes instead */
    if (profile_has_op_set(p)) {
        if (!p->n_steps)
            sb_adds(&summary_add(s, "missing", "times")->value,
                    "record a run (SessionOptions.enable_profiling of onnxruntime; "
                    "benchmark_model --enable_op_profiling)");
        return;
    }
    if (!p->n_steps)
        sb_adds(&summary_add(s, "missing", "times and memory")->value,
                "read a RunMetadata file (--run_meta_path) or a profile");
    if (!p->has_stacks)
        sb_adds(&summary_add(s, "missing", "the code view")->value,
                "read an op log with call stacks (--op_log_path) or a profile");
    if (!any_input)
        sb_adds(&summary_add(s, "missing",
                             p->n_nodes ? "the graph view's edges" : "nodes and edges")->value,
                "read a GraphDef (--graph_path)");
    if (!p->checkpoint)
        sb_adds(&summary_add(s, "missing", "values of variables")->value,
                "read a checkpoint (--checkpoint_path)");
    if (p->misses_accelerator_stream)
        sb_adds(&summary_add(s, "missing", "times on the accelerator")->value,
                "the run was recorded without its streams");
}
