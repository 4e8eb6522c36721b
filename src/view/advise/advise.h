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
    const char *id;      /* id of its findings: "idle" */
    const char *command; /* command that shows the evidence: "breakdown"; NULL: "summary" */
    /* A checker for graphs and their runs that the original lacks; the command does not print
     * it. */
    bool is_addition;
    bool reads_events; /* it reads the selected events; other checkers read the whole run */
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
        char *shown; /* text for the screen; heap; NULL: `bytes` */
        size_t shown_len;
    } *lines;
    size_t n_lines, capacity;
    int64_t gain_ps; /* upper bound of the saved time per device; 0: unknown */
    double value;           /* value of the claim */
    const char *value_unit; /* "percent"; static; NULL: no value */
    char **rows;            /* names of nodes, devices, hosts or ranks; heap */
    size_t n_rows, rows_capacity;
    char *name;   /* appended to the checker's id: "expensive:aten::mm"; heap; NULL: none */
    char *source; /* "train.py:44"; heap; NULL: unknown */
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

/* A report as an entry of the list of findings. */
struct advice_finding {
    const struct checker *checker;
    const struct advice_report *report; /* borrowed; has a line */
    char *id;                           /* unique; heap */
    const char *severity;               /* "high", "medium", "low" */
};

struct advice {
    struct verdict *verdict; /* class NONE if no device has work; heap */
    bool is_list; /* findings are printed instead of sections: for captures and traces */
    struct advice_finding *findings; /* by descending gain, then id; heap */
    size_t n_findings;
    /* sections of the checkers that apply, in the order of checkers[] */
    struct checker_advice *sections;
    size_t n_sections;
    /* Causes of lost time and their commands, for JSON; borrowed; NULL: none. */
    const struct findings *causes;
    const struct command_inputs *inputs;
    struct advice_mark *marks; /* sorted by node */
    size_t n_marks, capacity;
};

/* Runs the checkers on P; without ADDITIONS only those of the original profiler. If devices have
 * work, -step, -rank, -device_regexes and -time_range of O (NULL: all) select events, and checkers
 * that read the whole run are skipped. Q provides the views (threads: as for query_run()). NULL
 * with ERR when cancelled, or if the step or rank does not exist; free with advice_free(). */
struct advice *advise_run(const struct profile *p, struct query *q, const struct options *o,
                          bool additions, struct cancel_mark cancel, struct err *err);
void advice_free(struct advice *a); /* accepts NULL */

/* Returns the marks of NODE and sets *N to their number. */
const struct advice_mark *advice_of_node(const struct advice *a, node_id node, size_t *n);
