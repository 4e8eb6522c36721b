/* exec.h: what a node did in a step, and the packed form in which a profile keeps it.
 *
 * A step of a large graph has millions of entries, of which most figures are
 * zero, small, or equal to their neighbours.  So an entry is packed into
 * about forty bytes by whoever reads the file, on any thread, and never opened
 * until somebody asks: figures first, which all queries need, lists behind them. */
#ifndef TFPROF_MODEL_EXEC_H
#define TFPROF_MODEL_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"
#include "model/clock.h"

/* One execution on one device of one step; what a file says, in its ticks (clock.h). */
struct exec_time {
    strid device; /* lower-cased */
    bool accelerator; /* device is an accelerator stream; else it is canonical */
    uint8_t wait; /* enum wait_kind (wait.h), of a CPU */
    int64_t start_ticks, dur_ticks;
};

/* One memory record: one entry on the canonical device. */
struct exec_memory {
    int64_t memory_ticks; /* when it was taken, absolute */
    int64_t host_temp_bytes, host_persistent_bytes;
    int64_t accelerator_temp_bytes, accelerator_persistent_bytes;
    int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
    int64_t allocator_bytes_in_use;
    uint32_t n_outputs; /* its buffers stand behind those of the record before */
};

struct output_buffer {
    int32_t slot;
    int64_t bytes;
    uint64_t ptr;
};

/* Makes N BUFFERS of one record a map by slot: sorted, the last of a slot kept.
 * Returns how many are left. */
uint32_t output_buffers_settle(struct output_buffer *buffers, size_t n);

struct allocation {
    int64_t alloc_ticks; /* absolute */
    int64_t bytes;    /* negative for a free */
};

/* What one entry of a file says about a node at a step.  The lists are
 * borrowed, in recorded order. */
struct exec_record {
    int64_t step;
    int64_t run_count;
    int64_t start_ticks, latest_end_ticks; /* 0: none */
    const struct exec_time *times;
    const struct exec_memory *memories;
    const struct output_buffer *buffers; /* of all memories; by slot within one */
    const struct allocation *allocations;
    const strid *devices;
    uint32_t n_times, n_memories, n_allocations, n_devices;
};

/* What is summed of executions. */
enum exec_figure {
    EXEC_BYTES,
    EXEC_PEAK_BYTES,
    EXEC_RESIDUAL_BYTES,
    EXEC_OUTPUT_BYTES,
    EXEC_OCCURRENCE,
    EXEC_TIME, /* this and those behind it are picoseconds */
    EXEC_ACCELERATOR_TIME,
    EXEC_CPU_TIME,
    EXEC_WAIT_TIME, /* part of the CPU time in which the thread waited */
    EXEC_FIGURES,
};

/* Figures or'ed: the sign bit is set when one is negative, and none is larger than the
 * highest bit says. */
struct figure_bits {
    uint64_t numbers, ticks;
    unsigned any; /* a bit for each exec_figure that is not 0 in all records */
};

/* Packed records, one behind the other, each from a multiple of
 * EXEC_ALIGN on.  A zeroed one is empty and ready. */
struct exec_pack {
    VEC(uint8_t) bytes;
    struct figure_bits bits;
};

enum { EXEC_ALIGN = 4 };

/* Appends R, whose sums of figures were taken saturating: *SATURATED is set
 * when one met a limit. */
void exec_pack_add(struct exec_pack *pack, const struct exec_record *r, bool *saturated);
/* Room that reading a record may touch behind the last one: call it once all
 * are there. */
void exec_pack_end(struct exec_pack *pack);
static inline void exec_pack_done(struct exec_pack *pack)
{
    vec_done(&pack->bytes);
    pack->bits = (struct figure_bits){0};
}

/* What a node did in one step: summed over all its records of that step. */
struct exec {
    int64_t step;
    int64_t run_count;
    int64_t start_ticks, latest_end_ticks; /* 0: none */
    int64_t accelerator_ps, cpu_ps;
    int64_t wait_ps; /* part of cpu_ps */
    int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
    uint32_t first_record, n_records; /* in profile.exec_refs */
};

/* The step of the packed record at AT. */
int64_t exec_step(const uint8_t *at);
/* The device of the packed record at AT, when it has one alone; else STRID_EMPTY. */
strid exec_device(const uint8_t *at);
/* Puts to *TIME from when on and how long the packed record at AT lasted; true when that is its one
 * time, with its device. */
bool exec_one_time(const uint8_t *at, struct exec_time *time);
/* Adds the figures of the packed record at AT, whose times count the ticks of CLOCK, to *E,
 * whose step stays; *SATURATED is set when a sum met a 64-bit limit. */
void exec_add(struct exec *e, const uint8_t *at, struct clock clock, bool *saturated);

/* The lists of one execution, for who looks closer.  A zeroed one is ready;
 * reading again empties it first. */
struct exec_lists {
    VEC(struct exec_time) times;
    VEC(struct exec_memory) memories;
    VEC(struct output_buffer) buffers; /* n_outputs for each of the memories */
    VEC(struct allocation) allocations;
    VEC(strid) devices; /* a set in no order */
};

void exec_lists_clear(struct exec_lists *lists);
/* Appends the lists of the packed record at AT. */
void exec_lists_add(struct exec_lists *lists, const uint8_t *at);
void exec_lists_done(struct exec_lists *lists);

#endif
