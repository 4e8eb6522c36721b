/* findings_priv.h: input of the rules: work of a device, its gaps by cause, and the threads of its
 * rank; private to view/findings. */
#pragma once

#include "activity/stragglers.h"
#include "activity/work.h"
#include "base/interval_set.h"
#include "base/strbuf.h"
#include "view/findings/findings.h"

#define STEP_NONE UINT32_MAX
#define DEVICE_NONE UINT32_MAX

/* A slice of a thread that is not nested in another one of the same kind. */
struct host_slice {
    int64_t start_ps, end_ps;
    strid name;
    node_id node;  /* NODE_NONE: a Python frame */
    uint32_t step; /* in the store */
};

/* A call in which a thread waits for a device. */
struct blocking_call {
    int64_t start_ps, end_ps;
    uint32_t track, step;
    node_id node, operator_node; /* of the call, and of the outermost operator around it */
    int64_t operator_start_ps, operator_end_ps;
    int64_t lost_ps; /* idle time of the current device that the call causes */
    size_t latest;   /* index of the call with the latest end, among this and all earlier ones */
};

/* Activity of the threads of a rank. */
struct host_facts {
    VEC(struct host_slice) inputs, compiles; /* outermost slices */
    VEC(struct blocking_call) calls;         /* by start */
    interval_set input, compile, either; /* without compilations in the first step */
    int64_t first_ps, last_ps;           /* over all events */
    int64_t allocation_ps;               /* calls that allocate memory, except in the first step */
    uint64_t n_allocations;
};

struct device_step {
    uint32_t step; /* in the store */
    int64_t number;
    int64_t mark_ps;      /* start of the step's mark */
    int64_t end_ps, dur_ps;
};

/* Categories of time in which ranks are compared. */
enum rank_sum { RANK_KERNELS, RANK_INPUT, RANK_HOST, RANK_SUMS };

/* Sums over the devices of a rank. Waits count only while the device computes nothing. */
struct rank_sums {
    int64_t sums_ps[RANK_SUMS];
    int64_t waited_ps, made_wait_ps; /* for others; and time that others waited for it */
};

struct find_run {
    const struct profile *p;
    struct cancel_mark cancel;
    struct findings *findings;
    bool each_device;
    struct hidden_frames *frames;
    struct selection *sel;
    struct stragglers stragglers; /* with several ranks; else empty */
    uint8_t *name_facts;      /* by kind of the store: enum name_fact */
    struct host_facts *hosts; /* by rank of the store */
    struct rank_sums *ranks;  /* by rank, with several ranks; else NULL */
    uint32_t *rank_of_row;    /* by row of the stragglers; heap */
    int64_t wait_ps;          /* sum of waited_ps */
};

/* Properties of slice names: bits. */
enum name_fact { NAME_IS_COMPILE = 1, NAME_BLOCKS = 2, NAME_ALLOCATES = 4 };

/* A device of the current store, or a rank without one. */
struct find_device {
    struct find_run *run;
    const struct event_store *s;
    struct host_facts *host;
    uint32_t device; /* DEVICE_NONE: no device has work */
    uint32_t rank;   /* in the store */
    bool is_first_of_rank;
    int64_t total_ps; /* sum of the step times */
    VEC(struct device_step) steps; /* in order of time */
    uint32_t *place_of_step;       /* index in steps by step of the store; STEP_NONE: none; heap */
    uint32_t *by_number;           /* indexes of steps, sorted by number; heap */
    VEC(struct work) works;        /* launched within steps, by start */
    interval_set computing, busy_or_communicating; /* unions: computing; with communication */
    interval_set waits; /* gaps caused by the host before work in steps, up to its launch */
    int64_t compile_ps, input_ps, sync_ps, copy_ps, host_ps;
    struct node_times *host_nodes; /* host_ps by the node of the work after the gap */
    VEC(struct interval) pageable; /* launches of pageable copies by start; end_ps: the track */
};

/* ---- device_facts.c, host_facts.c */

/* Fills D, whose first members are set. Free with device_done(). */
void device_read(struct find_device *d);
void device_done(struct find_device *d);
void host_read(struct find_run *run, uint32_t rank);
void host_done(struct host_facts *h);
/* Returns the index of the step with NUMBER; STEP_NONE: none. */
uint32_t place_of_number(const struct find_device *d, int64_t number);
/* True for a copy to the device from pageable memory. */
bool work_is_pageable_copy(const struct find_device *d, const struct work *w);
/* Computes enum name_fact bits for each kind of the current store; heap. */
uint8_t *name_facts_of(const struct find_run *run);
/* Name of the slices of a kind. */
strid kind_name(const struct find_run *run, const struct event_kind *kind);

/* Adds the work and waits of D to the sums of its rank. */
void rank_measure(struct find_device *d);

/* ---- sums by node */

struct node_times;
struct node_times *node_times_new(void);
void node_times_add(struct node_times *t, uint32_t id, int64_t amount);
/* Returns the id with the largest sum (the smallest of several); *AMOUNT: the sum; NODE_NONE. */
uint32_t node_times_most(struct node_times *t, int64_t *amount);
/* Returns the part with the largest sum within the node with the largest sum, or (BY_OP) within the
 * operation type with the largest sum. NODE_NONE: T is empty. */
uint32_t node_times_heaviest(struct node_times *t, const struct profile *p, bool by_op);
void node_times_free(struct node_times *t);

/* ---- findings.c */

/* True if PART is at least PERCENT of WHOLE, computed exactly. */
bool is_share(int64_t part, int64_t whole, int64_t percent);
/* Makes a finding of D that costs LOST_PS. */
struct finding finding_new(const struct find_device *d, const struct finding_rule *rule,
                           int64_t lost_ps);
/* Sets row and operator of F to those of ID (node or part), and its source if it has none. */
void finding_set_row(const struct find_device *d, struct finding *f, uint32_t id);
/* Sets the source to the innermost frame of STACK outside of libraries. */
void finding_set_stack(const struct find_device *d, struct finding *f, stack_id stack);
/* Sets the source to that of NODE's part with the most CPU time. */
void finding_set_source(const struct find_device *d, struct finding *f, node_id node);
/* Adds F, and moves CLAIM into it. */
void finding_add(struct find_device *d, struct finding f, struct strbuf *claim);
bool finding_is_fact(const struct finding_rule *rule);
/* Sorts the list. */
void findings_sort(struct findings *f);
/* Returns the lower median of N values; overwrites them. */
int64_t lower_median(int64_t *values, size_t n);

#define FINDING_RECORD(name) extern const struct finding_rule finding_##name;
FINDING_LIST(FINDING_RECORD)
#undef FINDING_RECORD
