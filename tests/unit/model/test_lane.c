/* test_lane.c: slices of threads are unpacked as they were packed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/lane.h"

static void slices_come_back_as_they_were(void **state)
{
    static const struct lane_slice slices[] = {
        {.start_ticks = 10, .dur_ticks = 5, .self_ticks = 5, .step = 1, .node = 7, .name = 3},
        {.start_ticks = 12, .dur_ticks = 1, .self_ticks = 1, .step = 1, .node = 7, .name = 3},
        {.start_ticks = 3, .dur_ticks = 20, .self_ticks = 4, .step = INT64_MIN + 1, .node = 0},
        {.start_ticks = INT64_MIN, .dur_ticks = INT64_MAX, .step = INT64_MAX, .node = UINT32_MAX - 1,
         .name = UINT32_MAX},
        {.start_ticks = INT64_MAX, .dur_ticks = -1, .self_ticks = INT64_MIN},
    };
    const size_t n = sizeof slices / sizeof *slices;
    struct profile_lane lane = {0};
    struct lane_walk walk;

    (void)state;
    walk = lane_slices(&lane);
    assert_false(lane_next(&walk));
    for (size_t i = 0; i < n; i++)
        lane_add(&lane, &slices[i]);
    assert_int_equal(lane.n_slices, n);
    walk = lane_slices(&lane);
    for (size_t i = 0; i < n; i++) {
        assert_true(lane_next(&walk));
        assert_true(walk.slice.start_ticks == slices[i].start_ticks);
        assert_true(walk.slice.dur_ticks == slices[i].dur_ticks);
        assert_true(walk.slice.self_ticks == slices[i].self_ticks);
        assert_true(walk.slice.step == slices[i].step);
        assert_int_equal(walk.slice.node, slices[i].node);
        assert_int_equal(walk.slice.name, slices[i].name);
    }
    assert_false(lane_next(&walk));
    lane_done(&lane);
}

/* A file has as many slices as events. */
static void a_slice_takes_few_bytes(void **state)
{
    struct profile_lane lane = {0};

    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        lane_add(&lane, &(struct lane_slice){.start_ticks = i * 8000,
                                             .dur_ticks = 5000,
                                             .self_ticks = 5000,
                                             .node = 60 + i % 8});
    assert_true(lane.packed.len < 6 * 1000);
    lane_done(&lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_come_back_as_they_were),
        cmocka_unit_test(a_slice_takes_few_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
