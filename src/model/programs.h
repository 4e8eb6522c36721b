/* programs.h: compiled programs and their run: costs of nodes, devices, step marks, memory held
 * (formats-xplane.md section 8). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/intern.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "model/attr.h"

/* The state of a node's operation count. */
enum program_count {
    PROGRAM_NO_NODE,    /* not in the capture */
    PROGRAM_COUNTED,
    PROGRAM_NO_COMPUTE, /* the rule returns 0 */
    PROGRAM_NO_RULE,    /* unknown */
    PROGRAM_NO_OP,      /* no operation to count: a copy, a kernel without an op, or a call */
};

/* The cost of one execution of a node; figures are never negative. */
struct program_cost {
    int64_t operations, multiply_adds, divisions, transcendentals;
    int64_t bytes_accessed;
    uint8_t count; /* enum program_count */
    bool per_trip; /* in a loop: the cost of one iteration */
};

/* Planned memory of a node in one run. */
struct program_plan {
    int64_t output_bytes; /* newly written */
    int64_t peak_bytes, residual_bytes; /* of its buffers, at the peak of its program and
                                         * afterwards */
};

/* Bytes that a node without executions holds per device, in each step in which its program runs. */
struct program_held {
    uint32_t list; /* index of its program in held_begin */
    int64_t peak_bytes, residual_bytes;
};

/* A step in which a program ran. */
struct program_held_step {
    int64_t step;
    uint32_t n_devices;
    size_t first_device; /* index in capture.held_devices */
};

/* A device; its times are sums over the events that are executions. */
struct program_device {
    strid name; /* "/host:h/device:GPU:0" */
    strid host;
    bool is_accelerator;
    bool is_silent; /* a plane without events */
    uint64_t n_events;
    int64_t self_ps;    /* sum over all its nodes */
    int64_t covered_ps; /* length of the union of its events */
    int64_t span_ps;    /* from first start to last end */
    int64_t no_op_ps;   /* self time of events without an op */
    double peak_flops, peak_bytes_per_s; /* 0: unknown */
};

/* A compiled program of a host. */
struct compiled_program {
    strid host, label;
    uint64_t id;
    bool ran, has_hlo;
    uint32_t n_instructions, n_nodes;
    int64_t argument_bytes, result_bytes; /* a donated argument counts in both */
    int64_t peak_bytes;
};

/* Times of a step's events on a device. */
struct program_step_device {
    int64_t step;
    uint32_t device; /* in capture.devices */
    int64_t self_ps;
    int64_t collective_ps; /* part of dur_ps in collective ops */
    /* First start and last end of program events, in the clock of the events; end < begin: none. */
    int64_t begin_ps, end_ps;
};

/* Time that ops of a host waited for the input pipeline: the maximum over its lines. */
struct program_input {
    strid host;
    int64_t waited_ps;
    int64_t within_ps; /* time that contains waited_ps: of the marks, else of the capture */
};

enum program_steps { PROGRAM_STEPS_NONE, PROGRAM_STEPS_MARKS, PROGRAM_STEPS_DEVICE,
                     PROGRAM_STEPS_PROGRAM };

struct programs {
    struct arena arena; /* memory of all arrays below */
    struct program_cost *costs; /* [n_costs] by node; later nodes are not in the capture */
    uint32_t n_costs;
    /* [n_costs] of programs without a recorded run; NULL if a run is recorded */
    struct program_plan *plans;
    struct program_held *held; /* [n_costs] by node; NULL if plans is */
    size_t *held_begin; /* CSR of held_steps, by list */
    struct program_held_step *held_steps; /* ascending in each list */
    strid *held_devices;                  /* devices of held_steps */
    struct program_device *devices;
    size_t n_devices;
    struct compiled_program *compiled;
    size_t n_compiled;
    struct program_step_device *step_devices; /* sorted by step, then device */
    size_t n_step_devices;
    struct program_input *inputs; /* sorted by host */
    size_t n_inputs;
    enum program_steps steps_from;
    /* Names of steps whose marks have no numbers, by number from 0; NULL: all have numbers. */
    strid *step_names;
    size_t n_step_names;
    int64_t unmarked_step; /* step of work launched before the first mark; -1: none */
    int64_t self_ps;               /* over all devices */
    int64_t self_without_rule_ps;  /* self time of ops with unknown operation counts */
    int64_t self_without_stack_ps; /* self time of instructions without a call stack */
    int64_t self_of_hlo_ps;
    /* Devices that each node ran on (CSR by node), sorted by name. */
    uint32_t *device_begin; /* [n_costs + 1] */
    strid *node_devices;
    /* Callbacks; they get CONTEXT, and return nothing for nodes that are not instructions. */
    /* Appends NODE's operation count as a sum of products, or that of its TRANSCENDENTALS. */
    void (*formula)(void *context, uint32_t node, bool transcendentals, struct strbuf *sb);
    /* Returns the target of a custom call, else the opcode. */
    struct text (*target)(void *context, uint32_t node);
    /* Returns other attributes of the instruction, as attrs_decode(). */
    const struct attr *(*attrs)(void *context, uint32_t node, struct arena *arena, size_t *n);
    void *context;
    void (*release)(void *context);
};

/* Returns the name of STEP, "train 3 (2)"; STRID_EMPTY if it only has a number. */
strid program_step_name(const struct programs *c, int64_t step);

/* Returns the cost of one execution of NODE; PROGRAM_NO_NODE with zeros if not in the capture. */
struct program_cost program_cost_of(const struct programs *c, uint32_t node);
