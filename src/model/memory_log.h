/* memory_log.h: recorded activity of memory allocators: allocations with begin and end, memory
 * in use over time, segments, out-of-memory events.
 *
 * Events of an allocator are numbered from 0 in file order. Instants are ticks since its first
 * event. A log is immutable once its profile is finished. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/vec.h"

#define MEMORY_UNKNOWN INT64_MIN
#define MEMORY_NEVER UINT32_MAX /* the event is not in the file */

/* X(ID, name) of every action. */
#define MEMORY_ACTIONS(X)                  \
    X(ALLOC, alloc)                        \
    X(FREE_REQUESTED, free_requested)      \
    X(FREE_COMPLETED, free_completed)      \
    X(FREE, free)                          \
    X(SEGMENT_ALLOC, segment_alloc)        \
    X(SEGMENT_FREE, segment_free)          \
    X(SEGMENT_MAP, segment_map)            \
    X(SEGMENT_UNMAP, segment_unmap)        \
    X(OOM, oom)                            \
    X(ANNOTATE, annotate)                  \
    X(SNAPSHOT, snapshot)

#define MEMORY_ACTION_ID(id, name) MEMORY_##id,
enum memory_action { MEMORY_ACTIONS(MEMORY_ACTION_ID) MEMORY_ACTION_COUNT };
#undef MEMORY_ACTION_ID

extern const char *const memory_action_names[MEMORY_ACTION_COUNT];

enum {
    MEMORY_SITE_BEFORE = 1, /* allocated before recording */
    MEMORY_SITE_FRAMES = 2, /* has a call stack, maybe without Python frames */
    MEMORY_SITE_OP = 4,     /* an operation of a graph, whose scope is the first part of its name */
};

/* Properties shared by allocations; distinct. */
struct memory_site {
    uint32_t id; /* node or part; while building EVENT_PART | builder_part() */
    strid category, metadata; /* STRID_EMPTY: unknown or none */
    strid device;
    strid name;     /* if `id` is NODE_NONE: the name in the file */
    uint32_t flags; /* MEMORY_SITE_... */
    int64_t stream;
};

struct memory_allocation {
    uint64_t address;
    int64_t bytes;          /* as requested */
    uint32_t begin, end; /* event number + 1; begin 0: before recording; end may be MEMORY_NEVER */
    uint32_t pending;       /* number + 1 of the event that requested the free; MEMORY_NEVER */
    uint32_t site;
};

/* The block that holds an allocation at the end of the log. */
struct memory_extent {
    uint32_t allocation;
    int64_t bytes;
};

/* Memory in use after an event that began or ended an allocation. */
struct memory_point {
    int64_t in_use_bytes;
    uint32_t event;
};

/* An event that reserved or released memory. */
struct memory_reservation {
    int64_t bytes, reserved_bytes; /* size of the event, > 0; total after it */
    uint64_t address;
    int64_t stream;
    uint32_t event;
    uint8_t action; /* enum memory_action */
};

/* A segment reserved by the allocator at the end of the log. */
struct memory_segment {
    uint64_t address;
    int64_t bytes, allocated_bytes, pending_bytes, inactive_bytes;
    int64_t rounding_bytes;     /* of allocated and pending blocks, beyond the requested size */
    int64_t largest_free_bytes; /* of a single inactive block */
    int64_t block_bytes;        /* of all blocks */
    int64_t stream;
    uint32_t n_blocks, n_active;
    strid type;
    bool is_expandable;
};

struct memory_failure {
    int64_t requested_bytes, device_free_bytes; /* MEMORY_UNKNOWN */
    int64_t stream;
    uint32_t event;
    uint32_t stack; /* stack_id of the request */
};

/* The action that ends an allocation. */
enum memory_frees { MEMORY_FREES_UNKNOWN, MEMORY_FREES_COMPLETED, MEMORY_FREES_REQUESTED };

struct memory_allocator {
    strid device, name;
    uint32_t file; /* in profile.files */
    int64_t step; /* STEP_ALL: the whole file */
    bool has_times, has_segments;
    bool is_end_known; /* segments state all live memory at the end */
    bool has_live_set_only; /* no curve: only live memory at the end is known */
    bool has_no_addresses;
    uint8_t frees;     /* enum memory_frees */
    int64_t first_ticks; /* absolute time of the first event; MEMORY_UNKNOWN */
    bool has_run_ticks;
    int64_t run_ticks; /* first_ticks on the clock of executions */
    int64_t ticks_per_us;
    uint32_t n_events;
    int64_t *ticks;    /* heap, [n_events] ascending; NULL: has_times is false */
    uint64_t counts[MEMORY_ACTION_COUNT];
    int64_t start_bytes, end_bytes, peak_bytes;
    uint32_t peak;     /* event number + 1; 0: the start */
    int64_t reserved_start_bytes, reserved_peak_bytes, reserved_at_peak_bytes; /* MEMORY_UNKNOWN */
    int64_t capacity_bytes, lifetime_peak_bytes; /* MEMORY_UNKNOWN */
    double fragmentation;      /* at the peak; < 0: unknown */
    uint64_t n_before, n_before_with_stack;
    int64_t before_at_peak_bytes;
    /* Count memory in use that no allocation explains as allocated before recording. */
    bool counts_in_use;
    VEC(struct memory_allocation) allocations; /* in order of first use */
    VEC(struct memory_extent) extents;         /* by allocation */
    VEC(struct memory_point) points;           /* by event */
    VEC(struct memory_reservation) reservations;
    VEC(struct memory_segment) segments;       /* in file order */
    VEC(struct memory_failure) failures;
};

struct memory_log {
    VEC(struct memory_allocator) allocators;
    struct memory_site *sites; /* heap; set by memory_log_finish() */
    uint32_t n_sites;
    struct intern interned_sites; /* while building; [0] is none */
};

struct memory_log *memory_log_new(void);
void memory_log_free(struct memory_log *log); /* accepts NULL */

/* Returns the number of SITE. Its padding must be zero. */
uint32_t memory_log_site(struct memory_log *log, const struct memory_site *site);
struct memory_site memory_log_site_at(const struct memory_log *log, uint32_t site);
/* Replaces ids of parts in sites by ID_OF_PART[part]. */
void memory_log_finish(struct memory_log *log, const uint32_t *id_of_part);

void memory_allocator_done(struct memory_allocator *a);

static inline bool memory_is_live(const struct memory_allocation *m, uint32_t at)
{
    return m->begin <= at && m->end > at;
}

/* Returns the ticks of event AT - 1; 0 for the start (AT 0). */
static inline int64_t memory_ticks(const struct memory_allocator *a, uint32_t at)
{
    return a->ticks && at ? a->ticks[at - 1] : 0;
}

/* Returns the bytes that an allocation occupies: its block, else its size rounded up like the
 * allocator does. */
int64_t memory_extent(const struct memory_allocator *a, uint32_t allocation);

/* Returns the bytes in use after event AT - 1. */
int64_t memory_in_use(const struct memory_allocator *a, uint32_t at);
int64_t memory_reserved(const struct memory_allocator *a, uint32_t at);
