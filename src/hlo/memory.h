/* memory.h: the memory that a module plans for one run, and what it holds at the peak (formats-hlo.md section 9). */
#ifndef TFPROF_HLO_MEMORY_H
#define TFPROF_HLO_MEMORY_H

#include "hlo/module.h"

/* Bytes of one instruction that are held at the module's peak; the same instruction may have
 * several entries. */
struct hlo_held {
    uint32_t instruction; /* HLO_NONE: the file does not say whose */
    int64_t bytes;
    bool is_heap; /* else an allocation that is there from the first to the last instruction */
};

/* Sums saturate at the limits of 64 bits. */
struct hlo_memory {
    int64_t heap_peak_bytes;  /* the largest sum of buffers that live at one time */
    int64_t fixed_bytes;      /* arguments, constants and results */
    int64_t argument_bytes;   /* of the entry computation */
    int64_t result_bytes;     /* allocations that may live longer than the run */
    int64_t peak_bytes;       /* of both */
    struct hlo_held *held;    /* at the first such time: Σ bytes = peak_bytes */
    size_t n_held;
    int64_t *instruction_peak_bytes; /* by instruction: the sum of what it has of held */
    /* By instruction: its part of result_bytes. */
    int64_t *instruction_residual_bytes;
};

/* Replays the buffers of M: all figures are 0 where the file has none.  NULL with ERR when the
 * BufferAssignmentProto is malformed.  Work and memory are linear in its length. */
struct hlo_memory *hlo_memory_new(const struct hlo_module *m, struct err *err);
void hlo_memory_free(struct hlo_memory *memory);

#endif
