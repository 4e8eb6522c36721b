/* test_nesting.c: self time and parents of overlapping slices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/strbuf.h"
#include "load/slices/nesting.h"

/* "B<id><parent><frame>[~]" for begins and "<timed><frame>:from-to" for spans; '-' for none. */
static char letter(uint32_t id)
{
    return id == SLICE_NONE ? '-' : (char)('a' + id);
}

static void print_begin(void *context, const struct nested_slice *slice, uint32_t parent,
                        uint32_t frame, bool partly)
{
    sb_addf(context, "B%c%c%c%s ", letter(slice->id), letter(parent), letter(frame),
            partly ? "~" : "");
}

static void print_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    sb_addf(context, "%c%c:%d-%d ", letter(timed), letter(frame), (int)from, (int)to);
}

static void check(struct nested_slice *slices, size_t n, const char *expected)
{
    static const struct nesting_calls calls = {print_begin, print_span, NULL};
    struct strbuf told = {0};

    nesting_sort(slices, n);
    nesting_sweep(slices, n, &calls, &told);
    assert_string_equal(sb_text(&told), expected);
    sb_done(&told);
}

static void self_time_excludes_children(void **state)
{
    struct nested_slice slices[] = {{2, 5, 1, LAYER_TIMED}, {0, 10, 0, LAYER_TIMED}};

    (void)state;
    check(slices, 2, "Ba-- a-:0-2 Bba- b-:2-5 a-:5-10 ");
}

static void adjacent_slices_are_not_children(void **state)
{
    struct nested_slice slices[] = {{0, 4, 0, LAYER_TIMED}, {4, 6, 1, LAYER_TIMED}};

    (void)state;
    check(slices, 2, "Ba-- a-:0-4 Bb-- b-:4-6 ");
}

static void equal_slices_nest_in_the_order_given(void **state)
{
    struct nested_slice slices[] = {{0, 4, 0, LAYER_TIMED}, {0, 4, 1, LAYER_TIMED}};

    (void)state;
    check(slices, 2, "Ba-- Bba- b-:0-4 ");
}

static void partial_overlap_has_the_parent_that_holds_it(void **state)
{
    struct nested_slice slices[] = {
        {0, 10, 0, LAYER_TIMED}, {1, 4, 1, LAYER_TIMED}, {3, 6, 2, LAYER_TIMED}};

    (void)state;
    check(slices, 3, "Ba-- a-:0-1 Bba- b-:1-3 Bca-~ c-:3-6 a-:6-10 ");
}

static void partly_overlapping_slices_end_in_order(void **state)
{
    struct nested_slice slices[] = {{0, 6, 0, LAYER_TIMED}, {4, 9, 1, LAYER_TIMED}};

    (void)state;
    check(slices, 2, "Ba-- a-:0-4 Bb--~ b-:4-9 ");
}

static void frames_are_a_separate_layer(void **state)
{
    struct nested_slice slices[] = {{0, 10, 0, LAYER_FRAME},
                                    {2, 12, 1, LAYER_TIMED},
                                    {3, 5, 2, LAYER_TIMED | LAYER_FRAME}};

    (void)state;
    check(slices, 3, "Ba-- -a:0-2 Bb-a ba:2-3 Bcba cc:3-5 ba:5-10 b-:10-12 ");
}

static void slices_without_length_begin_and_have_no_time(void **state)
{
    struct nested_slice slices[] = {{0, 4, 0, LAYER_TIMED}, {2, 2, 1, LAYER_TIMED}};

    (void)state;
    check(slices, 2, "Ba-- a-:0-2 Bba- a-:2-4 ");
}

static void print_left(void *context, uint32_t id)
{
    sb_addf(context, "L%c ", letter(id));
}

static void a_slice_ends_once_per_layer(void **state)
{
    static const struct nesting_calls calls = {print_begin, print_span, print_left};
    struct nested_slice slices[] = {{0, 6, 0, LAYER_TIMED},
                                    {1, 3, 1, LAYER_TIMED | LAYER_FRAME},
                                    {2, 2, 2, LAYER_TIMED},
                                    {4, 9, 3, LAYER_TIMED}};
    struct strbuf told = {0};

    (void)state;
    nesting_sweep(slices, 4, &calls, &told);
    assert_string_equal(sb_text(&told), "Ba-- a-:0-1 Bba- bb:1-2 Bcbb bb:2-3 Lb Lb a-:3-4 La Bd--~ "
                                        "d-:4-9 Ld ");
    sb_done(&told);
}

static void sorting_keeps_the_order_of_equals(void **state)
{
    enum { N = 1000 };
    struct nested_slice slices[N];

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        slices[i] = (struct nested_slice){(int64_t)(i * 7919 % 50), 60, i, LAYER_TIMED};
    nesting_sort(slices, N);
    for (uint32_t i = 1; i < N; i++) {
        assert_true(slices[i - 1].start <= slices[i].start);
        if (slices[i - 1].start == slices[i].start)
            assert_true(slices[i - 1].id < slices[i].id);
    }
}

static void count_span(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to)
{
    (void)timed, (void)frame;
    *(int64_t *)context += to - from;
}

static void ignore_begin(void *context, const struct nested_slice *slice, uint32_t parent,
                         uint32_t frame, bool partly)
{
    (void)context, (void)slice, (void)parent, (void)frame, (void)partly;
}

/* Partly overlapping slices in a staircase would be quadratic if every open slice were visited. */
static void overlapping_slices_take_linear_time(void **state)
{
    static const struct nesting_calls calls = {ignore_begin, count_span, NULL};
    enum { N = 1000000 };
    struct nested_slice *slices = test_malloc(N * sizeof *slices);
    int64_t covered = 0;

    (void)state;
    for (uint32_t i = 0; i < N; i++)
        slices[i] = (struct nested_slice){i, i + N, i, LAYER_TIMED};
    nesting_sweep(slices, N, &calls, &covered);
    assert_int_equal(covered, 2 * N - 1);
    test_free(slices);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(self_time_excludes_children),
        cmocka_unit_test(adjacent_slices_are_not_children),
        cmocka_unit_test(equal_slices_nest_in_the_order_given),
        cmocka_unit_test(partial_overlap_has_the_parent_that_holds_it),
        cmocka_unit_test(partly_overlapping_slices_end_in_order),
        cmocka_unit_test(frames_are_a_separate_layer),
        cmocka_unit_test(slices_without_length_begin_and_have_no_time),
        cmocka_unit_test(a_slice_ends_once_per_layer),
        cmocka_unit_test(sorting_keeps_the_order_of_equals),
        cmocka_unit_test(overlapping_slices_take_linear_time),
    };

    return cmocka_run_group_tests_name("load/slices/nesting", tests, NULL, NULL);
}
