/* memory.c: replays the buffer assignment of a module. */
#include "hlo/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/satmath.h"
#include "base/xalloc.h"
#include "hlo/fields.h"
#include "hlo/read.h"

/* Kinds of events in a heap simulator trace. */
enum { EVENT_ALLOC = 0, EVENT_FREE = 1, EVENT_SHARE = 2 };

/* The color of ordinary device memory; others are small special memories. */
enum { MAIN_COLOR = 0 };

struct buffer {
    int64_t id, size_bytes, color;
    uint32_t instruction;
    uint32_t canonical; /* the buffer whose memory it shares; initially itself */
    uint32_t references;
};

typedef VEC(struct buffer) buffer_list;

struct replay {
    const struct hlo_module *m;
    struct hlo_memory *memory;
    struct err *err;
    buffer_list buffers;
    struct slots ids;
    uint32_t *callers; /* by computation that is not executed on its own: the executed instruction
                        * that contains it */
    VEC(struct hlo_held) held;
    VEC(struct hlo_heap_event) events;
};

static uint64_t hash_id(int64_t id)
{
    return hash_pair((uint64_t)id, 0);
}

/* The buffer with ID; HLO_NONE: none. */
static uint32_t find_buffer(const struct replay *r, int64_t id)
{
    size_t probe = slots_find(&r->ids, hash_id(id));
    uint32_t i;

    while ((i = slots_next(&r->ids, &probe)) != SLOTS_NONE)
        if (r->buffers.data[i].id == id)
            return i;
    return HLO_NONE;
}

static void add_bytes(int64_t *sum, int64_t bytes)
{
    *sum = clamp_add(*sum, bytes);
}

/* Calls READ for each message in field NUMBER of the buffer assignment. */
static bool for_each(struct replay *r, uint32_t number,
                     bool (*read)(struct replay *r, const struct wire_field *f))
{
    struct wire_field f;

    for (size_t i = 0; i < r->m->n_buffers; i++) {
        struct wire_in in = hlo_walk(r->m, r->m->buffers[i]);

        while (wire_next_len(&in, &f, number))
            if (!read(r, &f))
                return false;
        if (!hlo_ended(r->m, &in, r->err))
            return false;
    }
    return true;
}

/* ---- instructions that hold memory */

/* Finds the executed instruction that contains each reducer or similar computation; their constants
 * are part of it.  Callers have higher ranks, so one pass suffices. */
static uint32_t *find_callers(const struct hlo_module *m)
{
    uint32_t *callers = xreallocarray(NULL, m->n_computations, sizeof *callers);

    memset(callers, 0xff, m->n_computations * sizeof *callers);
    for (uint32_t rank = m->n_computations; rank-- > 0;) {
        const uint32_t c = m->by_rank[rank];
        const uint32_t first = m->computations[c].first_instruction;

        for (uint32_t i = first; i < first + m->computations[c].n_instructions; i++) {
            const uint32_t caller = m->computations[c].is_executed ? i : callers[c];

            for (uint32_t k = 0; k < m->instructions[i].n_called; k++)
                if (hlo_called(m, i, k) != HLO_NONE && callers[hlo_called(m, i, k)] == HLO_NONE)
                    callers[hlo_called(m, i, k)] = caller;
        }
    }
    return callers;
}

/* The executed instruction that contains INSTRUCTION. */
static uint32_t owner_of(const struct replay *r, uint32_t instruction)
{
    const struct hlo_module *m = r->m;
    uint32_t c;

    if (instruction == HLO_NONE)
        return HLO_NONE;
    c = m->instructions[instruction].computation;
    return m->computations[c].is_executed ? instruction : r->callers[c];
}

/* ---- buffers */

/* The instruction that defines a buffer; old files have only its name. */
static uint32_t read_defined_at(const struct hlo_module *m, const struct wire_field *location)
{
    uint32_t by_id = HLO_NONE, by_name = HLO_NONE;

    wire_each(f, wire_in_field(location)) {
        if (f.number == DEFINED_AT_ID && f.type == WIRE_VARINT)
            by_id = hlo_find_id(m, (int64_t)f.value);
        else if (f.number == DEFINED_AT_NAME && f.type == WIRE_LEN)
            by_name = hlo_find_name(m, (const char *)f.bytes, f.len);
    }
    return by_id != HLO_NONE ? by_id : by_name;
}

static bool read_buffer(struct replay *r, const struct wire_field *message)
{
    struct wire_in in = wire_in_field(message);
    struct buffer buffer = {.instruction = HLO_NONE, .canonical = (uint32_t)r->buffers.n};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == BUFFER_DEFINED_AT && f.type == WIRE_LEN)
            buffer.instruction = read_defined_at(r->m, &f);
        else if (f.number == BUFFER_ID && f.type == WIRE_VARINT)
            buffer.id = (int64_t)f.value;
        else if (f.number == BUFFER_SIZE && f.type == WIRE_VARINT)
            buffer.size_bytes = (int64_t)f.value;
        else if (f.number == BUFFER_COLOR && f.type == WIRE_VARINT)
            buffer.color = (int64_t)f.value;
    }
    KEEP_MAX(buffer.size_bytes, 0);
    vec_push(&r->buffers, buffer);
    return hlo_ended(r->m, &in, r->err);
}

static void index_buffers(struct replay *r)
{
    slots_init(&r->ids, r->buffers.n);
    for (uint32_t i = 0; i < r->buffers.n; i++)
        if (find_buffer(r, r->buffers.data[i].id) == HLO_NONE)
            slots_add(&r->ids, hash_id(r->buffers.data[i].id), i);
}

/* ---- allocations that live during the whole run */

struct allocation {
    int64_t size_bytes, color;
    bool is_thread_local, is_parameter, is_constant, is_live_out;
};

static struct allocation read_facts(struct wire_in in)
{
    struct allocation a = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.type != WIRE_VARINT)
            continue;
        if (f.number == ALLOCATION_SIZE)
            a.size_bytes = (int64_t)f.value > 0 ? (int64_t)f.value : 0;
        else if (f.number == ALLOCATION_COLOR)
            a.color = (int64_t)f.value;
        else if (f.number == ALLOCATION_THREAD_LOCAL)
            a.is_thread_local = f.value != 0;
        else if (f.number == ALLOCATION_PARAMETER)
            a.is_parameter = f.value != 0;
        else if (f.number == ALLOCATION_CONSTANT)
            a.is_constant = f.value != 0;
        else if (f.number == ALLOCATION_LIVE_OUT)
            a.is_live_out = f.value != 0;
    }
    return a;
}

/* The buffer of an Assigned message. */
static uint32_t assigned_buffer(const struct replay *r, const struct wire_field *assigned)
{
    int64_t id = 0;

    wire_each(f, wire_in_field(assigned))
        if (f.number == ASSIGNED_BUFFER && f.type == WIRE_VARINT)
            id = (int64_t)f.value;
    return find_buffer(r, id);
}

static bool is_larger(const struct buffer *a, const struct buffer *than)
{
    return !than || a->size_bytes > than->size_bytes ||
           (a->size_bytes == than->size_bytes && a->id < than->id);
}

/* Adds an allocation of ordinary memory for the instruction OWNER.  A donated parameter is an
 * argument and a result, but is held once. */
static void add_fixed(struct replay *r, const struct allocation *a, uint32_t owner)
{
    struct hlo_memory *memory = r->memory;

    if (!a->is_parameter && !a->is_constant && !a->is_live_out)
        return;
    add_bytes(&memory->fixed_bytes, a->size_bytes);
    if (a->is_parameter)
        add_bytes(&memory->argument_bytes, a->size_bytes);
    if (a->is_live_out)
        add_bytes(&memory->result_bytes, a->size_bytes);
    if (a->is_live_out && owner != HLO_NONE)
        add_bytes(&memory->instruction_residual_bytes[owner], a->size_bytes);
    vec_push(&r->held, ((struct hlo_held){owner, a->size_bytes}));
}

static bool read_allocation(struct replay *r, const struct wire_field *message)
{
    struct wire_in in = wire_in_field(message);
    const struct allocation a = read_facts(in);
    const struct buffer *largest = NULL;
    struct wire_field f;

    while (wire_next_len(&in, &f, ALLOCATION_ASSIGNED)) {
        const uint32_t i = assigned_buffer(r, &f);

        if (i != HLO_NONE && is_larger(&r->buffers.data[i], largest))
            largest = &r->buffers.data[i];
    }
    if (a.color == MAIN_COLOR && !a.is_thread_local)
        add_fixed(r, &a, owner_of(r, largest ? largest->instruction : HLO_NONE));
    return hlo_ended(r->m, &in, r->err);
}

/* ---- the heap */

struct event {
    uint64_t kind;
    uint32_t buffer, share_with;
};

static struct event read_event(const struct replay *r, const struct wire_field *message)
{
    uint64_t kind = 0;
    int64_t buffer = 0, share_with = 0;

    wire_each(f, wire_in_field(message)) {
        if (f.type != WIRE_VARINT)
            continue;
        if (f.number == EVENT_KIND)
            kind = f.value;
        else if (f.number == EVENT_BUFFER)
            buffer = (int64_t)f.value;
        else if (f.number == EVENT_SHARE_WITH)
            share_with = (int64_t)f.value;
    }
    return (struct event){kind, find_buffer(r, buffer),
                          kind == EVENT_SHARE ? find_buffer(r, share_with) : HLO_NONE};
}

/* The number of events about ordinary memory. */
static uint64_t count_events(const struct replay *r, struct wire_in trace)
{
    struct wire_field f;
    uint64_t n = 0;

    while (wire_next(&trace, &f)) {
        if (f.number == TRACE_EVENTS && f.type == WIRE_LEN) {
            const uint32_t buffer = read_event(r, &f).buffer;

            n += buffer != HLO_NONE && r->buffers.data[buffer].color == MAIN_COLOR;
        }
    }
    return n;
}

/* The trace with the most events about ordinary memory; empty when there is none. */
static struct wire_in choose_trace(const struct replay *r)
{
    struct wire_in best = wire_in_of(NULL, 0);
    struct wire_field f;
    uint64_t max = 0;

    for (size_t i = 0; i < r->m->n_buffers; i++) {
        struct wire_in in = hlo_walk(r->m, r->m->buffers[i]);

        while (wire_next_len(&in, &f, ASSIGNMENT_TRACES)) {
            const uint64_t n = count_events(r, wire_in_field(&f));

            if (n > max) {
                max = n;
                best = wire_in_field(&f);
            }
        }
    }
    return best;
}

/* Applies EVENT; returns the change of the memory in use. */
static int64_t apply_event(struct buffer *buffers, const struct event *event)
{
    struct buffer *b = &buffers[event->buffer], *canonical;

    if (event->kind == EVENT_ALLOC)
        b->canonical = event->buffer;
    else if (event->kind == EVENT_SHARE && event->share_with != HLO_NONE)
        b->canonical = buffers[event->share_with].canonical;
    canonical = &buffers[b->canonical];
    if (event->kind == EVENT_FREE)
        return canonical->references && --canonical->references == 0
                   ? clamp_neg(canonical->size_bytes)
                   : 0;
    return canonical->references++ == 0 ? canonical->size_bytes : 0;
}

static void add_event(struct replay *r, uint32_t buffer, int64_t bytes)
{
    const uint32_t owner = owner_of(r, r->buffers.data[buffer].instruction);

    vec_push(&r->events, ((struct hlo_heap_event){owner, buffer, bytes}));
}

/* Applies the first N_EVENTS of TRACE, and keeps them if these are all.  Returns the peak of memory in use; *PEAK_EVENT is the
 * number of events up to its first time. */
static int64_t replay_events(struct replay *r, struct wire_in trace, size_t n_events,
                             size_t *peak_event)
{
    struct wire_field f;
    int64_t in_use = 0, peak = 0;

    *peak_event = 0;
    for (size_t i = 0; i < n_events && wire_next(&trace, &f);) {
        struct event event;
        int64_t change;

        if (f.number != TRACE_EVENTS || f.type != WIRE_LEN)
            continue;
        i++;
        event = read_event(r, &f);
        if (event.buffer == HLO_NONE)
            continue;
        change = apply_event(r->buffers.data, &event);
        add_bytes(&in_use, change);
        if (change && n_events == SIZE_MAX)
            add_event(r, r->buffers.data[event.buffer].canonical, change);
        if (in_use > peak) {
            peak = in_use;
            *peak_event = i;
        }
    }
    return peak;
}

static void replay_heap(struct replay *r)
{
    const struct wire_in trace = choose_trace(r);
    size_t peak_event;

    r->memory->n_fixed = r->held.n;
    r->memory->heap_peak_bytes = replay_events(r, trace, SIZE_MAX, &peak_event);
    for (uint32_t i = 0; i < r->buffers.n; i++) {
        r->buffers.data[i].canonical = i;
        r->buffers.data[i].references = 0;
    }
    replay_events(r, trace, peak_event, &peak_event);
    for (uint32_t i = 0; i < r->buffers.n; i++) {
        const struct buffer *b = &r->buffers.data[i];

        if (b->references)
            vec_push(&r->held,
                     ((struct hlo_held){owner_of(r, b->instruction), b->size_bytes}));
    }
}

/* ---- replay of the assignment */

static void sum_up(struct replay *r)
{
    struct hlo_memory *memory = r->memory;

    vec_fit(&r->held);
    vec_fit(&r->events);
    memory->events = r->events.data;
    memory->n_events = r->events.n;
    memory->held = r->held.data;
    memory->n_held = r->held.n;
    memory->peak_bytes = memory->heap_peak_bytes;
    add_bytes(&memory->peak_bytes, memory->fixed_bytes);
    for (size_t i = 0; i < memory->n_held; i++)
        if (memory->held[i].instruction != HLO_NONE)
            add_bytes(&memory->instruction_peak_bytes[memory->held[i].instruction],
                      memory->held[i].bytes);
}

struct hlo_memory *hlo_memory_new(const struct hlo_module *m, struct err *err)
{
    struct hlo_memory *memory = xcalloc(1, sizeof *memory);
    struct replay r = {.m = m, .memory = memory, .err = err};
    bool ok;

    r.callers = find_callers(m);
    memory->instruction_peak_bytes = xcalloc(m->n_instructions, sizeof(int64_t));
    memory->instruction_residual_bytes = xcalloc(m->n_instructions, sizeof(int64_t));
    ok = for_each(&r, ASSIGNMENT_BUFFERS, read_buffer);
    index_buffers(&r);
    ok = ok && for_each(&r, ASSIGNMENT_ALLOCATIONS, read_allocation);
    if (ok)
        replay_heap(&r);
    sum_up(&r);
    vec_done(&r.buffers);
    slots_done(&r.ids);
    free(r.callers);
    if (ok)
        return memory;
    hlo_memory_free(memory);
    return NULL;
}

void hlo_memory_free(struct hlo_memory *memory)
{
    if (!memory)
        return;
    EACH(free, memory->held, memory->events, memory->instruction_peak_bytes, memory->instruction_residual_bytes,
         memory);
}
