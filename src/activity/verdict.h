/* verdict.h: the bottleneck of a run, in one line with evidence: rules over breakdown and
 * stragglers (formats-trace.md section 5). */
#pragma once

#include "activity/breakdown.h"
#include "activity/stragglers.h"
#include "activity/table.h"

/* X(ID, name), in the order in which the rules are tried. */
#define VERDICT_LIST(X)               \
    X(NONE, "none")                   \
    X(LATE, "late")                   \
    X(COMPUTE, "compute")             \
    X(COMMUNICATION, "communication") \
    X(COPIES, "copies")               \
    X(INPUT, "input")                 \
    X(CPU, "cpu")                     \
    X(IDLE, "idle")                   \
    X(STALLED, "stalled")

#define VERDICT_ID(id, name) VERDICT_##id,
enum verdict_class { VERDICT_LIST(VERDICT_ID) VERDICT_CLASSES };
#undef VERDICT_ID

/* "cpu": static text; NULL after the last class. */
const char *verdict_class_name(enum verdict_class verdict_class);

struct verdict {
    enum verdict_class verdict_class;
    const char *name; /* name of the class */
    int64_t value_ps; /* time of the class over all devices; INT64_MIN: no device work */
    int64_t percent;  /* share of span_ps; INT64_MIN: unknown */
    const char *noun; /* "GPU": kind of devices; static */
    char *who;        /* "rank 3", "host w2": the culprit; heap; NULL */
    char *text;       /* one line of text; heap; NULL: no device work */
    const char *evidence; /* command that shows the evidence; static; NULL: no device work */
    bool has_accelerators; /* false: devices run compiled code on CPUs */
    /* Sums over the rows that cover all steps. */
    int64_t span_ps, exposed_communication_ps, exposed_memory_ps, idle_ps, idle_host_ps,
        idle_unknown_ps;
    int64_t input_ps; /* part of idle_host_ps during which the host reads input */
    uint32_t n_devices;
    uint32_t n_steps;    /* steps per device, summed over devices */
    int64_t wall_ps;     /* length of the marks of all n_steps; INT64_MIN: one has none */
    breakdown_rows rows; /* rows that cover all steps, one per device */
    struct stragglers stragglers;
};

/* Computes V from the events of P that REQUEST selects; class NONE if P has no events. False with
 * ERR: invalid regex, or cancelled; V is then not to be freed. */
bool verdict_make(struct verdict *v, const struct profile *p,
                  const struct selection_request *request, bool align_clocks,
                  struct cancel_mark cancel, struct err *err);
void verdict_done(struct verdict *v);
/* Frees a heap-allocated verdict; accepts NULL. */
void verdict_free(struct verdict *v);

/* True if PART >= WHOLE / N, computed exactly. */
bool is_part_of(int64_t part, int64_t whole, int64_t n);

/* Members of struct verdict in JSON. */
enum { VERDICT_COLUMNS = 6 };
extern const struct table_column verdict_columns[VERDICT_COLUMNS];
