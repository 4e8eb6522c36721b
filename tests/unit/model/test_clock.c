/* test_clock.c: picoseconds, ticks and their text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/builder.h"
#include "model/format.h"

static void microseconds_are_rounded_once(void **state)
{
    (void)state;
    assert_int_equal(clock_round_us(0), 0);
    assert_int_equal(clock_round_us(499999), 0);
    assert_int_equal(clock_round_us(500000), 1);
    assert_int_equal(clock_round_us(-499999), 0);
    assert_int_equal(clock_round_us(-500000), -1);
    assert_int_equal(clock_round_us(-3000000), -3);
    assert_true(clock_round_us(INT64_MAX) == INT64_MAX / PS_PER_US + 1);
    assert_true(clock_round_us(INT64_MIN) == INT64_MIN / PS_PER_US - 1);
}

static void spans_stop_at_the_limit(void **state)
{
    (void)state;
    assert_int_equal(clock_ps_between((struct clock){PS_PER_US}, 5, 8), 3 * PS_PER_US);
    assert_int_equal(clock_ps_between((struct clock){PS_PER_NS}, 5, 8), 3000);
    assert_true(clock_ps_between((struct clock){1}, INT64_MIN, 8) == INT64_MAX);
    assert_true(clock_ps_between((struct clock){PS_PER_US}, 0, INT64_MAX) == INT64_MAX);
}

static void assert_written(int64_t ps, const char *time, const char *micros)
{
    struct strbuf sb = {0};

    format_time(&sb, ps);
    assert_string_equal(sb_text(&sb), time);
    sb_clear(&sb);
    format_micros(&sb, ps);
    assert_string_equal(sb_text(&sb), micros);
    sb_done(&sb);
}

static void times_are_written(void **state)
{
    (void)state;
    assert_written(0, "0us", "0");
    assert_written(1, "<1us", "0.000001");
    assert_written(499999, "<1us", "0.499999");
    assert_written(500000, "1us", "0.5");
    assert_written(3 * PS_PER_US, "3us", "3");
    assert_written(-3 * PS_PER_US - 20, "-3us", "-3.00002");
    assert_written(999499999, "999us", "999.499999");
    assert_written(999500000, "1.00ms", "999.5");
    assert_written(1284 * PS_PER_US, "1.28ms", "1284");
    assert_written(INT64_MIN, "-9223372036855us", "-9223372036854.775808");
}

/* An average over steps is rounded to clock ticks of the file. */
static void averages_are_whole_ticks(void **state)
{
    static const int64_t ticks_ps[] = {PS_PER_US, PS_PER_NS, 1};
    static const int64_t averages_ps[] = {3 * PS_PER_US, 3 * PS_PER_NS, 3};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        const struct exec_time times[] = {{.dur_ticks = 4}, {.dur_ticks = 3}};
        struct builder *b = builder_new();
        struct profile *p;
        struct figures f;
        bool added, saturated = false;
        node_id node = builder_node(b, builder_str(b, "x", 1), STRID_EMPTY, &added);

        builder_profile(b)->clock.tick_ps = ticks_ps[i];
        builder_add_record(b, node, &(struct exec_record){0, 1, .times = &times[0], .n_times = 1});
        builder_add_record(b, node, &(struct exec_record){1, 1, .times = &times[1], .n_times = 1});
        p = builder_finish(b);
        f = (struct figures){.profile = p,
                                        .static_float_ops = p->static_float_ops,
                                        .rank = RANK_AVERAGE,
                                        .step = STEP_AVERAGE};
        assert_int_equal(metric_self(&f, METRIC_MICROS, node, &saturated), averages_ps[i]);
        f.step = 0;
        assert_int_equal(metric_self(&f, METRIC_CPU_MICROS, node, &saturated), 4 * ticks_ps[i]);
        assert_false(saturated);
        profile_free(p);
    }
}

/* A duration that fits in microseconds may overflow in picoseconds. */
static void a_duration_beyond_the_limit_is_reported(void **state)
{
    const struct exec_time time = {.dur_ticks = INT64_MAX / PS_PER_US + 1};
    struct builder *b = builder_new();
    struct profile *p;
    bool added;
    node_id node = builder_node(b, builder_str(b, "x", 1), STRID_EMPTY, &added);

    (void)state;
    builder_add_record(b, node, &(struct exec_record){0, 1, .times = &time, .n_times = 1});
    p = builder_finish(b);
    assert_int_equal(p->notes.n, 1);
    profile_free(p);
}

static void assert_spaced(const char *text, const char *spaced)
{
    struct strbuf sb = {0};

    format_spaced_text(&sb, text);
    assert_string_equal(sb_text(&sb), spaced);
    sb_done(&sb);
}

/* Names and figures that format_value() did not write stay. */
static void figures_of_a_text_get_the_units_of_the_screen(void **state)
{
    (void)state;
    assert_spaced("cpu: 4.64sec, 0us (<1us), +1.28ms", "cpu: 4.64 s, 0 \u00b5s (<1 \u00b5s), +1.28 ms");
    assert_spaced("124 us calls", "124 \u00b5s calls");
    assert_spaced("9260.12MB, 12.30KB, 7B", "9.26 GB, 12.30 kB, 7 B");
    assert_spaced("32.72b (32715571200), 10.86k", "32.72 G (32715571200), 10.86 k");
    assert_spaced("conv/12ms 12ms/x x12ms 3m 1.5ms 7. 12msx", "conv/12ms 12ms/x x12ms 3m 1.5ms 7. 12msx");
    assert_spaced("46.13T flop/s, 2.45G byte/s, 12 flop/s", "46.13 TFLOP/s, 2.45 GB/s, 12 FLOP/s");
    assert_spaced("99999999999999999999us", "99999999999999999999us");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(microseconds_are_rounded_once),
        cmocka_unit_test(spans_stop_at_the_limit),
        cmocka_unit_test(times_are_written),
        cmocka_unit_test(averages_are_whole_ticks),
        cmocka_unit_test(figures_of_a_text_get_the_units_of_the_screen),
        cmocka_unit_test(a_duration_beyond_the_limit_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
