/* findings_priv.h: what rules read: the work of a device, the gaps in it by cause, and the threads of its
 * rank; private to view/findings. */
#pragma once

#include "activity/stragglers.h"
#include "activity/work.h"
#include "base/interval_set.h"
#include "base/strbuf.h"
#include "view/findings/findings.h"

#define STEP_NONE UINT32_MAX
#define DEVICE_NONE UINT32_MAX

/* A slice of a thread that is not within another one of its sort. */
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
    node_id node, operator_node; /* of the call; of the outermost operator around it */
    int64_t operator_start_ps, operator_end_ps;
    int64_t lost_ps; /* idle time of the current device that it causes */
    size_t latest;   /* index of the call with the latest end, of this and all earlier ones */
};

/* The threads of a rank. */
struct host_facts {
    VEC(struct host_slice) inputs, compiles; /* outermost ones */
    VEC(struct blocking_call) calls;         /* by start */
    interval_set input, compile, either; /* compilations in the first step are left out */
    int64_t first_ps, last_ps;           /* of all events */
    int64_t allocation_ps;               /* calls that allocate memory, in steps but the first */
    uint64_t n_allocations;
};

/* A step of a device. */
struct device_step {
    uint32_t step; /* in the store */
    int64_t number;
    int64_t mark_ps;      /* start of its mark */
    int64_t end_ps, dur_ps;
};

/* What a rank may take longer for than others. */
enum rank_sum { RANK_KERNELS, RANK_INPUT, RANK_HOST, RANK_SUMS };

/* Sums over the devices of a rank.  Waiting counts while the device computes nothing. */
struct rank_sums {
    int64_t sums_ps[RANK_SUMS];
    int64_t waited_ps, made_wait_ps; /* for others; how long others waited for it */
};

struct find_run {
    const struct profile *p;
    struct cancel_mark cancel;
    struct findings *findings;
    bool each_device;
    struct hidden_frames *frames;
    struct selection *sel;
    struct stragglers stragglers; /* of several ranks; else empty */
    uint8_t *name_facts;      /* by kind of the store: enum name_fact */
    struct host_facts *hosts; /* by rank of the store */
    struct rank_sums *ranks;  /* the same, of several ranks */
    uint32_t *rank_of_row;    /* by row of the stragglers; heap */
    int64_t wait_ps;          /* sum of waited_ps */
};

/* Facts of the names of slices: bits. */
enum name_fact { NAME_IS_COMPILE = 1, NAME_BLOCKS = 2, NAME_ALLOCATES = 4 };

/* A device of the current store, or a rank without one. */
struct find_device {
    struct find_run *run;
    const struct event_store *s;
    struct host_facts *host;
    uint32_t device; /* DEVICE_NONE: no device works */
    uint32_t rank;   /* in the store */
    bool is_first_of_rank;
    int64_t total_ps; /* sum of the step times */
    VEC(struct device_step) steps; /* by time */
    uint32_t *place_of_step;       /* by step of the store: in steps; STEP_NONE: none; heap */
    uint32_t *by_number;           /* indexes of steps, by their numbers; heap */
    VEC(struct work) works;        /* launched in steps, by start */
    interval_set computing, busy_or_communicating; /* of compute; of compute and communication */
    interval_set waits; /* gaps of cause host that end with work in steps, up to its launch */
    int64_t compile_ps, input_ps, sync_ps, copy_ps, host_ps;
    struct node_times *host_nodes; /* host_ps by the node whose work follows */
    VEC(struct interval) pageable; /* launches of copies from pageable memory: start, track in end_ps */
};

/* ---- device_facts.c, host_facts.c */

/* D, whose first members are set, gets all others.  device_done() frees them. */
void device_read(struct find_device *d);
void device_done(struct find_device *d);
void host_read(struct find_run *run, uint32_t rank);
void host_done(struct host_facts *h);
/* Index of the step with NUMBER; STEP_NONE. */
uint32_t place_of_number(const struct find_device *d, int64_t number);
/* True for a copy to the device from memory that is not pinned. */
bool work_is_pageable_copy(const struct find_device *d, const struct work *w);
/* By kind of the current store; heap. */
uint8_t *name_facts_of(const struct find_run *run);
/* Name of the slices of a kind. */
strid kind_name(const struct find_run *run, const struct event_kind *kind);

/* Adds what D did to the sums of its rank. */
void rank_measure(struct find_device *d);

/* ---- sums by node */

struct node_times;
struct node_times *node_times_new(void);
void node_times_add(struct node_times *t, uint32_t id, int64_t amount);
/* The id with the largest sum, the smallest of equal ones; NODE_NONE.  *AMOUNT: its sum. */
uint32_t node_times_most(struct node_times *t, int64_t *amount);
/* Of nodes and parts of P: the part with the largest sum, of the node with the largest sum; BY_OP: of the
 * operation type with the largest sum.  NODE_NONE: T is empty. */
uint32_t node_times_heaviest(struct node_times *t, const struct profile *p, bool by_op);
void node_times_free(struct node_times *t);

/* ---- findings.c */

/* True when PART is at least PERCENT of WHOLE, exactly. */
bool is_share(int64_t part, int64_t whole, int64_t percent);
/* A finding of D that lost LOST_PS of its time. */
struct finding finding_new(const struct find_device *d, const struct finding_rule *rule,
                           int64_t lost_ps);
/* Sets row and operator of F to those of ID, a node or a part, and the source unless it has one. */
void finding_set_row(const struct find_device *d, struct finding *f, uint32_t id);
/* The source: the innermost frame of STACK that is not of a library. */
void finding_set_stack(const struct find_device *d, struct finding *f, stack_id stack);
/* The source of calls of NODE: that of the part with the most CPU time. */
void finding_set_source(const struct find_device *d, struct finding *f, node_id node);
/* Takes F with CLAIM, which is emptied. */
void finding_add(struct find_device *d, struct finding f, struct strbuf *claim);
bool finding_is_fact(const struct finding_rule *rule);
/* Orders the list. */
void findings_sort(struct findings *f);
/* The lower median of N values; overwrites them. */
int64_t lower_median(int64_t *values, size_t n);

#define FINDING_RECORD(name) extern const struct finding_rule finding_##name;
FINDING_LIST(FINDING_RECORD)
#undef FINDING_RECORD
