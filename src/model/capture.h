/* capture.h: what is known of a run beside its nodes, when it comes from captures: devices, hosts,
 * programs, allocators, steps, and what nodes cost (formats-xplane.md section 8). */
#ifndef TFPROF_MODEL_CAPTURE_H
#define TFPROF_MODEL_CAPTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/attr.h"

/* How the operations of a node are known. */
enum capture_count {
    CAPTURE_NO_NODE,    /* not a node of the run */
    CAPTURE_COUNTED,
    CAPTURE_NO_COMPUTE, /* 0 by the rule */
    CAPTURE_NO_RULE,    /* not known, which is not 0 */
    CAPTURE_NO_OP,      /* a copy or kernel that no op claims, a call: nothing to count */
};

/* What one execution of a node costs; figures are never below 0. */
struct capture_cost {
    int64_t operations, multiply_adds, divisions, transcendentals;
    int64_t bytes_accessed;
    uint8_t count; /* enum capture_count */
    bool per_trip; /* it stands in a loop, and runs once for each iteration */
};

/* Bytes that a node is going to hold in one run. */
struct capture_plan {
    int64_t output_bytes; /* written anew */
    int64_t peak_bytes, residual_bytes; /* of its buffers, at the peak of its program and after it */
};

/* Bytes that a node which never runs holds on each device in each step in which its program runs. */
struct capture_held {
    uint32_t list; /* its program is that of held_begin */
    int64_t peak_bytes, residual_bytes;
};

/* A step in which a program ran. */
struct capture_held_step {
    int64_t step;
    uint32_t n_devices;
    size_t first_device; /* in capture.held_devices */
};

/* A device; times are those of the events that are executions. */
struct capture_device {
    strid name; /* "/host:h/device:GPU:0" */
    strid host;
    bool is_accelerator;
    bool is_silent; /* a plane without events */
    uint64_t n_events;
    int64_t self_ps;    /* Σ of all nodes on it */
    int64_t covered_ps; /* of the union of its events */
    int64_t span_ps;    /* from the first start to the last end */
    int64_t no_op_ps;   /* part of self_ps that no op claims */
    uint64_t n_executions, n_short; /* of nodes; those of less than 10 us */
    int64_t short_ps;               /* what these took */
    int64_t longest_gap_ps; /* between events */
    strid after_gap;        /* the node that ran then; STRID_EMPTY: there is no gap */
    double peak_flops, peak_bytes_per_s; /* 0: not known */
};

/* How long the executions of a node took on a device, in all steps. */
struct capture_executions {
    uint32_t device; /* in capture.devices */
    uint64_t n;
    int64_t self_ps;                   /* of all of them */
    int64_t min_ps, median_ps, max_ps; /* of one; of two in the middle the shorter */
};

/* A compiled program of a host. */
struct capture_program {
    strid host, label;
    uint64_t id;
    bool ran, has_hlo;
    uint32_t n_instructions, n_nodes;
    uint64_t n_executions;
    int64_t self_ps;
    int64_t argument_bytes, result_bytes; /* a donated argument is in both */
    int64_t peak_bytes;
};

/* What an allocator had in use after an allocation or a free. */
struct capture_point {
    int64_t at_ticks, in_use_bytes;
};

struct capture_allocator {
    struct capture_point *points; /* by time */
    size_t n_points;
    strid host, name;
    uint64_t n_allocations, n_frees;
    int64_t peak_bytes, capacity_bytes, lifetime_peak_bytes;
    double fragmentation; /* at the peak; 0 to 1 */
};

/* The user's mark of a step. */
struct capture_mark {
    strid host;
    int64_t step, start_ps, dur_ps;
    int64_t compile_ps; /* part of dur_ps in which the host compiled a program */
};

/* What the events of a step took on a device. */
struct capture_step_device {
    int64_t step;
    uint32_t device; /* in capture.devices */
    int64_t self_ps;
    int64_t collective_ps; /* part of it in ops in which devices wait for each other */
    int64_t begin_ps, end_ps; /* of the events of programs; end below begin: there are none */
};

/* How long the ops of a host waited for the input pipeline: on the line where it was longest. */
struct capture_input {
    strid host;
    int64_t waited_ps;
    int64_t within_ps; /* of this time: that of the marks, or where there are none of all */
};

enum capture_steps { CAPTURE_STEPS_NONE, CAPTURE_STEPS_MARKS, CAPTURE_STEPS_DEVICE,
                     CAPTURE_STEPS_PROGRAM };

struct capture {
    struct arena arena; /* all arrays below */
    struct capture_cost *costs; /* [n_costs] by node; nodes beyond are not of the run */
    uint32_t n_costs;
    /* [n_costs] Where programs were read that no capture says anything of; NULL: there is a run. */
    struct capture_plan *plans;
    struct capture_held *held; /* [n_costs] by node; NULL where plans is not */
    size_t *held_begin; /* CSR of held_steps, by list */
    struct capture_held_step *held_steps; /* ascending for each list */
    strid *held_devices;                  /* that programs ran on in these steps */
    struct capture_device *devices;
    size_t n_devices;
    struct capture_program *programs;
    size_t n_programs;
    struct capture_allocator *allocators;
    size_t n_allocators;
    struct capture_mark *marks;
    size_t n_marks;
    struct capture_step_device *step_devices; /* by step, then device */
    size_t n_step_devices;
    struct capture_input *inputs; /* by host */
    size_t n_inputs;
    enum capture_steps steps_from;
    /* By number, from 0: what steps are called whose marks have no numbers to go by; NULL: marks
     * have. */
    strid *step_names;
    size_t n_step_names;
    int64_t unmarked_step; /* of what was caused before the first mark; -1: there is none */
    int64_t self_ps;               /* of all devices */
    int64_t self_without_rule_ps;  /* of ops whose operations are not known */
    int64_t self_without_stack_ps; /* of instructions without a call stack */
    int64_t self_of_hlo_ps;
    /* By node, in one list: the devices that it ran on, in byte order. */
    uint32_t *device_begin; /* [n_costs + 1] */
    strid *node_devices;
    struct capture_executions *executions; /* beside node_devices */
    /* The following have CONTEXT, and nothing to say of nodes that are no instructions. */
    /* Appends the products that the operations of NODE, or its TRANSCENDENTALS, are the sum of. */
    void (*formula)(void *context, uint32_t node, bool transcendentals, struct strbuf *sb);
    /* What computes NODE: the target of a custom call, else the opcode. */
    struct text (*target)(void *context, uint32_t node);
    /* What else its definition says, as attrs_decode() does. */
    const struct attr *(*attrs)(void *context, uint32_t node, struct arena *arena, size_t *n);
    void *context;
    void (*release)(void *context);
};

/* What STEP is called, "train 3 (2)"; STRID_EMPTY: by its number. */
strid capture_step_name(const struct capture *c, int64_t step);

/* Frees C and what explain() needs; NULL is fine. */
void capture_free(struct capture *c);

/* What one execution of NODE costs; all 0 of CAPTURE_NO_NODE for nodes that are not of the run. */
struct capture_cost capture_cost_of(const struct capture *c, uint32_t node);

#endif
