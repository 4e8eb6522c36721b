/* test_tasks.c: background work: no wake-up is lost, stale results are dropped. */
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/xalloc.h"
#include "fixtures/patience.h"
#include "script.h"
#include "tui/tasks/preview.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {"data/resnet32.pb.gz", NULL};

static void play(const struct script_step *steps, size_t n_steps)
{
    const struct script script = {.args = sample, .rows = 24, .cols = 80, .steps = steps,
                                  .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

/* ---- wake-ups */

static void is_second_row(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_OP);
    assert_true(a->nav.cursor > 0);
}

/* An export occupies the query thread.  A view with a cached result and a search are queued behind
 * it; the last key waits for the search. */
static void a_cached_result_queued_behind_an_export_is_displayed(void **state)
{
    const char *folder = script_folder_make("TASKS_FOLDER");
    struct strbuf keys = {0};

    (void)state;
    sb_addf(&keys, ":w %s/rows.txt<ret>4/Conv<ret>j", folder);
    {
        const struct script_step steps[] = {
            {.keys = "4"},
            {.keys = "1"},
            {.keys = sb_text(&keys), .check = is_second_row},
        };

        play(steps, COUNT(steps));
    }
    sb_done(&keys);
    script_folder_remove("TASKS_FOLDER");
}

/* ---- stale jobs */

/* Waits until the running job has ended; its result is not yet taken. */
static void wait_for_job(struct app *a)
{
    struct pollfd news = {.fd = worker_fd(a->doc.worker), .events = POLLIN};

    assert_int_equal(poll(&news, 1, PATIENCE_MS), 1);
}

/* Displays the op view, which has other rows than the scope view. */
static void display_op_view(struct app *a)
{
    struct err err = {0};
    struct result *r = query_run(a->doc.session->query, VIEW_OP, &a->doc.requested.options,
                                 (struct cancel_mark){0}, &err);

    assert_non_null(r);
    assert_ptr_not_equal(a->doc.result->tree, r->tree);
    a->doc.requested.view = VIEW_OP;
    app_show_result(a, r, NULL);
}

static void run_figures(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    task_start(a, TASK_FIGURES);
    wait_for_job(a);
    display_op_view(a);
    tasks_apply_results(a);
    assert_false(figures_are_ready(a));
}

static void figures_are_displayed(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_OP);
    assert_true(figures_are_ready(a));
}

static void stale_figures_are_dropped(void **state)
{
    static const struct script_step steps[] = {{.check = run_figures},
                                               {.check = figures_are_displayed}};

    (void)state;
    play(steps, COUNT(steps));
}

/* The query rebuilds the tree of folded layers after it was requested with other options. */
static void run_figures_on_a_rebuilt_tree(struct app *a, const struct canvas *c, const char *state)
{
    struct options unfolded;
    struct err err = {0};

    (void)c;
    (void)state;
    assert_true(a->doc.result->options.fold_twins);
    options_copy(&unfolded, &a->doc.requested.options);
    unfolded.fold_twins = false;
    result_free(query_run(a->doc.session->query, VIEW_SCOPE, &unfolded, (struct cancel_mark){0},
                          &err));
    options_done(&unfolded);
    a->doc.figures_made_for = NULL;
    task_start(a, TASK_FIGURES);
    wait_for_job(a);
    tasks_apply_results(a);
    assert_false(figures_are_ready(a));
}

static void figures_refer_to_the_tree(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_true(a->doc.result->options.fold_twins);
    assert_true(figures_are_ready(a));
}

static void figures_of_a_rebuilt_tree_are_dropped(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "t", .check = run_figures_on_a_rebuilt_tree},
        {.check = figures_refer_to_the_tree},
    };

    (void)state;
    play(steps, COUNT(steps));
}

static void run_search(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    task_start(a, TASK_SEARCH);
    wait_for_job(a);
    display_op_view(a);
    tasks_apply_results(a);
    assert_false(search_is_known(&a->nav.search, a->doc.result));
}

static void matches_are_of_the_op_view(struct app *a, const struct canvas *c, const char *state)
{
    uint32_t n = 0;

    (void)c;
    (void)state;
    for (row_id row = 1; row < a->doc.result->tree->n_rows; row++)
        n += a->doc.result->why[row] == WHY_SHOWN &&
            strstr(tree_name(a->doc.result->tree, row), "Conv2D");
    assert_int_equal(a->doc.result->view_id, VIEW_OP);
    assert_true(search_is_known(&a->nav.search, a->doc.result));
    assert_int_equal(search_count(&a->nav.search), n);
}

static void stale_matches_are_dropped(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/Conv2D<ret>", .check = run_search},
        {.check = matches_are_of_the_op_view},
    };

    (void)state;
    play(steps, COUNT(steps));
}

/* The user typed other text while the job ran. */
static void type_another_search(struct app *a, const struct canvas *c, const char *state)
{
    struct err err = {0};

    (void)c;
    (void)state;
    task_start(a, TASK_SEARCH);
    wait_for_job(a);
    assert_true(search_set(&a->nav.search, "MatMul", &err));
    tasks_apply_results(a);
    assert_false(search_is_known(&a->nav.search, a->doc.result));
}

static void matches_of_another_text_are_dropped(void **state)
{
    static const struct script_step steps[] = {{.keys = "/Conv2D<ret>", .check = type_another_search}};

    (void)state;
    play(steps, COUNT(steps));
}

static void run_previews(struct app *a, const struct canvas *c, const char *state)
{
    const struct option *option = option_find("max_depth");

    (void)c;
    (void)state;
    preview_request(a, option, "3");
    wait_for_job(a);
    tasks_apply_results(a);
    assert_string_equal(a->doc.trial.preview->value, "3");
    preview_request(a, option, "4");
    wait_for_job(a);
    free(a->doc.trial.value);
    a->doc.trial.value = xstrdup("5"); /* typed meanwhile */
    tasks_apply_results(a);
    assert_string_equal(a->doc.trial.preview->value, "3");
    preview_request(a, option, "6");
    wait_for_job(a);
    display_op_view(a);
    tasks_apply_results(a);
    assert_string_equal(a->doc.trial.preview->value, "3");
}

static void stale_previews_are_dropped(void **state)
{
    static const struct script_step steps[] = {{.check = run_previews}};

    (void)state;
    play(steps, COUNT(steps));
}

static void fold_meanwhile(struct app *a, const struct canvas *c, const char *state)
{
    struct folds *mine = folds_copy(app_view(a)->folds);
    const row_id first = rows_at(a->nav.rows, 1).row;

    (void)c;
    (void)state;
    folds_request(a, (struct fold_wish){.kind = FOLD_WISH_EVERYTHING, .open = true});
    wait_for_job(a);
    folds_set(mine, first, !folds_is_open(mine, first));
    app_set_folds(a, mine, NULL);
    tasks_apply_results(a);
    assert_ptr_equal(app_view(a)->folds, mine); /* folded again, starting from these folds */
}

static void all_rows_are_open(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(rows_count(a->nav.rows), a->doc.result->n_shown + 1);
    assert_int_equal(a->nav.undo.past.n, 2);
}

static void stale_folds_are_dropped(void **state)
{
    static const struct script_step steps[] = {{.check = fold_meanwhile},
                                               {.check = all_rows_are_open}};

    (void)state;
    play(steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cached_result_queued_behind_an_export_is_displayed),
        cmocka_unit_test(stale_figures_are_dropped),
        cmocka_unit_test(figures_of_a_rebuilt_tree_are_dropped),
        cmocka_unit_test(stale_matches_are_dropped),
        cmocka_unit_test(matches_of_another_text_are_dropped),
        cmocka_unit_test(stale_previews_are_dropped),
        cmocka_unit_test(stale_folds_are_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
