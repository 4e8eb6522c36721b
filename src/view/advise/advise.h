/* advise.h: reports of the checkers about a profile (semantics.md section 4.5). */
#pragma once

#include "view/query.h"

struct advise;
struct command_inputs; /* export/finding_out.h */
struct findings;      /* view/findings/findings.h */
struct verdict; /* activity/verdict.h */

struct checker {
    const char *name;
    const char *help; /* one sentence */
    const char *id;      /* of its findings: "idle" */
    const char *command; /* that shows the evidence: "breakdown"; NULL: "summary" */
    /* A checker for graphs and their runs that the original does not have. The command leaves it
     * out of the advice that it prints. */
    bool is_addition;
    bool reads_events; /* its reports are about selected events; the others are about the whole run */
    /* True when the checker applies to P; NULL: it always does. A checker that does not apply has
     * no section. */
    bool (*applies)(const struct profile *p);
    /* Adds reports and marks; false with ERR when cancelled. */
    bool (*check)(struct advise *a, struct err *err);
};

/* All checkers in the order of the report. Each source file defines its record `checker_NAME`. */
#define CHECKER_LIST(X)    \
    X(utilization)         \
    X(operations)          \
    X(expensive)           \
    X(coverage)            \
    X(idle)                \
    X(communication)       \
    X(copies)              \
    X(late)                \
    X(steps)               \
    X(devices)             \
    X(launches)            \
    X(waits)               \
    X(graphs)              \
    X(rates)               \
    X(input)               \
    X(memory)              \
    X(peak)

extern const struct checker *const checkers[]; /* NULL-terminated */

/* A report. Its lines are not escaped; the arrays are on the heap. */
struct advice_report {
    struct advice_line {
        char *bytes; /* text of the line, NUL-terminated; may contain further NULs */
        size_t len;
        char *shown; /* text that the screen shows instead; heap; NULL: `bytes` */
        size_t shown_len;
    } *lines;
    size_t n_lines, capacity;
    int64_t gain_ps; /* upper bound of the time for each device that goes with the cause; 0: not known */
    double value;           /* what the claim is about */
    const char *value_unit; /* "percent"; static; NULL: it has no value */
    char **rows;            /* names of nodes, devices, hosts or ranks; heap */
    size_t n_rows, rows_capacity;
    char *name;   /* behind the checker's id: "expensive:aten::mm"; heap; NULL: nothing */
    char *source; /* "train.py:44"; heap; NULL: not known */
};

struct checker_advice {
    const struct checker *checker;
    struct advice_report *reports; /* may be empty, and a report may have no lines */
    size_t n_reports, capacity;
};

/* A piece of advice about one node. */
struct advice_mark {
    node_id node;
    const struct checker *checker;
    const char *text; /* short, static */
};

/* A report in the list of all of them. */
struct advice_finding {
    const struct checker *checker;
    const struct advice_report *report; /* borrowed; has a line */
    char *id;                           /* different for each; heap */
    const char *severity;               /* "high", "medium", "low" */
};

struct advice {
    struct verdict *verdict; /* class NONE where no device works; heap */
    bool is_list; /* findings are printed instead of sections: of captures and traces */
    struct advice_finding *findings; /* the largest gain first, then by id; heap */
    size_t n_findings;
    /* sections of the checkers that apply, in the order of checkers[] */
    struct checker_advice *sections;
    size_t n_sections;
    /* Causes of lost time and what their commands name, for JSON; borrowed, NULL: none. */
    const struct findings *causes;
    const struct command_inputs *place;
    struct advice_mark *marks; /* sorted by node */
    size_t n_marks, capacity;
};

/* Runs the checkers on P; with ADDITIONS false only those of the original profiler. Where devices
 * work, -step, -rank, -device_regexes and -time_range of O (NULL: all) select events, and checkers
 * that read others are left out. Q provides the views (threads: as for query_run()). Returns NULL
 * with ERR when cancelled, or for a step or rank that is not there; free with advice_free(). */
struct advice *advise_run(const struct profile *p, struct query *q, const struct options *o,
                          bool additions, struct cancel_mark cancel, struct err *err);
void advice_free(struct advice *a); /* accepts NULL */

/* Returns the marks of NODE and sets *N to their number. */
const struct advice_mark *advice_of_node(const struct advice *a, node_id node, size_t *n);
