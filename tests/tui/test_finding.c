/* test_finding.c: searching on the screen, and filters made from a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};

static void play(const char *const *args, int rows, int cols, const struct script_step *steps,
                 size_t n_steps)
{
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

/* ---- which match of how many */

#define SAYS(name, text)                                                                           \
    static void name(struct app *a, const struct canvas *c, const char *state)                     \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        assert_true(script_shows(c, text));                                                        \
    }

SAYS(first_of_twenty, "1/20 for /unit_2_[0-9]+$")
SAYS(second_of_twenty, "2/20 for /unit_2_[0-9]+$")
SAYS(last_of_twenty, "20/20 for /unit_2_[0-9]+$: searched to the start, on from the end")
SAYS(from_the_start, "1/20 for /unit_2_[0-9]+$: searched to the end, on from the start")
SAYS(none, "0 matches for /nothing_like_it")
SAYS(away_from_matches, "n/N 20 matches for /unit_2_[0-9]+$")
SAYS(still_counted, "n/N 2/20 for /unit_2_[0-9]+$")

static void matches_are_numbered(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/unit_2_[0-9]+$<ret>", .check = first_of_twenty},
        {.keys = "n", .check = second_of_twenty},
        {.keys = "NN", .check = last_of_twenty},
        {.keys = "n", .check = from_the_start},
        {.keys = "In", .check = from_the_start}, /* the first row is the last one now */
        {.keys = "/nothing_like_it<ret>", .check = none},
    };
    static const struct script_step wide[] = {
        {.keys = "/unit_2_[0-9]+$<ret>n", .check = still_counted},
        {.keys = "g", .check = away_from_matches},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
    play(sample, 36, 120, wide, COUNT(wide));
}

/* ---- names like this one */

static void keeps_units(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_string_equal(a->wanted.options.show_name_regexes, "unit_[0-9]+_[0-9]+(/.*)?");
    assert_int_equal(a->undo.past.n, 1);
}

static void keeps_them_still(struct app *a, const struct canvas *c, const char *state)
{
    keeps_units(a, c, state);
    assert_true(script_shows(c, "-show_name_regexes has unit_[0-9]+_[0-9]+(/.*)? already"));
}

static void hides_two(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_string_equal(a->wanted.options.hide_name_regexes,
                        "gradients(/.*)?,random_shuffle_queue_DequeueMany(/.*)?");
}

/* The same regex a second time filters nothing and would only make the list longer. */
static void no_regex_is_added_twice(void **state)
{
    static const struct script_step keep[] = {
        {.keys = "/^unit_1_0$<ret>K", .check = keeps_units},
        {.keys = "/^unit_2_3$<ret>K", .check = keeps_them_still},
    };
    static const struct script_step hide[] = {
        {.keys = "jH"},
        {.keys = "gjH", .check = hides_two},
    };

    (void)state;
    play(sample, 24, 80, keep, COUNT(keep));
    play(sample, 24, 80, hide, COUNT(hide));
}

/* ---- actions */

#define FINDS(name, line)                                                                          \
    static void name(struct app *a, const struct canvas *c, const char *state)                     \
    {                                                                                              \
        char *text = script_row(c, c->cursor_row);                                                 \
                                                                                                   \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        if (!strstr(text, line))                                                                   \
            fail_msg("found: %s", text);                                                           \
        free(text);                                                                                \
    }

FINDS(finds_order, "choose the order")
FINDS(finds_folding, "fold or unfold this row")
FINDS(finds_comparison, "compare with another step or profile")
FINDS(finds_next_theme, "use the next theme of colours")

static void sorts(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "Order"));
}

/* By its name, which a narrow screen does not show, and by what others call it. */
static void the_help_finds_actions(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "?/sort<ret>", .check = finds_order},
        {.keys = "/collapse<ret>", .check = finds_folding},
        {.keys = "/diff<ret>", .check = finds_comparison},
        {.keys = "/dark<ret>", .check = finds_next_theme},
        {.keys = "/sort<ret><ret>", .check = sorts},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
    play(sample, 36, 120, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_are_numbered),
        cmocka_unit_test(the_help_finds_actions),
        cmocka_unit_test(no_regex_is_added_twice),
    };

    return cmocka_run_group_tests_name("tests/tui/test_finding", tests, NULL, NULL);
}
