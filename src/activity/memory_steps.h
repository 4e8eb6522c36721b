/* memory_steps.h: memory by step of a trace: in use on each device, and allocated but never freed. */
#pragma once

#include "base/vec.h"
#include "model/profile.h"

/* Memory use of a device's allocator during a step. */
struct memory_use {
    strid device; /* "/gpu:0" */
    int64_t step; /* STEP_OUTSIDE: outside of steps */
    int64_t peak_bytes, reserved_bytes; /* maxima of memory in use and of reserved memory */
    int64_t end_bytes;                  /* in use after the last event */
};

/* Memory allocated by a node in a step and not freed before the trace ended. */
struct memory_left {
    uint32_t node, stack; /* node_id, stack_id */
    int64_t step;
    strid device;
    int64_t bytes;
    uint64_t n_allocations;
};

struct memory_steps {
    VEC(struct memory_use) uses;  /* by device, then time */
    VEC(struct memory_left) left; /* by device, step, node, stack; each once */
};

/* Fills M from the allocators of R, a recorder of P; empty without memory events. O(n log n). */
void memory_steps_make(struct memory_steps *m, const struct profile *p, const struct recorder *r);
void memory_steps_done(struct memory_steps *m);
