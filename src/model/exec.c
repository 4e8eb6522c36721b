/* exec.c: unpacks executions of nodes.  A record is a head (exec_head.h) and a tail.  All numbers of a head
 * are read without a branch, which makes a pass over millions of records fast.  What many records have in
 * common is stored once, in their layout.  Lists that follow from the figures, nearly all, are represented by
 * a flag; the others are in the tail as varints. */
#include "model/exec.h"

#include "base/satmath.h"
#include "base/varint.h"
#include "model/exec_head.h"

static inline void read_head(struct head *h, struct packed_exec record)
{
    const uint64_t widths = record.layout->widths;

    h->tail = record.at;
    for (unsigned i = 0; i < HEAD_NUMBERS; i++)
        h->number[i] = head_next(&h->tail, widths, i);
    h->flags = head_flags(widths);
    h->number[HEAD_START] ^= record.layout->start;
    h->number[HEAD_DEVICES] ^= record.layout->devices;
    if (h->flags & FLAG_CPU_TIME)
        h->number[HEAD_CPU] = h->number[HEAD_SPAN];
    if (h->flags & FLAG_ACCELERATOR_TIME)
        h->number[HEAD_ACCELERATOR] = h->number[HEAD_SPAN];
    h->number[HEAD_PEAK] ^= h->number[HEAD_REQUESTED];
    h->number[HEAD_RESIDUAL] = (uint64_t)from_zigzag(h->number[HEAD_RESIDUAL]) ^ h->number[HEAD_REQUESTED];
    h->number[HEAD_OUTPUT] ^= head_output_base(h->flags, h->number[HEAD_REQUESTED]);
}

static inline int64_t number(const struct head *h, enum head_number which)
{
    return (int64_t)h->number[which];
}

/* ---- figures */

int64_t exec_step(struct packed_exec record)
{
    return (int64_t)head_stored(record.at, record.layout->widths, HEAD_STEP);
}

strid exec_device(struct packed_exec record)
{
    struct head h;

    read_head(&h, record);
    return h.flags & FLAG_DEVICE ? device_of(&h) : STRID_EMPTY;
}

/* The time represented by a flag. */
static struct exec_time flagged_time(const struct head *h)
{
    return (struct exec_time){.device = (strid)(h->number[HEAD_DEVICES] >> HALF_BITS),
                              .accelerator = h->flags & FLAG_ACCELERATOR_TIME,
                              .start_ticks = number(h, HEAD_START),
                              .dur_ticks = number(h, HEAD_SPAN)};
}

bool exec_one_time(struct packed_exec record, struct exec_time *time)
{
    struct head h;

    read_head(&h, record);
    *time = flagged_time(&h);
    return h.flags & (FLAG_CPU_TIME | FLAG_ACCELERATOR_TIME);
}

void exec_add(struct exec *e, struct packed_exec record, struct clock clock, bool *saturated)
{
    struct head h;
    int64_t start_ticks, latest_end_ticks;

    read_head(&h, record);
    start_ticks = number(&h, HEAD_START);
    latest_end_ticks = end_ticks(&h);
    if (e->start_ticks == 0 || (start_ticks != 0 && start_ticks < e->start_ticks))
        e->start_ticks = start_ticks;
    KEEP_MAX(e->latest_end_ticks, latest_end_ticks);
    e->run_count = sat_add(e->run_count, number(&h, HEAD_RUN_COUNT), saturated);
    e->cpu_ps = sat_add(e->cpu_ps, clock_ps(clock, number(&h, HEAD_CPU), saturated), saturated);
    e->wait_ps = sat_add(e->wait_ps, clock_ps(clock, number(&h, HEAD_WAIT), saturated), saturated);
    e->accelerator_ps = sat_add(
        e->accelerator_ps, clock_ps(clock, number(&h, HEAD_ACCELERATOR), saturated), saturated);
    e->requested_bytes = sat_add(e->requested_bytes, number(&h, HEAD_REQUESTED), saturated);
    e->peak_bytes = sat_add(e->peak_bytes, number(&h, HEAD_PEAK), saturated);
    e->residual_bytes = sat_add(e->residual_bytes, number(&h, HEAD_RESIDUAL), saturated);
    e->output_bytes = sat_add(e->output_bytes, number(&h, HEAD_OUTPUT), saturated);
}

/* ---- lists */

void exec_lists_clear(struct exec_lists *lists)
{
    lists->times.n = 0;
    lists->memories.n = 0;
    lists->buffers.n = 0;
    lists->allocations.n = 0;
    lists->devices.n = 0;
}

void exec_lists_done(struct exec_lists *lists)
{
    EACH(vec_done, &lists->times, &lists->memories, &lists->buffers, &lists->allocations,
         &lists->devices);
}

static int64_t get_signed(const uint8_t **at)
{
    return from_zigzag(varint_get(at));
}

/* A time with CODE, from time_code(). */
static struct exec_time coded_time(const struct head *h, uint64_t code)
{
    return (struct exec_time){.device = (strid)(code >> TIME_BITS ^ device_of(h)),
                              .accelerator = code & 1,
                              .wait = (uint8_t)(code >> 1 & WAIT_MASK)};
}

static void get_times(struct exec_lists *lists, const struct head *h, uint64_t n, const uint8_t **at)
{
    int64_t last_ticks = number(h, HEAD_START);

    while (n--) {
        struct exec_time time = coded_time(h, varint_get(at));

        time.start_ticks = plus(last_ticks, get_signed(at));
        time.dur_ticks = get_signed(at);
        last_ticks = time_end(&time);
        vec_push(&lists->times, time);
    }
}

static void get_alike(struct exec_lists *lists, const struct head *h, uint64_t n, const uint8_t **at)
{
    const uint64_t code = varint_get(at);
    struct exec_time time = coded_time(h, code);
    uint64_t left_ticks = alike_ticks(h, code);

    time.start_ticks = number(h, HEAD_START);
    for (uint64_t i = 0; i + 1 < n; i++) {
        if (i)
            time.start_ticks = plus(time_end(&time), get_signed(at));
        time.dur_ticks = (int64_t)varint_get(at);
        left_ticks -= (uint64_t)time.dur_ticks;
        vec_push(&lists->times, time);
    }
    time.dur_ticks = (int64_t)left_ticks;
    time.start_ticks = minus(end_ticks(h), time.dur_ticks);
    vec_push(&lists->times, time);
}

static void get_memories(struct exec_lists *lists, const struct head *h, const uint8_t **at)
{
    for (uint64_t n = varint_get(at); n; n--) {
        struct exec_memory m = {.memory_ticks = plus(end_ticks(h), get_signed(at))};

        m.host_temp_bytes = get_signed(at);
        m.host_persistent_bytes = get_signed(at);
        m.accelerator_temp_bytes = get_signed(at);
        m.accelerator_persistent_bytes = get_signed(at);
        m.requested_bytes = get_signed(at);
        m.peak_bytes = get_signed(at);
        m.residual_bytes = get_signed(at);
        m.output_bytes = get_signed(at);
        m.allocator_bytes_in_use = get_signed(at);
        m.n_outputs = (uint32_t)varint_get(at);
        vec_push(&lists->memories, m);
        for (uint32_t i = 0; i < m.n_outputs; i++) {
            struct output_buffer buffer = {.slot = (int32_t)get_signed(at)};

            buffer.bytes = get_signed(at);
            buffer.ptr = varint_get(at);
            vec_push(&lists->buffers, buffer);
        }
    }
}

/* Appends the lists represented by flags. */
static void add_flagged_lists(struct exec_lists *lists, const struct head *h)
{
    const struct exec_memory memory = {.memory_ticks = end_ticks(h),
                                       .requested_bytes = number(h, HEAD_REQUESTED),
                                       .peak_bytes = number(h, HEAD_PEAK),
                                       .residual_bytes = number(h, HEAD_RESIDUAL),
                                       .output_bytes = number(h, HEAD_OUTPUT),
                                       .allocator_bytes_in_use = number(h, HEAD_IN_USE),
                                       .n_outputs = h->flags & FLAG_BUFFER ? 1 : 0};
    const struct output_buffer buffer = {0, memory.output_bytes, h->number[HEAD_POINTER]};

    if (h->flags & (FLAG_CPU_TIME | FLAG_ACCELERATOR_TIME))
        vec_push(&lists->times, flagged_time(h));
    if (h->flags & FLAG_MEMORY)
        vec_push(&lists->memories, memory);
    if (h->flags & FLAG_BUFFER)
        vec_push(&lists->buffers, buffer);
    if (h->flags & FLAG_ALLOCATION)
        vec_push(&lists->allocations, ((struct allocation){end_ticks(h), memory.residual_bytes}));
    if (h->flags & FLAG_DEVICE)
        vec_push(&lists->devices, device_of(h));
}

static void get_others(struct exec_lists *lists, const struct head *h, const uint8_t *at)
{
    if (!(h->flags & FLAG_MEMORY))
        get_memories(lists, h, &at);
    if (!(h->flags & FLAG_ALLOCATION))
        for (uint64_t n = varint_get(&at); n; n--) {
            struct allocation allocation = {.alloc_ticks = plus(end_ticks(h), get_signed(&at))};

            allocation.bytes = get_signed(&at);
            vec_push(&lists->allocations, allocation);
        }
    if (!(h->flags & FLAG_DEVICE))
        for (uint64_t n = varint_get(&at); n; n--)
            vec_push(&lists->devices, (strid)varint_get(&at));
}

void exec_lists_add(struct exec_lists *lists, struct packed_exec record)
{
    const uint8_t *at;
    struct head h;
    uint64_t begin;

    read_head(&h, record);
    add_flagged_lists(lists, &h);
    if (!(h.flags & FLAG_TAIL))
        return;
    at = h.tail;
    begin = varint_get(&at);
    if (begin & TAIL_ALIKE)
        get_alike(lists, &h, begin >> TAIL_BITS, &at);
    else
        get_times(lists, &h, begin >> TAIL_BITS, &at);
    if (begin & TAIL_OTHERS)
        get_others(lists, &h, at);
}
