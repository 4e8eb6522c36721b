/* metric.c: the metric table and how a node's figures are read. */
#include "model/metric.h"

#include <assert.h>

#include "base/lower_bound.h"
#include "base/satmath.h"
#include "model/capture.h"
#include "model/recording.h"

/* ---- figures of executions */

enum run_figure {
    RUN_BYTES,
    RUN_PEAK_BYTES,
    RUN_RESIDUAL_BYTES,
    RUN_OUTPUT_BYTES,
    RUN_OCCURRENCE,
    RUN_TIME, /* this and those behind it are picoseconds */
    RUN_ACCELERATOR_TIME,
    RUN_CPU_TIME,
    RUN_FIGURES,
};

/* What a node did: at one step, or on average over the steps that it ran in.
 * Read once for all metrics, since unpacking is what costs. */
struct run_figures {
    int64_t value[RUN_FIGURES];
    unsigned saturated; /* a bit for each figure */
};

static void put(struct run_figures *r, enum run_figure which, int64_t value, bool saturated)
{
    bool met_limit = saturated;

    r->value[which] = sat_add(r->value[which], value, &met_limit);
    r->saturated |= (unsigned)met_limit << which;
}

/* What it did in E alone. */
static struct run_figures run_of(const struct exec *e)
{
    bool saturated = false;
    struct run_figures r = {.value = {
                                [RUN_BYTES] = e->requested_bytes,
                                [RUN_PEAK_BYTES] = e->peak_bytes,
                                [RUN_RESIDUAL_BYTES] = e->residual_bytes,
                                [RUN_OUTPUT_BYTES] = e->output_bytes,
                                [RUN_OCCURRENCE] = e->run_count,
                                [RUN_ACCELERATOR_TIME] = e->accelerator_ps,
                                [RUN_CPU_TIME] = e->cpu_ps,
                            }};

    r.value[RUN_TIME] = sat_add(e->accelerator_ps, e->cpu_ps, &saturated);
    r.saturated = (unsigned)saturated << RUN_TIME;
    return r;
}

static void add_exec(struct run_figures *r, const struct exec *e)
{
    const struct run_figures one = run_of(e);

    for (int i = 0; i < RUN_FIGURES; i++)
        put(r, (enum run_figure)i, one.value[i], one.saturated >> i & 1);
}

/* Rounded to zero, times to whole ticks: an average is no more precise than what the file
 * says. */
static void take_average(struct run_figures *r, int64_t n_steps, int64_t tick_ps)
{
    for (int i = 0; i < RUN_FIGURES; i++)
        r->value[i] /= n_steps;
    for (int i = RUN_TIME; i < RUN_FIGURES; i++)
        r->value[i] -= r->value[i] % tick_ps;
}

/* Sums over ranks, and how many of them the whole node ran on. */
struct rank_sum {
    struct run_figures sum;
    int64_t n_ranks;
};

/* Adds what NODE did at STEP on the ranks that F asks for. */
static void add_ranks(const struct figures *f, node_id node, int64_t step, struct rank_sum *s)
{
    const struct profile *p = f->profile;
    struct exec e;

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        if (!profile_ran_at(p, profile_whole(p, node), ranked_step(i, step)))
            continue;
        s->n_ranks++;
        if (profile_exec(p, node, ranked_step(i, step), &e))
            add_exec(&s->sum, &e);
    }
}

static void divide(struct run_figures *r, int64_t n, int64_t tick_ps)
{
    if (n > 1)
        take_average(r, n, tick_ps);
}

/* Adds the figures of one step, averaged over ranks unless their sum is asked for. */
static bool add_step(const struct figures *f, node_id node, int64_t step, struct run_figures *to)
{
    struct rank_sum s = {.n_ranks = 0};

    add_ranks(f, node, step, &s);
    if (f->rank == RANK_AVERAGE)
        divide(&s.sum, s.n_ranks, f->profile->clock.tick_ps);
    for (int i = 0; i < RUN_FIGURES; i++)
        put(to, (enum run_figure)i, s.sum.value[i], s.sum.saturated >> i & 1);
    return s.n_ranks > 0;
}

/* The first step from MIN on that the whole NODE ran in on a rank that F asks for, or STEP_LIMIT.
 * What a node did is looked up by these, because a file may have as many steps as nodes. */
static int64_t next_ranked_step(const struct figures *f, node_id node, int64_t min)
{
    const struct profile *p = f->profile;
    const node_id whole = profile_whole(p, node);
    int64_t next = STEP_LIMIT;

    for (uint32_t i = 0; i < p->n_recordings; i++) {
        const struct recording *r = &p->recordings[i];
        size_t at = p->exec_begin[whole];
        const size_t end = p->exec_begin[whole + 1];
        int64_t found;

        if (r->rank_index != i || (f->rank >= 0 && r->rank != f->rank))
            continue;
        LOWER_BOUND(at, end, k, profile_record_step(p, p->exec_places[k]) < ranked_step(i, min));
        if (at == end)
            continue;
        found = profile_record_step(p, p->exec_places[at]);
        if (found >> STEP_BITS == (int64_t)i && step_of_ranked(found) < next)
            next = step_of_ranked(found);
    }
    return next;
}

/* Figures of traces of several ranks: first per step, then over steps (formats-trace.md section
 * 8). */
static void read_ranked(const struct figures *f, node_id node, struct run_figures *r)
{
    const struct profile *p = f->profile;
    int64_t n_steps = 0;

    *r = (struct run_figures){.saturated = 0};
    if (f->step >= 0 || f->step == STEP_OUTSIDE) {
        add_step(f, node, f->step, r);
        return;
    }
    for (int64_t s = 0; (s = next_ranked_step(f, node, s)) < STEP_LIMIT; s++)
        if (profile_has_step(p, s))
            n_steps += add_step(f, node, s, r);
    if (f->step == STEP_ALL)
        add_step(f, node, STEP_OUTSIDE, r);
    else
        divide(r, n_steps, p->clock.tick_ps);
}

/* Figures of a capture's executions on the devices that count. */
static void read_counted(const struct figures *f, node_id node, struct run_figures *r)
{
    struct exec_walk walk = profile_execs(f->profile, node);
    int64_t n_steps = 0;
    struct exec e;

    *r = (struct run_figures){.saturated = 0};
    while (exec_next_on(&walk, f->counted_devices, &e)) {
        if (f->step >= 0 && e.step != f->step)
            continue;
        add_exec(r, &e);
        n_steps++;
    }
    if (f->step != STEP_ALL)
        divide(r, n_steps, f->profile->clock.tick_ps);
}

static void read_runs(const struct figures *f, node_id node, struct run_figures *r)
{
    struct exec_walk walk = profile_execs(f->profile, node);
    int64_t n_steps = 0;
    struct exec e;

    if (f->profile->n_recordings > 1) {
        read_ranked(f, node, r);
        return;
    }
    if (f->counted_devices) {
        read_counted(f, node, r);
        return;
    }
    if (f->step >= 0 || f->step == STEP_OUTSIDE) {
        if (profile_exec(f->profile, node, f->step, &e))
            *r = run_of(&e);
        else
            *r = (struct run_figures){.saturated = 0};
        return;
    }
    *r = (struct run_figures){.saturated = 0};
    while (exec_next(&walk, &e)) {
        /* What is in no step has no part in their average. */
        if (f->step != STEP_ALL && e.step == STEP_OUTSIDE)
            continue;
        add_exec(r, &e);
        n_steps++;
    }
    if (f->step == STEP_ALL)
        return;
    if (node >= f->profile->n_nodes && n_steps)
        n_steps = f->profile->n_steps_of_node[profile_whole(f->profile, node)];
    divide(r, n_steps, f->profile->clock.tick_ps);
}

/* ---- figures of a node */

#define OF_RUNS(name, which)                                                                  \
    static int64_t name(const struct figures *f, node_id node, const struct run_figures *r,   \
                        bool *saturated)                                                      \
    {                                                                                         \
        (void)f, (void)node;                                                                  \
        *saturated |= r->saturated >> (which) & 1;                                            \
        return r->value[which];                                                               \
    }
OF_RUNS(self_micros, RUN_TIME)
OF_RUNS(self_accelerator_micros, RUN_ACCELERATOR_TIME)
OF_RUNS(self_cpu_micros, RUN_CPU_TIME)
OF_RUNS(self_occurrence, RUN_OCCURRENCE)
#undef OF_RUNS

/* What NODE is going to hold, where there is a program and no run of it. */
static struct capture_plan plan_of(const struct profile *p, node_id node)
{
    const struct capture *c = p->capture;

    return c && c->plans && node < c->n_costs ? c->plans[node] : (struct capture_plan){0};
}

/* On how many devices that count a program ran in STEP. */
static int64_t held_devices(const struct figures *f, const struct capture_held_step *step)
{
    const strid *devices = f->profile->capture->held_devices + step->first_device;
    int64_t n = 0;

    if (!f->counted_devices)
        return step->n_devices;
    for (uint32_t i = 0; i < step->n_devices; i++)
        n += f->counted_devices[devices[i]];
    return n;
}

/* On how many devices the program of LIST ran at the step of F, and in the average of N_STEPS. */
static int64_t devices_of_held(const struct figures *f, uint32_t list, int64_t *n_steps)
{
    const struct capture *c = f->profile->capture;
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

/* What NODE holds while its program runs, though it never runs itself. */
static struct capture_plan held_of(const struct figures *f, node_id node, bool *saturated)
{
    const struct capture *c = f->profile->capture;
    struct capture_plan plan = {0};
    int64_t n_devices, n_steps;

    if (!c || !c->held || node >= c->n_costs ||
        !(c->held[node].peak_bytes | c->held[node].residual_bytes))
        return plan;
    n_devices = devices_of_held(f, c->held[node].list, &n_steps);
    plan.peak_bytes = sat_mul(c->held[node].peak_bytes, n_devices, saturated) / n_steps;
    plan.residual_bytes = sat_mul(c->held[node].residual_bytes, n_devices, saturated) / n_steps;
    return plan;
}

/* Memory of runs, or as it is planned. */
#define OF_RUNS_OR_PLAN(name, which, planned)                                                 \
    static int64_t name(const struct figures *f, node_id node, const struct run_figures *r,   \
                        bool *saturated)                                                      \
    {                                                                                         \
        const int64_t held = held_of(f, node, saturated).planned;                             \
                                                                                              \
        *saturated |= r->saturated >> (which) & 1;                                            \
        return sat_add(sat_add(r->value[which], held, saturated),                             \
                       plan_of(f->profile, node).planned, saturated);                         \
    }
OF_RUNS_OR_PLAN(self_bytes, RUN_BYTES, output_bytes)
OF_RUNS_OR_PLAN(self_output_bytes, RUN_OUTPUT_BYTES, output_bytes)
OF_RUNS_OR_PLAN(self_peak_bytes, RUN_PEAK_BYTES, peak_bytes)
OF_RUNS_OR_PLAN(self_residual_bytes, RUN_RESIDUAL_BYTES, residual_bytes)
#undef OF_RUNS_OR_PLAN

static int64_t self_params(const struct figures *f, node_id node, const struct run_figures *r,
                           bool *saturated)
{
    const struct profile *p = f->profile;
    const struct shape *shape = &p->shapes[p->shape[node]];
    int64_t product = 1;
    bool zero = shape->n_dims == 0;

    (void)r;
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

/* Of a bit size that is no multiple of 8 the last byte is a whole one. */
static int64_t self_param_bytes(const struct figures *f, node_id node,
                                const struct run_figures *r, bool *saturated)
{
    const int64_t params = self_params(f, node, r, saturated);
    const int64_t bits = f->profile->element_bits[node];

    return sat_add(sat_mul(params / 8, bits, saturated), (params % 8 * bits + 7) / 8, saturated);
}

/* What ONCE is for one execution of NODE, for all of them.  What never ran counts once, but in a stretch of time and for
 * compiled code of which runs are known: there only what ran is work. */
static int64_t for_all(const struct figures *f, node_id node, const struct run_figures *r,
                       int64_t once, bool *saturated)
{
    const struct capture *c = f->profile->capture;

    if (f->is_cut || profile_ran(f->profile, node))
        return sat_mul(once, self_occurrence(f, node, r, saturated), saturated);
    return !c || c->plans || capture_cost_of(c, node).count == CAPTURE_NO_NODE ? once : 0;
}

/* What the parts of a node have, whose counts may differ. */
static int64_t parts_float_ops(const struct figures *f, node_id node, bool *saturated)
{
    const struct profile *p = f->profile;
    int64_t sum = 0;

    for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++) {
        const int64_t once = f->static_float_ops[p->n_nodes + i];
        struct run_figures r;

        if (!once)
            continue;
        read_runs(f, p->n_nodes + i, &r);
        sum = sat_add(sum, sat_mul(once, r.value[RUN_OCCURRENCE], saturated), saturated);
    }
    return sum;
}

static int64_t self_float_ops(const struct figures *f, node_id node, const struct run_figures *r,
                              bool *saturated)
{
    const struct profile *p = f->profile;

    if (p->n_parts && node < p->n_nodes && p->part_begin[node] < p->part_begin[node + 1])
        return parts_float_ops(f, node, saturated);
    return for_all(f, node, r, f->static_float_ops[node], saturated);
}

/* Of compiled code what its program says, else the tensors that it reads and makes, else what the
 * allocators gave for its outputs, or at all. */
static int64_t self_bytes_accessed(const struct figures *f, node_id node,
                                   const struct run_figures *r, bool *saturated)
{
    const struct capture *c = f->profile->capture;
    const node_id whole = profile_whole(f->profile, node);
    int64_t once = capture_cost_of(c, node).bytes_accessed;

    if (!once && !c && f->tensor_bytes && !f->profile->n_parts)
        once = f->tensor_bytes[whole];
    if (once || c || f->profile->n_recordings)
        return for_all(f, node, r, once, saturated);
    return r->value[r->value[RUN_OUTPUT_BYTES] ? RUN_OUTPUT_BYTES : RUN_BYTES];
}

/* ---- the table */

#define ROW(id, word, words, sentence, ...)                                                       \
    [METRIC_##id] = {                                                                             \
        .name = #word, .legend = (words), .help = (sentence), .self = self_##word, __VA_ARGS__},
#define RATIO_ROW(id, word, words, sentence, ...)                                                 \
    [METRIC_##id] = {.name = #word, .legend = (words), .help = (sentence), __VA_ARGS__},
const struct metric metrics[METRIC_COUNT] = {METRIC_LIST(ROW) RATIO_LIST(RATIO_ROW)
                                              ROOF_LIST(RATIO_ROW)};
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
    if (metric_is_of_roofs((int)metric))
        return 0;
    return metric_ratio(metric, metrics[m->of].self(f, node, r, saturated),
                        metrics[m->per].self(f, node, r, saturated));
}

int64_t metric_self(const struct figures *f, enum metric_id metric, node_id node, bool *saturated)
{
    struct run_figures r;

    read_runs(f, node, &r);
    return self_of(f, metric, node, &r, saturated);
}

bool metric_is_zero(const struct profile *p, enum metric_id metric)
{
    return metrics[metric].of_runs && !p->exec_begin[profile_n_ids(p)] && !p->capture;
}

/* A column that metric_fill() fills. */
struct wanted {
    enum metric_id metric;
    int64_t *values;
    node_id saturated; /* first node at a limit */
};

static void fill_node(const struct figures *f, node_id node, const struct run_figures *r,
                      struct wanted *w)
{
    bool saturated = false;

    w->values[node] = self_of(f, w->metric, node, r, &saturated);
    if (saturated && node < w->saturated)
        w->saturated = node;
}

void metric_fill(const struct figures *f, int64_t *const values[METRIC_COUNT], node_id from,
                 node_id to, node_id saturated_node[METRIC_COUNT])
{
    struct wanted wanted[METRIC_COUNT];
    struct run_figures r = {.saturated = 0};
    bool needs_runs = false;
    int n = 0;

    assert(from <= to && to <= profile_n_ids(f->profile));
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!values[m])
            continue;
        wanted[n++] = (struct wanted){(enum metric_id)m, values[m], saturated_node[m]};
        needs_runs = needs_runs || !metrics[m].is_static;
    }
    for (node_id node = from; node < to; node++) {
        if (needs_runs)
            read_runs(f, node, &r);
        for (int i = 0; i < n; i++)
            fill_node(f, node, &r, &wanted[i]);
    }
    for (int i = 0; i < n; i++)
        saturated_node[wanted[i].metric] = wanted[i].saturated;
}
