/* test_pictures.c: pictures of what is seen: as accepted, and what keys and clicks do to them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const resnet[] = {"data/resnet32.pb.gz", NULL};
static const char *const run[] = {
    "-graph_path", "tests/golden/models/resnet32/graph.pb.gz",
    "-run_meta_path", "tests/golden/models/resnet32/run_meta_1.pb.gz", NULL};
static const char *const towers[] = {"tests/golden/models/towers/profile.pb.gz", "-order_by",
                                     "micros", NULL};

static void play(struct script script, const char *const *args, const struct script_step *steps,
                 size_t n_steps)
{
    script.args = args;
    script.steps = steps;
    script.n_steps = n_steps;
    assert_int_equal(script_run(&script), 0);
}

static void icicles(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "Fjlll", .golden = "icicle_80x24"},
        {.keys = "khj<ret>/Conv<ret>", .golden = "icicle_zoomed"},
        {.rows = 36, .cols = 120, .golden = "icicle_120x36"},
        {.keys = "2", .golden = "icicle_graph"},
        {.keys = "3", .golden = "icicle_code"},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

/* The colour is the change; figures say it as well. */
static void icicle_of_a_comparison(void **state)
{
    static const char *const two_steps[] = {
        "-graph_path", "tests/golden/models/resnet32/graph.pb.gz", "-run_meta_path",
        "tests/golden/models/resnet32/run_meta_1.pb.gz,tests/golden/models/resnet32/run_meta_2.pb.gz",
        "-step", "1", "-diff_step", "0", NULL};
    static const struct script_step steps[] = {
        {.keys = "F", .golden = "icicle_compared"},
        {.keys = "j", .rows = 36, .cols = 120, .golden = "icicle_compared_120x36"},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, two_steps, steps, COUNT(steps));
}

static void icicle_in_ascii(void **state)
{
    static const struct script_step steps[] = {{.keys = "Fjlll", .golden = "icicle_ascii"}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, resnet, steps, COUNT(steps));
}

static void says_tower_1(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, " tower_1  total "));
    assert_true(script_shows(c, "of _TFProfRoot "));
}

static void is_of_tower_1(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "ICICLE  width: micros  of tower_1 "));
}

static void is_a_tree_at_tower_1(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "ICICLE"));
    assert_true(script_shows(c, "> \u25be tower_1"));
}

static void says_that_op_is_a_list(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "ICICLE"));
    assert_true(script_shows(c, "the op view is a list"));
}

static void is_at_tower_3(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, " tower_3  total "));
    assert_true(script_shows(c, "of _TFProfRoot "));
}

static void is_of_tower_3(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "ICICLE  width: micros  of tower_3 "));
}

/* Zooms end where they began, and the tree has the row that was chosen in the picture. */
static void zooms_come_back(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "F/^tower_1$<ret><esc>", .check = says_tower_1},
        {.keys = "<ret>", .check = is_of_tower_1},
        {.keys = "jj<ret><bs>kk", .check = is_of_tower_1},
        {.keys = "<bs>", .check = says_tower_1},
        {.keys = "hl", .check = says_tower_1},
        {.keys = "q", .check = is_a_tree_at_tower_1},
        {.keys = "4F", .check = says_that_op_is_a_list},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, towers, steps, COUNT(steps));
}

static void clicks_choose_and_zoom(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "F", .clicks = {{4, 3}}, .check = is_at_tower_3},
        {.clicks = {{4, 3}}, .check = is_of_tower_3},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, towers, steps, COUNT(steps));
}

static void memory_over_time(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "6", .golden = "memory_80x24"},
        {.keys = "hhhhhhj", .golden = "memory_before_the_peak"},
        {.keys = "sP", .golden = "memory_by_type"},
        {.rows = 36, .cols = 120, .keys = "s", .golden = "memory_by_code"},
        {.keys = "s", .golden = "memory_120x36"},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
}

static void memory_in_ascii(void **state)
{
    static const struct script_step steps[] = {{.keys = "6", .golden = "memory_ascii"}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, run, steps, COUNT(steps));
}

static void is_at_init_conv(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "MEMORY"));
    assert_true(script_shows(c, "init \u203a init_conv \u203a Conv2D"));
}

static void says_what_is_missing(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "there are no allocation records"));
}

static void says_there_are_none(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "this step has no allocation records"));
}

/* Of two steps one has allocations. */
static void a_step_may_have_no_allocations(void **state)
{
    static const char *const steps_of[] = {
        "-graph_path", "tests/golden/models/resnet32/graph.pb.gz", "-run_meta_path",
        "tests/golden/models/resnet32/run_meta_1.pb.gz,tests/golden/models/edge/times_meta_1.pb.gz",
        NULL};
    static const struct script_step steps[] = {
        {.keys = "6]", .check = NULL},
        {.keys = "]", .check = says_there_are_none},
        {.keys = "hlPsaj<ret>", .check = says_there_are_none},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, steps_of, steps, COUNT(steps));
}

static void memory_leads_to_the_tree(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "6", .check = NULL},
        {.keys = "sss", .check = NULL},
        {.keys = "j<ret>", .check = is_at_init_conv},
    };
    static const struct script_step none[] = {{.keys = "6", .check = says_what_is_missing}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80}, resnet, none, COUNT(none));
}

static void lanes_over_time(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7", .golden = "lanes_80x24"},
        {.keys = "}lll++", .golden = "lanes_zoomed"},
        {.keys = "{s", .golden = "lanes_by_scope"},
        {.keys = "0ss", .golden = "lanes_by_a_figure"},
        {.rows = 36, .cols = 120, .keys = "s", .golden = "lanes_120x36"},
        {.keys = ":set<space>-show_name_regexes<space>.*conv2.*<ret>",
         .golden = "lanes_filtered_120x36"},
        {.rows = 24, .cols = 80, .golden = "lanes_filtered_80x24"},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

static void lanes_of_devices(void **state)
{
    static const struct script_step steps[] = {{.keys = "jj7", .golden = "lanes_ascii"}};
    static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct script_step of_trace[] = {{.keys = "7j", .golden = "lanes_of_a_trace"}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, towers, steps, COUNT(steps));
    play((struct script){.rows = 36, .cols = 120}, trace, of_trace, COUNT(of_trace));
}

static void is_in_the_tree_at_the_queue(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "LANES"));
    assert_true(script_shows(c, "random_shuffle_queue_DequeueMany"));
}

static void is_where_the_queue_ran(struct app *a, const struct canvas *c, const char *state)
{
    const struct lanes *l = a->lanes.lanes;
    uint32_t n;
    const uint32_t *spans = lanes_spans_of(l, a->lanes.node, &n);

    (void)state;
    assert_true(script_shows(c, "LANES"));
    assert_true(script_shows(c, "QueueDequeueManyV2 606"));
    assert_int_equal(n, 1);
    assert_int_equal(l->spans.data[spans[0]].start_ticks, a->lanes.at_ticks);
}

static void says_that_nothing_runs(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "LANES"));
    assert_true(script_shows(c, "nothing runs here"));
}

static void says_that_nothing_has_a_time(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "nothing has a time"));
}

/* A node of the tree is where it ran, and what runs is in the tree. */
static void lanes_and_tree_lead_to_each_other(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "jj7", .check = is_where_the_queue_ran},
        {.keys = "7gg7l<ret>", .check = is_in_the_tree_at_the_queue},
        {.keys = "7", .check = is_where_the_queue_ran},
        {.keys = "Glll", .check = NULL},
        {.keys = "<ret>", .check = says_that_nothing_runs},
    };
    static const char *const graph[] = {"tests/golden/models/resnet32/graph.pb.gz", NULL};
    static const struct script_step none[] = {
        {.keys = "7", .check = says_that_nothing_has_a_time}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80}, graph, none, COUNT(none));
}

static void shows_a_time_at_rank_1(struct app *a, const struct canvas *c, const char *state)
{
    char *total = script_row(c, 1);

    (void)a;
    assert_non_null(strstr(total, "860us")); /* of both it is 875us */
    assert_non_null(strstr(state, "--host_regexes='rank 1'"));
    free(total);
}

static void shows_lanes_of_one_rank(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "LANES"));
    assert_true(script_shows(c, "1.20ms  75.0%"));
    assert_false(script_shows(c, "rank 0 cpu:0"));
}

static void cannot_be_set_here(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "-host_regexes: inputs are named when the program starts"));
}

/* Of the ranks that are chosen alone, and not ignored where it is too late to choose. */
static void one_rank_of_two(void **state)
{
    static const char *const traces[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json",
                                         "-host_regexes", "rank 1", NULL};
    static const struct script_step steps[] = {
        {.keys = NULL, .check = shows_a_time_at_rank_1},
        {.keys = "7", .check = shows_lanes_of_one_rank},
        {.keys = ":set -host_regexes rank 0<ret>", .check = cannot_be_set_here},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 120}, traces, steps, COUNT(steps));
}

static bool command_has_a_range(const struct app *a)
{
    struct strbuf command = {0};
    bool has;

    app_command(a, &command);
    has = strstr(sb_text(&command), "-time_range");
    sb_done(&command);
    return has;
}

static void has_a_range(struct app *a, const struct canvas *c, const char *state)
{
    const struct time_range range = a->result->options.time_range;

    (void)c, (void)state;
    assert_true(command_has_a_range(a));
    assert_true(range.from_ps > 0 && range.to_ps < 2 * PS_PER_SECOND);
    /* Nothing ran at once: less than the range is long, and not nothing. */
    assert_true(a->result->total[METRIC_MICROS][0] <= range.to_ps - range.from_ps);
    assert_true(a->result->total[METRIC_MICROS][0] > (range.to_ps - range.from_ps) / 2);
    assert_false(a->lanes.chooses_range);
}

static void has_no_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_false(command_has_a_range(a));
    assert_true(a->result->total[METRIC_MICROS][0] > 6 * PS_PER_SECOND);
    assert_false(a->lanes.chooses_range);
}

static void chooses_a_range(struct app *a, const struct canvas *c, const char *state)
{
    has_no_range(a, c, state); /* not yet */
}

/* Columns that queries took from the heap before a range was being chosen. */
static size_t n_allocations;

static void keeps_allocations(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->result->options.time_range));
    n_allocations = query_allocations(a->session->query);
}

static void has_columns_for_a_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->result->options.time_range));
    assert_true(query_allocations(a->session->query) > n_allocations);
}

static void counts_as_without_a_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->result->options.time_range));
    assert_true(a->result->total[METRIC_MICROS][0] > 6 * PS_PER_SECOND);
}

/* The first range takes no longer than the next: what it needs is made while it is chosen. */
static void a_range_is_expected(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7lll", .check = keeps_allocations},
        {.keys = "v", .check = has_columns_for_a_range},
        {.keys = "<esc>2", .check = counts_as_without_a_range},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

/* v, a move, v or Enter: every view counts what is between; Esc leaves, undo takes it back. */
static void lanes_choose_a_range(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7lllvllll", .golden = "lanes_choosing_a_range"},
        {.keys = "v", .golden = "lanes_with_a_range", .check = has_a_range},
        {.keys = "4", .check = has_a_range},
        {.keys = "uu", .check = has_no_range},
        {.keys = "vl<esc>", .check = chooses_a_range},
        {.keys = "hhhvhh<ret>", .check = has_a_range},
        {.keys = "V", .check = has_no_range},
        {.keys = "vh77", .check = has_no_range}, /* who leaves forgets the choice */
        {.rows = 36, .cols = 120, .keys = "}vl", .golden = "lanes_choosing_a_range_120x36"},
    };
    static const struct script_step in_ascii[] = {
        {.keys = "7lllvllllv", .golden = "lanes_with_a_range_ascii"}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, run, in_ascii, COUNT(in_ascii));
}

static void rooflines(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "R", .golden = "roofline_80x24"},
        {.keys = "hhk", .golden = "roofline_moved"},
        {.rows = 36, .cols = 120, .golden = "roofline_120x36"},
        {.keys = ":set<space>-peak_flops<space>2T<ret>:set<space>-account_type_regexes<space>Conv.*<ret>",
         .golden = "roofline_filtered_120x36"},
    };
    static const struct script_step in_ascii[] = {{.keys = "R", .golden = "roofline_ascii"}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, resnet, in_ascii, COUNT(in_ascii));
}

static void is_at_a_type(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_false(script_shows(c, "ROOFLINE"));
    assert_int_equal(a->result->view_id, VIEW_OP);
    assert_true(script_shows(c, ">   Conv2DBackpropFilter"));
}

static void is_closed(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "ROOFLINE"));
}

static void is_at_conv2d(struct app *a, const struct canvas *c, const char *state)
{
    const struct roofline_point *p = &a->roofline.roofline->points.data[a->roofline.at];

    (void)state;
    assert_true(script_shows(c, "ROOFLINE"));
    assert_string_equal(profile_text(a->result->profile, p->op), "Conv2D");
}

static void has_no_points(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "no operation type that is shown has operations, bytes and time"));
}

static void is_a_picture(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_ptr_equal(pane_of(a, PANE_TREE), a->picture);
}

static void is_the_tree(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_null(a->picture);
    assert_false(a->quit);
    assert_true(script_shows(c, "_TFProfRoot"));
}

/* What is open within a picture goes first: a search, the choice of a range. */
static void escape_goes_back_from_every_picture(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "F", .check = is_a_picture},
        {.keys = "<esc>", .check = is_the_tree},
        {.keys = "6", .check = is_a_picture},
        {.keys = "<esc>", .check = is_the_tree},
        {.keys = "7v<esc>", .check = is_a_picture},
        {.keys = "<esc>", .check = is_the_tree},
        {.keys = "R/^Conv2D$<ret><esc>", .check = is_a_picture},
        {.keys = "<esc>", .check = is_the_tree},
        {.keys = "<esc>", .check = is_the_tree},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
}

static void roofline_and_types_lead_to_each_other(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "R", .check = NULL},
        {.keys = "<ret>", .check = is_at_a_type},
        {.keys = "/^Conv2D$<ret><esc>R", .check = is_at_conv2d},
        {.keys = "GghljkP<esc>", .check = is_closed},
        {.keys = "RR", .check = is_closed},
    };
    static const char *const graph[] = {"tests/golden/models/resnet32/graph.pb.gz", NULL};
    static const struct script_step none[] = {{.keys = "R", .check = has_no_points},
                                              {.keys = "hjGl<ret>", .check = has_no_points}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80}, graph, none, COUNT(none));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(icicles),
        cmocka_unit_test(icicle_of_a_comparison),
        cmocka_unit_test(icicle_in_ascii),
        cmocka_unit_test(zooms_come_back),
        cmocka_unit_test(clicks_choose_and_zoom),
        cmocka_unit_test(memory_over_time),
        cmocka_unit_test(memory_in_ascii),
        cmocka_unit_test(memory_leads_to_the_tree),
        cmocka_unit_test(a_step_may_have_no_allocations),
        cmocka_unit_test(lanes_over_time),
        cmocka_unit_test(lanes_of_devices),
        cmocka_unit_test(lanes_and_tree_lead_to_each_other),
        cmocka_unit_test(one_rank_of_two),
        cmocka_unit_test(lanes_choose_a_range),
        cmocka_unit_test(a_range_is_expected),
        cmocka_unit_test(rooflines),
        cmocka_unit_test(roofline_and_types_lead_to_each_other),
        cmocka_unit_test(escape_goes_back_from_every_picture),
    };

    return cmocka_run_group_tests_name("tests/tui/test_pictures", tests, NULL, NULL);
}
