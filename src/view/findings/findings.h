/* findings.h: causes of lost time, found by a constant list of rules over the events of a trace.
 * `brief` and `advise` both print them. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct find_device;

/* A rule.  Ids are stable. */
struct finding_rule {
    const char *id, *checker;
    const char *condition; /* condition for reporting it; one sentence */
    const char *fix;       /* recommended action; one sentence */
    const char *command;   /* command with the evidence, unless the finding has a scope row */
    /* Reports the finding for a device of a trace, if any; NULL: the rule's advice is reported. */
    void (*find)(struct find_device *d, const struct finding_rule *rule);
};

/* Every rule; each source file defines its records `finding_NAME`. */
#define FINDING_LIST(X)      \
    X(input_late)            \
    X(launch_bound)          \
    X(host_bound)            \
    X(blocking_sync)         \
    X(slow_rank)             \
    X(exposed_communication) \
    X(small_collectives)     \
    X(pageable_copy)         \
    X(float32_compute)       \
    X(slow_sibling)          \
    X(recompilation)         \
    X(memory_growth)         \
    X(dynamic_shapes)        \
    X(slow_step)             \
    X(low_utilization)       \
    X(slow_host)             \
    X(slow_device)           \
    X(far_from_peak)         \
    X(memory_full)           \
    X(memory_fragmented)     \
    X(operation_advice)      \
    X(expensive_op)          \
    X(peak_memory)           \
    X(coverage)

extern const struct finding_rule *const finding_rules[]; /* NULL-terminated */

/* A finding of a rule on one device. Unknown: INT64_MIN, STRID_EMPTY, NODE_NONE, NULL. */
struct finding {
    const struct finding_rule *rule;
    int64_t lost_ps;
    int64_t part, whole; /* the share is part / whole */
    int64_t rank, step;
    strid device, op;
    node_id node;                 /* its row of the scope view */
    const struct frame *source;   /* innermost Python frame outside of libraries; borrowed */
    uint64_t count;               /* over all devices with the finding */
    const char *explained_by;     /* id of the finding that explains it */
    char *claim;                  /* one sentence; heap */
};

/* Time of a step on a device, from the last end of work launched in the step before. */
struct step_time {
    int64_t number;
    int64_t dur_ps;
};

struct findings {
    VEC(struct finding) list; /* by descending share; slow-step last */
    /* Steps of the device with the largest total: */
    VEC(struct step_time) steps; /* in order of time */
    int64_t total_ps;            /* sum of the step times */
    bool is_of_trace; /* the rules apply; otherwise findings come from findings_add_advice() */
};

/* Computes the findings F of P. EACH_DEVICE: all of them; else only the one with the largest share
 * per rule. False with ERR when cancelled; F is then not to be freed. */
bool findings_make(struct findings *f, const struct profile *p, bool each_device,
                   struct cancel_mark cancel, struct err *err);
void findings_done(struct findings *f);
struct advice; /* view/advise/advise.h */
/* Adds reports of the checkers: for traces only facts. WITH_FACTS: includes severity "info". */
void findings_add_advice(struct findings *f, const struct advice *a, bool with_facts);

/* Returns the share in thousandths, rounded half up. */
int64_t finding_share(const struct finding *f);
/* "high", "medium", "low", or "info" for facts: static text. */
const char *finding_severity(const struct finding *f);
/* Returns the rule with this id; NULL: none. */
const struct finding_rule *finding_rule_of(const char *id);
