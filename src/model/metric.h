/* metric.h: the metric table: every figure a row can have, one row each.
 *
 * To add a metric, add one row to METRIC_LIST and its getter to metric.c:
 * options, fields, orders, columns, help and outputs are derived from them. */
#ifndef TFPROF_MODEL_METRIC_H
#define TFPROF_MODEL_METRIC_H

#include "model/profile.h"

/* X(ID, name, legend, help) of every metric, in the order of the options: the
 * words of its row, from which tables of constants (options, fields, metric.c)
 * are made. */
#define METRIC_LIST(X)                                                                        \
    X(BYTES, "bytes", "requested bytes", "memory requested of the allocators")                \
    X(PEAK_BYTES, "peak_bytes", "peak bytes", "highest use of memory while it ran")           \
    X(RESIDUAL_BYTES, "residual_bytes", "residual bytes", "memory still held when it ended")  \
    X(OUTPUT_BYTES, "output_bytes", "output bytes", "memory of its outputs")                  \
    X(MICROS, "micros", "total execution time", "execution time on accelerators and CPUs")    \
    X(ACCELERATOR_MICROS, "accelerator_micros", "accelerator execution time",                 \
      "execution time on accelerators")                                                       \
    X(CPU_MICROS, "cpu_micros", "cpu execution time", "execution time on CPUs")               \
    X(PARAMS, "params", "# parameters", "number of parameters of variables")                  \
    X(FLOAT_OPS, "float_ops", "# float_ops", "number of floating point operations")           \
    X(OCCURRENCE, "occurrence", "op count (run|defined)", "how often it ran")

#define METRIC_ID(id, name, legend, help) METRIC_##id,
enum metric_id { METRIC_LIST(METRIC_ID) METRIC_COUNT };
#undef METRIC_ID

/* What the figures of a query are taken from. */
struct figures {
    const struct profile *profile;
    const int64_t *static_float_ops; /* [n_nodes] of one execution: the profile's
                                        column, or counts of flops/ */
    int64_t step;                    /* negative: average of all */
};

enum metric_unit { UNIT_NUMBER, UNIT_TIME_US, UNIT_BYTES };

struct metric {
    const char *name;   /* "peak_bytes": of -select, -order_by, -min_NAME */
    const char *legend; /* "peak bytes": of the first line and of columns */
    const char *help;   /* one sentence */
    const char *suffix; /* of a scope or graph field: " params", " flops", "" */
    enum metric_unit unit;
    bool is_static; /* the same at every step, also without runs */
    /* Value of NODE, semantics.md section 2; saturating.  *SATURATED is set
     * when a limit was met. */
    int64_t (*self)(const struct figures *f, node_id node, bool *saturated);
};

extern const struct metric metrics[METRIC_COUNT];

/* Fills VALUES[FROM] to VALUES[TO - 1], nodes of the same numbers; returns the
 * first of them that met a 64-bit limit, or NODE_NONE. */
node_id metric_fill_range(const struct figures *f, enum metric_id metric, int64_t *values,
                          node_id from, node_id to);

/* Fills VALUES[n_nodes]; the first node that met a 64-bit limit goes to
 * *SATURATED_NODE (left alone when none did). */
void metric_fill(const struct figures *f, enum metric_id metric, int64_t *values,
                 node_id *saturated_node);

#endif
