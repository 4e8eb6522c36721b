/* metric_unknown.c: metrics missing in traces, and the options that record them (formats-trace.md
 * section 4.6). */
#include "model/metric.h"

/* True when the trace R has METRIC. */
static bool is_known(const struct recording *r, enum metric_id metric)
{
    switch (metric) {
    case METRIC_BYTES:
    case METRIC_PEAK_BYTES:
    case METRIC_RESIDUAL_BYTES:
        return r->has_allocations;
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
    [METRIC_OUTPUT_BYTES] = "the trace does not say what outputs take",
    [METRIC_ACCELERATOR_MICROS] =
        "the trace has no work of accelerators: recorded with ProfilerActivity.CPU alone?",
    [METRIC_FLOAT_OPS] = "the trace has no shapes to count from: record_shapes=True records them",
    [METRIC_PARAMS] = "traces do not tell parameters from other inputs",
    [METRIC_PARAM_BYTES] = "traces do not tell parameters from other inputs",
    [METRIC_VALUE] = "traces have no samples with values, as profiles of pprof have",
    [METRIC_BYTES_ACCESSED] = "traces do not say what kernels read and write",
};

const char *metric_unknown(const struct profile *p, enum metric_id metric)
{
    bool has_shapes = false;

    if (p->n_files_of_known && p->n_files_of_known == p->n_files) {
        if (metric_is_ratio((int)metric) || metric_is_of_roofs((int)metric))
            return metric_unknown(p, metrics[metric].of) ? metric_unknown(p, metrics[metric].of)
                                                          : metric_unknown(p, metrics[metric].per);
        return p->known_figures >> metric & 1 ? NULL : p->why_unknown;
    }
    if (!p->n_recordings || p->n_files > p->n_recordings)
        return NULL;
    if (metric_is_ratio((int)metric)) {
        const char *why = metric_unknown(p, metrics[metric].of);

        return why ? why : metric_unknown(p, metrics[metric].per);
    }
    for (uint32_t i = 0; i < p->n_recordings; i++) {
        if (is_known(&p->recordings[i], metric))
            return NULL;
        has_shapes |= p->recordings[i].has_shapes;
    }
    return metric == METRIC_FLOAT_OPS && has_shapes ? "no call of the trace has shapes to count from"
                                                    : reasons[metric];
}
