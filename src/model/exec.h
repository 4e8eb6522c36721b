/* exec.h: executions of nodes, and their packed form in a profile.  A step of a large graph has
 * millions of entries, whose figures are mostly zero, small, or equal to their neighbours.  Readers
 * pack an entry into about 20 bytes, on any thread; queries decode figures first, and lists only
 * when needed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/slots.h"
#include "base/vec.h"
#include "model/clock.h"

/* One execution on one device in one step, in ticks of the file (clock.h). */
struct exec_time {
    strid device; /* lower-cased */
    bool accelerator; /* device is an accelerator stream; else it is canonical */
    uint8_t wait; /* enum wait_kind (recorder.h), of a CPU */
    int64_t start_ticks, dur_ticks;
};

/* One memory record: one entry on the canonical device. */
struct exec_memory {
    int64_t memory_ticks; /* absolute time of the record */
    int64_t host_temp_bytes, host_persistent_bytes;
    int64_t accelerator_temp_bytes, accelerator_persistent_bytes;
    int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
    int64_t allocator_bytes_in_use;
    uint32_t n_outputs; /* its buffers follow those of the previous record */
};

struct output_buffer {
    int32_t slot;
    int64_t bytes;
    uint64_t ptr;
};

/* Sorts the N BUFFERS of a record by slot and keeps the last of each slot. Returns their number. */
uint32_t output_buffers_normalize(struct output_buffer *buffers, size_t n);

struct allocation {
    int64_t alloc_ticks; /* absolute */
    int64_t bytes;    /* negative: freed */
};

/* An entry of a file about a node at a step.  The lists are borrowed and in recorded order. */
struct exec_record {
    int64_t step;
    int64_t run_count;
    int64_t start_ticks, latest_end_ticks; /* 0: none */
    const struct exec_time *times;
    const struct exec_memory *memories;
    const struct output_buffer *buffers; /* of all memory records, sorted by slot within each */
    const struct allocation *allocations;
    const strid *devices;
    uint32_t n_times, n_memories, n_allocations, n_devices;
};

/* Figures that are summed over executions. */
enum exec_figure {
    EXEC_BYTES,
    EXEC_PEAK_BYTES,
    EXEC_RESIDUAL_BYTES,
    EXEC_OUTPUT_BYTES,
    EXEC_OCCURRENCE,
    EXEC_TIME, /* this and the following are picoseconds */
    EXEC_ACCELERATOR_TIME,
    EXEC_CPU_TIME,
    EXEC_WAIT_TIME, /* part of the CPU time in which the thread waited */
    EXEC_FIGURES,
};

/* Bitwise or of figures.  Sign bit: one is negative.  The other bits bound magnitudes of numbers, and
 * those of ticks if none is negative. */
struct figure_bits {
    uint64_t numbers, ticks;
    unsigned any; /* a bit for each exec_figure that is not 0 in all records */
};

/* What records have in common, each of which names its layout (exec_head.h). */
struct exec_layout {
    uint64_t widths;  /* of their numbers, and flags */
    uint64_t start;   /* of their starts the upper bits */
    uint64_t devices; /* their devices */
};

/* A packed record: its layout, and what follows the index of the layout. */
struct packed_exec {
    const struct exec_layout *layout;
    const uint8_t *at;
};

/* Packed records, each aligned to EXEC_ALIGN, and their layouts.  Empty when zeroed. */
struct exec_pack {
    VEC(uint8_t) bytes;
    VEC(struct exec_layout) layouts;
    struct slots by_layout;
    struct figure_bits bits;
};

enum { EXEC_ALIGN = 2, EXEC_INDEX_BYTES = 2 };

/* The record at AT, whose layout is one of LAYOUTS. */
static inline struct packed_exec packed_exec_at(const struct exec_layout *layouts, const uint8_t *at)
{
    return (struct packed_exec){layouts + (at[0] | at[1] << 8), at + EXEC_INDEX_BYTES};
}

/* Appends R.  Its sums saturate; *SATURATED is set when one reached a limit. */
void exec_pack_add(struct exec_pack *pack, const struct exec_record *r, bool *saturated);
/* Appends the record of LEN bytes at position FROM of another pack. */
void exec_pack_append(struct exec_pack *pack, const struct exec_pack *other, size_t from, size_t len);
/* Removes all records. */
void exec_pack_clear(struct exec_pack *pack);
/* Adds padding that readers may touch after the last record; call it once at the end. */
void exec_pack_end(struct exec_pack *pack);
void exec_pack_done(struct exec_pack *pack);

/* Sums over all records of a node in one step. */
struct exec {
    int64_t step;
    int64_t run_count;
    int64_t start_ticks, latest_end_ticks; /* 0: none */
    int64_t accelerator_ps, cpu_ps;
    int64_t wait_ps; /* part of cpu_ps */
    int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
    uint32_t first_record, n_records; /* index in profile.exec_positions */
};

/* The step of RECORD. */
int64_t exec_step(struct packed_exec record);
/* The device of RECORD if it has exactly one, else STRID_EMPTY. */
strid exec_device(struct packed_exec record);
/* Sets *TIME to the start, duration and device of RECORD; true when that is its only time. */
bool exec_one_time(struct packed_exec record, struct exec_time *time);
/* Adds the figures of RECORD, in ticks of CLOCK, to *E, except the step; *SATURATED is set when a sum
 * reached a 64-bit limit. */
void exec_add(struct exec *e, struct packed_exec record, struct clock clock, bool *saturated);

/* The lists of one execution.  Valid when zeroed; reading clears it first. */
struct exec_lists {
    VEC(struct exec_time) times;
    VEC(struct exec_memory) memories;
    VEC(struct output_buffer) buffers; /* n_outputs for each memory */
    VEC(struct allocation) allocations;
    VEC(strid) devices; /* a set, unsorted */
};

void exec_lists_clear(struct exec_lists *lists);
/* Appends the lists of RECORD. */
void exec_lists_add(struct exec_lists *lists, struct packed_exec record);
void exec_lists_done(struct exec_lists *lists);

/* The share of packed executions in a time range.  Times are clipped to the range.
 * Figures without a duration count where they begin: runs and their memory belong to the times of
 * their record that begin in the range, proportionally when a record has several, which is exact if
 * each run has one time. */
enum exec_share { EXEC_OUTSIDE, EXEC_PARTLY, EXEC_INSIDE };

/* How much of RECORD lies in [FROM, TO).  Overwrites SCRATCH. */
enum exec_share exec_share_in(struct packed_exec record, int64_t from_ticks, int64_t to_ticks,
                              struct exec_lists *scratch);
/* Appends that share of RECORD to PACK.  Overwrites SCRATCH. */
void exec_pack_clip(struct exec_pack *pack, struct packed_exec record, int64_t from_ticks, int64_t to_ticks,
                    struct exec_lists *scratch);
/* First start of a time with a duration in RECORD; INT64_MAX: none.  Overwrites SCRATCH. */
int64_t exec_first_start(struct packed_exec record, struct exec_lists *scratch);
