/* test_pictures.c: pictures of the displayed rows: golden screens, keys and clicks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "script.h"
#include "tui/panes/pane.h"

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

static void flames(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "Fjlll",
         .shows = {"FLAME GRAPH width: micros of _TFProfRoot 6.45 s",
                   "▏gradients 72.0% ▏ra…Many▏", "@c ▏", "unit_1_1 total 117.20 ms 1.8% of root"}},
        {.keys = "khj<ret>/Conv<ret>",
         .shows = {"FLAME GRAPH width: micros of gradients 4.64 s", "▏unit_1_0 15.4% ▏unit_1_1",
                   "@M ▏C…ad", "1/247 for /Conv"}},
        {.rows = 36, .cols = 120, .golden = "flame_graph_120x36"},
        {.keys = "2",
         .shows = {"[2 graph]", "width: micros of _TFProfRoot 6.45 s levels 0 to 24 of 181",
                   "▏group_deps 41.5% ▏gradien…2DBackpropInput▏costs/add 27.7%",
                   "Conv2DBackpropFilter self 289.05 ms total 289.05 ms 4.5% of root"}},
        {.keys = "3",
         .shows = {"[3 code]", "▏resnet_main.py:85:<module> (gradient) 70.9%", "▏7 libr…",
                   "resnet_model.py:157:_conv (gradient) total 328.73 ms 5.1% of root"}},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

/* The color shows the change, and so do the figures. */
static void flame_of_a_comparison(void **state)
{
    static const char *const two_steps[] = {
        "-graph_path", "tests/golden/models/resnet32/graph.pb.gz", "-run_meta_path",
        "tests/golden/models/resnet32/run_meta_1.pb.gz,tests/golden/models/resnet32/run_meta_2.pb.gz",
        "-step", "1", "-diff_step", "0", NULL};
    static const struct script_step steps[] = {
        {.keys = "F", .golden = "flame_graph_compared"},
        {.keys = "j", .rows = 36, .cols = 120,
         .shows = {"FLAME GRAPH width: micros of _TFProfRoot 6.64 s red: more, blue: less",
                   "@l ▏_TFProfRoot -116.20 ms", "@c ▏gradients -329.07 ms", "@R ▏ra…Many",
                   "micros 5.04 s 4.71 s -329.07 ms"}},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, two_steps, steps, COUNT(steps));
}

static void flame_in_ascii(void **state)
{
    static const struct script_step steps[] = {{.keys = "Fjlll",
    .shows = {"|gradients 72.0% |ra~Many|", "|unit_1_0 |unit_1_1|", "::::",
              "unit_1_1 total 117.20 ms 1.8% of root"}}};

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
    assert_true(script_shows(c, "FLAME GRAPH  width: micros  of tower_1 "));
}

static void is_a_tree_at_tower_1(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "FLAME GRAPH"));
    assert_true(script_shows(c, "> \u25be tower_1"));
}

static void says_that_op_is_a_list(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "FLAME GRAPH"));
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
    assert_true(script_shows(c, "FLAME GRAPH  width: micros  of tower_3 "));
}

/* Zooming in and out returns to the start, and the tree selects the row chosen in the picture. */
static void zooming_out_returns_to_the_start(void **state)
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
        {.keys = "F", .clicks = {{6, 3}}, .check = is_at_tower_3},
        {.clicks = {{6, 3}}, .check = is_of_tower_3},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, towers, steps, COUNT(steps));
}

/* A heap profile has live memory, but no curve; the allocator with most of it is shown first. */
static void live_memory_without_a_curve(void **state)
{
    static const char *const heap[] = {"tests/fuzz/corpus/pprof/small", NULL};
    static const struct script_step steps[] = {
        {.keys = "6", .shows = {"MEMORY cpu:0 pprof live 300 B allocator 2 of 2", "LIVE by scope 300 B",
                                "> main 300 B 100.0%", "1 block", "300 B in use; by scope 1 row",
                                "!event 0", "!until"}},
        {.keys = "vl", .shows = {"LIVE by scope 300 B", "!NEW SINCE"}},
    };

    (void)state;
    play((struct script){.rows = 36, .cols = 120}, heap, steps, COUNT(steps));
}

/* A snapshot opens at the failed allocation and displays the reason; { and } go from one failure to
 * the next. */
static void memory_that_ran_out(void **state)
{
    static const char *const snapshot[] = {"tests/golden/snapshots/failed.pickle", NULL};
    static const struct script_step steps[] = {
        {.shows = {"OUT OF MEMORY 2 of 2 requested 16.78 MB at train.py",
                   "enough is free, but not contiguous:",
                   "25.17 MB in use of 67.11 MB reserved; device free 4.19 MB",
                   "41.94 MB free inside segments, largest block 10.49 MB",
                   "LIVE AT FAILURE, 1.80 ms by code 25.17 MB"}},
        {.keys = "}", .shows = {"2 of 2"}},
        {.keys = "{",
         .shows = {"requested 33.55 MB at train.py", "reduce the live memory, short by 12.58 MB",
                   "LIVE AT FAILURE, 900 µs by code 50.33 MB"}},
        {.keys = "P", .shows = {"requested 16.78 MB at train.py", "LIVE AT 800 µs by code 50.33 MB"}},
        {.keys = "r", .shows = {"1 SEGMENTS AT THE END BYTES USED ROUNDED FREE LARGEST",
                                "> 0x7f0000000000 large 67.11 MB 25.17 MB 0 B 41.94 MB 6.29 MB"}},
        {.keys = "rPhhhhhhhhhhhhhhhhv}",
         .shows = {"NEW SINCE 300 µs, LIVE AT FAILURE, 1.80 ms by code 18.87 MB",
                   "> model.py:12:forward 18.87 MB 100.0%"}},
        {.keys = "v", .shows = {"LIVE AT FAILURE, 1.80 ms by code 25.17 MB"}},
        {.rows = 24, .cols = 80, .keys = "{",
         .shows = {"OUT OF MEMORY 1 of 2 33.55 MB: reduce the live memory, short by 12.58 MB"}},
        {.keys = "7", .shows = {"a memory snapshot has no times", "[6 mem]"}},
        {.rows = 36, .cols = 120, .keys = "6GG",
         .shows = {"allocations 8, 4 not freed", "largest 6.29 MB freed after 1.00 ms"}},
    };

    (void)state;
    play((struct script){.rows = 36, .cols = 120}, snapshot, steps, COUNT(steps));
}

static void memory_over_time(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "6", .golden = "memory_80x24"},
        {.keys = "hj",
         .shows = {"LIVE AT 1.64 s by scope 340.55 MB", "> unit_1_1 37.75 MB 11.1% 14 blocks",
                   "340.55 MB in use at 1.64 s, 93.3% of the peak; by scope 17 rows"}},
        {.keys = "sP",
         .shows = {"LIVE AT 1.72 s by type 365.18 MB", "> Mul 154.94 MB 42.4% 91 blocks",
                   "Conv2DBackpropFilter 15.19 MB 4.2% 2 blocks",
                   "365.18 MB in use at 1.72 s, 100.0% of the peak; by type 9 rows"}},
        {.rows = 36, .cols = 120, .keys = "s",
         .shows = {"LIVE AT 1.72 s by code 365.18 MB", "> (no Python stack) 365.18 MB 100.0% 216 blocks",
                   "by code 1 row", "│ DETAILS"}},
        {.keys = "s",
         .shows = {"LIVE AT 1.72 s by node 365.18 MB from until",
                   "> gradients/un…rad/Conv2DBackpropFilter 15.19 MB 4.2% 2 blocks",
                   "init/init_conv/Conv2D 8.39 MB 2.3% 606.98 ms 6.63 s", "by node 215 rows",
                   "P peak s group"}},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
}

/* With a baseline the chart includes its curve, and the rows have figures of both profiles. */
static void memory_with_a_baseline(void **state)
{
    static const char *const compared[] = {
        "scope", "-graph_path", "tests/golden/models/resnet32/graph.pb.gz", "-run_meta_path",
        "tests/golden/models/resnet32/run_meta_1.pb.gz", "-diff_base",
        "tests/golden/models/resnet32/run_meta_2.pb.gz", NULL};
    static const struct script_step steps[] = {
        {.keys = "6",
         .shows = {"peak 365.18 MB at 1.72 s ~ baseline 365.18 MB", "~~~~~~~~~~~~", "BASELINE NOW DELTA",
                   "no group differs from the baseline"}},
        {.keys = "hhhhhhhhhhhh",
         .shows = {"LIVE AT 147.61 ms by scope 3.42 MB", "> random_shuffle_queue_DequeueMany 0 B 1.57 MB +1.57 MB"}},
    };

    (void)state;
    play((struct script){.rows = 30, .cols = 120}, compared, steps, COUNT(steps));
}

static void memory_in_ascii(void **state)
{
    static const struct script_step steps[] = {{.keys = "6",
    .shows = {"365.18 MB ############",
              "0 ######################################################################",
              "0 s ^ 6.80 s", "> unit_1_0 37.75 MB 10.3% 12 blocks"}}};

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
    assert_true(script_shows(c, "no allocation records in this profile"));
}

static void reports_no_matches(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "this step has no allocation records"));
}

/* Only one of two steps has allocations. */
static void a_step_may_have_no_allocations(void **state)
{
    static const char *const steps_of[] = {
        "-graph_path", "tests/golden/models/resnet32/graph.pb.gz", "-run_meta_path",
        "tests/golden/models/resnet32/run_meta_1.pb.gz,tests/golden/models/edge/times_meta_1.pb.gz",
        NULL};
    static const struct script_step steps[] = {
        {.keys = "6]", .check = NULL},
        {.keys = "]", .check = reports_no_matches},
        {.keys = "hlPsaj<ret>", .check = reports_no_matches},
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

static void timeline_over_time(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7",
         .shows = {"TIMELINE step 1 6.80 s input bound: 606.24 ms before the first Conv2D",
                   "0 1 2 3 4 5 6 s busy",
                   ">cpu:0 #0 █████████████████████████████████████████ 6.76 s 99.4%",
                   "cpu:0 #1 ▁ 485 µs 0.0%", "@4 QueueDequeueManyV2 ███▅",
                   "Conv2DBackpropFilter ▂▃▄▄▄▅▅▆▅▄▅▄▅▅▅▃▆ █▇ █▅▁█▅▁█▅ ▇ 2.84 s 41.8%",
                   "0 µs Const 9 µs"}},
        {.keys = "}lll++",
         .shows = {"500 1000 1500 ms busy",
                   ">cpu:0 #0 █████████████████████████████████▇███████ 1.68 s 99.1%",
                   "cpu:0 #1 0 µs 0.0%", "QueueDequeueManyV2 █████▅ 234.16 ms 13.8%",
                   "497.26 ms QueueDequeueManyV2 606.73 ms"}},
        {.keys = "{b",
         .shows = {"cpu:0 #0 by scope", "@1 gradients ▅▇███████",
                   "random…e_DequeueMany █████▅ 234.16 ms 13.8%", "others ▃▁▁ ▁▁"}},
        {.keys = "=bb",
         .shows = {"cpu:0 #0 by micros", "half of the most ███▅ 606.73 ms 8.9%",
                   "a quarter", "less"}},
        {.rows = 36, .cols = 120, .keys = "b", .golden = "timeline_120x36"},
        {.keys = ":set<space>-show_name_regexes<space>.*conv2.*<ret>",
         .shows = {"465 of 6,710 rows", ">cpu:0 #0 ██████████████████████████████", "6.76 s 99.4%│",
                   "@1 Conv2DBackpropFilter", "1.37 s 20.2%", "others", "4.52 s 66.5%│"}},
        {.rows = 24, .cols = 80,
         .shows = {"465 of 6,710 rows", "@1 Conv2DBackpropFilter", "1.37 s 20.2%",
                   "VariableV2 ▁ 4 µs 0.0%", "!DETAILS"}},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

static void timeline_of_devices(void **state)
{
    static const struct script_step steps[] = {{.keys = "jj7",
    .shows = {"TIMELINE step 1 15.35 ms all tracks idle for 5.99 ms (39.0 %)",
              "cpu:0 #0 -=####_ ___ _ 1.99 ms 13.0%", ">cpu:2 #0 __=####### 2.88 ms 18.8%",
              "cpu:2 #0 by op type", "@1 Conv2DBackpropInput __##=",
              "5.13 ms Conv2DBackpropInput 1.14 ms"}}};
    static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct script_step of_trace[] = {
        {.keys = "7", .shows = {"TIMELINE all steps 9.59 ms", "0 2 4 6 8 ms busy│",
                                "@t |4", "@t |7", ">GPU0 s7 ▃▁▃▁▁▇▄", "GPU0 s20 ▄▄ ▄▄ ▄▄ ▄▄",
                                "main ████████"}},
        {.keys = "j", .shows = {">GPU0 s20", "ncclDe…_bf16_RING_LL ▄▄", "!others"}},
        {.keys = "k}www}", .shows = {"launch queue empty"}},
        {.keys = "=/ncclDev<ret>", .shows = {">GPU0 s20", "@M ▄▄", "1/4 for /ncclDev"}},
        {.keys = "nn", .shows = {"3/4 for /ncclDev"}},
        {.keys = "nn", .shows = {"1/4 for /ncclDev: continued from the start"}},
        {.keys = "N", .shows = {"4/4 for /ncclDev: continued from the end",
                                "undo 0"}}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, towers, steps, COUNT(steps));
    play((struct script){.rows = 36, .cols = 120}, trace, of_trace, COUNT(of_trace));
}

/* Both profiles of a comparison are sections, one below the other. */
static void timeline_of_both_sides(void **state)
{
    static const char *const traces[] = {"data/training.pt.trace.json.gz", "-diff_base",
                                         "tests/traces/rank_0.json", NULL};
    static const char *const of_steps[] = {"data/resnet32.pb.gz", "-step", "1", "-diff_step", "2", NULL};
    static const struct script_step both[] = {
        {.keys = "7", .shows = {"TIMELINE all steps baseline 1.60 ms now 9.59 ms +7.99 ms",
                                "▾ baseline", "▾ now", ">GPU0 s7 ▃▁▃▁▁▇▄"}},
        {.keys = "/gemm_64<ret>", .shows = {"1/2 for /gemm_64", ">GPU0 s7", "GPU0 s7 by kernel",
                                            "gemm_64x32"}},
        {.keys = "<ret>", .shows = {"aten::addmm"}},
    };
    static const struct script_step steps[] = {
        {.keys = "7", .shows = {"TIMELINE step 1 baseline step 2", "▾ baseline", "▾ now", ">cpu:0 #0"}},
        {.rows = 36, .cols = 120, .shows = {"▾ baseline", "▾ now"}},
    };

    (void)state;
    play((struct script){.rows = 36, .cols = 120}, traces, both, COUNT(both));
    play((struct script){.rows = 24, .cols = 80}, of_steps, steps, COUNT(steps));
}

/* Ranks are sections that fold; if the tracks do not fit, all but one are folded. */
static void ranks_fold(void **state)
{
    static const char *const traces[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json",
                                         NULL};
    static const struct script_step steps[] = {
        {.keys = "7", .shows = {"@t ▾ rank 0", "▾ rank 1", ">GPU0 s7", "GPU0 s7 by kernel"}},
        {.keys = "za", .shows = {">▸ rank 0", "▾ rank 1", "stream", "Enter unfolds"}},
        {.keys = "G", .shows = {"▸ rank 0", "!>▸"}},
        {.keys = "g<ret>", .shows = {">▾ rank 0", "Enter folds"}},
        {.keys = "/gemm<ret>", .shows = {">GPU0 s7", "1/"}},
        {.keys = "d", .shows = {">GPU0 s7"}},
        {.rows = 12, .cols = 80, .shows = {">GPU0 s7"}}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, traces, steps, COUNT(steps));
}

static void is_in_the_tree_at_the_queue(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "TIMELINE"));
    assert_true(script_shows(c, "random_shuffle_queue_DequeueMany"));
}

static void is_where_the_queue_ran(struct app *a, const struct canvas *c, const char *state)
{
    const struct timeline *l = a->ui.timeline.timeline;
    uint32_t n;
    const uint32_t *spans = timeline_spans_of(l, a->ui.timeline.node, &n);

    (void)state;
    assert_true(script_shows(c, "TIMELINE"));
    assert_true(script_shows(c, "QueueDequeueManyV2 606"));
    assert_int_equal(n, 1);
    assert_int_equal(l->spans.data[spans[0]].start_ticks, a->ui.timeline.at_ticks);
}

static void says_that_nothing_runs(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "TIMELINE"));
    assert_true(script_shows(c, "idle here"));
}

static void says_that_nothing_has_a_time(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "no times: load RunMetadata"));
}

/* From a node of the tree to its events in the timeline and back. */
static void timeline_and_tree_are_linked(void **state)
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
    char *total = script_row(c, a->ui.layout.crumbs.top);

    assert_non_null(strstr(total, "260 µs")); /* 275 µs for both */
    assert_non_null(strstr(state, "--host_regexes='rank 1'"));
    free(total);
}

static void shows_tracks_of_one_rank(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "TIMELINE"));
    assert_true(script_shows(c, "1.20 ms  75.0%"));
    assert_false(script_shows(c, "rank 0 cpu:0"));
}

static void cannot_be_set_here(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "-host_regexes: inputs are named when the program starts"));
}

/* Events of the chosen ranks only; after loading, the option is refused and not ignored. */
static void one_rank_of_two(void **state)
{
    static const char *const traces[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json",
                                         "-host_regexes", "rank 1", NULL};
    static const struct script_step steps[] = {
        {.keys = NULL, .check = shows_a_time_at_rank_1},
        {.keys = "7", .check = shows_tracks_of_one_rank},
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
    const struct time_range range = a->doc.result->options.time_range;

    (void)c, (void)state;
    assert_true(command_has_a_range(a));
    assert_true(range.from_ps > 0 && range.to_ps < 2 * PS_PER_SECOND);
    /* Nothing ran concurrently: the total is at most the length of the range, and not 0. */
    assert_true(a->doc.result->total[METRIC_MICROS][0] <= range.to_ps - range.from_ps);
    assert_true(a->doc.result->total[METRIC_MICROS][0] > (range.to_ps - range.from_ps) / 2);
    assert_false(a->ui.timeline.chooses_range);
}

static void has_no_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_false(command_has_a_range(a));
    assert_true(a->doc.result->total[METRIC_MICROS][0] > 6 * PS_PER_SECOND);
    assert_false(a->ui.timeline.chooses_range);
}

static void chooses_a_range(struct app *a, const struct canvas *c, const char *state)
{
    has_no_range(a, c, state); /* no range yet */
}

/* Heap allocations of columns before the range was chosen. */
static size_t n_allocations;

static void keeps_allocations(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->doc.result->options.time_range));
    n_allocations = query_allocations(a->doc.session->query);
}

static void has_columns_for_a_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->doc.result->options.time_range));
    assert_true(query_allocations(a->doc.session->query) > n_allocations);
}

static void counts_as_without_a_range(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(time_range_is_all(a->doc.result->options.time_range));
    assert_true(a->doc.result->total[METRIC_MICROS][0] > 6 * PS_PER_SECOND);
}

/* The first range is as fast as the next ones: memory for it is allocated while it is chosen. */
static void memory_for_a_range_is_allocated_early(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7lll", .check = keeps_allocations},
        {.keys = "v", .check = has_columns_for_a_range},
        {.keys = "<esc>2", .check = counts_as_without_a_range},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
}

/* v, a move, v or Enter restrict every view to the range; Esc cancels, undo reverts. */
static void timeline_choose_a_range(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "7lllvllll",
         .shows = {"@M [---]", "0 [---] 2 3 4 5 6 s busy",
                   "497.26 ms to 1.33 s, 828.77 ms: v or Enter restricts views, Esc cancels",
                   "6,710 of 6,710 rows 6.76 s"}},
        {.keys = "v",
         .shows = {"@M [---]", "6,710 of 6,710 rows 825.50 ms",
                   "_TFProfRoot micros --/825.50 ms float_ops --/9.10 G",
                   "!v or Enter restricts"}, .check = has_a_range},
        {.keys = "47", .check = has_a_range},
        {.keys = "uu", .check = has_no_range},
        {.keys = "vl<esc>", .check = chooses_a_range},
        {.keys = "hhhvhh<ret>", .check = has_a_range},
        {.keys = "V", .check = has_no_range},
        {.keys = "vh77", .check = has_no_range}, /* leaving the picture cancels the choice */
        {.rows = 36, .cols = 120, .keys = "}vl",
         .shows = {"0[] 2 4 6 s busy│",
                   "169.90 ms to 509.70 ms, 339.80 ms: v or Enter restricts views, Esc cancels"}},
    };
    static const struct script_step in_ascii[] = {
        {.keys = "7lllvllllv",
         .shows = {"@M [---]",
                   ">cpu:0 #0 ######################################### 6.76 s 99.4%",
                   "@1 Conv2DBackpropFilter", "2.84 s 41.8%",
                   "_TFProfRoot micros --/825.50 ms float_ops --/9.10 G"}}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, run, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, run, in_ascii, COUNT(in_ascii));
}

static void rooflines(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "R",
         .shows = {"ROOFLINE 111 types, 13 > 100 %, 19 not drawn 21.94 GFLOP/s, 17.98 GB/s",
                   "Conv2DBackpropFilter ●", "FLOP/s 0.01 0.1 1 10 FLOP/B",
                   "Conv…ropFilter 2.66 s 41.2% compute 30.2% of roof 6.64 GFLOP/s 58.42 FLOP/B"}},
        {.keys = "hhkk",
         .shows = {"@t Conv2D",
                   "Conv2D 803.36 ms 12.5% compute 100.0% of roof 21.94 GFLOP/s 56.84 FLOP/B"}},
        {.rows = 36, .cols = 120, .golden = "roofline_120x36"},
        {.keys = ":set<space>-peak_flops<space>2T<ret>:set<space>-account_type_regexes<space>Conv.*<ret>",
         .shows = {"ROOFLINE 3 types 2.00 TFLOP/s given, 17.98 GB/s of Select",
                   "● Conv2D │", "● Conv2DBackpropInput │", "● Conv2DBackpropFilter │",
                   "FLOP/s 10 100 FLOP/B │",
                   "Conv2D 803.36 ms 18.3% latency 2.1% of roof 21.94 GFLOP/s 56.84 FLOP/B"}},
    };
    static const struct script_step in_ascii[] = {{.keys = "R",
    .shows = {"############*###################*####", "Conv2DBackpropFilter *",
              "Conv~ropFilter 2.66 s 41.2% compute 30.2% of roof 6.64 GFLOP/s 58.42 FLOP/B"}}};

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, resnet, steps, COUNT(steps));
    play((struct script){.rows = 24, .cols = 80, .ascii = true}, resnet, in_ascii, COUNT(in_ascii));
}

/* The device name gives its peaks; the bytes of kernels are unknown. */
static void roofline_of_a_trace(void **state)
{
    static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};
    static const struct script_step steps[] = {
        {.keys = "R",
         .shows = {"ROOFLINE 2 types, 17 not drawn 989.50 TFLOP/s, 3.35 TB/s",
                   "aten::addmm ●", "aten::mm ●",
                   "aten::mm 330 µs 39.7% latency 2.6% of roof 26.03 TFLOP/s bytes unknown"}},
        {.keys = ":set<space>-peak_flops<space>20T<ret>",
         .shows = {"ROOFLINE 2 types, 2 > 100 %, 17 not drawn",
                   "aten::mm 330 µs 39.7% compute 130.2% of roof: 8-bit types or low -peak_flops"}},
    };

    (void)state;
    play((struct script){.rows = 24, .cols = 80}, trace, steps, COUNT(steps));
}

static void is_at_a_type(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_false(script_shows(c, "ROOFLINE"));
    assert_int_equal(a->doc.result->view_id, VIEW_OP);
    assert_true(script_shows(c, ">   Conv2DBackpropFilter"));
}

static void is_closed(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_false(script_shows(c, "ROOFLINE"));
}

static void is_at_conv2d(struct app *a, const struct canvas *c, const char *state)
{
    const struct roofline_point *p = &a->ui.roofline.roofline->points.data[a->ui.roofline.at];

    (void)state;
    assert_true(script_shows(c, "ROOFLINE"));
    assert_string_equal(profile_text(a->doc.result->profile, p->op), "Conv2D");
}

static void has_no_points(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "no operation type that is shown has time and FLOPs or bytes"));
}

static void is_a_picture(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_ptr_equal(pane_of(a, PANE_TREE), a->ui.picture);
}

static void is_the_tree(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_null(a->ui.picture);
    assert_false(a->ui.quit);
    assert_true(script_shows(c, "_TFProfRoot"));
}

/* Esc first closes a search or cancels the choice of a range. */
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

static void roofline_and_types_are_linked(void **state)
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
        cmocka_unit_test(flames),
        cmocka_unit_test(flame_of_a_comparison),
        cmocka_unit_test(flame_in_ascii),
        cmocka_unit_test(zooming_out_returns_to_the_start),
        cmocka_unit_test(clicks_choose_and_zoom),
        cmocka_unit_test(live_memory_without_a_curve),
        cmocka_unit_test(memory_that_ran_out), cmocka_unit_test(memory_over_time),
        cmocka_unit_test(memory_with_a_baseline),
        cmocka_unit_test(memory_in_ascii),
        cmocka_unit_test(memory_leads_to_the_tree),
        cmocka_unit_test(a_step_may_have_no_allocations),
        cmocka_unit_test(timeline_over_time),
        cmocka_unit_test(timeline_of_devices),
        cmocka_unit_test(timeline_of_both_sides),
        cmocka_unit_test(ranks_fold),
        cmocka_unit_test(timeline_and_tree_are_linked),
        cmocka_unit_test(one_rank_of_two),
        cmocka_unit_test(timeline_choose_a_range),
        cmocka_unit_test(memory_for_a_range_is_allocated_early),
        cmocka_unit_test(rooflines),
        cmocka_unit_test(roofline_of_a_trace),
        cmocka_unit_test(roofline_and_types_are_linked),
        cmocka_unit_test(escape_goes_back_from_every_picture),
    };

    return cmocka_run_group_tests_name("tests/tui/test_pictures", tests, NULL, NULL);
}
