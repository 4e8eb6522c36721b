/* test_screens.c: every layout, view, pane, menu and dialog as accepted. */
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
        {.rows = 30, .cols = 100, .golden = "layout_100x30"},
        {.rows = 24, .cols = 110, .golden = "layout_110x24"},
        {.rows = 24, .cols = 80, .golden = "layout_80x24"},
        {.rows = 20, .cols = 60, .golden = "layout_60x20"},
        {.rows = 5, .cols = 20, .golden = "layout_20x5"},
        {.rows = 1, .cols = 1, .golden = "layout_1x1"},
        {.rows = 80, .cols = 300, .golden = "layout_300x80"},
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
        {.keys = "/Conv2D<ret>", .golden = "view_scope"},
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
        {.keys = "G", .golden = "pane_details_end"},
        {.keys = "<tab>", .golden = "pane_options"},
    };

    (void)state;
    play(towers, 24, 80, steps, COUNT(steps));
}

static void menus(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "s", .golden = "menu_sort"},
        {.keys = "<esc>S", .golden = "menu_select"},
        {.keys = "<esc>z", .golden = "menu_fold"},
        {.keys = "<esc>v", .golden = "menu_view"},
        {.keys = "<esc>p", .golden = "menu_presets"},
        {.keys = "<esc>zr]U", .golden = "menu_undo"},
        {.keys = "<esc><space><space>M", .golden = "menu_marks"},
        {.keys = "<esc>m", .golden = "menu_letter"},
        {.keys = "<esc>?", .golden = "help"},
        {.keys = "/fold", .golden = "help_find"},
        {.keys = "<ret><esc>i", .golden = "summary"},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void dialogs(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "e", .golden = "dialog_export"},
        {.keys = "<right><tab><c-u>LICENSE<ret>", .golden = "dialog_export_exists"},
        {.keys = "<esc>o", .golden = "dialog_options"},
        {.keys = "jj<ret><c-u>12", .golden = "dialog_options_number"},
        {.keys = "<esc><end>", .golden = "dialog_options_end"},
    };

    (void)state;
    play(towers, 36, 120, steps, COUNT(steps));
}

static void prompts(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "/conv", .golden = "prompt_search"},
        {.keys = "<esc>fconv", .golden = "prompt_filter"},
        {.keys = "<c-u>(conv", .golden = "prompt_filter_error"},
        {.keys = "<esc>:op -max_d", .golden = "prompt_command"},
        {.keys = "<tab>", .golden = "prompt_command_completed"},
        {.keys = "<esc>%", .golden = "prompt_cover"},
        {.keys = "<esc>X", .golden = "prompt_explain"},
    };

    (void)state;
    play(towers, 24, 80, steps, COUNT(steps));
}

static void comparisons(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "D", .golden = "menu_compare"},
        {.keys = "<down><down><ret>jl", .golden = "compare_step"},
        {.keys = "D<down><ret>" GPU "<ret>", .golden = "compare_profile"},
        {.keys = "4", .golden = "compare_op"},
        {.keys = "D<ret>", .golden = "compare_nothing"},
    };

    (void)state;
    play(towers, 30, 100, steps, COUNT(steps));
}

static void odd_graphs(void **state)
{
    static const struct {
        const char *args[4];
        const char *keys, *golden;
    } cases[] = {
        {{EDGE "empty.pb.gz"}, "", "edge_empty"},
        {{EDGE "one.pb.gz"}, "j", "edge_one"},
        {{EDGE "scopes.pb.gz", "-select", "params"}, "zR", "edge_scopes"},
        {{EDGE "inputs.pb.gz"}, "2zR", "edge_inputs"},
        {{EDGE "shapes.pb.gz", "-select", "params"}, "zRjj", "edge_shapes"},
        {{GPU, "-select", "accelerator_micros,cpu_micros"}, "zr", "gpu_two_columns"},
        {{TOWERS, "-select", "occurrence,device"}, "zr", "text_columns"},
        {{TOWERS, "-show_name_regexes", "nothing"}, "", "empty_result"},
        /* operations without a count say why, totals that lack them have a + */
        {{LSTM, "-select", "float_ops"}, "zR/BiasAdd<ret>", "uncounted"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct script_step step = {.keys = cases[i].keys, .golden = cases[i].golden};

        play(cases[i].args, 24, 100, &step, 1);
    }
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
