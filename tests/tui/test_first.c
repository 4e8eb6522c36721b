/* test_first.c: the first screen, and the shortest key sequences to common answers. */
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

#define SAMPLE "data/resnet32.pb.gz"
#define GRAPH "tests/golden/models/mobilenet/graph.pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const sample[] = {SAMPLE, NULL};
static const char *const graph[] = {GRAPH, NULL};

static void play(const char *const *args, int rows, int cols, const struct script_step *steps,
                 size_t n_steps)
{
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void has_state(const char *state, const char *want)
{
    if (strcmp(state, want) != 0)
        fail_msg("got:  %s\nwant: %s", state, want);
}

/* ---- defaults */

static void the_first_screen_answers(void **state)
{
    static const struct script_step of_runs[] = {
        {.shows = {"[1 scope]", "NAME TIME v % of root FLOPs│ DETAILS",
                   ">▾ _TFProfRoot 6.45 s 100.0% ▇▇▇▇▇▇▇▇ 53.91 G│",
                   "▸ random_shuffle_queue_DequeueMany ! 665.31 ms 10.3% ▇······· 0│",
                   "@H 4.64 s 72.0%", "│ 38.11% of roof (compute bound)",
                   "2.66 s 31x Conv2DBackpropFilter", "OPTIONS (o) ─"}},
        {.rows = 24, .cols = 80,
         .shows = {"NAME TIME v % of root FLOPs",
                   ">▾ _TFProfRoot 6.45 s 100.0% ▇▇▇▇▇▇▇▇ 53.91 G",
                   "▸ gradients 4.64 s 72.0% ▇▇▇▇▇▇·· 35.94 G",
                   "_TFProfRoot micros --/6.45 s float_ops --/53.91 G Tab: details", "!DETAILS"}},
    };
    static const struct script_step of_graph[] = {
        {.shows = {"NAME PARAMS v % of root FLOPs│ DETAILS",
                   ">▾ _TFProfRoot 2.61 M 100.0% ▇▇▇▇▇▇▇▇ 19.93 M│",
                   "▸ conv_preds 769.00 k 29.5% ▇▇······ 3.07 M│", "2.60 M 137x VarHandleOp",
                   "!TIME"}},
        {.rows = 24, .cols = 80,
         .shows = {"1,624 of 1,624 rows 2.61 M", "NAME PARAMS v % of root FLOPs",
                   "▸ conv_preds 769.00 k 29.5% ▇▇······ 3.07 M",
                   "_TFProfRoot params --/2.61 M float_ops --/19.93 M Tab: details"}},
    };

    static const char *const snapshot[] = {"tests/golden/snapshots/failed.pickle", NULL};
    static const struct script_step of_snapshot[] = {
        {.keys = "1", .shows = {"PEAK v % root BYTES RESID│",
                   "/gpu:0 out of memory, requested 16.78 MB: enough is free, but not contiguous 6"}},
        {.rows = 24, .cols = 80,
         .shows = {"/gpu:0 out of memory, requested 16.78 MB: enough is free 6"}},
    };
    static const char *const heap[] = {"tests/fuzz/corpus/pprof/small", NULL};
    static const struct script_step of_heap[] = {
        {.shows = {"RESID v", ">▾ _TFProfRoot", " 350 B 100.0%", "!TIME"}},
    };

    (void)state;
    play(sample, 36, 120, of_runs, COUNT(of_runs));
    play(snapshot, 36, 120, of_snapshot, COUNT(of_snapshot));
    play(heap, 36, 120, of_heap, COUNT(of_heap));
    play(graph, 36, 120, of_graph, COUNT(of_graph));
}

static void is_as_said(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, "tfprof scope " SAMPLE " -order_by bytes -select bytes");
}

static void only_fields_are_displayed(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, "tfprof scope " SAMPLE " -max_depth all -order_by params -select bytes,params");
}

static void is_preset(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_non_null(strstr(state, " -max_depth 10000"));
    assert_non_null(strstr(state, " -order_by micros"));
}

static void reset_is_first(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state,
              "tfprof scope " SAMPLE " -max_depth all -order_by micros -select float_ops,micros");
}

/* The title of a model has its format, op set, nodes and parameters. */
static void a_title_describes_the_model(void **state)
{
    static const char *const onnx[] = {"tests/fuzz/corpus/onnx/kept-01", NULL};
    static const char *const tflite[] = {"tests/fuzz/corpus/tflite/kept-02", NULL};
    static const struct script_step of_onnx[] = {{.shows = {"kept-01 ONNX opset 17 10 nodes 39 params"}}};
    static const struct script_step of_tflite[] = {{.shows = {"kept-02 TFLite 2 nodes 8 params"}}};

    (void)state;
    play(onnx, 24, 100, of_onnx, COUNT(of_onnx));
    play(tflite, 24, 100, of_tflite, COUNT(of_tflite));
}

/* Options given on the command line replace the defaults. */
static void given_options_stay(void **state)
{
    static const char *const said[] = {SAMPLE,    "-max_depth", "10",      "-order_by",
                                       "bytes",   "-select",    "bytes",   NULL};
    static const char *const fields[] = {SAMPLE, "-select", "params,bytes", NULL};
    static const char *const preset[] = {SAMPLE, "-preset", "time_and_memory", NULL};
    static const struct script_step as_said[] = {
        {.check = is_as_said},
        {.keys = ":reset-options<ret>", .check = reset_is_first},
        {.keys = "u", .check = is_as_said},
    };
    static const struct script_step some[] = {{.check = only_fields_are_displayed}};
    static const struct script_step of_preset[] = {{.check = is_preset}};

    (void)state;
    play(said, 36, 120, as_said, COUNT(as_said));
    play(fields, 36, 120, some, COUNT(some));
    play(preset, 36, 120, of_preset, COUNT(of_preset));
}

/* ---- the hottest path */

static void is_hottest(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    script_cursor_is_on(a, "gradients/unit_1_0/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter");
}

static void is_root(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(app_row(a), 0);
}

static void is_most_expensive_type(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    script_cursor_is_on(a, "Conv2DBackpropFilter");
    /* all types are displayed */
    assert_int_equal(a->doc.result->n_shown, a->doc.result->tree->n_rows - 1);
}

static void nothing_is_below(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "no row below this one has micros"));
}

/* Even when rows are not sorted by a cost. */
static void the_hottest_path_is_one_key(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".", .check = is_hottest},
        {.keys = ".", .check = nothing_is_below},
        {.keys = "<bs>", .check = is_root},
        {.keys = "zMs<home><ret>.", .check = is_hottest},
        {.keys = "<c-o>4.", .check = is_most_expensive_type},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
}

/* ---- columns */

static void first_is_time(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "TIME v"));
}

static void last_is_there(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "TIME v")); /* the sort order is unchanged */
    assert_true(script_shows(c, "OUTPUT SHAPES"));
    assert_false(script_shows(c, "more >"));
}

static void every_column_is_reachable(void **state)
{
    static const char *const args[] = {SAMPLE, "-order_by", "micros", "-select",
                                       "bytes,peak_bytes,residual_bytes,output_bytes,micros,"
                                       "cpu_micros,params,float_ops,occurrence,op_types,"
                                       "output_shapes", NULL};
    static const struct script_step steps[] = {
        {.shows = {"NAME 7 more > TIME v % root PARAMS FLOPs BYTES",
                   ">▾ _TFProfRoot 6.45 s 100.0% 930.59 k 53.91 G 3.00 GB",
                   "random_…eue_DequeueMany ! 665.31 ms 10.3% 0 0 1.57 MB", "@k 7 more >"}},
        {.keys = "<s-right><s-right>",
         .shows = {"NAME < 2 5 more > TIME v FLOPs BYTES PEAK RESID",
                   ">▾ _TFProfRoot 6.45 s 53.91 G 3.00 GB 3.00 GB 1.49 GB"}},
        {.keys = "<s-left><s-left>",
         .shows = {"NAME 7 more > TIME v % root PARAMS FLOPs BYTES",
                   ">▾ _TFProfRoot 6.45 s 100.0% 930.59 k 53.91 G 3.00 GB",
                   "random_…eue_DequeueMany ! 665.31 ms 10.3% 0 0 1.57 MB", "@k 7 more >"}},
        {.keys = "<s-right><s-right><s-right><s-right><s-right><s-right><s-right><s-right>"
                 "<s-right><s-right><s-right>", .check = last_is_there},
        {.rows = 12, .cols = 40,
         .shows = {"NAME < 9 2 more > TIME v", ">▾ _TFProfRoot 6.45 s",
                   "random_…eue_DequeueMany ! 665.31 ms", "this is the last column NORMAL"}},
    };

    (void)state;
    play(args, 24, 80, steps, COUNT(steps));
}

static void sorts_by_bytes(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->doc.result->options.select, FIELD_BIT(METRIC_MICROS));
    has_state(state, "tfprof scope " SAMPLE " -max_depth all -order_by bytes");
    assert_true(script_shows(c, "BYTES v"));
    assert_true(script_shows(c, "3.00 GB")); /* not 3000.96MB */
    assert_true(script_shows(c, "TIME"));
}

static void a_sort_key_is_displayed_as_column(void **state)
{
    static const char *const args[] = {SAMPLE, "-select", "micros", NULL};
    static const struct script_step steps[] = {
        {.keys = ":set -order_by bytes<ret>", .check = sorts_by_bytes},
    };

    (void)state;
    play(args, 36, 120, steps, COUNT(steps));
}

static void is_reversed(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_true(a->nav.reverse);
    assert_true(script_shows(c, "TIME ^"));
}

static void by_name(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_null(strstr(state, "-order_by"));
}

/* A second click on a column head reverses the order; NAME works like other heads. */
static void heads_are_clicked(void **state)
{
    static const struct script_step steps[] = {
        {.clicks = {{4, 48}}, .check = is_reversed},
        {.clicks = {{4, 48}}, .check = first_is_time},
        {.clicks = {{4, 2}}, .check = by_name},
        {.clicks = {{4, 48}}, .check = first_is_time},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
}

/* ---- from a row to its parts and back */

static void is_type_by_layer(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    has_state(state, "tfprof scope " SAMPLE " -max_depth all -order_by micros"
                     " -account_type_regexes Conv2DBackpropFilter -select float_ops,micros");
    script_cursor_is_on(a, "gradients/unit_1_0/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter");
}

static void is_user_line(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_CODE);
    assert_true(script_shows(c, ">       \u25b8 resnet_model.py:157"));
}

static void is_back_in_ops(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    has_state(state,
              "tfprof op " SAMPLE " -max_depth all -order_by micros -select float_ops,micros");
    script_cursor_is_on(a, "Conv2DBackpropFilter");
}

/* From a type to its layers and their line in four keys, and back. */
static void a_type_leads_to_layers_and_lines(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "4j<ret>", .check = is_type_by_layer},
        {.keys = "3", .check = is_user_line},
        {.keys = "<bs>", .check = is_type_by_layer},
        {.keys = "<bs>", .check = is_back_in_ops},
        {.keys = "<a-right>", .check = is_type_by_layer},
        {.keys = "<c-o>", .check = is_back_in_ops},
        {.keys = "<ret>",
         .shows = {"› Conv2D_grad › Conv2DBackpropFilter step avg(3)", "140 of 6,710 rows 2.66 s",
                   "> Conv2DBackpropFilter 289.05 ms 10.9% ▇······· 603.98 M│",
                   "▸ unit_1_1 388.43 ms 14.6%",
                   "6,570 rows hidden: 6,570 account_type_regexes (x why)",
                   "-account_type_regexes Conv2DBackpropFilter (Backspace goes back)"}},
        {.rows = 24, .cols = 80,
         .shows = {"140 of 6,710 rows 2.66 s",
                   "> Conv2DBackpropFilter 289.05 ms 10.9% ▇······· 603.98 M",
                   "-account_type_regexes Conv2DBackpropFilter (Backspace goes back)"}},
    };

    (void)state;
    play(sample, 36, 120, steps, COUNT(steps));
}

/* Options, folds and order are restored after any changes. */
static void returning_restores_the_state(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "4j<ret>zMs<home><ret>IG"},
        {.keys = "<bs>", .check = is_back_in_ops},
        {.keys = "I", .check = is_reversed}, /* it was not reversed before */
    };

    (void)state;
    play(sample, 36, 120, steps, COUNT(steps));
}

static void only_one_device(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_non_null(strstr(state, " -device_regexes "));
    assert_null(strstr(state, " -account_type_regexes "));
}

static void every_device(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_null(strstr(state, " -device_regexes "));
}

static void on_the_innermost_line(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_CODE);
    script_cursor_is_on(a, "ops.py:1160:from_node_def (gradient)");
}

static void lines_are_listed(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "ops.py:1160 from_node_def"));
}

/* The device is below name and type, lines of code further down; library lines are unfolded
 * first. */
static void details_link_to_related_rows(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ".<tab>"},
        {.keys = "jjj<ret>", .check = only_one_device},
        {.keys = "<bs>", .check = every_device},
        {.keys = "<c-w>l"},
        {.keys = "jjjjjjjjjjjjjjjjjj<ret>", .check = lines_are_listed},
        {.keys = "<ret>", .check = on_the_innermost_line},
    };

    (void)state;
    play(sample, 44, 120, steps, COUNT(steps));
}

static void depth_is_cured(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_null(strstr(state, " -max_depth 2 "));
    assert_non_null(strstr(state, " -max_depth all "));
}

static void hidden_by_both(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_non_null(strstr(state, "-hide_name_regexes 'gradients.*,init.*'"));
    assert_true(script_shows(c, "Enter sets -hide_name_regexes init.*"));
}

static void both_again(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_non_null(strstr(state, "-hide_name_regexes 'gradients.*,init.*'"));
}

static void one_is_dropped(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_non_null(strstr(state, "-hide_name_regexes 'init.*'"));
}

/* Enter in the answer to "why" changes the option it names; undo reverts that. */
static void reasons_change_the_option_they_name(void **state)
{
    static const char *const hiding[] = {SAMPLE, "-hide_name_regexes", "gradients.*,init.*", NULL};
    static const struct script_step deep[] = {
        {.keys = ":set -max_depth 2<ret>x",
         .shows = {"─ Why ─", "│ '_TFProfRoot' is displayed │",
                   "│ the root row: it has no time of its own │",
                   "│ 6672 of 6710 rows below are hidden: 6672 by -max_depth │",
                   "│ Enter sets -max_depth all │", "38 of 6,710 rows"}},
        {.keys = "<ret>", .check = depth_is_cured},
    };
    static const struct script_step hidden[] = {
        {.keys = "Xgradients<ret>", .check = hidden_by_both},
        {.keys = "<ret>", .check = one_is_dropped},
        {.keys = "<bs>", .check = both_again},
    };

    (void)state;
    play(sample, 24, 80, deep, COUNT(deep));
    play(hiding, 24, 80, hidden, COUNT(hidden));
}

/* ---- small conveniences */

static void covers_half(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_non_null(strstr(state, "-min_micros "));
    assert_true(script_shows(c, " hold 5"));
}

static void shows_units(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    assert_non_null(strstr(state, " -show_name_regexes '.*unit.*'"));
}

/* Typed text replaces the proposed text of a prompt. */
static void typing_replaces_proposed_text(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "%50<ret>", .check = covers_half},
        {.keys = "u%<ret>", .check = NULL},
        {.keys = "ufConv2D<ret>funit<ret>", .check = shows_units},
    };

    (void)state;
    play(sample, 24, 120, steps, COUNT(steps));
}

static struct {
    size_t undo;
    row_id row;
} before;

static void note_match(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    before.undo = a->nav.undo.past.n;
    before.row = app_row(a);
}

static void moved_on(struct app *a, const struct canvas *c, const char *state)
{
    const struct view_state *seen = app_view(a);

    (void)c;
    (void)state;
    assert_int_equal(a->nav.undo.past.n, before.undo);
    assert_int_not_equal(app_row(a), before.row);
    /* Rows are displayed above and below a match after a jump. */
    assert_in_range(a->nav.cursor, seen->top + (seen->top ? 3 : 0),
                    seen->top + (size_t)a->ui.layout.tree.rows - 4);
    before.row = app_row(a);
}

static void searches_continue(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "zR/unit_[23]_3.*conv2$<ret>", .check = note_match},
        {.keys = "n", .check = moved_on},
        {.keys = "/<ret>", .check = moved_on},
        {.keys = "N", .check = moved_on},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
}

static void is_open(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    script_cursor_is_on(a, "gradients");
    assert_true(script_shows(c, "\u25be gradients"));
}

static void is_folded(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "\u25b8 gradients"));
}

static void one_click_on_a_triangle_folds(void **state)
{
    static const struct script_step steps[] = {
        {.clicks = {{6, 2}}, .check = is_open},
        {.clicks = {{6, 2}}, .check = is_folded},
        {.clicks = {{6, 6}}, .check = is_folded}, /* the name: the first click selects */
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
}

static void vi_commands_work(void **state)
{
    char dir[] = "/tmp/tfprof-test-XXXXXX", file[64], write[96];
    const struct script_step steps[] = {{.keys = write}, {.keys = write}};
    const struct script script = {.args = sample, .rows = 24, .cols = 80, .steps = steps,
                                  .n_steps = COUNT(steps), .ends_with = ":wq<ret>"};

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(file, sizeof file, "%s/view", dir);
    snprintf(write, sizeof write, ":w<space>%s<ret>", file);
    assert_int_equal(script_run(&script), 0);
    assert_int_equal(access(file, F_OK), 0);
    assert_int_equal(unlink(file), 0);
    assert_int_equal(rmdir(dir), 0);
}

static void orders_by_residual_bytes(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    has_state(state, "tfprof op " SAMPLE " -max_depth all -order_by residual_bytes"
                     " -select float_ops,micros");
}

static void leads_to_a_node(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_in_range(app_node_of(a, app_row(a)), 0, a->doc.session->profile->n_nodes - 1);
}

/* The most expensive part on a line of code may be only a part of a node. */
static void lines_of_parts_lead_to_nodes(void **state)
{
    static const char *const trace[] = {"tests/fixtures/two_lines.json", NULL};
    static const struct script_step steps[] = {
        {.keys = "3zR<down>", .check = leads_to_a_node},
        {.keys = "<down>", .check = leads_to_a_node},
        {.keys = "<down>", .check = leads_to_a_node},
    };

    (void)state;
    play(trace, 24, 80, steps, COUNT(steps));
}

static void has_all_columns_of_devices(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "GPU TIME v"));
    assert_true(script_shows(c, "%STEP   CPU WORK       WAIT      CALLS"));
}

static void has_two_columns_of_devices(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "GPU TIME v  %STEP"));
    assert_false(script_shows(c, "CPU WORK"));
}

static void device_time_comes_first(void **state)
{
    static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct script_step wide[] = {{.keys = NULL, .check = has_all_columns_of_devices}};
    static const struct script_step narrow[] = {{.keys = NULL, .check = has_two_columns_of_devices}};

    (void)state;
    play(trace, 36, 120, wide, COUNT(wide));
    play(trace, 24, 80, narrow, COUNT(narrow));
}

static void options_alone_are_set(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "4:-order_by<space>residual_bytes<ret>", .check = orders_by_residual_bytes},
    };

    (void)state;
    play(sample, 24, 80, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_screen_answers),
        cmocka_unit_test(a_title_describes_the_model),
        cmocka_unit_test(given_options_stay),
        cmocka_unit_test(the_hottest_path_is_one_key),
        cmocka_unit_test(every_column_is_reachable),
        cmocka_unit_test(a_sort_key_is_displayed_as_column),
        cmocka_unit_test(heads_are_clicked),
        cmocka_unit_test(a_type_leads_to_layers_and_lines),
        cmocka_unit_test(returning_restores_the_state),
        cmocka_unit_test(details_link_to_related_rows),
        cmocka_unit_test(reasons_change_the_option_they_name),
        cmocka_unit_test(typing_replaces_proposed_text),
        cmocka_unit_test(searches_continue),
        cmocka_unit_test(one_click_on_a_triangle_folds),
        cmocka_unit_test(vi_commands_work),
        cmocka_unit_test(device_time_comes_first),
        cmocka_unit_test(options_alone_are_set),
        cmocka_unit_test(lines_of_parts_lead_to_nodes),
    };

    return cmocka_run_group_tests_name("tests/tui/test_first", tests, NULL, NULL);
}
