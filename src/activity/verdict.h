/* verdict.h: what limits a run, in one line with its evidence: by rules over the breakdown and the
 * stragglers (formats-trace.md section 5). */
#pragma once

#include "activity/breakdown.h"
#include "activity/stragglers.h"
#include "activity/table.h"

/* X(ID, name): in the order of the rules. */
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

/* "cpu": static text; NULL beyond the last one. */
const char *verdict_class_name(enum verdict_class verdict_class);

struct verdict {
    enum verdict_class verdict_class;
    const char *name; /* of the class */
    int64_t value_ps; /* what the class is about, over all devices; INT64_MIN: no device works */
    int64_t percent;  /* of span_ps; INT64_MIN */
    const char *noun; /* "GPU": what its devices are; static */
    char *who;        /* "rank 3", "host w2"; heap; NULL */
    char *text;       /* for people; heap; NULL: no device works */
    const char *evidence; /* the command that shows it; static; NULL: no device works */
    bool has_accelerators; /* else its devices run compiled code on CPUs */
    /* Sums over the rows of all steps. */
    int64_t span_ps, exposed_communication_ps, exposed_memory_ps, idle_ps, idle_host_ps,
        idle_unknown_ps;
    int64_t input_ps; /* part of idle_host_ps in which the host reads input */
    uint32_t n_devices;
    uint32_t n_steps;    /* of each device, summed over the devices */
    breakdown_rows rows; /* of all steps: one for each device */
    struct stragglers stragglers;
};

/* Makes V, not initialised, of what REQUEST selects of P; class NONE of profiles without events.
 * False with ERR: a bad regex, cancelled; V needs no verdict_done() then. */
bool verdict_make(struct verdict *v, const struct profile *p,
                  const struct selection_request *request, bool align_clocks,
                  struct cancel_mark cancel, struct err *err);
void verdict_done(struct verdict *v);
/* Frees a verdict on the heap; NULL is fine. */
void verdict_free(struct verdict *v);

/* True when PART is at least 1 / N of WHOLE, exactly. */
bool is_part_of(int64_t part, int64_t whole, int64_t n);

/* Members of struct verdict, for json. */
enum { VERDICT_COLUMNS = 6 };
extern const struct table_column verdict_columns[VERDICT_COLUMNS];
