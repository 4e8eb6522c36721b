/* test_screens.c: the contents of every layout, view, pane, menu and dialog. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "script.h"

#define TOWERS "tests/golden/models/towers/profile.pb.gz"
#define GPU "tests/golden/models/towers/profile_gpu.pb.gz"
#define EDGE "tests/golden/models/edge/"
#define LSTM "tests/golden/modern/lstm_text.saved_model.pb.gz"
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const towers[] = {TOWERS, "-order_by", "micros", NULL};

static void play(const char *const *args, int rows, int cols, const struct script_step *steps,
                 size_t n_steps)
{
    struct script script = {.args = args, .rows = rows, .cols = cols, .steps = steps,
                            .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

static void layouts(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "jlj", .golden = "layout_120x36"},
        {.rows = 30, .cols = 100,
         .shows = {"NAME TIME v % root FLOPs│ DETAILS", "> ▸ gradients 2.93 ms 22.5% 7.76 M│",
                   "OPTIONS (o) ─", "!▇", "!F flame"}},
        {.rows = 24, .cols = 110,
         .shows = {"NAME TIME v % root FLOPs│ DETAILS", "> ▸ gradients 2.93 ms 22.5% 7.76 M│",
                   "OPTIONS (o) ─", "!▇", "F flame ? help"}},
        {.rows = 24, .cols = 80, .golden = "layout_80x24"},
        {.rows = 20, .cols = 60,
         .shows = {"…› gradients step avg(3)", "[1 scope] 2 graph",
                   "> ▸ gradients 2.93 ms 22.5% 7.76 M", "Tab: details", "!DETAILS"}},
        {.rows = 5, .cols = 20,
         .shows = {"tower_3/gradients", "2.93 ms", "enlarge or q", "!NAME"}},
        {.rows = 1, .cols = 1,
         .shows = {"e"}},
        {.rows = 80, .cols = 300,
         .shows = {"NAME SELF TIME v % of root FLOPs│ DETAILS",
                   "> ▸ gradients 2.93 ms 22.5% ▇▇······ 7.76 M│", "pool1 10 µs 10 µs 0.1%",
                   "4x Conv2DBackpropFilter"}},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void ascii(void **state)
{
    static const struct script_step steps[] = {{.keys = "jl", .golden = "ascii_60x20"}};
    struct script script = {.args = towers, .rows = 20, .cols = 60, .ascii = true, .steps = steps,
                            .n_steps = COUNT(steps)};

    (void)state;
    assert_int_equal(script_run(&script), 0);
}

static void views_of_one_node(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/Conv2D<ret>",
         .shows = {"[1 scope]", "> Conv2DBackpropInput 1.16 ms 8.9% ▇······· 2.65 M│",
                   "│ op Conv2DBackpropInput", "1/32 for /Conv2D", "@M Conv2DBackpropFilter"}},
        {.keys = "2", .golden = "view_graph"},
        {.keys = "3", .golden = "view_code"},
        {.keys = "4", .golden = "view_op"},
        {.keys = "5", .golden = "view_advise"},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void panes_of_a_narrow_screen(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/Conv2D<ret><tab>", .golden = "pane_details"},
        {.keys = "G",
         .shows = {" DETAILS", "use_cudnn_on_gpu true", "steps by micros", "step 2 1.09 ms",
                   "!device"}},
        {.keys = "<tab>", .golden = "pane_options"},
    };

    (void)state;
    play(towers, 24, 80, steps, COUNT(steps));
}

static void menus(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "s", .golden = "menu_sort"},
        {.keys = "<esc>S",
         .shows = {"Fields to show: Space ticks, Enter is OK",
                   "[x] micros execution time on accelerators and CPUs",
                   "[ ] accelerator_micros no data in this profile", "[x] float_ops",
                   "[ ] bytes bytes requested"}},
        {.keys = "<esc>z",
         .shows = {"─ z ... ─", "a fold or unfold this row", "R unfold everything",
                   "9 unfold to level 9", "redo 0 KEY"}},
        {.keys = "<esc>v",
         .shows = {"─ v ... ─", "s show nodes as a tree of name scopes", "o list operation types",
                   "a diagnose bottlenecks and recommend changes"}},
        {.keys = "<esc>p",
         .shows = {"─ Presets ─", "trainable_variables_parameter -select params",
                   "time_and_memory -select micros,bytes", "redo 0 MENU"}},
        {.keys = "<esc>zr]U",
         .shows = {"Undo back to before ...", "│ -step 0 │", "│ folds │", "undo 2 redo 0 MENU"}},
        {.keys = "<esc><space><space>M",
         .shows = {"─ Marked rows ─", "│ _TFProfRoot scope │", "│ stack_8 scope │"}},
        {.keys = "y", .shows = {"sent to the terminal"}},
        {.keys = "<esc>:theme<space>li<tab><ret>", .shows = {"theme light:"}},
        {.keys = ":copy-prom<tab><esc>:them<tab>", .shows = {":theme"}},
        {.keys = "<esc>m",
         .shows = {"─ set mark ─", "a letter from a to z; other keys cancel",
                   "undo 2 redo 0 KEY"}},
        {.keys = "<esc>?", .golden = "help"},
        {.keys = "?/fold",
         .shows = {"/fold", "@c L fold or unfold library frames", "@M Enter fold or unfold a group",
                   "@. show the next step"}},
        {.keys = "<ret><esc>i", .golden = "summary"},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void dialogs(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "e", .golden = "dialog_export"},
        {.keys = "<right><tab><c-u>LICENSE<ret>",
         .shows = {"(o) timeline Chrome trace events", "File LICENSE",
                   "@N exists, 11.36 kB [ ] overwrite", "Preview {\"traceEvents\":[",
                   "@N the file exists: tick overwrite with Space, or change the name"}},
        {.keys = "<esc>o", .golden = "dialog_options"},
        {.keys = "/min_peak<ret><ret><c-u>12",
         .shows = {"> min_peak_bytes 12",
                   "show only rows with at least N: peak memory use during the execution",
                   "would be rows 919 -> 375, accounted micros 13.04 ms -> 13.04 ms (100 %)",
                   "redo 0 EDIT"}},
        {.keys = "<esc><end>",
         .shows = {"@c min_on default apply all", "min_percent", "!show at most N levels",
                   "redo 0 OPTIONS"}},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void prompts(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/conv",
         .shows = {"/conv 1/193 for /conv", "> ▸ convolution_grad", "Enter OK ^U clear Esc cancel"}},
        {.keys = "<esc>fconv",
         .shows = {"193 of 919 rows", ":▸ tower_3/gra…_2a_3x3/convolution_grad",
                   "filter: conv shows whole names that match .*conv.*", "!stack_8"}},
        {.keys = "<c-u>(conv",
         .shows = {"@E E: -show_name_regexes #1, column 6: missing closing parenthesis in '(conv'",
                   "@i (conv", "919 of 919 rows"}},
        {.keys = "<esc>:op -max_d",
         .shows = {":op -max_d", "Enter OK Tab complete ^U clear", "[1 scope]"}},
        {.keys = "<tab>", .golden = "prompt_command_completed"},
        {.keys = "<esc>%",
         .shows = {"top rows, percent: 90", "Enter OK ^U clear Esc cancel"}},
        {.keys = "<esc>X",
         .shows = {"why is not shown:", "Enter OK ^U clear Esc cancel"}},
    };

    (void)state;
    play(towers, 24, 80, steps, COUNT(steps));
}

static void comparisons(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "D",
         .shows = {"─ Compare with ─", "│ another profile ... matched by name and structure │",
                   "!the average of all steps", "│ step 0", "│ step 2"}},
        {.keys = "<down><ret>jl",
         .shows = {"delta to step 0", "202 of 919 rows", "BASELINE NOW DELTA v CHANGE│",
                   "> stack_8 ! 8.15 ms 2.76 ms -5.39 ms -66.1%│", "base now/delta",
                   "717 rows hidden: 717 min_delta (x why)"}},
        {.keys = "D<down><ret>tests/golden/models/tow<tab>",
         .shows = {"compare with files: tests/golden/models/towers/"}},
        {.keys = "<c-u>" GPU "<ret>", .golden = "compare_profile"},
        {.keys = "4",
         .shows = {"[4 op]", "delta to profile_gpu.pb.gz",
                   "Conv2…ackpropInput 1.99 ms 4.65 ms +2.66 ms +133.5%",
                   "70 rows hidden: 70 min_delta (x why)"}},
        {.keys = "D<ret>",
         .shows = {"!DELTA", "!delta to", "93 of 93 rows",
                   "Conv2DBackpropInput 4.65 ms 35.7% 15.26 M│", "3 nodes fewer"}},
    };

    (void)state;
    play(towers, 30, 100, steps, COUNT(steps));
}

static void odd_graphs(void **state)
{
    static const struct {
        const char *args[4];
        struct script_step step;
    } cases[] = {
        {{EDGE "empty.pb.gz"},
         {.shows = {"0 of 0 rows", "> _TFProfRoot │",
                   "no row is shown: there is none in this view",
                   "u undoes, o edits the options"}}},
        {{EDGE "one.pb.gz"},
         {.keys = "j", .shows = {"1 of 1 rows 12", "> a 12 100.0% 0│", "│ op VariableV2",
                   "│ shape 3x4"}}},
        {{EDGE "scopes.pb.gz", "-select", "params"},
         {.keys = "zR", .golden = "edge_scopes"}},
        {{EDGE "inputs.pb.gz"},
         {.keys = "2zR", .shows = {"[2 graph]", "same 16 84.2%│", "▾ ctl 0 0.0%│",
                   "▾ third 0 0.0%│",
                   "no run is loaded: times and memory are unknown (S: fields)"}}},
        {{EDGE "shapes.pb.gz", "-select", "params"},
         {.keys = "zRjj", .shows = {"14 of 14 rows 10.00 G", "> k999995 1000.00 k",
                   "k999994 999.99 k", "k1000 1.00 k", "│ shape 999995"}}},
        {{GPU, "-select", "accelerator_micros,cpu_micros"},
         {.keys = "zr", .shows = {"NAME GPU TIME v % root CPU TIME│",
                   ">▾ _TFProfRoot 3.89 ms 100.0% 8.69 ms│", "▸ gradients 1.33 ms 34.2% 798 µs│",
                   "pool1 ! 1 µs 0.0% 30 µs│", "Const ? │"}}},
        {{TOWERS, "-select", "occurrence,device"},
         {.keys = "zr", .shows = {"NAME RUNS|OPS v % root DEVICE│",
                   ">▾ _TFProfRoot 304|919 100.0% │", "▸ weights 2|10 0.7% /job:localhost/r│"}}},
        {{TOWERS, "-show_name_regexes", "nothing"},
         {.shows = {"0 of 919 rows", "> _TFProfRoot 13.04 ms 100.0%",
                   "@N no row is shown; hidden are 919 by -show_name_regexes",
                   "919 rows hidden: 919 show_name_regexes (x why)"}}},
        /* operations without a count give the reason; totals that lack them have a + */
        {{LSTM, "-select", "float_ops"},
         {.keys = "zR/BiasAdd<ret>", .shows = {"365 of 365 rows 0+",
                   "NoOp 0 0.0%│", "> ▾ BiasAdd 0+ 0.0%│", "│ + 1 of unknown shape",
                   "│ N(in) = ?x5: a shape is unknown"}}},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        play(cases[i].args, 24, 100, &cases[i].step, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layouts),
        cmocka_unit_test(ascii),
        cmocka_unit_test(views_of_one_node),
        cmocka_unit_test(panes_of_a_narrow_screen),
        cmocka_unit_test(menus),
        cmocka_unit_test(dialogs),
        cmocka_unit_test(prompts),
        cmocka_unit_test(comparisons),
        cmocka_unit_test(odd_graphs),
    };

    return cmocka_run_group_tests_name("tests/tui/test_screens", tests, NULL, NULL);
}
