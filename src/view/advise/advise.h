/* advise.h: what the checkers have to say about a profile (semantics.md
 * section 4.5). */
#ifndef TFPROF_VIEW_ADVISE_H
#define TFPROF_VIEW_ADVISE_H

#include "view/query.h"

struct advise;

struct checker {
    const char *name;
    const char *help; /* one sentence */
    /* About graphs and their runs, of which the original has no such checker: not in the advice that
     * the command prints. */
    bool is_addition;
    /* Whether it has anything to look at in P; NULL: always.  Others have no section. */
    bool (*applies)(const struct profile *p);
    /* Adds reports and marks; false with ERR when cancelled. */
    bool (*check)(struct advise *a, struct err *err);
};

/* Every checker, in the order of the advice: the record `checker_NAME` stands beside its code. */
#define CHECKER_LIST(X)    \
    X(utilization)         \
    X(operations)          \
    X(expensive)           \
    X(coverage)            \
    X(idle)                \
    X(steps)               \
    X(devices)             \
    X(launches)            \
    X(rates)               \
    X(input)               \
    X(memory)              \
    X(peak)                \
    X(trace_idle)          \
    X(trace_communication) \
    X(trace_launches)      \
    X(trace_waits)         \
    X(trace_memory)

extern const struct checker *const checkers[]; /* NULL-terminated */

/* Lines as they are, not escaped; heap. */
struct advice_report {
    struct advice_line {
        char *bytes; /* NUL-terminated; may hold further NULs */
        size_t len;
        char *shown; /* what the screen says in its place, as bytes, heap; NULL: the same */
        size_t shown_len;
    } *lines;
    size_t n_lines, capacity;
};

struct checker_advice {
    const struct checker *checker;
    struct advice_report *reports; /* may be none, and one may have no line */
    size_t n_reports, capacity;
};

/* Advice that concerns one node. */
struct advice_mark {
    node_id node;
    const struct checker *checker;
    const char *text; /* short, static */
};

struct advice {
    struct checker_advice *sections; /* of those that apply, in the order of checkers[] */
    size_t n_sections;
    struct advice_mark *marks; /* by node */
    size_t n_marks, capacity;
};

/* Runs all checkers, or with ADDITIONS false those that the original has, on P, whose views come from
 * Q (the same thread rules as query_run()).  NULL with ERR when cancelled; free with advice_free(). */
struct advice *advise_run(const struct profile *p, struct query *q, bool additions,
                          struct cancel_mark cancel, struct err *err);
void advice_free(struct advice *a); /* NULL is fine */

/* The marks of NODE: *N of them. */
const struct advice_mark *advice_of_node(const struct advice *a, node_id node, size_t *n);

#endif
