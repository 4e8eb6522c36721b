/* findings.h: causes of lost time: one derived table over the events of a trace, by a constant list of
 * rules.  `brief` and `advise` print it, so that their verdicts agree. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct find_device;

/* A rule.  Ids are stable. */
struct finding_rule {
    const char *id, *checker;
    const char *condition; /* when it is reported; one sentence */
    const char *fix;       /* what to do; one sentence */
    const char *command;   /* that shows the rows, unless the finding has a row of the scope view */
    /* Reports the finding of a device of a trace, if there is one; NULL: advice has it. */
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

/* What a rule found on one device.  Unknown: INT64_MIN, STRID_EMPTY, NODE_NONE, NULL. */
struct finding {
    const struct finding_rule *rule;
    int64_t lost_ps;
    int64_t part, whole; /* their quotient is the share */
    int64_t rank, step;
    strid device, op;
    node_id node;                 /* the row of the scope view */
    const struct frame *source;   /* innermost Python frame that is not of a library; borrowed */
    uint64_t count;               /* over all devices that have it */
    const char *explained_by;     /* id of the finding that explains it */
    char *claim;                  /* one sentence; heap */
};

/* Time of a step on a device, from the last end of work launched in the step before. */
struct step_time {
    int64_t number;
    int64_t dur_ps;
};

struct findings {
    VEC(struct finding) list; /* largest share first, slow-step last */
    /* Of the device with the largest total: */
    VEC(struct step_time) steps; /* in the order of time */
    int64_t total_ps;            /* sum of the steps */
    bool has_marks;
    bool is_of_trace; /* the rules apply; else findings_take_advice() */
};

/* Makes F, not initialised, the findings of P.  EACH_DEVICE: all of them; else of each rule the one with
 * the largest share.  False with ERR when cancelled; F needs no findings_done() then. */
bool findings_make(struct findings *f, const struct profile *p, bool each_device,
                   struct cancel_mark cancel, struct err *err);
void findings_done(struct findings *f);
struct advice; /* view/advise/advise.h */
/* Adds what the checkers report: of a trace facts alone.  WITH_FACTS: those of severity "info" too. */
void findings_take_advice(struct findings *f, const struct advice *a, bool with_facts);

/* The share in thousandths, rounded half up. */
int64_t finding_share(const struct finding *f);
/* "high", "medium", "low", of facts "info": static text. */
const char *finding_severity(const struct finding *f);
/* The rule with that id; NULL: none. */
const struct finding_rule *finding_rule_of(const char *id);
