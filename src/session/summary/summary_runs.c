/* summary_runs.c: operation counts, steps, runs of compiled programs, and missing data. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/satmath.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "model/events.h"
#include "model/format.h"
#include "model/memory_log.h"
#include "model/programs.h"
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

/* Appends ", train 3 (2)" to LABEL if STEP has a name besides its number. */
static void summary_step_name(struct strbuf *label, const struct profile *p, int64_t step)
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
        const struct packed_exec record = profile_record(p, p->exec_positions[e->first_record + i]);
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
    summary_add_more(s, "steps", p->n_steps);
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
            summary_add_missing(s, "times", "record a run (SessionOptions.enable_profiling of "
                                            "onnxruntime; benchmark_model --enable_op_profiling)");
        return;
    }
    if (!p->n_steps)
        summary_add_missing(s, "times and memory",
                            "read a RunMetadata file (--run_meta_path) or a profile");
    if (!p->has_stacks)
        summary_add_missing(s, "the code view",
                            "read an op log with call stacks (--op_log_path) or a profile");
    if (!any_input)
        summary_add_missing(s, p->n_nodes ? "the graph view's edges" : "nodes and edges",
                            "read a GraphDef (--graph_path)");
    if (!p->checkpoint)
        summary_add_missing(s, "values of variables", "read a checkpoint (--checkpoint_path)");
    if (p->misses_accelerator_stream)
        summary_add_missing(s, "times on the accelerator",
                            "the run was recorded without its streams");
}

/* Appends a percentage; nothing if WHOLE is 0. */
static void add_share(struct strbuf *sb, int64_t part, int64_t whole)
{
    if (whole > 0)
        sb_addf(sb, " (%.1f %%)", 100.0 * (double)part / (double)whole);
}

static void add_device(struct summary *s, const struct profile *p, const struct program_device *d)
{
    struct strbuf *value;

    if (!d->n_events && !d->is_accelerator)
        return; /* the host only launched work of other devices */
    value = &summary_add(s, "devices of the run", profile_text(p, d->name))->value;
    if (!d->n_events) {
        sb_adds(value, "no events");
        return;
    }
    sb_addf(value, "%" PRIu64 " events, ", d->n_events);
    format_time(value, d->self_ps);
    sb_adds(value, " of ops, busy ");
    format_time(value, d->covered_ps);
    sb_adds(value, " within ");
    format_time(value, d->span_ps);
    add_share(value, d->covered_ps, d->span_ps);
    sb_adds(value, ", idle ");
    format_time(value, d->span_ps - d->covered_ps);
    if (d->peak_flops > 0)
        sb_addf(value, "; peak %.2f TFLOP/s", d->peak_flops / 1e12);
    if (d->peak_bytes_per_s > 0)
        sb_addf(value, ", %.1f GB/s", d->peak_bytes_per_s / 1e9);
    sb_adds(value, d->is_accelerator && d->peak_flops <= 0 ? "; peak rates unknown" : "");
}

static void add_program(struct summary *s, const struct profile *p,
                        const struct compiled_program *program)
{
    struct strbuf *value =
        &summary_add(s, "programs", profile_text(p, program->label))->value;

    sb_addf(value, "%s, id %" PRIu64 " on %s", program->ran ? "ran" : "did not run", program->id,
            profile_text(p, program->host));
    if (!program->has_hlo) {
        sb_adds(value, program->ran ? ", its HLO is not in the file" : "");
        return;
    }
    sb_addf(value, ", %u instructions, arguments ", program->n_instructions);
    format_memory(value, program->argument_bytes);
    sb_adds(value, ", results ");
    format_memory(value, program->result_bytes);
    sb_adds(value, ", peak memory ");
    format_memory(value, program->peak_bytes);
}

static void add_allocator(struct summary *s, const struct profile *p,
                          const struct memory_allocator *a)
{
    struct strbuf *value = &summary_add(s, "allocators", profile_text(p, a->name))->value;

    sb_adds(value, "peak ");
    format_memory(value, a->peak_bytes);
    sb_adds(value, " of ");
    format_memory(value, a->capacity_bytes);
    add_share(value, a->peak_bytes, a->capacity_bytes);
    sb_addf(value, ", fragmentation %.1f %%, peak of its lifetime ", 100 * a->fragmentation);
    format_memory(value, a->lifetime_peak_bytes);
    sb_addf(value, "; %" PRIu64 " allocations, %" PRIu64 " frees", a->counts[MEMORY_ALLOC],
            a->counts[MEMORY_FREE]);
}

static void add_marks(struct summary *s, const struct profile *p)
{
    const size_t n = p->events ? p->events->marks.n : 0;

    for (size_t i = 0; i < n && i < SUMMARY_MAX_LINES; i++) {
        const struct profile_mark *m = &p->events->marks.data[i];
        const int64_t step = p->events->steps.data[m->step].number;
        struct summary_line *line = summary_add(s, "marks of steps", "step ");

        sb_addf(&line->label, "%" PRId64, step);
        summary_step_name(&line->label, p, step);
        format_time(&line->value, clamp_sub(m->end_ps, m->start_ps));
        sb_addf(&line->value, " on %s", profile_text(p, p->events->hosts.data[m->host].name));
    }
    summary_add_more(s, "marks of steps", n);
}

/* Adds the programs; those that ran come first. */
static void add_programs(struct summary *s, const struct profile *p, const struct programs *c)
{
    size_t n = 0;

    for (int ran = 1; ran >= 0; ran--)
        for (size_t i = 0; i < c->n_compiled; i++)
            if (c->compiled[i].ran == ran && n++ < SUMMARY_MAX_LINES)
                add_program(s, p, &c->compiled[i]);
    summary_add_more(s, "programs", n);
}

void summary_programs(struct summary *s, const struct profile *p)
{
    const struct programs *c = p->programs;
    bool has_allocators = false;

    if (!c)
        return;
    for (size_t i = 0; i < c->n_devices; i++)
        add_device(s, p, &c->devices[i]);
    add_programs(s, p, c);
    add_marks(s, p);
    for (size_t i = 0; p->memory && i < p->memory->allocators.n; i++)
        if (p->memory->allocators.data[i].has_run_ticks) {
            add_allocator(s, p, &p->memory->allocators.data[i]);
            has_allocators = true;
        }
    if (!has_allocators)
        sb_adds(&summary_add(s, "allocators", "memory in use")->value, "no allocator events");
}
