/* test_repeats.c: repeated layers on the screen: one row, its children, its details. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

#define SAMPLE "data/resnet32.pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))
#define REPEATS "unit_1_[1-4] x4"

static void play(const char *const *args, const struct script_step *steps, size_t n_steps)
{
    struct script script = {.args = args, .rows = 36, .cols = 120, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void is_on_repeats(struct app *a, const struct canvas *c, const char *state)
{
    assert_non_null(strstr(state, " -fold_twins"));
    assert_true(script_shows(c, REPEATS));
    script_cursor_is_on(a, REPEATS);
}

static void is_on_first(struct app *a, const struct canvas *c, const char *state)
{
    assert_null(strstr(state, "fold_twins"));
    assert_false(script_shows(c, REPEATS));
    script_cursor_is_on(a, "unit_1_1");
}

static void is_on_one(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    script_cursor_is_on(a, "unit_1_4");
}

static void repeats_fold_and_unfold(void **state)
{
    static const char *const args[] = {SAMPLE, NULL};
    static const struct script_step steps[] = {
        {.keys = "tjjj", .check = is_on_repeats, .golden = "repeated_layers_120x36"},
        {.rows = 24, .cols = 80,
         .shows = {"_TFProfRoot › unit_1_[1-4] x4 step avg(3)",
                   "> ▸ unit_1_[1-4] x4 453.07 ms 7.0% ▇······· 4.97 G",
                   "▸ unit_2_[1-4] x4 227.74 ms 3.5%", "▸ unit_1_0 129.06 ms", "!unit_1_2",
                   "!DETAILS"}},
        {.rows = 36, .cols = 120, .keys = "<ret>", .check = is_on_repeats,
         .shows = {"> ▾ unit_1_[1-4] x4 453.07 ms 7.0%", "▸ unit_1_1 117.20 ms 1.8%",
                   "▸ unit_1_3 110.87 ms 1.7%", "│ repeated 4 of one shape", "│ mean 113.27 ms",
                   "│ min 110.87 ms unit_1_3"}},
        {.keys = "jj", .check = is_on_one},
        {.keys = "t", .check = is_on_one}, /* rows keep their positions */
        {.keys = "t", .check = is_on_one},
        {.keys = "h", .check = is_on_repeats},
        {.keys = "t", .check = is_on_first},
        {.keys = "u", .check = is_on_repeats},
    };

    (void)state;
    play(args, steps, COUNT(steps));
}

static void are_compared(struct app *a, const struct canvas *c, const char *state)
{
    assert_non_null(strstr(state, " -fold_twins"));
    (void)c;
    script_cursor_is_on(a, "gradients/" REPEATS);
}

static void differences_are_shown(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "micros of each, minus baseline"));
}

static void repeats_are_compared(void **state)
{
    static const char *const args[] = {"scope", SAMPLE, "-diff_step", "1", "-select", "micros",
                                       "-order_by", "delta_abs", NULL};
    static const struct script_step steps[] = {
        {.keys = "t/unit_1_.1-4. x4<ret>", .check = are_compared,
         .shows = {"delta to step 1", "> ▸ unit_1_[1-4] x4 2.24 s 1.86 s -388.92 ms -17.3%│",
                   "│ repeated 4 of one shape", "│ mean -97.23 ms", "│ min -257.30 ms unit_1_1"}},
        {.keys = "<tab>Z", .check = differences_are_shown},
    };

    (void)state;
    play(args, steps, COUNT(steps));
}

static void is_refused(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_null(strstr(state, "fold_twins"));
    assert_true(script_shows(c, "the op view has no repeated layers"));
}

static void the_op_view_has_no_repeated_layers(void **state)
{
    static const char *const args[] = {SAMPLE, NULL};
    static const struct script_step steps[] = {{.keys = "4t", .check = is_refused}};

    (void)state;
    play(args, steps, COUNT(steps));
}

static void layers_of_a_trace_are_offered(void **state)
{
    static const char *const args[] = {"tests/fixtures/layers.json", NULL};
    static const struct script_step steps[] = {
        {.shows = {"4 repeated layers: t folds"}},
        {.rows = 24, .cols = 80, .shows = {"4 repeated layers: t folds"}},
        {.rows = 36, .cols = 120, .keys = "t", .shows = {"Layer_[0-3] x4", "!layers: t folds"}}};

    (void)state;
    play(args, steps, COUNT(steps));
}

static void backward_passes_move(void **state)
{
    static const char *const args[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct script_step steps[] = {
        {.shows = {"MLP_0", "!AddmmBackward0"}},
        {.keys = ":set -backward own<ret>", .shows = {"MLP_0", "AddmmBackward0"}},
        {.keys = ":set -backward forward<ret>", .shows = {"MLP_0", "!AddmmBackward0"}}};

    (void)state;
    play(args, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repeats_fold_and_unfold),
        cmocka_unit_test(repeats_are_compared),
        cmocka_unit_test(the_op_view_has_no_repeated_layers),
        cmocka_unit_test(layers_of_a_trace_are_offered),
        cmocka_unit_test(backward_passes_move),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
