/* test_exec.c: packed execution records are unpacked unchanged, for any figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "model/exec.h"
#include "model/recorder.h"

/* A record with its lists. */
struct sample {
    struct exec_record record;
    struct exec_time times[3];
    struct exec_memory memories[3];
    struct output_buffer buffers[6];
    struct allocation allocations[3];
    strid devices[3];
};

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* Random numbers of any bit width, often zero. */
static int64_t any(uint64_t *state)
{
    uint64_t bits = next(state);

    return bits & 1 ? 0 : (int64_t)(next(state) >> (bits >> 1 & 63));
}

static void fill_lists(struct sample *s, uint64_t *state)
{
    uint32_t n_buffers = 0;

    for (int i = 0; i < 3; i++) {
        struct exec_memory *m = &s->memories[i];

        s->times[i] = (struct exec_time){.device = (strid)any(state),
                                           .accelerator = any(state) & 1,
                                           .start_ticks = any(state),
                                           .dur_ticks = any(state)};
        if (!s->times[i].accelerator)
            s->times[i].wait = (uint8_t)(next(state) % WAIT_KINDS);
        *m = (struct exec_memory){any(state), any(state), any(state), any(state), any(state),
                                  any(state), any(state), any(state), any(state), any(state), 0};
        m->n_outputs = (uint32_t)(next(state) % 3);
        n_buffers += m->n_outputs;
        s->allocations[i] = (struct allocation){any(state), any(state)};
        s->devices[i] = (strid)any(state);
    }
    for (uint32_t i = 0; i < n_buffers; i++)
        s->buffers[i] = (struct output_buffer){(int32_t)any(state), any(state), next(state)};
}

static void fill(struct sample *s, uint64_t *state)
{
    struct exec_record *r = &s->record;

    fill_lists(s, state);
    *r = (struct exec_record){any(state),  any(state),     any(state), any(state),
                              s->times,    s->memories,    s->buffers, s->allocations,
                              s->devices,  0, 0, 0, 0};
    r->n_times = (uint32_t)(next(state) % 4);
    r->n_memories = (uint32_t)(next(state) % 4);
    r->n_allocations = (uint32_t)(next(state) % 4);
    r->n_devices = (uint32_t)(next(state) % 4);
}

/* The usual record: one time, one memory entry and one output with the same values. */
static void make_usual(struct sample *s, uint64_t *state)
{
    struct exec_record *r = &s->record;
    struct exec_memory *m = &s->memories[0];

    r->n_times = r->n_memories = r->n_devices = 1;
    r->n_allocations = 0;
    s->times[0].device = s->devices[0];
    s->times[0].start_ticks = r->start_ticks;
    s->times[0].dur_ticks = (int64_t)((uint64_t)r->latest_end_ticks - (uint64_t)r->start_ticks);
    *m = (struct exec_memory){.memory_ticks = r->latest_end_ticks, .requested_bytes = any(state)};
    m->peak_bytes = next(state) % 4 ? m->requested_bytes : any(state);
    m->residual_bytes = next(state) % 4 ? m->requested_bytes : any(state);
    m->output_bytes = m->requested_bytes;
    m->allocator_bytes_in_use = any(state);
    m->n_outputs = next(state) % 3 > 0;
    s->buffers[0] = (struct output_buffer){next(state) % 4 == 0, m->output_bytes, next(state)};
}

static void assert_lists(const struct sample *s, const struct exec_lists *lists)
{
    const struct exec_record *r = &s->record;
    size_t buffer = 0;

    assert_int_equal(lists->times.n, r->n_times);
    for (uint32_t i = 0; i < r->n_times; i++) {
        assert_int_equal(lists->times.data[i].device, s->times[i].device);
        assert_int_equal(lists->times.data[i].accelerator, s->times[i].accelerator);
        assert_int_equal(lists->times.data[i].wait, s->times[i].wait);
        assert_int_equal(lists->times.data[i].start_ticks, s->times[i].start_ticks);
        assert_int_equal(lists->times.data[i].dur_ticks, s->times[i].dur_ticks);
    }
    assert_int_equal(lists->memories.n, r->n_memories);
    for (uint32_t i = 0; i < r->n_memories; i++) {
        /* Everything except the padding. */
        assert_memory_equal(&lists->memories.data[i], &s->memories[i],
                            offsetof(struct exec_memory, n_outputs));
        assert_int_equal(lists->memories.data[i].n_outputs, s->memories[i].n_outputs);
        for (uint32_t k = 0; k < s->memories[i].n_outputs; k++, buffer++) {
            assert_int_equal(lists->buffers.data[buffer].slot, s->buffers[buffer].slot);
            assert_int_equal(lists->buffers.data[buffer].bytes, s->buffers[buffer].bytes);
            assert_true(lists->buffers.data[buffer].ptr == s->buffers[buffer].ptr);
        }
    }
    assert_int_equal(lists->buffers.n, buffer);
    assert_int_equal(lists->allocations.n, r->n_allocations);
    assert_int_equal(lists->devices.n, r->n_devices);
    if (r->n_allocations)
        assert_memory_equal(lists->allocations.data, s->allocations,
                            r->n_allocations * sizeof *s->allocations);
    if (r->n_devices)
        assert_memory_equal(lists->devices.data, s->devices, r->n_devices * sizeof *s->devices);
}

static const struct clock ps_ticks = {1};

/* Compares sums.  Three values of any() fit in 64 bits except for the widest, which sets *LIMIT. */
static void assert_figures(const struct sample *s, struct packed_exec record, bool limit)
{
    const struct exec_record *r = &s->record;
    struct exec e = {.step = 0};
    uint64_t cpu = 0, accelerator = 0, wait = 0, peak = 0;
    bool saturated = false;

    exec_add(&e, record, ps_ticks, &saturated);
    assert_int_equal(exec_step(record), r->step);
    assert_int_equal(e.start_ticks, r->start_ticks);
    assert_int_equal(e.latest_end_ticks, r->latest_end_ticks > 0 ? r->latest_end_ticks : 0);
    assert_int_equal(e.run_count, r->run_count);
    if (limit)
        return;
    for (uint32_t i = 0; i < r->n_times; i++)
        *(s->times[i].accelerator ? &accelerator : &cpu) += (uint64_t)s->times[i].dur_ticks;
    for (uint32_t i = 0; i < r->n_times; i++)
        wait += s->times[i].wait ? (uint64_t)s->times[i].dur_ticks : 0;
    for (uint32_t i = 0; i < r->n_memories; i++)
        peak += (uint64_t)s->memories[i].peak_bytes;
    assert_int_equal(e.cpu_ps, (int64_t)cpu);
    assert_int_equal(e.accelerator_ps, (int64_t)accelerator);
    assert_int_equal(e.wait_ps, (int64_t)wait);
    assert_int_equal(e.peak_bytes, (int64_t)peak);
}

static struct packed_exec first_of(const struct exec_pack *pack)
{
    return packed_exec_at(pack->layouts.data, pack->bytes.data);
}

static void packed_records_are_unpacked(void **unused)
{
    uint64_t state = 1;

    (void)unused;
    for (int round = 0; round < 20000; round++) {
        struct exec_pack pack = {.bytes = {0}};
        struct exec_lists lists = {0};
        bool saturated = false;
        struct sample s;

        fill(&s, &state);
        if (round % 2)
            make_usual(&s, &state);
        exec_pack_add(&pack, &s.record, &saturated);
        assert_int_equal(pack.bytes.n % EXEC_ALIGN, 0);
        exec_pack_end(&pack);
        exec_lists_add(&lists, first_of(&pack));
        assert_lists(&s, &lists);
        assert_figures(&s, first_of(&pack), saturated);
        exec_lists_done(&lists);
        exec_pack_done(&pack);
    }
}

/* Record I, whose device is I after FIRST, so that it has a layout of its own. */
static void add_odd(struct exec_pack *pack, uint32_t i, strid first)
{
    const strid device = first + i;
    const struct exec_time time = {.device = device, .start_ticks = (int64_t)i << 33, .dur_ticks = i};
    bool saturated = false;

    exec_pack_add(pack, &(struct exec_record){.step = i, .start_ticks = time.start_ticks, .devices = &device,
                                              .latest_end_ticks = time.start_ticks + i, .times = &time,
                                              .n_times = 1, .n_devices = 1},
                  &saturated);
}

/* Asserts that the records of PACK from position AT are those of add_odd(). */
static void assert_odd(const struct exec_pack *pack, const size_t *at, uint32_t n, strid first)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct packed_exec record = packed_exec_at(pack->layouts.data, pack->bytes.data + at[i]);
        struct exec_time time;

        assert_true(exec_one_time(record, &time));
        assert_int_equal(exec_step(record), i);
        assert_int_equal(exec_device(record), first + i);
        assert_int_equal(time.device, first + i);
        assert_true(time.start_ticks == (int64_t)i << 33);
        assert_int_equal(time.dur_ticks, i);
    }
}

static void any_number_of_layouts_can_be_packed(void **unused)
{
    enum { N = 70000, DEVICE = 77, OTHER = 100000 };
    struct exec_pack pack = {.bytes = {0}}, joined = {.bytes = {0}};
    size_t *at = calloc(N + 1, sizeof *at), *joined_at = calloc(N, sizeof *joined_at);

    (void)unused;
    assert_non_null(at);
    assert_non_null(joined_at);
    for (uint32_t i = 0; i < N; i++) {
        at[i] = pack.bytes.n;
        add_odd(&pack, i, DEVICE);
        add_odd(&joined, i, OTHER);
    }
    at[N] = pack.bytes.n;
    for (uint32_t i = 0; i < N; i++) {
        joined_at[i] = joined.bytes.n;
        exec_pack_append(&joined, &pack, at[i], at[i + 1] - at[i]);
    }
    exec_pack_end(&pack);
    exec_pack_end(&joined);
    assert_odd(&pack, at, N, DEVICE);
    assert_int_equal(pack.layouts.n, 1 << 16);
    assert_odd(&joined, joined_at, N, DEVICE);
    free(at);
    free(joined_at);
    EACH(exec_pack_done, &pack, &joined);
}

static void a_fine_clock_needs_few_layouts(void **unused)
{
    enum { N = 100000 };
    struct exec_pack pack = {.bytes = {0}};
    bool saturated = false;

    (void)unused;
    for (int64_t i = 0; i < N; i++)
        exec_pack_add(&pack, &(struct exec_record){.start_ticks = i << 33, .latest_end_ticks = (i << 33) + 1}, &saturated);
    assert_in_range(pack.layouts.n, 1, 5000);
    assert_in_range(pack.bytes.n, 1, N * 12);
    exec_pack_done(&pack);
}

static void a_typical_entry_is_small(void **unused)
{
    const strid device = 1000000;
    const struct exec_time time = {.device = device, .start_ticks = 1500000000000000, .dur_ticks = 300};
    const struct exec_memory memory = {.memory_ticks = 1500000000000300,
                                       .requested_bytes = 1 << 20,
                                       .peak_bytes = 1 << 20,
                                       .residual_bytes = 1 << 20,
                                       .output_bytes = 1 << 20,
                                       .allocator_bytes_in_use = 1 << 30,
                                       .n_outputs = 1};
    const struct output_buffer buffer = {0, 1 << 20, 0x7f0000001000};
    const struct exec_record record = {.step = 2,
                                       .run_count = 1,
                                       .start_ticks = time.start_ticks,
                                       .latest_end_ticks = memory.memory_ticks,
                                       .times = &time,
                                       .memories = &memory,
                                       .buffers = &buffer,
                                       .devices = &device,
                                       .n_times = 1,
                                       .n_memories = 1,
                                       .n_devices = 1};
    struct exec_pack pack = {.bytes = {0}};
    bool saturated = false;

    (void)unused;
    exec_pack_add(&pack, &record, &saturated);
    assert_in_range(pack.bytes.n, 1, 26);
    assert_false(saturated);
    exec_pack_done(&pack);
}

static void records_of_a_step_are_summed(void **unused)
{
    const struct exec_time times[2] = {{1, true, 0, 50, INT64_MAX}, {1, true, 0, 40, 2}};
    struct exec_pack pack = {.bytes = {0}};
    struct exec e = {.step = 7};
    bool saturated = false;
    size_t second;

    (void)unused;
    exec_pack_add(&pack, &(struct exec_record){7, 1, 50, 60, .times = &times[0], .n_times = 1},
                  &saturated);
    second = pack.bytes.n;
    exec_pack_add(&pack, &(struct exec_record){7, 1, 40, 55, .times = &times[1], .n_times = 1},
                  &saturated);
    exec_pack_end(&pack);
    assert_false(saturated);
    exec_add(&e, first_of(&pack), ps_ticks, &saturated);
    assert_false(saturated);
    exec_add(&e, packed_exec_at(pack.layouts.data, pack.bytes.data + second), ps_ticks, &saturated);
    assert_true(saturated);
    assert_true(e.accelerator_ps == INT64_MAX);
    assert_int_equal(e.run_count, 2);
    assert_int_equal(e.start_ticks, 40);
    assert_int_equal(e.latest_end_ticks, 60);
    exec_pack_done(&pack);
}

static void buffers_of_a_record_are_a_map(void **unused)
{
    struct output_buffer buffers[] = {{3, 30, 1}, {1, 10, 2}, {3, 31, 3}};

    (void)unused;
    assert_int_equal(output_buffers_normalize(buffers, 3), 2);
    assert_int_equal(buffers[0].slot, 1);
    assert_int_equal(buffers[1].bytes, 31);
    assert_int_equal(output_buffers_normalize(NULL, 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_records_are_unpacked),
        cmocka_unit_test(any_number_of_layouts_can_be_packed),
        cmocka_unit_test(a_fine_clock_needs_few_layouts),
        cmocka_unit_test(a_typical_entry_is_small),
        cmocka_unit_test(records_of_a_step_are_summed),
        cmocka_unit_test(buffers_of_a_record_are_a_map),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
