/* metric.c: the metric table and how a node's figures are read. */
#include "model/metric.h"


#include "base/satmath.h"

/* ---- figures of one execution record */

static int64_t exec_requested(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->requested_bytes;
}

static int64_t exec_peak(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->peak_bytes;
}

static int64_t exec_residual(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->residual_bytes;
}

static int64_t exec_output(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->output_bytes;
}

static int64_t exec_micros(const struct exec *e, bool *saturated)
{
    return sat_add(e->accelerator_us, e->cpu_us, saturated);
}

static int64_t exec_accelerator(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->accelerator_us;
}

static int64_t exec_cpu(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->cpu_us;
}

static int64_t exec_runs(const struct exec *e, bool *saturated)
{
    (void)saturated;
    return e->run_count;
}

/* ---- figures of a node */

typedef int64_t exec_figure(const struct exec *e, bool *saturated);

/* That of one step, or the sum over the node's steps divided by their number. */
static inline int64_t at_step(const struct figures *f, node_id node, exec_figure *figure,
                              bool *saturated)
{
    const struct profile *p = f->profile;
    const struct exec *e = p->execs + p->exec_begin[node];
    const struct exec *end = p->execs + p->exec_begin[node + 1];
    int64_t sum = 0;

    if (e == end)
        return 0;
    if (f->step >= 0) {
        e = profile_exec(p, node, f->step);
        return e ? figure(e, saturated) : 0;
    }
    for (const struct exec *i = e; i < end; i++)
        sum = sat_add(sum, figure(i, saturated), saturated);
    return sum / (end - e);
}

#define AVERAGED(name, figure)                                                           \
    static int64_t name(const struct figures *f, node_id node, bool *saturated)          \
    {                                                                                    \
        return at_step(f, node, figure, saturated);                                      \
    }
AVERAGED(self_bytes, exec_requested)
AVERAGED(self_peak_bytes, exec_peak)
AVERAGED(self_residual_bytes, exec_residual)
AVERAGED(self_output_bytes, exec_output)
AVERAGED(self_micros, exec_micros)
AVERAGED(self_accelerator_micros, exec_accelerator)
AVERAGED(self_cpu_micros, exec_cpu)
AVERAGED(self_occurrence, exec_runs)
#undef AVERAGED

static int64_t self_params(const struct figures *f, node_id node, bool *saturated)
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

static int64_t self_float_ops(const struct figures *f, node_id node, bool *saturated)
{
    const struct profile *p = f->profile;
    int64_t once = f->static_float_ops[node];

    if (p->exec_begin[node] == p->exec_begin[node + 1])
        return once;
    return sat_mul(once, self_occurrence(f, node, saturated), saturated);
}

/* ---- the table */

/* What a metric is beside its words in METRIC_LIST. */
#define BE_BYTES .suffix = "", .unit = UNIT_BYTES, .self = self_bytes
#define BE_PEAK_BYTES .suffix = "", .unit = UNIT_BYTES, .self = self_peak_bytes
#define BE_RESIDUAL_BYTES .suffix = "", .unit = UNIT_BYTES, .self = self_residual_bytes
#define BE_OUTPUT_BYTES .suffix = "", .unit = UNIT_BYTES, .self = self_output_bytes
#define BE_MICROS .suffix = "", .unit = UNIT_TIME_US, .self = self_micros
#define BE_ACCELERATOR_MICROS .suffix = "", .unit = UNIT_TIME_US, .self = self_accelerator_micros
#define BE_CPU_MICROS .suffix = "", .unit = UNIT_TIME_US, .self = self_cpu_micros
#define BE_PARAMS .suffix = " params", .unit = UNIT_NUMBER, .is_static = true, .self = self_params
#define BE_FLOAT_OPS .suffix = " flops", .unit = UNIT_NUMBER, .self = self_float_ops
#define BE_OCCURRENCE .suffix = "", .unit = UNIT_NUMBER, .self = self_occurrence

#define ROW(id, n, l, h) [METRIC_##id] = {.name = (n), .legend = (l), .help = (h), BE_##id},
const struct metric metrics[METRIC_COUNT] = {METRIC_LIST(ROW)};
#undef ROW

node_id metric_fill_range(const struct figures *f, enum metric_id metric, int64_t *values,
                          node_id from, node_id to)
{
    node_id first = NODE_NONE;

    for (node_id node = from; node < to; node++) {
        bool saturated = false;

        values[node] = metrics[metric].self(f, node, &saturated);
        if (saturated && first == NODE_NONE)
            first = node;
    }
    return first;
}

void metric_fill(const struct figures *f, enum metric_id metric, int64_t *values,
                 node_id *saturated_node)
{
    node_id first = metric_fill_range(f, metric, values, 0, f->profile->n_nodes);

    if (first != NODE_NONE)
        *saturated_node = first;
}
