/* memory.h: the memory that a module's buffer assignment plans for one run, and its contents at the
 * peak (formats-hlo.md section 9). */
#pragma once

#include "hlo/module.h"

/* Bytes of an instruction at the module's peak; an instruction may have several entries. */
struct hlo_held {
    uint32_t instruction; /* HLO_NONE: not recorded */
    int64_t bytes;
};

/* A buffer of the heap that is allocated, or freed if BYTES is negative. */
struct hlo_heap_event {
    uint32_t instruction; /* that defines it; HLO_NONE: not recorded */
    uint32_t buffer;      /* its position in the file */
    int64_t bytes;
};

/* Sums saturate at the 64-bit limits. */
struct hlo_memory {
    int64_t heap_peak_bytes;  /* the largest sum of buffers in use at one time */
    int64_t fixed_bytes;      /* arguments, constants and results */
    int64_t argument_bytes;   /* of the entry computation */
    int64_t result_bytes;     /* allocations that may outlive the run */
    int64_t peak_bytes;       /* heap_peak_bytes + fixed_bytes */
    struct hlo_held *held;    /* at the first peak; their sum is peak_bytes */
    size_t n_held, n_fixed;   /* the first N_FIXED of them are those of fixed_bytes */
    struct hlo_heap_event *events; /* in the order of the plan; without those of size 0 */
    size_t n_events;
    int64_t *instruction_peak_bytes; /* by instruction: its sum in held */
    /* By instruction: its share of result_bytes. */
    int64_t *instruction_residual_bytes;
};

/* Replays the buffers of M; all figures are 0 without a buffer assignment.  NULL with ERR when the
 * BufferAssignmentProto is malformed.  Time and memory are linear in its length. */
struct hlo_memory *hlo_memory_new(const struct hlo_module *m, struct err *err);
void hlo_memory_free(struct hlo_memory *memory);
