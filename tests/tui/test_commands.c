/* test_commands.c: effects of keys, clicks and pastes on the screen, the options and files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/capture_text.h"
#include "script.h"
#include "term/canvas.h"
#include "tui/action.h"
#include "tui/dialogs/option_rows.h"
#include "tui/panes/compare.h"
#include "tui/places.h"
#include "tui/tasks/tasks.h"
#include "tui/undo.h"

#define TOWERS "tests/golden/models/towers/profile.pb.gz"
#define COMMAND "tfprof scope " TOWERS
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Options given on the command line are printed even if they have default values. */
static const char *const towers[] = {TOWERS, "-max_depth", "10", "-order_by", "name", "-select",
                                     "micros", NULL};

static int play(const struct script_step *steps, size_t n_steps)
{
    struct script script = {.args = towers, .rows = 36, .cols = 120, .steps = steps,
                            .n_steps = n_steps};

    return script_run(&script);
}

/* Values that the check functions compare between steps. */
static struct canvas first_screen;

/* ---- undo */

static void keep_screen(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    canvas_copy(&first_screen, c);
}

/* All rows are unchanged except the status row, which counts the steps. */
static void same_screen(struct app *a, const struct canvas *c, const char *state)
{
    assert_string_equal(state, COMMAND);
    assert_int_equal(a->nav.undo.past.n, 0);
    for (int row = 0; row < c->rows - 3; row++)
        for (int col = 0; col < c->cols; col++)
            if (!cell_equal(canvas_at(c, row, col), canvas_at(&first_screen, row, col)))
                fail_msg("row %d column %d differs", row, col);
}

static void undo_goes_back_to_the_first_screen(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "", .check = keep_screen},
        {.keys = "zrjjlzR1s<down><down><ret>I]3zR4jH2fconv<ret>Kzm[0:op -max_depth 3<ret>"},
        {.keys = "uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu", .check = same_screen},
    };

    (void)state;
    canvas_init(&first_screen);
    assert_int_equal(play(steps, COUNT(steps)), 0);
    canvas_done(&first_screen);
}

static void redone(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_string_equal(state, "tfprof graph " TOWERS " -max_depth 3 -min_micros 2");
    assert_int_equal(a->nav.undo.future.n, 0);
}

static void redo_restores_the_state_before_undo(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":scope -max_depth 3<ret>:graph -min_micros 2<ret>uu<c-r><c-r>",
         .check = redone},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* ---- the filter */

static void is_unfiltered(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_string_equal(state, COMMAND);
    assert_int_equal(a->nav.undo.past.n, 0);
    assert_int_equal(a->nav.undo.future.n, 0);
    assert_false(a->ui.tree.dim);
}

static void is_filtered(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_string_equal(state, COMMAND " -show_name_regexes '.*Conv2D.*'");
    assert_in_range(a->doc.result->n_shown, 1, 200);
    for (size_t i = 1; i < rows_count(a->nav.rows); i++) {
        const struct text name = tree_text(a->doc.result->tree, rows_at(a->nav.rows, i).row);

        assert_non_null(memmem(name.bytes, name.len, "Conv2D", 6));
    }
}

/* The regex does not compile: the rows of the last valid one stay, dimmed. */
static void is_dimmed(struct app *a, const struct canvas *c, const char *state)
{
    assert_string_equal(state, COMMAND " -show_name_regexes '.*Conv2D.*'");
    assert_true(a->ui.tree.dim);
    assert_int_equal(canvas_at(c, 6, 4)->role, ROLE_DIM);
    assert_true(script_shows(c, "missing"));
}

static void filters_are_live_and_escape_restores(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "fConv2D", .check = is_filtered},
        {.keys = "<esc>", .check = is_unfiltered},
        {.keys = "fConv2D<ret>", .check = is_filtered},
        {.keys = "f<end>[", .check = is_dimmed},
        {.keys = "<esc>", .check = is_filtered},
        {.keys = "u", .check = NULL},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* ---- keys that change the command line */

static void has_state(const char *state, const char *want)
{
    if (strcmp(state, want) != 0)
        fail_msg("got:  %s\nwant: %s", state, want);
}

static void depth_3(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, COMMAND " -max_depth 3");
}

static void hidden_like(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, COMMAND " -order_by micros -hide_name_regexes 'tower_[0-9]+(/.*)?'");
}

static void second_step(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, COMMAND " -step 1");
}

static void covered(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_non_null(strstr(state, "-min_micros "));
    assert_in_range(a->doc.result->n_shown, 1, 60);
}

static void commands_and_keys_change_the_command_line(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":scope -max_depth 3<ret>", .check = depth_3},
        {.keys = "u:set -max_depth 3<ret>", .check = depth_3},
        {.keys = "u:reset-options<ret>uo<ret><c-u>3<ret><esc>", .check = depth_3},
        {.keys = "u]]", .check = second_step},
        {.keys = "A:scope -order_by micros<ret>jH", .check = hidden_like},
        {.keys = "uu%<c-u>80<ret>", .check = covered},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* The editor of every option accepts the displayed value and the default. */
static void defaults_stay(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    has_state(state, COMMAND);
    assert_int_equal(option_rows_changed(&a->doc.requested.options, a->doc.requested.view), 0);
    assert_null(a->ui.top);
}

static void the_editor_opens_every_option(void **state)
{
    struct strbuf keys = {0};
    struct script_step step = {.check = defaults_stay};

    (void)state;
    sb_adds(&keys, "o");
    for (size_t i = 0; i < option_rows_n(); i++)
        sb_adds(&keys, "<ret>x<bs><ret>xj");
    sb_adds(&keys, "<esc><esc>");
    step.keys = sb_text(&keys);
    assert_int_equal(play(&step, 1), 0);
    sb_done(&keys);
}

/* ---- saved positions, marks */

static row_id seen_row;

static void keep_row(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    seen_row = app_row(a);
    assert_int_not_equal(seen_row, 0);
}

static void same_row(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_SCOPE);
    assert_int_equal(app_row(a), seen_row);
}

static void saved_positions_are_restored(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/softmax<ret>ma", .check = keep_row},
        {.keys = "gg'a", .check = same_row},
        {.keys = "gg3'a", .check = same_row},
        {.keys = "2<c-o>", .check = same_row},
        {.keys = "s<down><down><ret>", .check = same_row},
        {.keys = "34321", .check = same_row},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* ---- views with a cached result */

static const struct result *kept_result;
static int kept_order;

static void keep_result(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    kept_result = a->doc.result;
    kept_order = (int)a->doc.result->options.order_by;
}

static void same_result(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_ptr_equal(a->doc.result, kept_result);
}

static void other_order(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_SCOPE);
    assert_int_not_equal(a->doc.result->options.order_by, kept_order);
}

static void a_cached_view_is_only_drawn(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "1zR<pgdn>", .check = keep_result},
        {.keys = "21", .check = same_result},
        {.keys = "23421", .check = same_result},
        {.keys = "2>1", .check = other_order},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* The current view is about to be replaced: computing its figures would delay the next view. */
static void starts_no_figures_for_the_old_view(struct app *a, const struct canvas *c,
                                               const char *state)
{
    (void)c;
    (void)state;
    a->doc.figures_made_for = NULL;
    a->doc.kept_is_due = true;
    tasks_start(a);
    assert_false(task_runs(a, TASK_FIGURES));
    a->doc.kept_is_due = false;
    tasks_start(a);
    assert_true(task_runs(a, TASK_FIGURES));
}

static void no_task_starts_before_a_kept_view_returns(void **state)
{
    static const struct script_step steps[] = {{.keys = "21",
                                                .check = starts_no_figures_for_the_old_view}};

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* ---- pastes, unknown keys, ends */

static void says_paste(struct app *a, const struct canvas *c, const char *state)
{
    has_state(state, COMMAND);
    assert_false(a->ui.quit);
    assert_true(script_shows(c, "text can be pasted only into a prompt"));
}

static void holds_paste(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, ":op -max_depth 3 q"));
}

static void says_unbound(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "w is not bound here"));
}

static void pastes_are_refused_outside_of_prompts(void **state)
{
    static const struct script_step steps[] = {
        {.paste = "qQ\n", .check = says_paste},
        {.keys = ":", .paste = "op -max_depth 3\nq\n", .check = holds_paste},
        {.keys = "<esc>w", .check = says_unbound},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

static void is_searched(struct app *a, const struct canvas *c, const char *state)
{
    has_state(state, COMMAND " -order_by micros");
    assert_int_equal(a->ui.input.ahead.n, 0);
    assert_true(script_shows(c, "0 matches for /queue"));
    assert_false(a->ui.quit);
}

/* Including the q of "queue", here a character of a search. */
static void keys_typed_while_loading_are_played(void **state)
{
    static const struct script_step step = {.check = is_searched};
    struct script script = {.args = towers, .rows = 24, .cols = 80, .steps = &step, .n_steps = 1,
                            .types_ahead = "<gt>/queue<ret>"};

    (void)state;
    assert_int_equal(script_run(&script), 0);
}

static void interrupt_twice_ends_with_130(void **state)
{
    struct script_step step = {.keys = "<c-c>"};
    struct script script = {.args = towers, .rows = 24, .cols = 80, .steps = &step, .n_steps = 1};

    (void)state;
    assert_int_equal(script_run(&script), 0);
    step.keys = NULL;
    script.ends_with = "<c-c><c-c>";
    assert_int_equal(script_run(&script), 130);
    script.ends_with = "<c-c>j<c-c>q";
    assert_int_equal(script_run(&script), 0);
}

static void a_missing_file_is_status_1(void **state)
{
    static const char *const args[] = {"tests/no_such_file", NULL};
    struct script script = {.args = args, .rows = 24, .cols = 80, .never_loads = true};

    (void)state;
    assert_int_equal(script_run(&script), 1);
}

/* ---- exports */

static void file_is_there(struct app *a, const struct canvas *c, const char *state)
{
    char *name = getenv("TFPROF_TEST_FILE");
    char bytes[64] = "";
    FILE *f = fopen(name, "r");

    (void)a;
    (void)state;
    assert_true(script_shows(c, "written: "));
    assert_non_null(f);
    assert_non_null(fgets(bytes, sizeof bytes, f));
    assert_memory_equal(bytes, "node name | ", 12);
    fclose(f);
}

static void asks_before_it_overwrites(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "the file exists: tick overwrite"));
}

static void exports_write_files_and_ask_first(void **state)
{
    char name[] = "/tmp/tfprof-export-XXXXXX";
    const int fd = mkstemp(name);
    struct strbuf first = {0}, again = {0};

    (void)state;
    assert_true(fd >= 0);
    close(fd);
    unlink(name);
    setenv("TFPROF_TEST_FILE", name, 1);
    sb_addf(&first, "e<tab><c-u>%s<ret>", name);
    sb_addf(&again, "e<tab><c-u>%s<ret>", name);
    {
        const struct script_step steps[] = {
            {.keys = sb_text(&first), .check = file_is_there},
            {.keys = sb_text(&again), .check = asks_before_it_overwrites},
            {.keys = "<space><ret>", .check = file_is_there},
        };

        assert_int_equal(play(steps, COUNT(steps)), 0);
    }
    unlink(name);
    sb_done(&first);
    sb_done(&again);
}

/* ---- the pointer */

static void sorted_by_micros(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, COMMAND " -order_by micros");
}

static void third_row(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->nav.cursor, 2);
    assert_false(rows_at(a->nav.rows, 2).flags & ROW_OPEN);
}

static void third_row_open(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->nav.cursor, 2);
    assert_true(rows_at(a->nav.rows, 2).flags & ROW_OPEN);
}

static void is_graph(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_GRAPH);
}

static void clicks_sort_select_and_open(void **state)
{
    static const struct script_step steps[] = {
        {.clicks = {{4, 58}}, .check = sorted_by_micros},
        {.clicks = {{7, 10}}, .check = third_row},
        {.keys = "j", .clicks = {{8, 10}, {7, 10}}, .check = third_row},
        {.clicks = {{7, 10}}, .check = third_row_open},
        {.clicks = {{2, 11}}, .check = is_graph},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* ---- limits of regexes */

static void reports_the_match_limit(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.result->n_shown, 0);
    assert_true(script_shows(c, "-show_name_regexes #1 '(([a-z_0-9]+/?)+)+[XY]': work limit exceeded"));
}

static void suggests_a_simpler_regex(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "exceed the work limit: the list matches nothing"));
}

static void search_is_too_much(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "search '(([a-z_0-9]+/?)+)+[XY]': work limit exceeded on"));
}

static void moves_on(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_true(a->doc.result->n_shown > 0);
    assert_true(app_row(a) > 0);
}

static void regexes_over_the_limit_are_reported(void **state)
{
    struct strbuf edit = {0};
    struct script_step steps[] = {
        {.keys = ":set -show_name_regexes (([a-z_0-9]+/?)+)+[XY]<ret>",
         .check = reports_the_match_limit},
        {.keys = "ujj", .check = moves_on},
        {.keys = "/(([a-z_0-9]+/?)+)+[XY]<ret>", .check = search_is_too_much},
        {.keys = NULL, .check = suggests_a_simpler_regex},
        {.keys = "<esc><esc>jj", .check = moves_on},
    };

    (void)state;
    sb_adds(&edit, "<esc>o");
    for (size_t i = 0; strcmp(option_row(i)->name, "show_name_regexes") != 0; i++)
        sb_addc(&edit, 'j');
    sb_adds(&edit, "<ret><c-u>(([a-z_0-9]+/?)+)+[XY]");
    steps[3].keys = sb_text(&edit);
    play(steps, COUNT(steps));
    sb_done(&edit);
}

/* ---- comparisons */

#define FUNCTIONS_MODEL "tests/golden/modern/while_if_module.saved_model.pb.gz"
#define TRACE "tests/traces/rank_0.json"

/* Two devices, and a host with a Python call. */
static const char capture[] = "host; h\nplane; /device:GPU:0\nline; 7; s; 1\n"
                              "event; a/copy; 0; 10; memcpy_details=y; correlation_id=1\n"
                              "plane; /device:GPU:1\nline; 7; s; 1\n"
                              "event; a/copy; 0; 20; memcpy_details=y; correlation_id=2\n"
                              "plane; /host:CPU\nline; 1; main; 1\n"
                              "event; $a.py:1 f; 0; 1000\nevent; a/b:MatMul; 20; 30\n";

static void nothing_differs(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_true(script_nothing_differs(a) > 0);
}

static void write_capture(char *path)
{
    const int fd = mkstemp(path);
    struct strbuf bytes = {0};

    capture_text(&bytes, capture);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, sb_text(&bytes), bytes.len), bytes.len);
    (void)close(fd);
    sb_done(&bytes);
}

static void a_file_against_itself_is_zero_with_every_option(void **state)
{
    char path[] = "/tmp/tfprof-capture-XXXXXX";
    const struct {
        const char *file, *option, *value;
    } cases[] = {
        {FUNCTIONS_MODEL, "-functions", "off"},
        {FUNCTIONS_MODEL, "-functions", "list"},
        {FUNCTIONS_MODEL, "-function_rows", "0"},
        {FUNCTIONS_MODEL, "-define_type", "own=.*"},
        {FUNCTIONS_MODEL, "-signature", "serving_default"},
        {TRACE, "-kernels", "rows"},
        {TRACE, "-step", "all"},
        {TRACE, "-step", "outside"},
        {TRACE, "-rank", "0"},
        {path, "-host_events", "all"},
        {path, "-devices", "split"},
    };

    (void)state;
    write_capture(path);
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *const args[] = {cases[i].file, cases[i].option, cases[i].value, "-select",
                                    "params,float_ops,micros,occurrence", NULL};
        struct strbuf keys = {0};
        struct script_step step = {.check = nothing_differs};
        const struct script script = {.args = args, .rows = 36, .cols = 120, .steps = &step,
                                      .n_steps = 1};

        sb_addf(&keys, "D<ret>%s<ret>", cases[i].file);
        step.keys = sb_text(&keys);
        assert_int_equal(script_run(&script), 0);
        sb_done(&keys);
    }
    (void)unlink(path);
}

/* Step 1 has the largest figure, step 2 the smallest. */
static const char extremes[] =
    "nodes { key: 0 value { name: 'a' op: 'Add' op_types: 'Add'"
    "  execs { key: 1 value { run_count: 1 memory_execs {"
    "    requested_bytes: 9223372036854775807 } } }"
    "  execs { key: 2 value { run_count: 1 memory_execs {"
    "    requested_bytes: -9223372036854775808 } } } } }"
    "steps: 1 steps: 2";

static void differs_by_the_limit(struct app *a, const struct canvas *c, const char *state)
{
    struct strbuf text = {0};

    (void)c;
    (void)state;
    assert_non_null(a->doc.result->sides);
    compare_cell(a->doc.result, 0, METRIC_BYTES, &text);
    assert_string_equal(sb_text(&text), "+9223372.04 TB");
    sb_done(&text);
}

static void differences_stop_at_the_limits_of_64_bits(void **state)
{
    char path[] = "/tmp/tfprof-extremes-XXXXXX";
    const int fd = mkstemp(path);
    const char *const args[] = {path, "-step", "1", "-select", "bytes", NULL};
    static const struct script_step steps[] = {
        {.keys = "D<down><down><ret>", .check = differs_by_the_limit},
    };
    const struct script script = {.args = args, .rows = 36, .cols = 120, .steps = steps,
                                  .n_steps = COUNT(steps)};

    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, extremes, sizeof extremes - 1), sizeof extremes - 1);
    (void)close(fd);
    assert_int_equal(script_run(&script), 0);
    (void)unlink(path);
}

static void orders_by_peak(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_int_equal(a->doc.result->options.order_by, ORDER_METRIC + METRIC_PEAK_BYTES);
    assert_true(field_in(a->doc.result->options.select, METRIC_PEAK_BYTES));
}

static void edits_max_depth(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_string_equal(option_row(a->ui.option_at)->name, "max_depth");
    assert_int_equal(app_context(a), CTX_VALUE);
}

static void the_palette_finds_and_runs(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "<c-p>", .shows = {"Actions, options, fields and presets", "search-next", "PALETTE"}},
        {.keys = "hosts", .shows = {"> hosts", "show which hosts delay others, and their work"}},
        {.keys = "<esc>", .shows = {"!Actions, options", "NORMAL"}},
        {.keys = "<c-p>critical<ret>", .shows = {"!Actions, options"}},
        {.keys = "<c-p>peak_by<ret>", .check = orders_by_peak},
        {.keys = "<c-p>min_p<down><up>", .shows = {"-min_peak_bytes", "-min_params"}},
        {.keys = "<c-u>max_de<ret>", .check = edits_max_depth},
        {.keys = "<esc><esc><c-p>row<space>why", .shows = {"explain", "!search-next"}},
        {.keys = "<c-u>qqq<ret>", .shows = {"no match"}},
        {.rows = 24, .cols = 80, .keys = "<c-u>smry", .shows = {"summary", "show what is loaded and what"}},
        {.rows = 8, .cols = 20, .keys = "<down><up>"},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_palette_finds_and_runs),
        cmocka_unit_test(undo_goes_back_to_the_first_screen),
        cmocka_unit_test(redo_restores_the_state_before_undo),
        cmocka_unit_test(filters_are_live_and_escape_restores),
        cmocka_unit_test(commands_and_keys_change_the_command_line),
        cmocka_unit_test(the_editor_opens_every_option),
        cmocka_unit_test(saved_positions_are_restored),
        cmocka_unit_test(a_cached_view_is_only_drawn),
        cmocka_unit_test(no_task_starts_before_a_kept_view_returns),
        cmocka_unit_test(pastes_are_refused_outside_of_prompts),
        cmocka_unit_test(keys_typed_while_loading_are_played),
        cmocka_unit_test(a_file_against_itself_is_zero_with_every_option),
        cmocka_unit_test(differences_stop_at_the_limits_of_64_bits),
        cmocka_unit_test(interrupt_twice_ends_with_130),
        cmocka_unit_test(a_missing_file_is_status_1),
        cmocka_unit_test(exports_write_files_and_ask_first),
        cmocka_unit_test(clicks_sort_select_and_open),
        cmocka_unit_test(regexes_over_the_limit_are_reported),
    };

    return cmocka_run_group_tests_name("tests/tui/test_commands", tests, NULL, NULL);
}
