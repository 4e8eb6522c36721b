/* test_finding.c: searches on the screen, and filters made from a row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "tui/dialogs/menu.h"
#include "tui/dialogs/option_rows.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};

static void play(const char *const *args, int rows, int cols, const struct script_step *steps,
                 size_t n_steps)
{
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

/* ---- number of the current match */

#define SAYS(name, text)                                                                           \
    static void name(struct app *a, const struct canvas *c, const char *state)                     \
    {                                                                                              \
        (void)a;                                                                                   \
        (void)state;                                                                               \
        assert_true(script_shows(c, text));                                                        \
    }

SAYS(first_of_twenty, "1/20 for /unit_2_[0-9]+$")
SAYS(second_of_twenty, "2/20 for /unit_2_[0-9]+$")
SAYS(last_of_twenty, "20/20 for /unit_2_[0-9]+$: continued from the end")
SAYS(from_the_start, "1/20 for /unit_2_[0-9]+$: continued from the start")
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
        {.keys = "In", .check = from_the_start}, /* the first row is now the last match */
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

/* ---- filters for similar names */

static void keeps_units(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_string_equal(a->doc.requested.options.show_name_regexes, "unit_[0-9]+_[0-9]+(/.*)?");
    assert_int_equal(a->nav.undo.past.n, 1);
}

static void still_has_them(struct app *a, const struct canvas *c, const char *state)
{
    keeps_units(a, c, state);
    assert_true(script_shows(c, "-show_name_regexes has unit_[0-9]+_[0-9]+(/.*)? already"));
}

static void hides_two(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_string_equal(a->doc.requested.options.hide_name_regexes,
                        "gradients(/.*)?,random_shuffle_queue_DequeueMany(/.*)?");
}

/* Adding a regex that is already in the list has no effect. */
static void no_regex_is_added_twice(void **state)
{
    static const struct script_step keep[] = {
        {.keys = "/^unit_1_0$<ret>K", .check = keeps_units},
        {.keys = "/^unit_2_3$<ret>K", .check = still_has_them},
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

/* By their names, which a narrow screen omits, and by aliases from other programs. */
static void the_help_finds_actions(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "?" "?/sort<ret>", .check = finds_order},
        {.keys = "/collapse<ret>", .check = finds_folding},
        {.keys = "/diff<ret>", .check = finds_comparison},
        {.keys = "/dark<ret>", .check = finds_next_theme},
        {.keys = "/sort<ret><ret>", .check = sorts},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
    play(sample, 36, 120, steps, COUNT(steps));
}

/* Rows are displayed above and below the cursor, which is not near an end of the tree. */
static void has_context(struct app *a, const struct canvas *c, const char *state)
{
    const size_t top = app_view(a)->top;

    (void)c, (void)state;
    assert_true(a->nav.cursor > 3 && a->nav.cursor + 4 < rows_count(a->nav.rows));
    assert_in_range(a->nav.cursor, top + 3, top + (size_t)a->ui.layout.tree.rows - 4);
}

/* The cursor is on the last row of the window, without scrolling; the next jump starts there. */
static void is_on_last_row(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_int_equal(a->nav.cursor, app_view(a)->top + (size_t)a->ui.layout.tree.rows - 1);
}

/* For targets inside and outside the window. */
static void jumps_keep_rows_around_the_cursor(void **state)
{
    static const struct script_step small[] = {
        {.keys = "zRjjjjjjjjjjjjjjma", .check = is_on_last_row},
        {.keys = "kkkkk'a", .check = has_context},
        {.keys = "/unit_2_2$<ret>", .check = has_context},
        {.keys = "nn", .check = has_context},
        {.keys = "N", .check = has_context},
        {.keys = "kkkkkkkkkkkkkkkkkkkkmb", .check = NULL},
        {.keys = "jjjj'b", .check = has_context},
        {.keys = "}", .check = has_context},
        {.keys = "G<c-o>", .check = has_context},
    };
    static const struct script_step wide[] = {
        {.keys = "zR/unit_2_2$<ret>", .check = has_context},
        {.keys = "nnn", .check = has_context},
        {.keys = "}}", .check = has_context},
    };

    (void)state;
    play(sample, 24, 80, small, COUNT(small));
    play(sample, 36, 120, wide, COUNT(wide));
}

/* ---- in menus and the options editor */

static void is_at_peak(struct app *a, const struct canvas *c, const char *state)
{
    const struct menu *m = menu_from(a->ui.top);

    (void)c, (void)state;
    assert_non_null(m);
    assert_string_equal(m->items.data[m->overlay.at].label, "peak_bytes");
}

static void is_at_float_ops(struct app *a, const struct canvas *c, const char *state)
{
    const struct menu *m = menu_from(a->ui.top);

    (void)c, (void)state;
    assert_string_equal(m->items.data[m->overlay.at].label, "float_ops");
}

SAYS(no_such_line, "no line contains 'nothing like it'")
SAYS(orders_by_float_ops, "-order_by float_ops")

static void is_at_hide_names(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_string_equal(option_row(a->ui.option_at)->name, "hide_name_regexes");
    assert_true(script_shows(c, "hide_name_regexes"));
}

static void is_at_next(struct app *a, const struct canvas *c, const char *state)
{
    struct strbuf place = {0};

    (void)state;
    assert_non_null(strstr(option_row(a->ui.option_at)->name, "name_regexes"));
    assert_string_not_equal(option_row(a->ui.option_at)->name, "hide_name_regexes");
    sb_addf(&place, " %zu/%zu ", a->ui.option_at + 1, option_rows_n());
    assert_true(script_shows(c, sb_text(&place)));
    sb_done(&place);
}

/* By a part of a name or of a description, ignoring case; n repeats, Enter chooses. */
static void lists_are_searched(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "s/PEAK<ret>", .check = is_at_peak},
        {.keys = "/nothing<space>like<space>it<ret>", .check = no_such_line},
        {.keys = "/number<space>of<ret>n", .check = is_at_float_ops},
        {.keys = "n<esc>s/float<ret><ret>", .check = orders_by_float_ops},
        {.keys = "o/hide_name<ret>", .check = is_at_hide_names},
        {.keys = "/name_regexes<ret>gnn", .check = is_at_next},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
    play(sample, 36, 120, steps, COUNT(steps));
}

/* ---- pairs of a comparison */

#define PARTED "random_shuffle_queue_DequeueMany"

static void says_why(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "matched with '" PARTED "' of the baseline by name: both have this name"));
}

static void is_parted(struct app *a, const struct canvas *c, const char *state)
{
    assert_non_null(strstr(state, "unmatch=" PARTED));
    assert_int_equal(a->doc.session->comparison->merged->n_nodes, a->doc.session->now->n_nodes + 1);
    assert_true(script_shows(c, "-  " PARTED));
}

static void is_a_pair(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_null(strstr(state, "unmatch"));
    assert_int_equal(a->doc.session->comparison->merged->n_nodes, a->doc.session->now->n_nodes);
}

static void pairs_are_explained_and_separated(void **state)
{
    static const char *const args[] = {"scope", "data/resnet32.pb.gz", "-diff_base",
                                       "data/resnet32.pb.gz", "-min_delta", "0", "-select",
                                       "micros", "-order_by", "micros", NULL};
    static const struct script_step steps[] = {
        {.keys = "jjx", .check = says_why},
        {.keys = "<ret>", .check = is_parted},
        {.keys = "u", .check = is_a_pair},
        {.keys = "<c-r>", .check = is_parted},
    };

    (void)state;
    play(args, 36, 150, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_explained_and_separated),
        cmocka_unit_test(matches_are_numbered),
        cmocka_unit_test(the_help_finds_actions),
        cmocka_unit_test(no_regex_is_added_twice),
        cmocka_unit_test(jumps_keep_rows_around_the_cursor),
        cmocka_unit_test(lists_are_searched),
    };

    return cmocka_run_group_tests_name("tests/tui/test_finding", tests, NULL, NULL);
}
