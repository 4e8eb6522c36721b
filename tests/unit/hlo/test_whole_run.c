/* test_whole_run.c: costs of instructions in one run of a whole program.
 *
 * Sums over all instructions equal XLA's own cost analysis of the same text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_text.h"
#include "base/satmath.h"
#include "hlo/cost.h"

struct sums {
    int64_t operations, transcendentals, bytes;
};

static struct sums sums_of(const char *text)
{
    struct strbuf bytes = {0};
    struct err err = {0};
    struct sums sums = {0};
    struct hlo_module *m;
    struct hlo_costs *costs;

    hlo_text_proto(&bytes, text);
    m = hlo_module_new(sb_text(&bytes), bytes.len, &err);
    assert_non_null(m);
    costs = hlo_costs_new(m);
    for (uint32_t i = 0; i < m->n_instructions; i++) {
        const struct hlo_cost cost = hlo_whole_run_cost(costs, i);

        if (!m->computations[m->instructions[i].computation].is_executed)
            continue;
        sums.operations = clamp_add(sums.operations, cost.operations);
        sums.transcendentals = clamp_add(sums.transcendentals, cost.transcendentals);
        sums.bytes = clamp_add(sums.bytes, clamp_add(cost.bytes_read, cost.bytes_written));
    }
    hlo_costs_free(costs);
    hlo_module_free(m);
    sb_done(&bytes);
    return sums;
}

#define F                                                                                        \
    "f { a = f32[20] parameter(0)\n e = f32[20] exponential(a)\n"                                \
    " ROOT m = f32[20] multiply(e, a) }\n"
#define G "g { a = f32[20] parameter(0)\n ROOT m = f32[20] negate(a) }\n"

static void a_computation_counts_for_each_call(void **state)
{
    const struct sums twice = sums_of("HloModule m\n" F "ENTRY e { a = f32[20] parameter(0)\n"
                                      " b = f32[20] call(a), to_apply=f\n"
                                      " ROOT c = f32[20] call(b), to_apply=f }\n");

    (void)state;
    assert_int_equal(twice.operations, 40);
    assert_int_equal(twice.transcendentals, 40);
    assert_int_equal(twice.bytes, 800);
}

static void calls_within_calls_multiply(void **state)
{
    const struct sums s = sums_of(
        "HloModule m\n" F "h { p = f32[20] parameter(0)\n b = f32[20] call(p), to_apply=f\n"
        " c = f32[20] call(b), to_apply=f\n ROOT d = f32[20] add(c, b) }\n"
        "ENTRY e { a = f32[20] parameter(0)\n b = f32[20] call(a), to_apply=h\n"
        " c = f32[20] call(b), to_apply=h\n ROOT d = f32[20] call(c), to_apply=h }\n");

    (void)state;
    assert_int_equal(s.operations, 3 * (2 * 20 + 20));
    assert_int_equal(s.transcendentals, 3 * 2 * 20);
}

/* Each figure is the maximum over the branches. */
static void a_conditional_counts_its_costliest_branch(void **state)
{
    const struct sums s = sums_of(
        "HloModule m\n" F
        "k { a = f32[20] parameter(0)\n b = f32[20] negate(a)\n ROOT c = f32[20] negate(b) }\n"
        "ENTRY e { p = pred[] parameter(0)\n a = f32[20] parameter(1)\n"
        " ROOT c = f32[20] conditional(p, a, a), true_computation=f, false_computation=k }\n");

    (void)state;
    assert_int_equal(s.operations, 40);      /* of k */
    assert_int_equal(s.transcendentals, 20); /* of f */
    assert_int_equal(s.bytes, 400);          /* of f */
}

static void branches_include_their_callees(void **state)
{
    const struct sums s = sums_of(
        "HloModule m\n" F G
        "k { a = f32[20] parameter(0)\n b = f32[20] call(a), to_apply=f\n"
        " ROOT c = f32[20] call(b), to_apply=f }\n"
        "ENTRY e { p = s32[] parameter(0)\n a = f32[20] parameter(1)\n"
        " ROOT c = f32[20] conditional(p, a, a, a), branch_computations={g, k, f} }\n");

    (void)state;
    assert_int_equal(s.operations, 40);
}

static void a_loop_counts_one_iteration(void **state)
{
    const struct sums s = sums_of(
        "HloModule m\n" F
        "never { p = f32[20] parameter(0)\n ROOT r = pred[] constant(0) }\n"
        "ENTRY e { a = f32[20] parameter(0)\n b = f32[20] call(a), to_apply=f\n"
        " ROOT r = f32[20] while(b), condition=never, body=f }\n");

    (void)state;
    assert_int_equal(s.operations, 40);
    assert_int_equal(s.transcendentals, 40);
}

/* Each level triples the number of calls: 3^40 in total. */
static void many_calls_stop_at_the_limit(void **state)
{
    enum { LEVELS = 40 };
    struct strbuf text = {0};
    struct sums s;

    (void)state;
    sb_adds(&text, "HloModule m\nf0 { a = f32[2] parameter(0)\n ROOT b = f32[2] negate(a) }\n");
    for (int i = 1; i <= LEVELS; i++)
        sb_addf(&text, "f%d { a = f32[2] parameter(0)\n b = f32[2] call(a), to_apply=f%d\n"
                       " c = f32[2] call(b), to_apply=f%d\n"
                       " ROOT d = f32[2] call(c), to_apply=f%d }\n", i, i - 1, i - 1, i - 1);
    sb_addf(&text, "ENTRY e { a = f32[2] parameter(0)\n ROOT b = f32[2] call(a), to_apply=f%d }\n",
            LEVELS);
    s = sums_of(sb_text(&text));
    assert_int_equal(s.operations, INT64_MAX);
    sb_done(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_computation_counts_for_each_call),
        cmocka_unit_test(calls_within_calls_multiply),
        cmocka_unit_test(a_conditional_counts_its_costliest_branch),
        cmocka_unit_test(branches_include_their_callees),
        cmocka_unit_test(a_loop_counts_one_iteration),
        cmocka_unit_test(many_calls_stop_at_the_limit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
