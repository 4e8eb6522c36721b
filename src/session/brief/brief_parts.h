/* brief_parts.h: what a brief says, and how much of it is printed; private to session/brief. */
#pragma once

#include "activity/verdict.h"
#include "export/finding_out.h"
#include "session/brief/brief.h"
#include "session/brief/compared.h"
#include "session/summary/summary.h"
#include "view/findings/findings.h"
#include "view/roofs.h"

enum { BRIEF_FINDINGS = 5, BRIEF_TOP = 5, BRIEF_VIEWS = 3, BRIEF_INPUTS = 4 };

/* A heavy row of a view. */
struct brief_row {
    char *name; /* whole; heap */
    int64_t value, base; /* base: of the baseline */
    const struct frame *frame; /* of a place in the code; NULL */
};

/* The heaviest rows of a view by their own figure. */
struct brief_top {
    enum view_id view;
    VEC(struct brief_row) rows; /* the heaviest first */
    uint64_t n_rows;            /* with a figure of their own */
    int64_t sum, base_sum;      /* over all of them */
};

/* What was not recorded. */
struct brief_missing {
    char *what;         /* "shapes"; heap */
    const char *option; /* that records it; static; NULL: no option alone */
};

struct brief {
    struct session *session;
    const struct profile *p; /* what was loaded */
    const struct options *options;
    struct command_inputs place;
    struct verdict verdict;
    struct findings findings; /* of the brief: without those of severity info */
    struct findings base;     /* of the baseline; empty without one */
    enum metric_id metric;    /* of `top`; METRIC_COUNT: none */
    struct brief_top top[BRIEF_VIEWS];
    VEC(struct brief_missing) missing;
    int64_t peak_bytes; /* INT64_MIN: not recorded */
    int64_t capacity_bytes; /* of that device; MEMORY_UNKNOWN */
    strid peak_device;
    int64_t float_ops; /* INT64_MIN: unknown */
    struct roof peak_flops;
    struct compared compared; /* of both profiles; zeroed without a baseline */
    char *next[3]; /* commands; heap */
};

/* How much of the lists is printed, and which parts. */
enum brief_part { PART_SYSTEM, PART_ANATOMY, PART_MEMORY, PART_MISSING, PART_FLOPS, BRIEF_PARTS };
extern const char *const brief_part_names[BRIEF_PARTS];

struct brief_plan {
    bool parts[BRIEF_PARTS];
    size_t n_findings, n_top[BRIEF_VIEWS], n_inputs;
};

void brief_json(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan);
void brief_text(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan);

/* brief_top.c: fills b->top; false with ERR. */
bool brief_find_top(struct brief *b, struct cancel_mark cancel, struct err *err);
void brief_top_done(struct brief *b);
/* brief_next.c: fills b->next. */
void brief_find_next(struct brief *b);

/* ---- shared by text and JSON */

static inline bool brief_has_time(const struct brief *b)
{
    return b->findings.steps.n > 0 && b->findings.total_ps > 0;
}

/* How to record what a part lacks, in the words of the framework: static text, NULL: not known. */
enum brief_unknown { UNKNOWN_STEPS, UNKNOWN_ANATOMY, UNKNOWN_MEMORY, UNKNOWN_FLOPS, BRIEF_UNKNOWNS };
const char *brief_option(const struct brief *b, enum brief_unknown what);
/* "compute-bound", "no-finding", or the id of the first finding. */
const char *brief_verdict_id(const struct brief *b);
/* Appends the text of the verdict: that of its class, and the claim of the first finding. */
void brief_add_verdict(struct strbuf *sb, const struct brief *b);
/* Median, least and most of the step times; returns the index of the slowest step. */
size_t brief_step_range(const struct brief *b, int64_t range_ps[3]);
/* Number of hosts, ranks and devices. */
struct brief_counts {
    size_t n_hosts, n_ranks, n_devices;
};
struct brief_counts brief_count(const struct brief *b);
/* Parts per thousand of the span that computing, exposed communication, exposed copies and idle time
 * take. */
enum { BRIEF_SHARES = 4 };
extern const char *const brief_share_names[BRIEF_SHARES];
int64_t brief_share_ps(const struct brief *b, int share);
/* PART of WHOLE in tenths of a percent, rounded half up. */
int64_t brief_tenths(int64_t part, int64_t whole);
/* The operations of B in tenths of a percent of what a device at its peak does in PS. */
int64_t brief_flops_tenths(const struct brief *b, int64_t ps);
