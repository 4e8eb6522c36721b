/* metric.c: the metric table and the figures of nodes. */
#include "model/metric.h"

#include <assert.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "model/programs.h"
#include "model/recorder.h"
#include "model/run_columns.h"

/* ---- figures of a node */

#define OF_RUNS(name, which)                                                                  \
    static int64_t name(const struct figures *f, node_id node, const struct run_figures *r,   \
                        bool *saturated)                                                      \
    {                                                                                         \
        (void)f, (void)node;                                                                  \
        *saturated |= r->saturated >> (which) & 1;                                            \
        return r->value[which];                                                               \
    }
OF_RUNS(self_micros, EXEC_TIME)
OF_RUNS(self_accelerator_micros, EXEC_ACCELERATOR_TIME)
OF_RUNS(cpu_micros, EXEC_CPU_TIME)
OF_RUNS(self_wait_micros, EXEC_WAIT_TIME)
OF_RUNS(self_occurrence, EXEC_OCCURRENCE)
#undef OF_RUNS

static int64_t self_cpu_micros(const struct figures *f, node_id node, const struct run_figures *r,
                               bool *saturated)
{
    return r->value[EXEC_CPU_TIME] && profile_is_async(f->profile, node)
               ? 0
               : cpu_micros(f, node, r, saturated);
}

/* Computed as a difference of averages, so that work and wait add up exactly to CPU time. */
static int64_t self_work_micros(const struct figures *f, node_id node, const struct run_figures *r,
                                bool *saturated)
{
    return clamp_sub(self_cpu_micros(f, node, r, saturated), r->value[EXEC_WAIT_TIME]);
}

/* Planned memory of NODE if its program has no recorded run; else zeros. */
static struct program_plan plan_of(const struct profile *p, node_id node)
{
    const struct programs *c = p->programs;

    return c && c->plans && node < c->n_costs ? c->plans[node] : (struct program_plan){0};
}

/* The number of counted devices on which a program ran in STEP. */
static int64_t held_devices(const struct figures *f, const struct program_held_step *step)
{
    const strid *devices = f->profile->programs->held_devices + step->first_device;
    int64_t n = 0;

    if (!f->counted_devices)
        return step->n_devices;
    for (uint32_t i = 0; i < step->n_devices; i++)
        n += f->counted_devices[devices[i]];
    return n;
}

/* Number of devices on which the program of LIST ran at F's step, summed over *N_STEPS steps. */
static int64_t devices_of_held(const struct figures *f, uint32_t list, int64_t *n_steps)
{
    const struct programs *c = f->profile->programs;
    size_t at = c->held_begin[list];
    const size_t end = c->held_begin[list + 1];
    int64_t n = 0, n_ran = 0;

    *n_steps = 1;
    if (f->step >= 0 || f->step == STEP_OUTSIDE) {
        LOWER_BOUND(at, end, i, c->held_steps[i].step < f->step);
        return at < end && c->held_steps[at].step == f->step ? held_devices(f, &c->held_steps[at])
                                                             : 0;
    }
    for (size_t i = at; i < end; i++) {
        const int64_t n_there = held_devices(f, &c->held_steps[i]);

        n += n_there;
        n_ran += n_there > 0;
    }
    if (f->step != STEP_ALL && n_ran)
        *n_steps = n_ran;
    return n;
}

/* Memory that NODE, which has no executions, holds while its program runs. */
static struct program_plan held_memory_of(const struct figures *f, node_id node, bool *saturated)
{
    const struct programs *c = f->profile->programs;
    struct program_plan plan = {0};
    int64_t n_devices, n_steps;

    if (!c || !c->held || node >= c->n_costs ||
        !(c->held[node].peak_bytes | c->held[node].residual_bytes))
        return plan;
    n_devices = devices_of_held(f, c->held[node].list, &n_steps);
    plan.peak_bytes = sat_mul(c->held[node].peak_bytes, n_devices, saturated) / n_steps;
    plan.residual_bytes = sat_mul(c->held[node].residual_bytes, n_devices, saturated) / n_steps;
    return plan;
}

/* Memory of runs, or planned memory. */
#define OF_RUNS_OR_PLAN(name, which, planned)                                                 \
    static int64_t name(const struct figures *f, node_id node, const struct run_figures *r,   \
                        bool *saturated)                                                      \
    {                                                                                         \
        const int64_t held = held_memory_of(f, node, saturated).planned;                             \
                                                                                              \
        *saturated |= r->saturated >> (which) & 1;                                            \
        return sat_add(sat_add(r->value[which], held, saturated),                             \
                       plan_of(f->profile, node).planned, saturated);                         \
    }
OF_RUNS_OR_PLAN(self_bytes, EXEC_BYTES, output_bytes)
OF_RUNS_OR_PLAN(output_bytes, EXEC_OUTPUT_BYTES, output_bytes)
OF_RUNS_OR_PLAN(self_peak_bytes, EXEC_PEAK_BYTES, peak_bytes)
OF_RUNS_OR_PLAN(self_residual_bytes, EXEC_RESIDUAL_BYTES, residual_bytes)
#undef OF_RUNS_OR_PLAN

/* Profiles of samples have their memory values in place of output bytes. */
static int64_t self_output_bytes(const struct figures *f, node_id node, const struct run_figures *r,
                                 bool *saturated)
{
    if (f->output_bytes && node < f->profile->n_nodes)
        return f->output_bytes[node];
    return f->profile->sample_files.n ? 0 : output_bytes(f, node, r, saturated);
}

static int64_t self_params(const struct figures *f, node_id node,
                           const struct run_figures *r UNUSED, bool *saturated)
{
    const struct profile *p = f->profile;
    const struct shape *shape = &p->shapes[p->shape[node]];
    int64_t product = 1;
    bool zero = shape->n_dims == 0;

    for (uint32_t i = 0; i < shape->n_dims; i++) {
        if (shape->dims[i] < 0)
            return 0;
        zero = zero || shape->dims[i] == 0;
    }
    if (zero)
        return 0;
    for (uint32_t i = 0; i < shape->n_dims; i++)
        product = sat_mul(product, shape->dims[i], saturated);
    return product;
}

/* If the number of bits is not a multiple of 8, the last byte is rounded up. */
static int64_t self_param_bytes(const struct figures *f, node_id node,
                                const struct run_figures *r, bool *saturated)
{
    const int64_t params = self_params(f, node, r, saturated);
    const int64_t bits = f->profile->element_bits[node];

    if (f->profile->stored_bytes[node])
        return f->profile->stored_bytes[node];
    return sat_add(sat_mul(params / 8, bits, saturated), (params % 8 * bits + 7) / 8, saturated);
}

/* Multiplies ONCE, the figure of one execution of NODE, by its number of executions. A node without
 * executions counts once, but 0 in a time range or if its program has recorded runs. */
static int64_t times_executions(const struct figures *f, node_id node, const struct run_figures *r,
                       int64_t once, bool *saturated)
{
    const struct programs *c = f->profile->programs;

    if (f->is_cut || profile_ran(f->profile, node))
        return sat_mul(once, self_occurrence(f, node, r, saturated), saturated);
    return !c || c->plans || program_cost_of(c, node).count == PROGRAM_NO_NODE ? once : 0;
}

/* Sums OF_ONE [n_nodes and parts] over the runs of the parts of a node. */
static int64_t sum_of_parts(const struct figures *f, const int64_t *of_one, node_id node,
                            bool *saturated)
{
    const struct profile *p = f->profile;
    int64_t sum = 0;

    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const int64_t once = of_one[p->n_nodes + i];
        struct run_figures r;

        if (!once)
            continue;
        run_figures_read(f, p->n_nodes + i, &r);
        sum = sat_add(sum, sat_mul(once, r.value[EXEC_OCCURRENCE], saturated), saturated);
    }
    return sum;
}

static int64_t self_float_ops(const struct figures *f, node_id node, const struct run_figures *r,
                              bool *saturated)
{
    const struct profile *p = f->profile;

    if (profile_has_parts(p, node))
        return sum_of_parts(f, f->static_float_ops, node, saturated);
    return times_executions(f, node, r, f->static_float_ops[node], saturated);
}

/* For compiled code, bytes from the program; else bytes of the tensors read and written; else the
 * bytes allocated for outputs, or all allocated bytes. */
static int64_t self_bytes_accessed(const struct figures *f, node_id node,
                                   const struct run_figures *r, bool *saturated)
{
    const struct programs *c = f->profile->programs;
    const node_id whole = profile_node_of_part(f->profile, node);
    int64_t once = program_cost_of(c, node).bytes_accessed;

    if (f->part_bytes && profile_has_parts(f->profile, node))
        return sum_of_parts(f, f->part_bytes, node, saturated);
    if (f->part_bytes)
        once = f->part_bytes[node];
    if (!once && !c && f->tensor_bytes && !f->profile->n_parts)
        once = f->tensor_bytes[whole];
    if (once || c || f->profile->n_recorders)
        return times_executions(f, node, r, once, saturated);
    return r->value[r->value[EXEC_OUTPUT_BYTES] ? EXEC_OUTPUT_BYTES : EXEC_BYTES];
}

/* Profiles of samples have the value in place of output bytes. */
static int64_t self_value(const struct figures *f, node_id node UNUSED, const struct run_figures *r,
                          bool *saturated UNUSED)
{
    return f->profile->sample_files.n ? r->value[EXEC_OUTPUT_BYTES] : 0;
}

/* ---- the table */

#define ROW(id, word, words, sentence, ...)                                                       \
    [METRIC_##id] = {                                                                             \
        .name = #word, .legend = (words), .help = (sentence), .self = self_##word, __VA_ARGS__},
#define RATIO_ROW(id, word, words, sentence, ...)                                                 \
    [METRIC_##id] = {.name = #word, .legend = (words), .help = (sentence), __VA_ARGS__},
const struct metric metrics[METRIC_COUNT] = {METRIC_LIST(ROW) RATIO_LIST(RATIO_ROW)
                                              ROOF_LIST(RATIO_ROW) SHARE_LIST(RATIO_ROW)};
#undef ROW
#undef RATIO_ROW

int64_t metric_ratio(enum metric_id ratio, int64_t of, int64_t per)
{
    const double value =
        per > 0 ? (double)of / (double)per * (double)metrics[ratio].scale : 0;

    if (value >= (double)INT64_MAX || value <= (double)INT64_MIN)
        return value > 0 ? INT64_MAX : INT64_MIN;
    return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

static int64_t self_of(const struct figures *f, enum metric_id metric, node_id node,
                       const struct run_figures *r, bool *saturated)
{
    const struct metric *m = &metrics[metric];

    if (!metric_is_ratio((int)metric))
        return m->self(f, node, r, saturated);
    if (metric_is_row_only((int)metric))
        return 0;
    return metric_ratio(metric, metrics[m->of].self(f, node, r, saturated),
                        metrics[m->per].self(f, node, r, saturated));
}

int64_t metric_self(const struct figures *f, enum metric_id metric, node_id node, bool *saturated)
{
    struct run_figures r;

    run_figures_read(f, node, &r);
    return self_of(f, metric, node, &r, saturated);
}

/* The figure of executions that METRIC equals; EXEC_FIGURES if it is computed. */
static enum exec_figure plain_figure(const struct profile *p, enum metric_id metric)
{
    return metrics[metric].of_runs &&
                   !(metric == METRIC_OUTPUT_BYTES && (p->sample_files.n || profile_sizes_outputs(p))) &&
                   !(p->programs && metrics[metric].unit == UNIT_BYTES)
               ? metrics[metric].run
               : EXEC_FIGURES;
}

bool metric_is_zero(const struct profile *p, enum metric_id metric)
{
    const enum exec_figure plain =
        plain_figure(p, metric == METRIC_WORK_MICROS ? METRIC_CPU_MICROS : metric);

    return plain < EXEC_FIGURES && !(p->exec_figures >> plain & 1);
}

enum metric_id metric_equivalent(const struct profile *p, enum metric_id metric)
{
    if (metric == METRIC_MICROS && metric_is_zero(p, METRIC_ACCELERATOR_MICROS) &&
        profile_async_device(p) == STRID_NONE)
        return METRIC_CPU_MICROS;
    if (metric == METRIC_WORK_MICROS && metric_is_zero(p, METRIC_WAIT_MICROS))
        return METRIC_CPU_MICROS;
    if (metric == METRIC_MICROS && metric_is_zero(p, METRIC_CPU_MICROS))
        return METRIC_ACCELERATOR_MICROS;
    return metric;
}

/* A column to fill. */
struct wanted {
    enum metric_id metric;
    int64_t *values;
    node_id *saturated; /* first node at a limit */
};

enum { NODES_A_BLOCK = 128 };

/* State while columns are filled. */
struct filling {
    const struct figures *figures;
    struct run_columns plain; /* columns that are figures of runs, from node 0 on */
    struct wanted others[METRIC_COUNT];
    int n_others;
    bool reads_plain, others_need_runs;
    int64_t (*block)[NODES_A_BLOCK]; /* [EXEC_FIGURES] of runs of the current block of nodes */
};

static struct filling plan_filling(const struct figures *f, int64_t *const values[METRIC_COUNT],
                                   node_id saturated[METRIC_COUNT], bool by_columns)
{
    struct filling fill = {.figures = f};

    for (int m = 0; m < METRIC_COUNT; m++) {
        const enum exec_figure plain =
            by_columns ? plain_figure(f->profile, (enum metric_id)m) : EXEC_FIGURES;

        if (!values[m])
            continue;
        if (plain < EXEC_FIGURES) {
            fill.plain.value[plain] = values[m];
            fill.reads_plain = true;
            continue;
        }
        fill.others[fill.n_others++] = (struct wanted){(enum metric_id)m, values[m], &saturated[m]};
        fill.others_need_runs = fill.others_need_runs || !metrics[m].is_static;
    }
    return fill;
}

static void fill_others(struct filling *fill, node_id node, const struct run_figures *r)
{
    array_each(const struct wanted, w, fill->others, fill->n_others) {
        bool saturated = false;

        w->values[node] = self_of(fill->figures, w->metric, node, r, &saturated);
        if (saturated && node < *w->saturated)
            *w->saturated = node;
    }
}

/* Fills a block of nodes; the figures of runs are read for all of them first. */
static void fill_block(struct filling *fill, node_id from, node_id to)
{
    struct run_figures r = {.saturated = 0};
    struct run_columns runs = {{NULL}};

    for (int i = 0; i < EXEC_FIGURES; i++)
        if (fill->plain.value[i])
            runs.value[i] = fill->plain.value[i] + from;
        else if (fill->others_need_runs)
            runs.value[i] = fill->block[i];
    run_columns_read(fill->figures, from, to, &runs);
    for (node_id node = from; node < to && fill->n_others; node++) {
        for (int i = 0; i < EXEC_FIGURES && fill->others_need_runs; i++)
            r.value[i] = runs.value[i][node - from];
        fill_others(fill, node, &r);
    }
}

static void fill_by_node(struct filling *fill, node_id from, node_id to)
{
    struct run_figures r = {.saturated = 0};

    for (node_id node = from; node < to; node++) {
        if (fill->others_need_runs)
            run_figures_read(fill->figures, node, &r);
        fill_others(fill, node, &r);
    }
}

static node_id end_of_block(node_id at, node_id to, node_id n_nodes)
{
    const node_id end = to < n_nodes ? to : n_nodes;

    return end - at < NODES_A_BLOCK ? end : at + NODES_A_BLOCK;
}

void metric_fill(const struct figures *f, int64_t *const values[METRIC_COUNT], node_id from,
                 node_id to, node_id saturated_node[METRIC_COUNT])
{
    const node_id n_nodes = run_columns_fit(f) ? f->profile->n_nodes : 0;
    struct filling fill = plan_filling(f, values, saturated_node, true);
    int64_t block[EXEC_FIGURES][NODES_A_BLOCK]; /* cleared once: hardened builds clear arrays */
    node_id at = from;

    assert(from <= to && to <= profile_n_ids(f->profile));
    fill.block = block;
    if (fill.reads_plain || fill.others_need_runs)
        for (; at < to && at < n_nodes; at = end_of_block(at, to, n_nodes))
            fill_block(&fill, at, end_of_block(at, to, n_nodes));
    fill = plan_filling(f, values, saturated_node, false);
    fill_by_node(&fill, at, to);
}

/* ---- metrics missing in traces, and the options that record them */

/* True if the trace R has data for METRIC. */
static bool is_known(const struct recorder *r, enum metric_id metric)
{
    switch (metric) {
    case METRIC_BYTES:
    case METRIC_PEAK_BYTES:
    case METRIC_RESIDUAL_BYTES:
        return r->has_allocations || r->has_messages;
    case METRIC_OUTPUT_BYTES:
        return r->has_tensors;
    case METRIC_ACCELERATOR_MICROS:
        return r->n_works || r->dialect != DIALECT_KINETO;
    case METRIC_FLOAT_OPS:
        return r->has_calls_with_shapes;
    case METRIC_BYTES_ACCESSED:
        return r->has_attention;
    case METRIC_PARAMS:
    case METRIC_PARAM_BYTES:
    case METRIC_VALUE:
        return false;
    default:
        return true;
    }
}

static const char *const reasons[METRIC_COUNT] = {
    [METRIC_BYTES] = "the trace has no allocations: profile_memory=True records them",
    [METRIC_PEAK_BYTES] = "the trace has no allocations: profile_memory=True records them",
    [METRIC_RESIDUAL_BYTES] = "the trace has no allocations: profile_memory=True records them",
    [METRIC_OUTPUT_BYTES] = "the trace does not record sizes of outputs",
    [METRIC_ACCELERATOR_MICROS] =
        "the trace has no work of accelerators: recorded with ProfilerActivity.CPU alone?",
    [METRIC_FLOAT_OPS] = "the trace has no shapes to count from: record_shapes=True records them",
    [METRIC_PARAMS] = "traces do not distinguish parameters from other inputs",
    [METRIC_PARAM_BYTES] = "traces do not distinguish parameters from other inputs",
    [METRIC_VALUE] = "traces have no samples with values, as profiles of pprof have",
    [METRIC_BYTES_ACCESSED] = "traces do not record bytes read and written by kernels",
};

/* Those whose remedy PyTorch alone has, for other traces. */
static const char *const reasons_elsewhere[METRIC_COUNT] = {
    [METRIC_BYTES] = "the trace has no allocations",
    [METRIC_PEAK_BYTES] = "the trace has no allocations",
    [METRIC_RESIDUAL_BYTES] = "the trace has no allocations",
    [METRIC_ACCELERATOR_MICROS] = "the trace has no work of accelerators",
    [METRIC_FLOAT_OPS] = "the trace has no shapes to count from",
};

const char *metric_unknown(const struct profile *p, enum metric_id metric)
{
    bool has_shapes = false, is_torch = false;

    if (p->n_files_of_known && p->n_files_of_known == p->n_files) {
        if (metric_is_ratio((int)metric) || metric_needs_roofs((int)metric))
            return metric_unknown(p, metrics[metric].of) ? metric_unknown(p, metrics[metric].of)
                                                          : metric_unknown(p, metrics[metric].per);
        return p->known_figures >> metric & 1 ? NULL : p->why_unknown;
    }
    if (!p->n_recorders || p->n_files > p->n_recorders)
        return NULL;
    if (metric_is_ratio((int)metric)) {
        const char *why = metric_unknown(p, metrics[metric].of);

        return why ? why : metric_unknown(p, metrics[metric].per);
    }
    for (uint32_t i = 0; i < p->n_recorders; i++) {
        if (is_known(&p->recorders[i], metric))
            return NULL;
        has_shapes |= p->recorders[i].has_shapes;
        is_torch |= p->recorders[i].dialect == DIALECT_KINETO;
    }
    if (metric == METRIC_FLOAT_OPS && has_shapes)
        return "no call of the trace has shapes to count from";
    return is_torch || !reasons_elsewhere[metric] ? reasons[metric] : reasons_elsewhere[metric];
}
