/* test_steps.c: steps on the screen, and differences between their figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/capture_text.h"
#include "script.h"

#define MODEL "tests/golden/models/towers/"
#define RUN(n) MODEL "run_meta_" n ".pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Eight steps; step 4 is a warm-up step. */
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
        {.keys = "/Conv2D<ret><tab>"}, {.keys = "G",
         .shows = {" DETAILS", "steps by micros", "step 3 1.09 ms", "step 4 1.27 ms !",
                   "step 7 1.09 ms", "!step 7 1.09 ms !"}}};
    static const struct script_step ascii[] = {{.keys = "[",
    .shows = {"step 7 (8/8) -=-=#=-= 1 outlier", "micros by step -=-=#=-=",
              "median 10.04 ms MAD 339 us", "worst 19.86 ms step 4 1.98x median"}}};

    (void)state;
    play(36, 120, false, wide, COUNT(wide));
    play(24, 80, false, narrow, COUNT(narrow));
    play(36, 120, true, ascii, COUNT(ascii));
}

static void step_4_is_displayed(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->doc.result->options.step, 4);
    assert_true(script_shows(c, "worst step 4 (5/8)"));
    assert_non_null(strstr(state, " -step worst "));
}

static void step_5_is_displayed(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->doc.result->options.step, 5);
    assert_true(script_shows(c, "step 5 (6/8)"));
    assert_non_null(strstr(state, " -step 5 "));
}

static void the_average_is_displayed(struct app *a, const struct canvas *c, const char *state)
{
    assert_true(a->doc.result->options.step < 0);
    assert_true(script_shows(c, "step avg(8)"));
    assert_null(strstr(state, "-step "));
}

static void a_chosen_step_is_displayed_and_reset(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":-step worst<ret>", .check = step_4_is_displayed},
        {.keys = "]", .check = step_5_is_displayed},
        {.keys = "u", .check = step_4_is_displayed},
        {.keys = "A", .check = the_average_is_displayed},
    };

    (void)state;
    play(36, 120, false, steps, COUNT(steps));
}

/* Two marks with the same number. */
static const char equal_marks[] =
    "host; h\nplane; /host:CPU\nline; 1; main; 1\n"
    "event; train; 0; 1000; step_num=1; _r=1\nevent; a/b:MatMul; 20; 30000000\n"
    "event; train; 100000000; 1000; step_num=1; _r=1\nevent; a/b:MatMul; 100000020; 50000000\n";

static void a_named_step_is_displayed(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->doc.result->options.step, 1);
    assert_true(script_shows(c, "step 1 (2/2): train 1 (2)"));
    assert_non_null(strstr(state, " -step 'train 1 (2)' "));
}

static void a_step_has_the_name_of_its_mark(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":-step 'train 1 (2)'<ret>", .check = a_named_step_is_displayed},
        {.keys = "[", .shows = {"step 0 (1/2): train 1", "> step 0: train 1 30 us"}},
        {.keys = "u", .check = a_named_step_is_displayed},
        {.keys = "D", .shows = {"step 1: train 1 (2)"}},
    };
    char path[] = "/tmp/tfprof-steps-XXXXXX";
    const char *const args[] = {path, NULL};
    const struct script script = {.args = args, .rows = 40, .cols = 120, .ascii = true, .steps = steps,
                                  .n_steps = COUNT(steps)};
    const int fd = mkstemp(path);
    struct strbuf bytes = {0};

    (void)state;
    capture_text(&bytes, equal_marks);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, sb_text(&bytes), bytes.len), bytes.len);
    (void)close(fd);
    sb_done(&bytes);
    assert_int_equal(script_run(&script), 0);
    (void)unlink(path);
}

enum { STRIP_ROW = 3 };

/* Finds the first column of the strip: that of the lowest block in the second row. */
static void find_strip(const struct canvas *c, int *left)
{
    *left = 0;
    while (*left < c->cols && (c->cells[STRIP_ROW * c->cols + *left].base < 0x2581 ||
                               c->cells[STRIP_ROW * c->cols + *left].base > 0x2588))
        (*left)++;
    assert_true(*left < c->cols);
}

/* A click on a column displays its step; the next step of the script checks the result. */
static void each_column_has_its_height(struct app *a, const struct canvas *c, const char *state)
{
    const struct step_times_seen *t = &a->doc.result->step_times;
    int left;

    (void)state;
    find_strip(c, &left);
    assert_int_equal(t->n_points, 8);
    assert_int_equal(t->n_outliers, 1);
    for (int i = 0; i < 8; i++) {
        const struct cell *cell = &c->cells[STRIP_ROW * c->cols + left + i];

        assert_int_equal(cell->base, 0x2581 + (uint32_t)((double)t->times_ps[i] /
                                                         (double)t->times_ps[4] * 7.999));
        assert_int_equal(cell->role, i == 4 ? ROLE_HOT : ROLE_BAR);
    }
    assert_true(script_shows(c, "1 outlier"));
}

static void the_step_seen_is_marked(struct app *a, const struct canvas *c, const char *state)
{
    int left;

    (void)a;
    (void)state;
    find_strip(c, &left);
    for (int i = 0; i < 8; i++)
        assert_int_equal(c->cells[STRIP_ROW * c->cols + left + i].role == ROLE_CURSOR, i == 5);
}

static void step_6_is_displayed(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_int_equal(a->doc.result->options.step, 6);
    assert_non_null(strstr(state, " -step 6 "));
}

/* The column of step 6 in the first screen of the next test. */
enum { STRIP_OF_AVERAGE = 72 };

static void columns_of_the_strip_are_steps(void **state)
{
    static const struct script_step steps[] = {
        {.check = each_column_has_its_height},
        {.clicks = {{STRIP_ROW, STRIP_OF_AVERAGE + 6}}, .check = step_6_is_displayed},
        {.keys = "[", .check = the_step_seen_is_marked},
    };

    (void)state;
    play(36, 120, false, steps, COUNT(steps));
}

static void a_column_has_a_line_for_each_row(void **state)
{
    static const struct script_step wide[] = {
        {.keys = ":-select micros,by_step<ret>",
         .shows = {"NAME TIME v % root BY STEP| DETAILS",
                   ">- _TFProfRoot 10.96 ms 100.0% -=-=#=-=|", "stack_8 1.08 ms 9.9% ____#___|",
                   "+ tower_0 1.78 ms 16.2% ====#===|"}}};
    static const struct script_step narrow[] = {
        {.keys = ":-select micros,by_step<ret>4",
         .shows = {"[4 op]", "NAME TIME v % root BY STEP",
                   ">▾ _TFProfRoot 10.96 ms 100.0% ▄▅▄▅█▅▄▅", "Pack 1.10 ms 10.1% ▁▁▁▁█▁▁▁",
                   "Relu 645 µs 5.9% ▆▇▆▇█▇▆▇"}}};

    (void)state;
    play(36, 120, true, wide, COUNT(wide));
    play(24, 80, false, narrow, COUNT(narrow));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(details_have_each_step),
        cmocka_unit_test(a_chosen_step_is_displayed_and_reset),
        cmocka_unit_test(a_step_has_the_name_of_its_mark),
        cmocka_unit_test(columns_of_the_strip_are_steps),
        cmocka_unit_test(a_column_has_a_line_for_each_row),
    };

    return cmocka_run_group_tests_name("tests/tui/test_steps", tests, NULL, NULL);
}
