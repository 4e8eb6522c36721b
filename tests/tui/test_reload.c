/* test_reload.c: files that change while they are displayed, and other files that replace them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"
#include "tui/places.h"
#include "tui/tasks/loading.h"

#define SAMPLE "data/resnet32.pb.gz"
#define GRAPH "tests/golden/models/mobilenet/graph.pb.gz"
#define LAYER "gradients/unit_1_0/sub2/conv2/Conv2D_grad/Conv2DBackpropInput"
#define COUNT(a) (sizeof(a) / sizeof *(a))

static char folder[] = "/tmp/test_reload.XXXXXX";
static char path[64];

/* Replaces the displayed file by a copy of FROM without its last CUT bytes, as programs do: written
 * under another name, then renamed. */
static void replace_file(const char *from, long cut)
{
    char name[64];
    FILE *in = fopen(from, "rb"), *out;
    long size;

    snprintf(name, sizeof name, "%s/new", folder);
    out = fopen(name, "wb");
    assert_true(in && out && fseek(in, 0, SEEK_END) == 0);
    size = ftell(in) - cut;
    rewind(in);
    while (size-- > 0)
        assert_int_not_equal(putc(getc(in), out), EOF);
    assert_int_equal(fclose(in), 0);
    assert_int_equal(fclose(out), 0);
    assert_int_equal(rename(name, path), 0);
}

static void play(int rows, int cols, const struct script_step *steps, size_t n_steps)
{
    const char *const args[] = {path, NULL};
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    replace_file(SAMPLE, 0);
    assert_int_equal(script_run(&script), 0);
}

static void says(const struct canvas *c, const char *text)
{
    if (!script_shows(c, text))
        fail_msg("\"%s\" is not said", text);
}

static void is_quiet(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    script_cursor_is_on(a, LAYER);
    assert_false(script_shows(c, "has changed"));
}

static void write_same(struct app *a, const struct canvas *c, const char *state)
{
    is_quiet(a, c, state);
    replace_file(SAMPLE, 0);
}

static void change_is_reported(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    says(c, "has changed: F5 reads it again");
}

static void change_is_reported_once(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_false(script_shows(c, "has changed"));
}

/* The cursor, folds, filter, marks and undo are unchanged. */
static void state_is_unchanged(struct app *a, const struct canvas *c, const char *state)
{
    says(c, "read again: 5208 nodes, 3 steps");
    assert_non_null(strstr(state, " -hide_name_regexes x"));
    script_cursor_is_on(a, LAYER);
    assert_int_equal(a->nav.places.marked.n, 1);
    assert_true(places_is_marked(a, VIEW_SCOPE, app_row(a)));
    assert_true(a->nav.places.letters[0].set);
    assert_int_equal(place_row(a->nav.places.letters[0], a->doc.result->tree), app_row(a));
    assert_true(a->nav.undo.past.n > 0);
    assert_ptr_equal(a->doc.result->profile, a->doc.session->profile);
}

/* Even when nothing has changed, and by the name of the command. */
static void changed_files_are_noticed_and_reloaded(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".jma<space>k:-hide_name_regexes x<ret>", .check = write_same},
        {.keys = "jk", .check = change_is_reported},
        {.rows = 24, .cols = 80, .check = change_is_reported},
        {.keys = "jk", .check = change_is_reported_once},
        {.keys = "<f5>", .check = state_is_unchanged},
        {.rows = 36, .cols = 120, .keys = ":reload<ret>", .check = state_is_unchanged},
        {.keys = "jk", .check = is_quiet},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void write_damaged(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    (void)state;
    replace_file(SAMPLE, 40000);
}

static void remove_it(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    (void)state;
    assert_int_equal(unlink(path), 0);
}

/* The old profile stays when the new one cannot be read. */
static void old_profile_is_there(struct app *a, const struct canvas *c, const char *state)
{
    says(c, "E: ");
    assert_non_null(strstr(state, path));
    script_cursor_is_on(a, LAYER);
    assert_int_equal(a->doc.session->profile->n_nodes, 5208);
}

static void a_file_that_cannot_be_read_changes_nothing(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".j", .check = write_damaged},
        {.keys = "<f5>", .check = old_profile_is_there},
        {.check = remove_it},
        {.keys = "<f5>", .check = old_profile_is_there},
        {.keys = ":edit tests/no/such/file<ret>", .check = old_profile_is_there},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void is_other(struct app *a, const struct canvas *c, const char *state)
{
    says(c, "read: 1123 nodes, 0 steps");
    assert_int_equal(a->doc.session->profile->n_nodes, 1123);
    assert_string_equal(state, "tfprof scope " GRAPH
                               " -max_depth all -order_by params -select float_ops,params");
}

static void is_first_again(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    says(c, "read: 5208 nodes, 3 steps");
    assert_int_equal(a->doc.session->profile->n_nodes, 5208);
}

static void is_smaller(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    says(c, "read again: 1123 nodes, 0 steps");
    assert_true(app_row(a) < a->doc.result->tree->n_rows);
}

static void write_graph(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    (void)state;
    replace_file(GRAPH, 0);
}

/* Marks, positions and undo steps of rows that no longer exist lead to existing rows. */
static void another_file_replaces_the_displayed_one(void **state)
{
    static char edit[80];
    const struct script_step steps[] = {
        {.keys = ":edit " GRAPH "<ret>", .check = is_other,
         .shows = {"tfprof graph.pb.gz TensorFlow 1,123 nodes", "1,624 of 1,624 rows 2.61 M",
                   "NAME PARAMS v % of root FLOPs│ DETAILS", ">▾ _TFProfRoot 2.61 M 100.0%",
                   "read: 1123 nodes, 0 steps undo 0 redo 0 NORMAL", "!TIME"}},
        {.rows = 24, .cols = 80, .keys = "jk",
         .shows = {"▸ conv_preds 769.00 k 29.5% ▇▇······ 3.07 M",
                   "undo 0 redo 0 NORMAL", "!unit_1_"}},
        {.keys = edit, .check = is_first_again},
        {.keys = "4j<ret>3ma<space>1.<space>", .check = write_graph},
        {.keys = "<f5>", .check = is_smaller},
        {.keys = "'auuuu<bs>M<esc>24", .check = NULL},
    };

    (void)state;
    snprintf(edit, sizeof edit, ":edit %s<ret>", path);
    play(36, 120, steps, COUNT(steps));
}

static void shows_first_options(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_false(load_is_open(a));
    assert_int_equal(a->doc.session->profile->n_nodes, 1123);
    assert_ptr_equal(a->doc.result->profile, a->doc.session->profile);
    assert_null(strstr(state, "-diff_step"));
}

/* The new file has no steps to compare. */
static void options_that_do_not_fit_the_file_are_reset(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":-diff_step 1<ret>", .check = write_graph},
        {.keys = "<f5>", .check = shows_first_options},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

/* The result of the op view stays cached while the scope view of another profile is displayed, as
 * at the end of a reload during which the user changed the view. */
static void keeps_no_result_of_another_profile(struct app *a, const struct canvas *c, const char *state)
{
    const char *const files[] = {path};
    const struct load_request request = {.options = &a->doc.requested.options, .files = files, .n_files = 1};
    const struct cancel_mark never = {0};
    struct err err = {0};
    struct profile *p = load_profile(&request, NULL, never, &err);
    struct query *q;

    (void)c, (void)state;
    assert_non_null(p);
    q = query_new(p);
    app_show_result(a, query_run(q, VIEW_SCOPE, &a->doc.requested.options, never, &err), NULL);
    assert_null(a->nav.views[VIEW_OP].kept);
    app_show_result(a, query_run(a->doc.session->query, VIEW_OP, &a->doc.requested.options, never, &err),
                    NULL);
    assert_null(a->nav.views[VIEW_SCOPE].kept);
    query_free(q);
    profile_free(p);
}

static void results_of_another_profile_are_dropped(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "4", .check = keeps_no_result_of_another_profile}, {.keys = "1"}, {.keys = "4"},
    };

    (void)state;
    play(36, 120, steps, COUNT(steps));
}

static void write_fifo(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)c, (void)state;
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
}

static void is_stopped(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_false(load_is_open(a));
    assert_false(a->ui.quit);
    assert_int_equal(a->doc.result->profile->n_steps, 3);
    assert_non_null(strstr(state, " -hide_name_regexes x"));
    script_cursor_is_on(a, LAYER);
    assert_ptr_equal(a->doc.result->profile, a->doc.session->profile);
}

static void write_back(struct app *a, const struct canvas *c, const char *state)
{
    is_stopped(a, c, state);
    replace_file(SAMPLE, 0);
}

static void is_read_again(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    says(c, "read again: 5208 nodes, 3 steps");
    script_cursor_is_on(a, LAYER);
}

/* With either key; the old profile stays complete, and can be reloaded afterwards. */
static void stopping_a_reload_keeps_the_screen(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".j:-hide_name_regexes x<ret>", .check = write_fifo},
        {.keys = "<f5><esc>", .check = is_stopped},
        {.keys = "<f5><c-c>", .check = write_back},
        {.keys = "<f5>", .check = is_read_again},
    };

    (void)state;
    play(24, 80, steps, COUNT(steps));
}

static int make_folder(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || (getenv("top_srcdir") && chdir(getenv("top_srcdir")) != 0))
        return -1;
    snprintf(path, sizeof path, "%s/model.pb", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changed_files_are_noticed_and_reloaded),
        cmocka_unit_test(a_file_that_cannot_be_read_changes_nothing),
        cmocka_unit_test(another_file_replaces_the_displayed_one),
        cmocka_unit_test(options_that_do_not_fit_the_file_are_reset),
        cmocka_unit_test(stopping_a_reload_keeps_the_screen),
        cmocka_unit_test(results_of_another_profile_are_dropped),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
