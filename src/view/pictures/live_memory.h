/* live_memory.h: live allocations of an allocator at an instant, grouped (memory.md section 5). */
#pragma once

#include "base/vec.h"
#include "model/memory_records.h"
#include "model/profile.h"
#include "opt/options.h"

/* Query for live memory. An instant is the number of events before it; 0 is the start. */
struct live_rows_request {
    const struct memory_allocator *allocator;
    uint32_t at, since; /* since: count only allocations made at this event or later */
    enum memory_grouping by; /* not GROUPING_DEFAULT */
};

struct live_row {
    struct text name; /* in live_rows.names */
    int64_t bytes;
    uint64_t n_blocks;
    uint32_t allocation; /* GROUPING_BLOCK: index of the allocation; else the group's largest */
};

struct live_rows {
    VEC(struct live_row) rows; /* by descending size, then name */
    struct intern names;
};

/* Computes ROWS; O(n log n) in the allocations. */
void live_rows_make(struct live_rows *rows, const struct profile *p, const struct live_rows_request *q);
void live_rows_done(struct live_rows *rows);

/* A group in two snapshots, or in one of them. */
struct live_pair {
    struct text name;
    int64_t bytes, base_bytes;
    uint64_t n_blocks, n_base_blocks;
};
typedef VEC(struct live_pair) live_pair_list;

/* Appends the groups that differ, by descending growth, then name. Names are borrowed. */
void live_rows_compare(live_pair_list *pairs, const struct live_rows *now, const struct live_rows *base);

/* Returns the allocator of BASE with the device and name of A, an allocator of P, and for RunMetadata of
 * the same step or else the first one; NULL: none. */
const struct memory_allocator *memory_find_base(const struct profile *p, const struct memory_allocator *a,
                                                const struct profile *base);
/* The highest memory in use of A; without a curve the live memory. */
static inline int64_t memory_most_bytes(const struct memory_allocator *a)
{
    return a->has_live_set_only ? a->end_bytes : a->peak_bytes;
}

/* Returns the allocator of LOG with the largest of these; NULL: none. LOG may be NULL. */
const struct memory_allocator *memory_highest(const struct memory_log *log);

/* Converts ticks of A to picoseconds. */
int64_t memory_ps(const struct memory_allocator *a, int64_t ticks);
/* Parses TEXT as an instant of A: start, peak, end, oom, event:N, or a time. False: invalid. */
bool memory_instant(const struct memory_allocator *a, const char *text, uint32_t *at);
/* The instant PS picoseconds after the first event. */
uint32_t memory_instant_at(const struct memory_allocator *a, int64_t ps);

/* Appends the row name of a call stack for grouping by code. LIBRARIES must hide LIBRARY_FRAMES. */
struct hidden_frames;
void live_code_name(struct strbuf *sb, const struct profile *p, stack_id stack,
                    struct hidden_frames *libraries);
