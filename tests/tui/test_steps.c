/* test_steps.c: steps on the screen: how figures differ from one to another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

#define MODEL "tests/golden/models/towers/"
#define RUN(n) MODEL "run_meta_" n ".pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Eight steps, of which number 4 warms up. */
static const char *const eight_steps[] = {
    "-graph_path", MODEL "graph.pb.gz", "-run_meta_path",
    RUN("1") "," RUN("2") "," RUN("1") "," RUN("2") "," RUN("0") "," RUN("2") "," RUN("1") "," RUN("2"),
    "-order_by", "micros", NULL};

static void play(int rows, int cols, bool ascii, const struct script_step *steps, size_t n_steps)
{
    const struct script script = {.args = eight_steps, .rows = rows, .cols = cols, .ascii = ascii,
                                  .steps = steps, .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void details_have_each_step(void **state)
{
    static const struct script_step wide[] = {{.keys = "]]", .golden = "steps_120x36"}};
    static const struct script_step narrow[] = {
        {.keys = "/Conv2D<ret><tab>"}, {.keys = "G", .golden = "steps_details_80x24"}};
    static const struct script_step ascii[] = {{.keys = "[", .golden = "steps_ascii"}};

    (void)state;
    play(36, 120, false, wide, COUNT(wide));
    play(24, 80, false, narrow, COUNT(narrow));
    play(36, 120, true, ascii, COUNT(ascii));
}

static void step_4_is_seen(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->result->options.step, 4);
    assert_true(script_shows(c, "worst step 4 of 8"));
    assert_non_null(strstr(state, " -step worst "));
}

static void step_5_is_seen(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->result->options.step, 5);
    assert_true(script_shows(c, "step 5 of 8"));
    assert_non_null(strstr(state, " -step 5 "));
}

static void the_average_is_seen(struct app *a, const struct canvas *c, const char *state)
{
    assert_true(a->result->options.step < 0);
    assert_true(script_shows(c, "step avg(8)"));
    assert_null(strstr(state, "-step "));
}

static void a_chosen_step_is_said_and_left(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":-step worst<ret>", .check = step_4_is_seen},
        {.keys = "]", .check = step_5_is_seen},
        {.keys = "u", .check = step_4_is_seen},
        {.keys = "0", .check = the_average_is_seen},
    };

    (void)state;
    play(36, 120, false, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(details_have_each_step),
        cmocka_unit_test(a_chosen_step_is_said_and_left),
    };

    return cmocka_run_group_tests_name("tests/tui/test_steps", tests, NULL, NULL);
}
