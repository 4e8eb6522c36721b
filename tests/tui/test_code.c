/* test_code.c: lines of code on the screen: own and library lines, source files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"
#include "tui/places.h"

#define SAMPLE "data/resnet32.pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {SAMPLE, NULL};

static void play(const char *const *args, int rows, int cols, const struct script_step *steps,
                 size_t n_steps)
{
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

/* ---- lines of libraries */

#define OWN_LINE "resnet_model.py:157:_conv (gradient)"
#define FOLDED_LINES "7 library frames (gradient)"
/* Keys from the most expensive node to the user's own line in the code view, and to the rows below
 * it. */
#define TO_OWN_LINE ".3"
#define TO_FOLDED_LINES TO_OWN_LINE "ll"

static void is_own_line(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    script_cursor_is_on(a, OWN_LINE);
}

static void is_folded(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_non_null(strstr(state, " -hide_frames library"));
    script_cursor_is_on(a, FOLDED_LINES);
    assert_int_equal(a->doc.result->total[METRIC_MICROS][app_row(a)],
                     a->doc.result->self[METRIC_MICROS][app_row(a)]);
}

static void is_first_hidden_line(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_null(strstr(state, "hide_frames"));
    script_cursor_is_on(a, "traceback_utils.py:150:error_handler (gradient)");
}

static void lines_of_libraries_fold(void **state)
{
    static const struct script_step steps[] = {
        {.keys = TO_OWN_LINE, .check = is_own_line},
        {.keys = "ll", .check = is_folded,
         .shows = {"▾ resnet_model.py:157:_conv (g… 328.73 ms 5.1%",
                   "> 7 library frames (gradient) 328.73 ms 5.1% ········ 1.21 G│",
                   "│ types /job:loca…ackpropInput, ShapeN", "289.05 ms 1x Conv2DBackpropFilter",
                   "OPTIONS (o)", "!traceback_utils.py"}},
        {.rows = 24, .cols = 80,
         .shows = {"> 7 library frames (gradient) 328.73 ms 5.1%",
                   "…nt) › 7 library frames (gradient) step avg(3)",
                   "7 librar…rames (gradient) micros 328.73 ms/328.73 ms"}},
        {.keys = "L", .check = is_first_hidden_line},
        {.keys = "L", .check = is_folded},
        {.keys = "uu", .check = is_folded},
        {.keys = "hL", .check = is_own_line},
        {.keys = "L", .check = is_own_line},
    };

    (void)state;
    play(sample, 36, 120, steps, COUNT(steps));
}

static void marks_are_unchanged(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    script_cursor_is_on(a, OWN_LINE);
    assert_int_equal(a->nav.places.marked.n, 1);
    assert_true(places_is_marked(a, VIEW_CODE, app_row(a)));
}

/* Marks belong to lines, not to row numbers. */
static void marks_stay_on_their_lines(void **state)
{
    static const struct script_step steps[] = {
        {.keys = TO_OWN_LINE "ma<space>", .check = NULL},
        {.keys = "ggL'a", .check = marks_are_unchanged},
        {.keys = "ggL'a", .check = marks_are_unchanged},
    };

    (void)state;
    play(sample, 36, 120, steps, COUNT(steps));
}

static void details_list_all(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "op_def_library.py:"));
    assert_false(script_shows(c, "library frames"));
}

static void details_are_short(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "code     9 library frames"));
    assert_true(script_shows(c, "resnet_model.py:79 "));
    assert_false(script_shows(c, "op_def_library.py:"));
}

static void details_fold_repeated_layers(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".", .check = details_are_short},
        {.keys = "L", .check = details_list_all},
        {.keys = "L", .check = details_are_short},
    };

    (void)state;
    play(sample, 60, 140, steps, COUNT(steps));
}

static void only_main_is_hidden(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_non_null(strstr(state, " -hide_frames '.*_main[.]py'"));
    assert_true(script_shows(c, " library frames"));
    assert_false(script_shows(c, "resnet_main.py"));
}

static void all_are_shown(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_null(strstr(state, "hide_frames"));
    assert_true(script_shows(c, "resnet_main.py"));
}

/* The second L restores the regex that the user gave. */
static void L_folds_user_given_frames(void **state)
{
    static const char *const said[] = {SAMPLE, "-hide_frames", ".*_main[.]py", NULL};
    static const struct script_step steps[] = {
        {.keys = "3", .check = only_main_is_hidden},
        {.keys = "L", .check = all_are_shown},
        {.keys = "L", .check = only_main_is_hidden},
    };

    (void)state;
    play(said, 36, 120, steps, COUNT(steps));
}

/* ---- source files */

#define TRACE "data/training.pt.trace.json.gz"

static char folder[] = "/tmp/test_code.XXXXXX";

/* Writes TEXT as line 44 of train.py, which the trace names. */
static void write_source(const char *text)
{
    char path[64];
    FILE *f;

    snprintf(path, sizeof path, "%s/train.py", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    for (int line = 1; line < 44; line++)
        fputs("pass\n", f);
    fprintf(f, "    %s\t\nnot this\n", text);
    assert_int_equal(fclose(f), 0);
}

static void line_is_there(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    script_cursor_is_on(a, "train.py:44:update");
    assert_true(script_shows(c, "/train.py:44"));
    assert_true(script_shows(c, "loss.backward()"));
    assert_false(script_shows(c, "not this"));
}

static void line_is_not_there(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    script_cursor_is_on(a, "train.py:44:update");
    assert_false(script_shows(c, "loss.backward()"));
}

/* A pipe, a device or a file with fewer lines counts as missing. */
static void details_have_the_text_of_the_line(void **state)
{
    char map[64];
    const char *const with_map[] = {TRACE, "-source_map", map, NULL};
    static const char *const without[] = {TRACE, NULL};
    static const struct script_step there[] = {
        {.keys = "3zR/train.py:44<ret>", .check = line_is_there},
    };
    static const struct script_step not_there[] = {
        {.keys = "3zR/train.py:44<ret>", .check = line_is_not_there},
    };

    (void)state;
    snprintf(map, sizeof map, "=%s/", folder);
    write_source("loss.backward()");
    play(with_map, 36, 120, there, COUNT(there));
    play(without, 36, 120, not_there, COUNT(not_there));
    snprintf(map, sizeof map, "train.py=/dev/zero");
    play(with_map, 36, 120, not_there, COUNT(not_there));
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char path[64];

    (void)state;
    snprintf(path, sizeof path, "%s/train.py", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_libraries_fold),
        cmocka_unit_test(marks_stay_on_their_lines),
        cmocka_unit_test(details_fold_repeated_layers),
        cmocka_unit_test(L_folds_user_given_frames),
        cmocka_unit_test(details_have_the_text_of_the_line),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
