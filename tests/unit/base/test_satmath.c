/* test_satmath.c: 64-bit arithmetic at its limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/satmath.h"

#define MIN INT64_MIN
#define MAX INT64_MAX

static void sums_stop_at_the_limits(void **state)
{
    (void)state;
    assert_true(clamp_add(MAX, 1) == MAX && clamp_add(MIN, -1) == MIN);
    assert_true(clamp_add(MIN, MAX) == -1);
    assert_true(clamp_sub(MIN, 1) == MIN && clamp_sub(MAX, -1) == MAX);
    assert_true(clamp_sub(0, MIN) == MAX && clamp_sub(-1, MIN) == MAX);
    assert_true(clamp_neg(MIN) == MAX && clamp_neg(MAX) == -MAX && clamp_neg(0) == 0);
    assert_true(clamp_mul(MAX, 2) == MAX && clamp_mul(MAX, -2) == MIN);
    assert_true(clamp_mul(MIN, -1) == MAX && clamp_mul(-3, 7) == -21);
}

static void quotients(void **state)
{
    static const struct {
        int64_t a, b, down, rest, up;
    } cases[] = {
        {7, 2, 3, 1, 4},       {-7, 2, -3, -1, -3},      {7, -2, -3, 1, -3},
        {-7, -2, 3, -1, 4},    {6, 3, 2, 0, 2},          {0, 5, 0, 0, 0},
        {5, 0, 0, 0, 0},       {MIN, -1, MAX, 0, MAX}, {MIN, 0, 0, 0, 0},
        {MAX, MAX, 1, 0, 1}, {MAX, 2, MAX / 2, 1, MAX / 2 + 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_true(quotient(cases[i].a, cases[i].b) == cases[i].down);
        assert_true(sat_remainder(cases[i].a, cases[i].b) == cases[i].rest);
        assert_true(quotient_up(cases[i].a, cases[i].b) == cases[i].up);
    }
}

static void steps(void **state)
{
    (void)state;
    assert_int_equal(steps_between(0, 10, 3), 4);
    assert_int_equal(steps_between(10, 0, -5), 2);
    assert_int_equal(steps_between(0, 10, -1), 0);
    assert_int_equal(steps_between(3, 3, 1), 0);
    assert_int_equal(steps_between(0, 10, 0), 0);
    assert_true(steps_between(MIN, MAX, 1) == MAX);
    assert_int_equal(steps_between(MIN, MAX, MAX), 3);
    assert_int_equal(steps_between(MAX, MIN, MIN), 2);
}

static void digits(void **state)
{
    int64_t v = 0;

    (void)state;
    for (const char *c = "9223372036854775807"; *c; c++)
        assert_true(append_digit(&v, *c));
    assert_true(v == MAX);
    assert_false(append_digit(&v, '0'));
    v = MAX / 10;
    assert_false(append_digit(&v, '8'));
}

static void bits(void **state)
{
    (void)state;
    assert_true(bit_of(0) == 1 && bit_of(63) == UINT64_C(1) << 63 && bit_of(64) == 0);
    assert_true(bit_at(5, 2) && !bit_at(5, 1) && !bit_at(UINT64_MAX, 64));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_stop_at_the_limits), cmocka_unit_test(quotients),
        cmocka_unit_test(steps), cmocka_unit_test(digits), cmocka_unit_test(bits),
    };

    return cmocka_run_group_tests_name("base/satmath", tests, NULL, NULL);
}
