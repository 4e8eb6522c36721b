/* profile_kind.h: what kind of input a profile is of, and what made it. The kind decides which
 * figures come first. */
#pragma once

#include "base/err.h"
#include "model/metric.h"

enum profile_kind {
    PROFILE_GRAPH,   /* graphs, RunMetadata, profiles, op logs, TensorFlow's timeline */
    PROFILE_CAPTURE, /* captures without devices of their own */
    PROFILE_TRACE,   /* traces without device work */
    PROFILE_DEVICE,  /* captures and traces with device work */
};

/* The kind of P, from what its inputs have. */
enum profile_kind profile_kind_find(const struct profile *p);
/* True when METRIC says something of inputs of the kind of P: only those with threads have work,
 * waits, and shares of steps. */
bool profile_has_metric(const struct profile *p, enum metric_id metric);
/* False with ERR (usage): FIGURES, a set of metrics, has one that P has not. */
bool profile_check_metrics(const struct profile *p, uint32_t figures, struct err *err);

/* What the recorders of P's threads wrote, all together; zeros: P has none. */
struct recorders {
    bool has_threads; /* calls of threads; TensorFlow's timeline has nodes of a graph instead */
    bool is_torch;    /* of the profiler of PyTorch */
    bool has_steps, has_work, has_work_outside; /* marked steps; work of devices, outside of these */
    bool has_runtime, has_shapes, has_attention;
    int64_t cpu_ps, accelerator_ps;
};
struct recorders profile_recorders(const struct profile *p);
/* True when compiled programs of P ran. */
bool profile_ran_programs(const struct profile *p);
/* True when a rank of P has that number. */
bool profile_has_rank(const struct profile *p, int64_t number);
/* The number of the rank with INDEX, rank_of_ranked(); INT64_MIN: there is none. */
int64_t profile_rank_number(const struct profile *p, uint32_t index);

/* "GPU", "TPU"; "device" when there are several kinds of devices, or others: static text. */
const char *profile_device_word(const struct profile *p);

/* "PyTorch", "JAX": what made the inputs of P; "unknown". Captures say it by the names of their
 * programs: JAX calls them "jit_F" and "pmap_F", PyTorch/XLA "SyncTensorsGraph.N". Static text. */
const char *profile_framework(const struct profile *p);
