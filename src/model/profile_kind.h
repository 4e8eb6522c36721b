/* profile_kind.h: kind and framework of a profile's inputs. The kind decides which figures are
 * shown first. */
#pragma once

#include "base/err.h"
#include "model/metric.h"

enum profile_kind {
    PROFILE_GRAPH,   /* graphs, RunMetadata, profiles, op logs, timelines of TensorFlow */
    PROFILE_CAPTURE, /* captures without device work of their own */
    PROFILE_TRACE,   /* traces without device work */
    PROFILE_DEVICE,  /* captures and traces with device work */
};

/* Determines the kind of P from its contents. */
enum profile_kind profile_kind_find(const struct profile *p);
/* True when METRIC applies to the kind of P. Work, waits and shares of steps need threads. */
bool profile_has_metric(const struct profile *p, enum metric_id metric);
/* False with ERR (usage) if FIGURES has a metric that P lacks. */
bool profile_check_metrics(const struct profile *p, uint32_t figures, struct err *err);

/* True when P has definitions of nodes. */
bool profile_has_definitions(const struct profile *p);

/* Properties of all recorders of P together; zeroed if P has none. */
struct recorders {
    bool has_threads; /* calls of threads; timelines of TensorFlow have graph nodes instead */
    bool is_torch;    /* written by the PyTorch profiler */
    bool has_steps, has_work, has_work_outside; /* marked steps; device work; such work outside
                                                 * of steps */
    bool has_runtime, has_shapes, has_attention;
    int64_t cpu_ps, accelerator_ps;
};
struct recorders profile_recorders(const struct profile *p);
/* True when P has executions of compiled programs. */
bool profile_ran_programs(const struct profile *p);
/* True when P has a rank with this number. */
bool profile_has_rank(const struct profile *p, int64_t number);
/* Returns the number of the rank at INDEX, see rank_of_ranked(); INT64_MIN: none. */
int64_t profile_rank_number(const struct profile *p, uint32_t index);

/* "GPU", "TPU"; "device" for several or other kinds: static text. */
const char *profile_device_word(const struct profile *p);

/* "PyTorch", "JAX", ...: the framework that produced the inputs; "unknown". For captures it follows
 * from program names: "jit_F" and "pmap_F" are JAX, "SyncTensorsGraph.N" is PyTorch/XLA; other programs
 * without a run are "XLA". Static text. */
const char *profile_framework(const struct profile *p);

/* Why a table of a run has no rows: of a model without a run what brings one, else OTHERWISE. */
const char *profile_needs(const struct profile *p, const char *otherwise);
/* Why P has no device work, no steps or no allocations, and what to record to have them. Static
 * text. For allocations P has recorders. */
const char *profile_needs_work(const struct profile *p);
const char *profile_needs_steps(const struct profile *p);
const char *profile_needs_memory(const struct profile *p);
