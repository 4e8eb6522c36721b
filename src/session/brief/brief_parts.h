/* brief_parts.h: contents of a brief, and how much of it is printed; private to session/brief. */
#pragma once

#include "activity/verdict.h"
#include "export/finding_out.h"
#include "session/brief/brief.h"
#include "session/brief/compared.h"
#include "session/summary/summary.h"
#include "view/findings/findings.h"
#include "view/roofs.h"

enum { BRIEF_FINDINGS = 5, BRIEF_TOP = 5, BRIEF_VIEWS = 3, BRIEF_INPUTS = 4 };

/* One of the heaviest rows of a view. */
struct brief_row {
    char *name; /* full name; heap */
    int64_t value, base; /* base: value in the baseline */
    const struct frame *frame; /* location in the code; NULL: none */
};

/* The heaviest rows of a view by self value. */
struct brief_top {
    enum view_id view;
    VEC(struct brief_row) rows; /* the heaviest first */
    uint64_t n_rows;            /* number of rows with a self value */
    int64_t sum, base_sum;      /* sums over all rows */
};

/* Data that the inputs lack. */
struct brief_missing {
    char *what;         /* "shapes"; heap */
    const char *option; /* option that records it; static; NULL: no single option does */
};

struct brief {
    struct session *session;
    const struct profile *p; /* profile without the baseline */
    const struct options *options;
    struct command_inputs inputs;
    struct verdict verdict;
    struct findings findings; /* without those of severity info */
    struct findings base;     /* findings of the baseline; empty without one */
    enum metric_id metric;    /* metric of `top`; METRIC_COUNT: none */
    struct brief_top top[BRIEF_VIEWS];
    VEC(struct brief_missing) missing;
    const struct memory_allocator *highest; /* with most memory in use; NULL: not recorded */
    int64_t float_ops; /* INT64_MIN: unknown */
    struct roof peak_flops;
    struct compared compared; /* figures of both profiles; zeroed without a baseline */
    char *next[3]; /* suggested commands; heap */
};

/* Parts that can be left out, and lengths of the lists. */
enum brief_part { PART_SYSTEM, PART_ANATOMY, PART_MEMORY, PART_MISSING, PART_FLOPS, BRIEF_PARTS };
extern const char *const brief_part_names[BRIEF_PARTS];

struct brief_plan {
    bool parts[BRIEF_PARTS];
    size_t n_findings, n_top[BRIEF_VIEWS], n_inputs;
};

void brief_json(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan);
void brief_text(struct strbuf *sb, const struct brief *b, const struct brief_plan *plan);

/* Fills b->top (brief_top.c); false with ERR. */
bool brief_find_top(struct brief *b, struct cancel_mark cancel, struct err *err);
void brief_top_done(struct brief *b);

/* ---- shared by text and JSON */

static inline bool brief_has_time(const struct brief *b)
{
    return b->findings.steps.n > 0 && b->findings.total_ps > 0;
}

/* How to record what a part lacks, as the framework names it: static text; NULL: unknown. */
enum brief_unknown { UNKNOWN_STEPS, UNKNOWN_ANATOMY, UNKNOWN_MEMORY, UNKNOWN_FLOPS, BRIEF_UNKNOWNS };
const char *brief_option(const struct brief *b, enum brief_unknown what);
/* "compute-bound", "no-finding", or the id of the first finding. */
const char *brief_verdict_id(const struct brief *b);
/* Appends the text of the verdict's class and the claim of the first finding. */
void brief_add_verdict(struct strbuf *sb, const struct brief *b);
/* Number of hosts, ranks and devices. */
struct brief_counts {
    size_t n_hosts, n_ranks, n_devices;
};
struct brief_counts brief_count(const struct brief *b);
/* Time that computing, exposed communication, exposed copies and idle time take of the span. */
enum { BRIEF_SHARES = 4 };
extern const char *const brief_share_names[BRIEF_SHARES];
int64_t brief_share_ps(const struct brief *b, int share);
/* Returns PART as tenths of a percent of WHOLE, rounded half up. */
int64_t brief_tenths(int64_t part, int64_t whole);
/* Returns the FLOPs of B as tenths of a percent of the device's peak during PS picoseconds. */
int64_t brief_flops_tenths(const struct brief *b, int64_t ps);
