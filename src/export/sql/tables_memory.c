/* tables_memory.c: tables of the memory log: allocations, segments, out-of-memory events. */
#include <inttypes.h>
#include <stdlib.h>

#include "activity/memory_failures.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "export/tables/table_list.h"
#include "view/pictures/live_memory.h"

/* Bytes that are MEMORY_UNKNOWN are INT64_MIN, as unknown members of records are. */
_Static_assert(MEMORY_UNKNOWN == INT64_MIN, "unknown");

static const struct memory_log *log_of(const struct table_rows *t)
{
    return profile_memory(t->request->profile);
}

static void set_address(struct table_value *v, struct table_cursor *c, uint64_t address)
{
    sb_clear(&c->text);
    sb_addf(&c->text, "0x%" PRIx64, address);
    value_scratch(v, c);
}

/* Sets the time of instant AT of A since its first event; unknown without times. */
static void set_instant(struct table_value *v, const struct memory_allocator *a, uint32_t at)
{
    if (a->has_times)
        value_micros(v, memory_ps(a, memory_ticks(a, at)));
}

/* ---- allocations */

enum { ALLOCATION_ALLOCATION, ALLOCATION_DEVICE, ALLOCATION_ALLOCATOR, ALLOCATION_STEP, ALLOCATION_NODE,
       ALLOCATION_STACK, ALLOCATION_CATEGORY, ALLOCATION_STREAM, ALLOCATION_ADDRESS, ALLOCATION_BYTES,
       ALLOCATION_FROM_EVENT, ALLOCATION_FROM, ALLOCATION_UNTIL_EVENT, ALLOCATION_UNTIL };

static const struct table_column allocation_columns[] = {
    [ALLOCATION_ALLOCATION] = {"allocation", .help = "number of the allocation"},
    [ALLOCATION_DEVICE] = {"device", .help = "name of the device", .unit = VALUE_TEXT},
    [ALLOCATION_ALLOCATOR] = {"allocator", .help = "name of the allocator", .unit = VALUE_TEXT},
    [ALLOCATION_STEP] = {"step", .help = "number of the step; NULL: the allocator spans all steps"},
    [ALLOCATION_NODE] = {"node", .help = "node that allocated: in nodes"},
    [ALLOCATION_STACK] = {"call_stack", .help = "call stack: in call_stacks"},
    [ALLOCATION_CATEGORY] = {"category", .help = "purpose of the memory", .unit = VALUE_TEXT},
    [ALLOCATION_STREAM] = {"stream", .help = "number of the stream"},
    [ALLOCATION_ADDRESS] = {"address", .help = "hexadecimal address; NULL: not recorded", .unit = VALUE_TEXT},
    [ALLOCATION_BYTES] = {"bytes", .help = "requested bytes", .unit = VALUE_BYTES},
    [ALLOCATION_FROM_EVENT] = {"from_event", .help = "index of the event; -1: allocated before recording"},
    [ALLOCATION_FROM] = {"from_micros", .help = "time of the allocation since the first event", .unit = VALUE_MICROS},
    [ALLOCATION_UNTIL_EVENT] = {"until_event", .help = "index of the event that frees it; NULL: never freed"},
    [ALLOCATION_UNTIL] = {"until_micros", .help = "time of the free since the first event", .unit = VALUE_MICROS},
};

static bool open_allocations(struct table_rows *t, struct err *err UNUSED)
{
    const struct memory_log *log = log_of(t);
    const size_t n = log ? log->allocators.n : 0;
    uint64_t *ends = xcalloc(n + 1, sizeof *ends);

    for (size_t i = 0; i < n; i++)
        ends[i] = t->n_keys += log->allocators.data[i].allocations.n;
    t->data = ends; /* by allocator: key after its last allocation */
    return true;
}

/* The allocator of allocation *AT; *AT becomes its index there. */
static const struct memory_allocator *find_allocation(const struct table_rows *t, uint64_t *at)
{
    const struct memory_log *log = log_of(t);
    const uint64_t *ends = t->data;
    size_t i = 0;

    LOWER_BOUND(i, log->allocators.n, k, ends[k] <= *at);
    *at -= i ? ends[i - 1] : 0;
    return &log->allocators.data[i];
}

static void site_value(const struct profile *p, const struct memory_site *site, size_t column,
                       struct table_value *v)
{
    if (column == ALLOCATION_CATEGORY)
        value_string(v, p, site->category);
    else if (column == ALLOCATION_STREAM)
        value_integer(v, site->stream);
    else if (site->id != NODE_NONE && column == ALLOCATION_NODE)
        value_integer(v, profile_node_of_part(p, site->id));
    else if (site->id != NODE_NONE && p->stack[site->id] != STACK_NONE)
        value_integer(v, p->stack[site->id]);
}

static void allocation_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct memory_log *log = log_of(c->rows);
    uint64_t at = c->key;
    const struct memory_allocator *a = find_allocation(c->rows, &at);
    const struct memory_allocation *m = &a->allocations.data[at];

    if (column == ALLOCATION_ALLOCATION)
        value_integer(v, (int64_t)c->key);
    else if (column == ALLOCATION_DEVICE || column == ALLOCATION_ALLOCATOR)
        value_name(v, c->profile, column == ALLOCATION_DEVICE ? a->device : a->name);
    else if (column == ALLOCATION_STEP && a->step != STEP_ALL)
        value_integer(v, a->step);
    else if (column >= ALLOCATION_NODE && column <= ALLOCATION_STREAM)
        site_value(c->profile, &log->sites[m->site], column, v);
    else if (column == ALLOCATION_ADDRESS && !a->has_no_addresses)
        set_address(v, c, m->address);
    else if (column == ALLOCATION_BYTES)
        value_integer(v, m->bytes);
    else if (column == ALLOCATION_FROM_EVENT)
        value_integer(v, (int64_t)m->begin - 1);
    else if (column == ALLOCATION_FROM)
        set_instant(v, a, m->begin);
    else if (column == ALLOCATION_UNTIL_EVENT && m->end != MEMORY_NEVER)
        value_integer(v, (int64_t)m->end - 1);
    else if (column == ALLOCATION_UNTIL && m->end != MEMORY_NEVER)
        set_instant(v, a, m->end);
}

const struct table table_allocations = {
    .name = "allocations", .help = "allocations and their lifetimes", TABLE_COLUMNS(allocation_columns),
    .has_key_column = true, .open = open_allocations, .close = table_free_data, .value = allocation_value,
};

/* ---- segments */

struct segment_row {
    const struct memory_allocator *a;
    struct memory_segment segment;
};

#define OF(field) MEMBER_OF(struct segment_row, segment.field)
enum { SEGMENT_DEVICE, SEGMENT_ALLOCATOR, SEGMENT_ADDRESS };

static const struct table_column segment_columns[] = {
    [SEGMENT_DEVICE] = {"device", .help = "name of the device", .unit = VALUE_TEXT},
    [SEGMENT_ALLOCATOR] = {"allocator", .help = "name of the allocator", .unit = VALUE_TEXT},
    [SEGMENT_ADDRESS] = {"address", .help = "hexadecimal address", .unit = VALUE_TEXT},
    {"stream", .help = "number of the stream", OF(stream)},
    {"type", .help = "small or large", .unit = VALUE_TEXT, OF(type)},
    {"is_expandable", .help = "1: the segment can grow", OF(is_expandable)},
    {"bytes", .help = "reserved bytes", .unit = VALUE_BYTES, OF(bytes)},
    {"allocated_bytes", .help = "bytes of active blocks", .unit = VALUE_BYTES, OF(allocated_bytes)},
    {"pending_bytes", .help = "bytes of freed blocks that another stream still uses", .unit = VALUE_BYTES,
     OF(pending_bytes)},
    {"inactive_bytes", .help = "free bytes", .unit = VALUE_BYTES, OF(inactive_bytes)},
    {"rounding_bytes", .help = "bytes of active blocks beyond the requested ones", .unit = VALUE_BYTES,
     OF(rounding_bytes)},
    {"largest_free_bytes", .help = "the largest free block", .unit = VALUE_BYTES, OF(largest_free_bytes)},
    {"blocks", .help = "number of blocks", OF(n_blocks)},
    {"active_blocks", .help = "number of blocks that are active or pending", OF(n_active)},
};
#undef OF

static bool open_segments(struct table_rows *t, struct err *err UNUSED)
{
    const struct memory_log *log = log_of(t);
    VEC(struct segment_row) rows = {0};

    for (size_t i = 0; log && i < log->allocators.n; i++)
        vec_each(const struct memory_segment, segment, &log->allocators.data[i].segments)
            vec_push(&rows, ((struct segment_row){&log->allocators.data[i], *segment}));
    t->data = rows.data;
    table_set_records(t, &rows);
    return true;
}

static void segment_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct segment_row *row = &((const struct segment_row *)c->rows->data)[c->key];

    if (column == SEGMENT_ADDRESS)
        set_address(v, c, row->segment.address);
    else
        value_name(v, c->profile, column == SEGMENT_DEVICE ? row->a->device : row->a->name);
}

const struct table table_segments = {
    .name = "segments", .help = "segments that allocators have reserved at the end", TABLE_COLUMNS(segment_columns),
    .open = open_segments, .close = table_free_data, .value = segment_value,
};

/* ---- out-of-memory events */

struct failure_row {
    const struct memory_allocator *a;
    struct failure_facts facts;
};

#define OF(field) MEMBER_OF(struct failure_row, facts.field)
enum { FAILURE_DEVICE, FAILURE_ALLOCATOR, FAILURE_EVENT, FAILURE_AT, FAILURE_REQUESTED, FAILURE_DEVICE_FREE,
       FAILURE_REASON, FAILURE_STACK };

static const struct table_column failure_columns[] = {
    [FAILURE_DEVICE] = {"device", .help = "name of the device", .unit = VALUE_TEXT},
    [FAILURE_ALLOCATOR] = {"allocator", .help = "name of the allocator", .unit = VALUE_TEXT},
    [FAILURE_EVENT] = {"event", .help = "index of the event"},
    [FAILURE_AT] = {"at_micros", .help = "time since the first event", .unit = VALUE_MICROS},
    [FAILURE_REQUESTED] = {"requested_bytes", .help = "requested bytes", .unit = VALUE_BYTES},
    [FAILURE_DEVICE_FREE] = {"device_free_bytes", .help = "bytes that the device reports as free", .unit = VALUE_BYTES},
    [FAILURE_REASON] = {"reason", .help = "pool, stream, limit, fragmentation, capacity or unknown",
                        .unit = VALUE_TEXT},
    [FAILURE_STACK] = {"call_stack", .help = "call stack: in call_stacks"},
    {"in_use_bytes", .help = "bytes in use at the request", .unit = VALUE_BYTES, OF(in_use_bytes)},
    {"reserved_bytes", .help = "bytes reserved at the request", .unit = VALUE_BYTES, OF(reserved_bytes)},
    {"free_bytes", .help = "free bytes inside segments", .unit = VALUE_BYTES, OF(free_bytes)},
    {"largest_free_bytes", .help = "the largest free block", .unit = VALUE_BYTES, OF(largest_free_bytes)},
    {"short_bytes", .help = "missing even if all free memory were contiguous", .unit = VALUE_BYTES,
     OF(short_bytes)},
    {"is_exact", .help = "0: free_bytes is an upper bound", OF(is_exact)},
};
#undef OF

static bool open_failures(struct table_rows *t, struct err *err UNUSED)
{
    const struct memory_log *log = log_of(t);
    VEC(struct failure_row) rows = {0};

    for (size_t i = 0; log && i < log->allocators.n; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];
        struct failure_facts *facts = failure_facts_of(a, t->request->cancel);

        for (size_t k = 0; k < a->failures.n; k++)
            vec_push(&rows, ((struct failure_row){a, facts[k]}));
        free(facts);
    }
    t->data = rows.data;
    table_set_records(t, &rows);
    return true;
}

static void set_bytes(struct table_value *v, int64_t bytes)
{
    if (bytes != MEMORY_UNKNOWN)
        value_integer(v, bytes);
}

static void failure_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct failure_row *row = &((const struct failure_row *)c->rows->data)[c->key];
    const struct memory_failure *f = row->facts.failure;

    if (column == FAILURE_EVENT)
        value_integer(v, f->event);
    else if (column == FAILURE_AT)
        set_instant(v, row->a, f->event + 1);
    else if (column == FAILURE_REQUESTED || column == FAILURE_DEVICE_FREE)
        set_bytes(v, column == FAILURE_REQUESTED ? f->requested_bytes : f->device_free_bytes);
    else if (column == FAILURE_REASON)
        value_word(v, failure_reason_name(row->facts.reason));
    else if (column == FAILURE_STACK && f->stack != STACK_NONE)
        value_integer(v, f->stack);
    else if (column == FAILURE_DEVICE || column == FAILURE_ALLOCATOR)
        value_name(v, c->profile, column == FAILURE_DEVICE ? row->a->device : row->a->name);
}

const struct table table_failures = {
    .name = "out_of_memory", .help = "failed requests of memory, with reasons", TABLE_COLUMNS(failure_columns),
    .open = open_failures, .close = table_free_data, .value = failure_value,
};
