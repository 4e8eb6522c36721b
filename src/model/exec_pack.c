/* exec_pack.c: packs executions of nodes. */
#include "base/compare.h"
#include "base/hash.h"
#include "base/satmath.h"
#include "base/stable_sort.h"
#include "base/varint.h"
#include "model/exec_head.h"

COMPARE_BY(compare_slots, struct output_buffer, slot)

uint32_t output_buffers_normalize(struct output_buffer *buffers, size_t n)
{
    return (uint32_t)(n ? sort_last_wins(buffers, n, sizeof *buffers, compare_slots) : 0);
}

static void put_varint(struct exec_pack *pack, uint64_t value)
{
    vec_reserve(&pack->bytes, pack->bytes.n + VARINT_MAX_BYTES);
    pack->bytes.n = (size_t)(varint_put(pack->bytes.data + pack->bytes.n, value) - pack->bytes.data);
}

/* For numbers that may be slightly negative. */
static void put_signed(struct exec_pack *pack, int64_t value)
{
    put_varint(pack, zigzag(value));
}

static unsigned width_of(uint64_t value)
{
    return value ? (unsigned)(71 - __builtin_clzll(value)) / 8 : 0;
}

/* The flags for the lists of R that follow from its figures. */
static unsigned flags_of(const struct exec_record *r)
{
    const struct exec_time *t = r->times;
    const struct exec_memory *m = r->memories;
    const struct output_buffer *buffer = r->buffers;
    unsigned flags = 0;

    if (r->n_devices == 1)
        flags |= FLAG_DEVICE;
    if (r->n_times == 1 && t->start_ticks == r->start_ticks &&
        t->dur_ticks == minus(r->latest_end_ticks, r->start_ticks))
        flags |= t->accelerator ? FLAG_ACCELERATOR_TIME : t->wait ? 0 : FLAG_CPU_TIME;
    if (r->n_memories == 1 && m->memory_ticks == r->latest_end_ticks &&
        !(m->host_temp_bytes | m->host_persistent_bytes | m->accelerator_temp_bytes |
          m->accelerator_persistent_bytes)) {
        if (m->n_outputs == 0)
            flags |= FLAG_MEMORY;
        else if (m->n_outputs == 1 && buffer->slot == 0 && buffer->bytes == m->output_bytes)
            flags |= FLAG_MEMORY | FLAG_BUFFER;
    }
    return flags;
}

/* True if lists other than times are not represented by FLAGS. */
static bool has_others(const struct exec_record *r, unsigned flags)
{
    return (r->n_memories && !(flags & FLAG_MEMORY)) || (r->n_devices && !(flags & FLAG_DEVICE)) ||
           (r->n_allocations && !(flags & FLAG_ALLOCATION));
}

/* The flags for the allocations of R, whose residual bytes are given, and for the tail. */
static unsigned flags_of_rest(const struct exec_record *r, unsigned flags, int64_t residual_bytes)
{
    if (r->n_allocations == 1 && r->allocations->alloc_ticks == r->latest_end_ticks &&
        r->allocations->bytes == residual_bytes)
        flags |= FLAG_ALLOCATION;
    if ((r->n_times && !(flags & (FLAG_CPU_TIME | FLAG_ACCELERATOR_TIME))) || has_others(r, flags))
        flags |= FLAG_TAIL;
    return flags;
}

struct sums {
    int64_t accelerator_ticks, cpu_ticks, wait_ticks;
    int64_t requested_bytes, peak_bytes, residual_bytes, output_bytes;
};

static void sum_lists(struct sums *e, const struct exec_record *r, bool *saturated)
{
    for (uint32_t i = 0; i < r->n_times; i++) {
        int64_t *sum = r->times[i].accelerator ? &e->accelerator_ticks : &e->cpu_ticks;

        *sum = sat_add(*sum, r->times[i].dur_ticks, saturated);
        if (r->times[i].wait)
            e->wait_ticks = sat_add(e->wait_ticks, r->times[i].dur_ticks, saturated);
    }
    array_each(const struct exec_memory, m, r->memories, r->n_memories) {
        e->requested_bytes = sat_add(e->requested_bytes, m->requested_bytes, saturated);
        e->peak_bytes = sat_add(e->peak_bytes, m->peak_bytes, saturated);
        e->residual_bytes = sat_add(e->residual_bytes, m->residual_bytes, saturated);
        e->output_bytes = sat_add(e->output_bytes, m->output_bytes, saturated);
    }
}

static unsigned figures_in(const struct exec_record *r, const struct sums *sum)
{
    return (unsigned)(sum->requested_bytes != 0) << EXEC_BYTES |
           (unsigned)(sum->peak_bytes != 0) << EXEC_PEAK_BYTES |
           (unsigned)(sum->residual_bytes != 0) << EXEC_RESIDUAL_BYTES |
           (unsigned)(sum->output_bytes != 0) << EXEC_OUTPUT_BYTES |
           (unsigned)(r->run_count != 0) << EXEC_OCCURRENCE |
           (unsigned)((sum->accelerator_ticks | sum->cpu_ticks) != 0) << EXEC_TIME |
           (unsigned)(sum->accelerator_ticks != 0) << EXEC_ACCELERATOR_TIME |
           (unsigned)(sum->cpu_ticks != 0) << EXEC_CPU_TIME |
           (unsigned)(sum->wait_ticks != 0) << EXEC_WAIT_TIME;
}

/* Bits of the magnitude of VALUE, and its sign. */
static uint64_t bits_of(int64_t value)
{
    return (uint64_t)(value ^ (value >> 63)) | ((uint64_t)value & (uint64_t)INT64_MIN);
}

static void fill_head(struct head *h, const struct exec_record *r, struct exec_pack *pack,
                      bool *saturated)
{
    struct sums sum = {0};
    uint64_t *n = h->number;

    sum_lists(&sum, r, saturated);
    pack->bits.ticks |= (uint64_t)(sum.cpu_ticks | sum.accelerator_ticks | sum.wait_ticks);
    pack->bits.numbers |= bits_of(r->run_count) | bits_of(sum.requested_bytes) |
                          bits_of(sum.peak_bytes) | bits_of(sum.residual_bytes) |
                          bits_of(sum.output_bytes);
    pack->bits.any |= figures_in(r, &sum);
    h->flags = flags_of_rest(r, flags_of(r), sum.residual_bytes) | (sum.output_bytes ? 0 : FLAG_NO_OUTPUT);
    n[HEAD_STEP] = (uint64_t)r->step;
    n[HEAD_START] = (uint64_t)r->start_ticks;
    n[HEAD_SPAN] = (uint64_t)minus(r->latest_end_ticks, r->start_ticks);
    n[HEAD_RUN_COUNT] = (uint64_t)r->run_count;
    n[HEAD_DEVICES] = h->flags & FLAG_DEVICE ? r->devices[0] : 0;
    if (h->flags & (FLAG_CPU_TIME | FLAG_ACCELERATOR_TIME))
        n[HEAD_DEVICES] |= (uint64_t)r->times->device << HALF_BITS;
    n[HEAD_CPU] = h->flags & FLAG_CPU_TIME ? 0 : (uint64_t)sum.cpu_ticks;
    n[HEAD_ACCELERATOR] = h->flags & FLAG_ACCELERATOR_TIME ? 0 : (uint64_t)sum.accelerator_ticks;
    n[HEAD_REQUESTED] = (uint64_t)sum.requested_bytes;
    n[HEAD_PEAK] = (uint64_t)(sum.peak_bytes ^ sum.requested_bytes);
    n[HEAD_RESIDUAL] = zigzag(sum.residual_bytes ^ sum.requested_bytes);
    n[HEAD_OUTPUT] = (uint64_t)sum.output_bytes ^ head_output_base(h->flags, n[HEAD_REQUESTED]);
    n[HEAD_IN_USE] = h->flags & FLAG_MEMORY ? (uint64_t)r->memories[0].allocator_bytes_in_use : 0;
    n[HEAD_POINTER] = h->flags & FLAG_BUFFER ? r->buffers[0].ptr : 0;
    n[HEAD_WAIT] = (uint64_t)sum.wait_ticks;
}

/* ---- layouts */

/* The first layouts have no constants and all numbers in eight bytes, one for each set of flags.  They fit
 * any record, for files with too many different ones. */
enum { LAYOUTS_MAX = 1 << 16 };

static void add_full_layouts(struct exec_pack *pack)
{
    const uint64_t full = UINT64_C(0x8888888888888888) & ((UINT64_C(1) << (HEAD_NUMBERS * WIDTH_BITS)) - 1);

    for (uint64_t flags = 0; flags < FLAG_SETS; flags++)
        vec_push(&pack->layouts, ((struct exec_layout){.widths = full | flags << (HEAD_NUMBERS * WIDTH_BITS)}));
}

static uint64_t layout_hash(const struct exec_layout *l)
{
    return hash_pair(hash_pair(l->widths, l->start), l->devices);
}

static void index_layouts(struct exec_pack *pack)
{
    slots_done(&pack->by_layout);
    slots_init(&pack->by_layout, 2 * pack->layouts.n);
    for (uint32_t i = 0; i < pack->layouts.n; i++)
        slots_add(&pack->by_layout, layout_hash(&pack->layouts.data[i]), i);
}

/* The index of LAYOUT, which is added if new, or of the full one with its flags. */
static uint32_t layout_index(struct exec_pack *pack, const struct exec_layout *layout)
{
    const uint64_t hash = layout_hash(layout);
    size_t probe;
    uint32_t i;

    if (!pack->layouts.n)
        add_full_layouts(pack);
    if (pack->by_layout.n_slots < 2 * (pack->layouts.n + 1))
        index_layouts(pack);
    for (probe = slots_find(&pack->by_layout, hash); (i = slots_next(&pack->by_layout, &probe)) != SLOTS_NONE;) {
        const struct exec_layout *at = &pack->layouts.data[i];

        if (at->widths == layout->widths && at->start == layout->start && at->devices == layout->devices)
            return i;
    }
    if (pack->layouts.n == LAYOUTS_MAX)
        return head_flags(layout->widths);
    i = (uint32_t)pack->layouts.n;
    vec_push(&pack->layouts, *layout);
    slots_add(&pack->by_layout, hash, i);
    return i;
}

/* Appends the index of a layout and the NUMBERS. */
static void put_numbers(struct exec_pack *pack, uint32_t index, const uint64_t *numbers)
{
    const struct exec_layout layout = pack->layouts.data[index];
    const uint64_t constant[HEAD_NUMBERS] = {[HEAD_START] = layout.start, [HEAD_DEVICES] = layout.devices};
    uint8_t *to;

    vec_reserve(&pack->bytes, pack->bytes.n + EXEC_INDEX_BYTES + HEAD_NUMBERS * NUMBER_MAX_BYTES);
    to = pack->bytes.data + pack->bytes.n;
    *to++ = (uint8_t)index;
    *to++ = (uint8_t)(index >> 8);
    for (unsigned i = 0; i < HEAD_NUMBERS; i++) {
        const uint64_t little = htole64(numbers[i] ^ constant[i]);

        memcpy(to, &little, sizeof little);
        to += layout.widths >> (i * WIDTH_BITS) & WIDTH_MASK;
    }
    pack->bytes.n = (size_t)(to - pack->bytes.data);
}

/* The bits of a start that are a number of the record: half of them, but nearly all once there are many layouts,
 * because clocks that count picoseconds change the upper half every 4 ms. */
static uint64_t start_mask(const struct exec_pack *pack)
{
    enum { MANY_LAYOUTS = 4096, MOST_BYTES = 7 };

    return pack->layouts.n < MANY_LAYOUTS ? UINT32_MAX : number_mask[MOST_BYTES];
}

static void put_head(struct exec_pack *pack, const struct head *h)
{
    const uint64_t low = start_mask(pack);
    struct exec_layout layout = {.widths = (uint64_t)h->flags << (HEAD_NUMBERS * WIDTH_BITS),
                                 .start = h->number[HEAD_START] & ~low,
                                 .devices = h->number[HEAD_DEVICES]};

    for (unsigned i = 0; i < HEAD_NUMBERS; i++) {
        const uint64_t number = i == HEAD_START ? h->number[i] & low : i == HEAD_DEVICES ? 0 : h->number[i];

        layout.widths |= (uint64_t)width_of(number) << (i * WIDTH_BITS);
    }
    put_numbers(pack, layout_index(pack, &layout), h->number);
}

static void put_bytes(struct exec_pack *pack, const uint8_t *bytes, size_t len)
{
    vec_reserve(&pack->bytes, pack->bytes.n + len);
    memcpy(pack->bytes.data + pack->bytes.n, bytes, len);
    pack->bytes.n += len;
}

static void align(struct exec_pack *pack)
{
    while (pack->bytes.n % EXEC_ALIGN)
        vec_push(&pack->bytes, 0);
}

/* ---- tails */

static void put_memories(struct exec_pack *pack, const struct exec_record *r)
{
    const struct output_buffer *buffer = r->buffers;

    put_varint(pack, r->n_memories);
    array_each(const struct exec_memory, m, r->memories, r->n_memories) {
        put_signed(pack, minus(m->memory_ticks, r->latest_end_ticks));
        put_signed(pack, m->host_temp_bytes);
        put_signed(pack, m->host_persistent_bytes);
        put_signed(pack, m->accelerator_temp_bytes);
        put_signed(pack, m->accelerator_persistent_bytes);
        put_signed(pack, m->requested_bytes);
        put_signed(pack, m->peak_bytes);
        put_signed(pack, m->residual_bytes);
        put_signed(pack, m->output_bytes);
        put_signed(pack, m->allocator_bytes_in_use);
        put_varint(pack, m->n_outputs);
        for (uint32_t k = 0; k < m->n_outputs; k++, buffer++) {
            put_signed(pack, buffer->slot);
            put_signed(pack, buffer->bytes);
            put_varint(pack, buffer->ptr);
        }
    }
}

static uint64_t time_code(const struct exec_time *t, const struct head *h)
{
    return (uint64_t)(t->device ^ device_of(h)) << TIME_BITS | (uint64_t)t->wait << 1 | t->accelerator;
}

static bool times_are_alike(const struct exec_record *r, const struct head *h)
{
    const struct exec_time *first = r->times, *last = first + r->n_times - 1;
    const uint64_t code = time_code(first, h);
    uint64_t sum = 0;

    for (uint32_t i = 0; i < r->n_times; i++) {
        if (time_code(first + i, h) != code)
            return false;
        sum += (uint64_t)first[i].dur_ticks;
    }
    return first->start_ticks == r->start_ticks && time_end(last) == r->latest_end_ticks &&
           sum == alike_ticks(h, code);
}

/* A start is relative to the end of the time before. */
static void put_times(struct exec_pack *pack, const struct exec_record *r, const struct head *h)
{
    int64_t last_ticks = r->start_ticks;

    array_each(const struct exec_time, t, r->times, r->n_times) {
        put_varint(pack, time_code(t, h));
        put_signed(pack, minus(t->start_ticks, last_ticks));
        put_signed(pack, t->dur_ticks);
        last_ticks = time_end(t);
    }
}

/* Without the first start and the last time. */
static void put_alike(struct exec_pack *pack, const struct exec_record *r, const struct head *h)
{
    put_varint(pack, time_code(r->times, h));
    for (uint32_t i = 0; i + 1 < r->n_times; i++) {
        if (i)
            put_signed(pack, minus(r->times[i].start_ticks, time_end(&r->times[i - 1])));
        put_varint(pack, (uint64_t)r->times[i].dur_ticks);
    }
}

static void put_others(struct exec_pack *pack, const struct exec_record *r, unsigned flags)
{
    if (!(flags & FLAG_MEMORY))
        put_memories(pack, r);
    if (!(flags & FLAG_ALLOCATION)) {
        put_varint(pack, r->n_allocations);
        for (uint32_t i = 0; i < r->n_allocations; i++) {
            put_signed(pack, minus(r->allocations[i].alloc_ticks, r->latest_end_ticks));
            put_signed(pack, r->allocations[i].bytes);
        }
    }
    if (!(flags & FLAG_DEVICE)) {
        put_varint(pack, r->n_devices);
        for (uint32_t i = 0; i < r->n_devices; i++)
            put_varint(pack, r->devices[i]);
    }
}

static void put_tail(struct exec_pack *pack, const struct exec_record *r, const struct head *h)
{
    const unsigned flags = h->flags;
    const bool has_times = !(flags & (FLAG_CPU_TIME | FLAG_ACCELERATOR_TIME)) && r->n_times;
    const bool is_alike = has_times && times_are_alike(r, h);
    const bool with_others = has_others(r, flags);

    put_varint(pack, (uint64_t)(has_times ? r->n_times : 0) << TAIL_BITS | (is_alike ? TAIL_ALIKE : 0) |
                         (with_others ? TAIL_OTHERS : 0));
    if (is_alike)
        put_alike(pack, r, h);
    else if (has_times)
        put_times(pack, r, h);
    if (with_others)
        put_others(pack, r, flags);
}

void exec_pack_add(struct exec_pack *pack, const struct exec_record *r, bool *saturated)
{
    struct head h;

    fill_head(&h, r, pack, saturated);
    put_head(pack, &h);
    if (h.flags & FLAG_TAIL)
        put_tail(pack, r, &h);
    align(pack);
}

void exec_pack_append(struct exec_pack *pack, const struct exec_pack *other, size_t from, size_t len)
{
    const uint8_t *at = other->bytes.data + from;
    const struct packed_exec record = packed_exec_at(other->layouts.data, at);
    const uint32_t index = layout_index(pack, record.layout);
    const uint64_t widths = pack->layouts.data[index].widths;
    uint64_t numbers[HEAD_NUMBERS];
    size_t skip = EXEC_INDEX_BYTES;

    if (widths == record.layout->widths) {
        put_bytes(pack, (uint8_t[]){(uint8_t)index, (uint8_t)(index >> 8)}, EXEC_INDEX_BYTES);
    } else { /* a full layout */
        for (unsigned i = 0; i < HEAD_NUMBERS; i++)
            numbers[i] = head_stored(record.at, record.layout->widths, i);
        numbers[HEAD_START] ^= record.layout->start;
        numbers[HEAD_DEVICES] ^= record.layout->devices;
        put_numbers(pack, index, numbers);
        skip += head_skip(record.layout->widths, HEAD_NUMBERS);
    }
    put_bytes(pack, at + skip, len - skip);
    align(pack);
    pack->bits.numbers |= other->bits.numbers;
    pack->bits.ticks |= other->bits.ticks;
    pack->bits.any |= other->bits.any;
}

void exec_pack_clear(struct exec_pack *pack)
{
    pack->bytes.n = pack->layouts.n = 0;
    slots_done(&pack->by_layout);
    pack->bits = (struct figure_bits){0};
}

void exec_pack_done(struct exec_pack *pack)
{
    EACH(vec_done, &pack->bytes, &pack->layouts);
    exec_pack_clear(pack);
}

void exec_pack_end(struct exec_pack *pack)
{
    vec_resize_zero(&pack->bytes, pack->bytes.n + NUMBER_MAX_BYTES);
}
