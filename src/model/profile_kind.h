/* profile_kind.h: what kind of input a profile is of: it decides which figures come first. */
#ifndef TFPROF_MODEL_PROFILE_KIND_H
#define TFPROF_MODEL_PROFILE_KIND_H

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

/* "GPU", "TPU"; "device" when there are several kinds of devices, or others: static text. */
const char *profile_device_word(const struct profile *p);

#endif
