/* test_memory.c: the replay of buffers: peaks, and live buffers at the peaks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_text.h"
#include "hlo/memory.h"

#define MODULE                                                                                   \
    "HloModule m\n ENTRY e { a = f32[8] parameter(0)\n b = f32[8] negate(a)\n"                   \
    " c = f32[8] negate(b)\n ROOT d = f32[8] negate(c) }\n"
enum { A, B, C, D };

struct expected {
    int64_t heap, fixed;
    int64_t arguments, results; /* 0: not checked */
    int64_t peak[4], residual[4]; /* by instruction */
};

static void check(const char *lines, struct expected expected)
{
    struct strbuf text = {0}, bytes = {0};
    struct err err = {0};
    struct hlo_module *m;
    struct hlo_memory *memory;
    int64_t held = 0, in_use = 0, most = 0;

    sb_adds(&text, MODULE);
    sb_adds(&text, lines);
    hlo_text_proto(&bytes, sb_text(&text));
    m = hlo_module_new(sb_text(&bytes), bytes.len, &err);
    assert_non_null(m);
    memory = hlo_memory_new(m, &err);
    assert_non_null(memory);
    assert_int_equal(memory->heap_peak_bytes, expected.heap);
    assert_int_equal(memory->fixed_bytes, expected.fixed);
    assert_int_equal(memory->peak_bytes, expected.heap + expected.fixed);
    if (expected.arguments)
        assert_int_equal(memory->argument_bytes, expected.arguments);
    if (expected.results)
        assert_int_equal(memory->result_bytes, expected.results);
    for (size_t i = 0; i < memory->n_held; i++)
        held += memory->held[i].bytes;
    assert_int_equal(held, memory->peak_bytes);
    for (size_t i = 0; i < memory->n_events; i++) {
        in_use += memory->events[i].bytes;
        most = in_use > most ? in_use : most;
    }
    assert_int_equal(most, memory->heap_peak_bytes);
    for (uint32_t i = A; i <= D; i++) {
        assert_int_equal(memory->instruction_peak_bytes[i], expected.peak[i]);
        assert_int_equal(memory->instruction_residual_bytes[i], expected.residual[i]);
    }
    hlo_memory_free(memory);
    hlo_module_free(m);
    sb_done(&text);
    sb_done(&bytes);
}

static void without_buffers_no_memory_is_live(void **state)
{
    (void)state;
    check("", (struct expected){0});
}

static void the_peak_is_the_first_largest_sum(void **state)
{
    (void)state;
    check("buffer 1 100 0 b buffer 2 50 0 c buffer 3 70 0 d\n"
          "trace alloc 1 alloc 2 free 1 alloc 3 free 2 free 3\n",
          (struct expected){.heap = 150, .peak = {[B] = 100, [C] = 50}});
    /* 150 is reached again later. */
    check("buffer 1 100 0 b buffer 2 50 0 c buffer 3 100 0 d\n"
          "trace alloc 1 alloc 2 free 1 alloc 3 free 2 free 3\n",
          (struct expected){.heap = 150, .peak = {[B] = 100, [C] = 50}});
    check("buffer 1 100 0 b buffer 2 50 0 c buffer 3 120 0 d\n"
          "trace alloc 1 alloc 2 free 1 alloc 3\n",
          (struct expected){.heap = 170, .peak = {[C] = 50, [D] = 120}});
}

static void shared_memory_counts_once_while_one_has_it(void **state)
{
    (void)state;
    check("buffer 1 100 0 b buffer 2 40 0 c buffer 3 60 0 d\n"
          "trace alloc 1 share 2 1 free 1 alloc 3 free 2 free 3\n",
          (struct expected){.heap = 160, .peak = {[B] = 100, [D] = 60}});
    /* Shared after it was freed: it is live again, with the size of the first buffer. */
    check("buffer 1 100 0 b buffer 2 40 0 c\n"
          "trace alloc 1 free 1 share 2 1\n",
          (struct expected){.heap = 100, .peak = {[B] = 100}});
    /* Shared through another buffer. */
    check("buffer 1 100 0 b buffer 2 40 0 c buffer 3 60 0 d\n"
          "trace alloc 1 share 2 1 share 3 2 free 1 free 2 alloc 2 free 3\n",
          (struct expected){.heap = 140, .peak = {[B] = 100, [C] = 40}});
}

static void fixed_allocations_belong_to_their_largest_buffer(void **state)
{
    (void)state;
    check("buffer 1 32 0 a buffer 2 8 0 b buffer 3 16 0 c buffer 4 16 0 d\n"
          "allocation 32 0 parameter : 1 2\n"
          "allocation 64 0 live_out : 2 4 3\n"
          "allocation 5 0 constant :\n"
          "allocation 500 0 : 1\n"
          "allocation 500 0 live_out thread_local : 4\n"
          "allocation 500 1 live_out : 4\n",
          (struct expected){.fixed = 101,
                            .peak = {[A] = 32, [C] = 64},
                            .residual = {[C] = 64}});
}

/* Each result of a program is one allocation, however many buffers it contains. */
static void a_result_counts_once(void **state)
{
    (void)state;
    check("buffer 1 32 0 a buffer 2 32 0 b buffer 3 32 0 c buffer 4 16 0 d\n"
          "allocation 32 0 parameter live_out : 1 2 3\n"
          "allocation 16 0 live_out : 4\n",
          (struct expected){.fixed = 48, .arguments = 32, .results = 48,
                            .peak = {[A] = 32, [D] = 16}, .residual = {[A] = 32, [D] = 16}});
}

/* Constants of reducers and of their callees belong to the executed instruction. */
static void constants_of_reducers_belong_to_their_caller(void **state)
{
    static const char text[] =
        "HloModule m\n"
        "inner { u = f32[] parameter(0)\n k = f32[] constant(3)\n ROOT v = f32[] add(u, k) }\n"
        "sum { x = f32[] parameter(0)\n y = f32[] parameter(1)\n l = f32[] constant(1)\n"
        " w = f32[] call(x), to_apply=inner\n ROOT s = f32[] add(w, l) }\n"
        "ENTRY e { a = f32[8] parameter(0)\n z = f32[] constant(0)\n"
        " ROOT r = f32[] reduce(a, z), dimensions={0}, to_apply=sum }\n"
        "buffer 1 4 0 k buffer 2 8 0 l\n"
        "allocation 4 0 constant : 1\nallocation 8 0 constant : 2\n";
    struct strbuf bytes = {0};
    struct err err = {0};
    struct hlo_module *m;
    struct hlo_memory *memory;

    (void)state;
    hlo_text_proto(&bytes, text);
    m = hlo_module_new(sb_text(&bytes), bytes.len, &err);
    assert_non_null(m);
    memory = hlo_memory_new(m, &err);
    assert_non_null(memory);
    assert_int_equal(memory->peak_bytes, 12);
    assert_int_equal(memory->instruction_peak_bytes[hlo_find_name(m, "r", 1)], 12);
    hlo_memory_free(memory);
    hlo_module_free(m);
    sb_done(&bytes);
}

static void the_trace_with_most_default_memory_events_is_used(void **state)
{
    (void)state;
    check("buffer 1 100 0 b buffer 2 50 0 c buffer 3 999 1 d\n"
          "trace alloc 1 free 1\n"
          "trace alloc 2 free 2 alloc 2\n"
          "trace alloc 3 free 3 alloc 3 free 3 alloc 3\n",
          (struct expected){.heap = 50, .peak = {[C] = 50}});
}

static void missing_buffers_are_skipped(void **state)
{
    (void)state;
    check("buffer 1 100 0 b buffer 1 77 0 c\n"
          "trace alloc 9 alloc 1 share 9 1 free 9 free 1 free 1 share 1 9\n"
          "allocation 8 0 parameter : 9\n",
          (struct expected){.heap = 100, .fixed = 8, .peak = {[B] = 100}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_buffers_no_memory_is_live),
        cmocka_unit_test(the_peak_is_the_first_largest_sum),
        cmocka_unit_test(shared_memory_counts_once_while_one_has_it),
        cmocka_unit_test(fixed_allocations_belong_to_their_largest_buffer),
        cmocka_unit_test(a_result_counts_once),
        cmocka_unit_test(constants_of_reducers_belong_to_their_caller),
        cmocka_unit_test(the_trace_with_most_default_memory_events_is_used),
        cmocka_unit_test(missing_buffers_are_skipped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
