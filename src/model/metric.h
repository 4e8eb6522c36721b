/* metric.h: the metric table: one row for each figure of rows.  A new metric needs one row in
 * METRIC_LIST and its getter self_NAME() in metric.c; a ratio of two metrics needs a row in
 * RATIO_LIST only.  Options, fields, orders, columns, help and outputs follow. */
#pragma once

#include "model/profile.h"

/* X(ID, name, legend, help, members of struct metric...) for each metric, in option order. */
#define METRIC_LIST(X)                                                                        \
    X(BYTES, bytes, "requested bytes", "bytes requested from allocators",                  \
      .unit = UNIT_BYTES, .place = {30, 10}, .of_runs = true, .run = EXEC_BYTES)              \
    X(PEAK_BYTES, peak_bytes, "peak bytes", "peak memory use during the execution",             \
      .unit = UNIT_BYTES, .place = {40, 20}, .head = "peak",                                  \
      .of_runs = true, .run = EXEC_PEAK_BYTES)                                                \
    X(RESIDUAL_BYTES, residual_bytes, "residual bytes", "bytes still allocated after the execution",    \
      .unit = UNIT_BYTES, .place = {50, 30}, .head = "resid",                                 \
      .of_runs = true, .run = EXEC_RESIDUAL_BYTES)                                            \
    X(OUTPUT_BYTES, output_bytes, "output bytes", "bytes of the outputs",                    \
      .unit = UNIT_BYTES, .place = {60, 40}, .head = "out",                                   \
      .of_runs = true, .run = EXEC_OUTPUT_BYTES)                                              \
    X(MICROS, micros, "total execution time", "execution time on accelerators and CPUs",      \
      .unit = UNIT_TIME_PS, .place = {70, 50}, .head = "time",                                \
      .of_runs = true, .run = EXEC_TIME)                                                      \
    X(ACCELERATOR_MICROS, accelerator_micros, "accelerator execution time",                   \
      "execution time on accelerators", .unit = UNIT_TIME_PS, .place = {80, 60},              \
      .head = "accel", .of_runs = true, .run = EXEC_ACCELERATOR_TIME)                         \
    X(CPU_MICROS, cpu_micros, "cpu execution time", "execution time on CPUs",                 \
      .unit = UNIT_TIME_PS, .place = {90, 70}, .head = "cpu time",                                 \
      .of_runs = true, .run = EXEC_CPU_TIME)                                                  \
    X(WORK_MICROS, work_micros, "cpu work time", "CPU time in which threads did not wait",    \
      .unit = UNIT_TIME_PS, .place = {91, 71}, .head = "cpu work")                            \
    X(WAIT_MICROS, wait_micros, "cpu wait time",                                              \
      "CPU time in which threads waited for devices or other threads", .unit = UNIT_TIME_PS,  \
      .place = {92, 72}, .head = "wait", .of_runs = true, .run = EXEC_WAIT_TIME)              \
    X(PARAMS, params, "# parameters", "number of parameters of variables",                    \
      .unit = UNIT_NUMBER, .place = {10, 80}, .suffix = " params", .is_static = true)         \
    X(PARAM_BYTES, param_bytes, "parameter bytes", "bytes of parameters, by their types", \
      .unit = UNIT_BYTES, .place = {15, 85}, .head = "param B", .is_static = true)            \
    X(FLOAT_OPS, float_ops, "# float_ops", "number of floating point operations",             \
      .unit = UNIT_NUMBER, .place = {20, 90}, .suffix = " flops", .head = "FLOPs")            \
    X(OCCURRENCE, occurrence, "op count (run|defined)", "number of executions",                   \
      .unit = UNIT_NUMBER, .place = {120, 120}, .head = "runs|ops",                           \
      .of_runs = true, .run = EXEC_OCCURRENCE)                                                \
    X(BYTES_ACCESSED, bytes_accessed, "bytes accessed",                                       \
      "bytes read and written: by compiled code, of tensors, else allocated", .unit = UNIT_BYTES, \
      .place = {121, 121}, .head = "accessed")                                                \
    X(VALUE, value, "value", "values of the selected sample type of a pprof profile",         \
      .unit = UNIT_NUMBER, .place = {128, 128})

/* The same for ratios of two metrics above. A row with children has the ratio of its totals, not a
 * sum of ratios; 0 if the divisor is not positive. */
#define RATIO_LIST(X)                                                                          \
    X(FLOPS_PER_SECOND, flops_per_second, "operations per second",                             \
      "floating point operations per second of execution", .unit = UNIT_RATE,                  \
      .of = METRIC_FLOAT_OPS, .per = METRIC_MICROS, .scale = PS_PER_SECOND,                    \
      .place = {122, 122}, .head = "FLOP/s", .suffix = " flop/s")                              \
    X(BYTES_PER_SECOND, bytes_per_second, "bytes per second",                                  \
      "bytes accessed per second of execution", .unit = UNIT_RATE,                             \
      .of = METRIC_BYTES_ACCESSED, .per = METRIC_MICROS, .scale = PS_PER_SECOND,               \
      .place = {123, 123}, .head = "B/s", .suffix = " byte/s")                              \
    X(INTENSITY, intensity, "operations per byte",                                             \
      "floating point operations per byte accessed", .unit = UNIT_MILLIONTHS,                  \
      .of = METRIC_FLOAT_OPS, .per = METRIC_BYTES_ACCESSED, .scale = MILLION,                  \
      .place = {124, 124}, .head = "flop/byte", .suffix = " flop/byte")                        \
    X(AVG_MICROS, avg_micros, "execution time per run",                                        \
      "mean execution time per run", .unit = UNIT_TIME_PS,                            \
      .of = METRIC_MICROS, .per = METRIC_OCCURRENCE, .scale = 1,                               \
      .place = {125, 125}, .head = "avg", .suffix = " a run")

/* The same for metrics computed from two rates and the roofs (view/roofs.h). */
#define ROOF_LIST(X)                                                                           \
    X(ROOF_PERCENT, roof_percent, "percent of roof",                                           \
      "rate in percent of the roof at its operational intensity", .unit = UNIT_PERCENT, \
      .of = METRIC_FLOPS_PER_SECOND, .per = METRIC_BYTES_PER_SECOND, .scale = 100 * MILLION,   \
      .place = {126, 126}, .head = "% of roof", .suffix = " of roof")

/* The same for shares of the time that devices had available (view/step_window.h). */
#define SHARE_LIST(X)                                                                          \
    X(STEP_PERCENT, step_percent, "percent of step",                                           \
      "time on accelerators in percent of the step time of all devices", .unit = UNIT_PERCENT,     \
      .of = METRIC_ACCELERATOR_MICROS, .per = METRIC_ACCELERATOR_MICROS, .scale = 100 * MILLION, \
      .place = {81, 61}, .head = "%step", .suffix = " of step")

#define ALL_METRICS(X) METRIC_LIST(X) RATIO_LIST(X) ROOF_LIST(X) SHARE_LIST(X)

#define METRIC_ID(id, ...) METRIC_##id,
enum metric_id { ALL_METRICS(METRIC_ID) METRIC_COUNT };
#undef METRIC_ID

#define RATIO_BIT(id, ...) | (UINT64_C(1) << METRIC_##id)
/* All ratios as a field_set. */
#define RATIOS (0 RATIO_LIST(RATIO_BIT) ROOF_LIST(RATIO_BIT) SHARE_LIST(RATIO_BIT))

enum { MILLION = 1000000 };
#define PS_PER_SECOND (INT64_C(1000000) * PS_PER_US)

/* The inputs of a query's figures. */
struct figures {
    const struct profile *profile;
    const int64_t *static_float_ops; /* [n_nodes] per execution: the column of the profile, or
                                      * counts of flops/ */
    const int64_t *tensor_bytes;     /* [n_nodes], see attr.h; NULL: none */
    const int64_t *output_bytes;     /* [n_nodes] from shapes, if nothing ran; NULL: none */
    const int64_t *part_bytes; /* [n_nodes and parts] bytes accessed by one call; NULL: none */
    int64_t rank;                    /* rank number, or RANK_AVERAGE, RANK_ALL */
    int64_t step;                    /* step, or STEP_AVERAGE, STEP_ALL, STEP_OUTSIDE */
    /* The profile is cut to a time range: a node without executions in it did not run. */
    bool is_cut;
    /* By strid: 1 if a capture's executions on the device count; NULL: all devices. */
    const uint8_t *counted_devices;
};

enum metric_unit {
    UNIT_NUMBER,
    UNIT_TIME_PS,
    UNIT_BYTES,
    UNIT_RATE, /* per second */
    UNIT_MILLIONTHS,
    UNIT_PERCENT, /* millionths of a percent */
    UNIT_COUNT
};

/* The position of a field in the legend, ascending: in views of single nodes (scope, graph) and of
 * groups (code, op).  Equal positions are in the order of enum field_id (opt/fields.h): metrics
 * first, each list in its order. */
struct field_position {
    unsigned single, multi;
};

/* Returns why P lacks METRIC (static text); NULL: P has it, or inputs of several kinds. */
const char *metric_unknown(const struct profile *p, enum metric_id metric);

struct run_figures; /* run_columns.h */

struct metric {
    const char *name;   /* "peak_bytes": for -select, -order_by, -min_NAME */
    const char *legend; /* "peak bytes": in the legend and in column heads */
    const char *help;   /* one sentence */
    const char *head;   /* column head on the screen, there in capitals unless it has some; NULL: the name */
    const char *suffix; /* after values of a scope or graph field: " params"; NULL: none */
    enum metric_unit unit;
    struct field_position place;
    bool is_static; /* independent of steps and runs */
    bool of_runs;        /* the sum of this figure over executions; captures may add to it */
    enum exec_figure run; /* planned memory */
    /* Operands: a ratio is SCALE * OF / PER; roof metrics are computed from both. */
    enum metric_id of, per;
    int64_t scale; /* 0: not a ratio */
    /* Private: metric_self() with the executions of NODE already read. */
    int64_t (*self)(const struct figures *f, node_id node, const struct run_figures *runs,
                    bool *saturated);
};

extern const struct metric metrics[METRIC_COUNT];

static inline bool metric_is_ratio(int metric)
{
    return metrics[metric].scale != 0;
}

static inline bool metric_needs_roofs(int metric)
{
    return metric == METRIC_ROOF_PERCENT;
}

/* True for a metric that only rows have; its value for nodes is 0. */
static inline bool metric_is_row_only(int metric)
{
    return metric_needs_roofs(metric) || metric == METRIC_STEP_PERCENT;
}

/* Returns RATIO for these operands, rounded to the nearest; saturates. */
int64_t metric_ratio(enum metric_id ratio, int64_t of, int64_t per);

/* Units of a value in one unit of the metric's name (picoseconds in a microsecond). */
static inline int64_t metric_named_unit(enum metric_id metric)
{
    return metrics[metric].unit == UNIT_TIME_PS      ? PS_PER_US
           : metrics[metric].unit == UNIT_MILLIONTHS || metrics[metric].unit == UNIT_PERCENT
               ? MILLION
               : 1;
}

/* VALUE in the unit of METRIC's name, which options and old formats use: times in whole
 * microseconds. */
static inline int64_t metric_to_named(enum metric_id metric, int64_t value)
{
    return metric_named_unit(metric) == 1 ? value : clock_round_us(value);
}

/* The inverse conversion; clamped to 64 bits. */
static inline int64_t metric_of_named(enum metric_id metric, int64_t value)
{
    return clamp_mul(value, metric_named_unit(metric));
}

/* Returns the value of NODE (semantics.md section 2). Sets *SATURATED if it was clamped. */
int64_t metric_self(const struct figures *f, enum metric_id metric, node_id node,
                    bool *saturated);

/* True when METRIC is 0 for all nodes of P in every query. */
bool metric_is_zero(const struct profile *p, enum metric_id metric);
/* Returns a metric with equal values for all nodes of P: the nonzero part of a time whose other
 * part is 0, else METRIC. */
enum metric_id metric_equivalent(const struct profile *p, enum metric_id metric);

/* Fills VALUES[m][FROM] to VALUES[m][TO - 1] for every metric with a column; SATURATED_NODE[m]
 * becomes the first node at a 64-bit limit. */
void metric_fill(const struct figures *f, int64_t *const values[METRIC_COUNT], node_id from,
                 node_id to, node_id saturated_node[METRIC_COUNT]);
