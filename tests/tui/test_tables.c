/* test_tables.c: tables instead of the tree: rows, order, columns, targets of Enter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "activity/verdict.h"
#include "script.h"
#include "tui/tables/sheet.h"
#include "tui/tables/table_pane.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *const small[] = {"data/training.pt.trace.json.gz", NULL};
static const char *const resnet[] = {"data/resnet32.pb.gz", NULL};

static void play(int rows, int cols, const char *const *args, const struct script_step *steps,
                 size_t n_steps)
{
    const struct script script = {
        .rows = rows, .cols = cols, .args = args, .steps = steps, .n_steps = n_steps};

    assert_int_equal(script_run(&script), 0);
}

/* Numbers of the column that the sheet is ordered by. */
static void is_descending(struct app *a, const struct canvas *c, const char *state)
{
    const struct sheet *s = a->ui.table.sheet;

    (void)c, (void)state;
    assert_true(s->sorted_by > 0 && s->n_rows > 2);
    for (size_t i = 1; i < s->n_rows; i++)
        assert_true(sheet_cell(s, i - 1, (size_t)s->sorted_by)->number >=
                    sheet_cell(s, i, (size_t)s->sorted_by)->number);
}

static void is_ascending(struct app *a, const struct canvas *c, const char *state)
{
    const struct sheet *s = a->ui.table.sheet;

    (void)c, (void)state;
    for (size_t i = 1; i < s->n_rows; i++)
        assert_true(sheet_cell(s, i - 1, (size_t)s->sorted_by)->number <=
                    sheet_cell(s, i, (size_t)s->sorted_by)->number);
}

static void is_the_command(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)c;
    assert_non_null(strstr(state, "tfprof kernels data/training.pt.trace.json.gz"));
    assert_null(strstr(state, "-order_by")); /* options of the tree do not apply to kernels */
}

static void is_in_the_tree(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_false(table_pane_is_on(a));
    assert_int_not_equal(app_row(a), 0);
}

static void kernels_are_ordered_and_opened(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9", .check = is_the_command,
         .shows = {"[9 kernels]", "KERNEL CALLS TOTAL", "row 1 of"}},
        {.keys = "<gt><gt>", .check = is_descending, .shows = {"CALLS▾", "ordered by calls"}},
        {.keys = "I", .check = is_ascending, .shows = {"CALLS▴"}},
        {.keys = "9", .shows = {"[1 scope]", "!KERNEL CALLS"}},
        {.keys = "9<ret>", .check = is_in_the_tree},
    };

    (void)state;
    play(36, 120, small, steps, COUNT(steps));
}

/* The header contains the length of a step, a bar, the shares of the devices' time, and the line of
 * `summary` up to a clause that fits; a narrow screen has no bar. */
static void the_header_has_the_verdict(void **state)
{
    static const struct script_step steps[] = {
        {.rows = 36, .cols = 120,
         .shows = {"4 steps 2.39 ms a step", " GPU0 ███▓░░░░░░░░ ", "compute 24 % exposed comm 11 % idle 64 %",
                   "CPU-bound: launch queue empty for 6.01 ms 8"}},
        {.rows = 24, .cols = 80,
         .shows = {"compute 24 % exposed comm 11 % idle 64 % CPU-bound: launch queue empty 8", "[1 scope]"}},
        {.rows = 24, .cols = 68, .shows = {"exposed comm 11 % idle 64 % CPU-bound: launch queue empty 8"}},
        {.rows = 24, .cols = 60, .shows = {"CPU-bound: launch queue empty for 6.01 ms of 9.34 ms 8", "!idle", "[1 scope]"}},
        {.rows = 14, .cols = 80, .shows = {"!CPU-bound", "![1 scope]"}},
    };
    static const char *const rank[] = {"tests/traces/rank_1.json", NULL};
    static const struct script_step of_rank[] = {{.shows = {"idle 63 % CPU-bound: launch queue empty 8"}}};

    (void)state;
    play(24, 80, rank, of_rank, COUNT(of_rank));
    play(36, 120, small, steps, COUNT(steps));
}

/* Runs of ops and traces without device work have the summary of the timeline in the header. */
static void the_header_has_the_summary_of_the_timeline(void **state)
{
    static const struct script_step steps[] = {
        {.shows = {"step 1 input bound: 606.24 ms before the first Conv2D 7"}},
        {.rows = 36, .cols = 120, .keys = "7",
         .shows = {"step 1 input bound: 606.24 ms before the first Conv2D 7", "TIMELINE step 1"}},
    };
    static const char *const trace[] = {"tests/fixtures/two_lines.json", NULL};
    static const struct script_step of_trace[] = {{.shows = {"only (python) for 60 µs 7", "[1 scope]"}}};

    (void)state;
    play(24, 80, trace, of_trace, COUNT(of_trace));
    play(36, 120, trace, of_trace, COUNT(of_trace));
    play(24, 80, resnet, steps, COUNT(steps));
}

static void rows_are_where_they_were(struct app *a, const struct canvas *c, const char *state)
{
    const int top = a->ui.layout.tree.top;
    struct verdict *verdict = a->doc.verdict;

    (void)c, (void)state;
    a->doc.verdict = NULL; /* as in the first frames */
    app_draw(a);
    assert_int_equal(a->ui.layout.tree.top, top);
    assert_int_equal(a->ui.layout.verdict.rows, verdict->text ? 1 : 0);
    a->doc.verdict = verdict;
    app_draw(a);
    assert_int_equal(a->ui.layout.tree.top, top);
}

/* The verdict has an empty row until it is computed. */
static void the_verdict_moves_no_row(void **state)
{
    static const char *const graph[] = {"tests/golden/models/mobilenet/graph.pb.gz", NULL};
    static const struct script_step steps[] = {{.check = rows_are_where_they_were}};

    (void)state;
    play(24, 80, resnet, steps, COUNT(steps));
    play(24, 80, small, steps, COUNT(steps));
    play(24, 80, graph, steps, COUNT(steps));
}

/* Similar kernels of several ranks differ in a column that fits. */
static void kernels_of_several_ranks_differ(void **state)
{
    static const char *const ranks[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json", NULL};
    static const struct script_step steps[] = {{.keys = "9", .shows = {"KERNEL RANK CALLS TOTAL"}}};
    static const struct script_step of_one[] = {{.keys = "9", .shows = {"KERNEL CALLS TOTAL"}}};

    (void)state;
    play(24, 80, ranks, steps, COUNT(steps));
    play(24, 80, small, of_one, COUNT(of_one));
}

static void columns_scroll(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "8", .shows = {"[8 brk]", "DEVICE STEP WALL BUSY COMPUTE EXPOSED IDLE", "!SHORT"}},
        {.keys = "llllllllllllllll", .shows = {"SHORT"}},
    };

    (void)state;
    play(24, 80, small, steps, COUNT(steps));
}

/* An empty view says what to record. */
static void a_view_without_data_says_what_to_record(void **state)
{
    static const char trace[] =
        "{\"schemaVersion\":1,\"deviceProperties\":[{\"id\":0,\"name\":\"NVIDIA A100-SXM4-40GB\"}],"
        "\"traceEvents\":["
        "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":20},"
        "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":1,\"dur\":50},"
        "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,"
        "\"ts\":10,\"dur\":5,\"args\":{\"correlation\":7}},"
        "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":20,\"dur\":30,"
        "\"args\":{\"device\":0,\"stream\":7,\"correlation\":7}}]}";
    char path[] = "/tmp/tfprof-test-XXXXXX.json";
    const char *const args[] = {path, NULL};
    FILE *file = fdopen(mkstemps(path, 5), "w");
    static const struct script_step steps[] = {
        {.keys = "6", .shows = {"the trace has no allocations: profile_memory=True records them"}},
        {.keys = "R", .shows = {"no operation type that is shown", "record_shapes=True records them"}},
        {.keys = "1", .rows = 36, .cols = 120, .shows = {"150.00% of step", "above 100 %: work runs after"}},
    };

    (void)state;
    assert_non_null(file);
    fputs(trace, file);
    fclose(file);
    play(24, 80, args, steps, COUNT(steps));
    unlink(path);
}

static void has_no_rules(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(table_pane_is_check(a));
    assert_int_equal(a->ui.table.sheet->n_rows, 0);
}

/* Broken rules and those without a result come first. The last file is checked again. */
static void rules_of_a_file_are_checked(void **state)
{
    char path[] = "/tmp/tfprof-test-XXXXXX", keys[60];
    FILE *file = fdopen(mkstemp(path), "w");
    const struct script_step steps[] = {
        {.keys = keys, .shows = {"[check]", "row 1 of 4", "3 total micros <= 1s broken 6.45 s", "1 total params <= 1m held 930.59 k"}},
        {.keys = "1:check<ret>", .shows = {"[check]", "total micros <= 1s broken", "$ tfprof check /tmp/tfprof-test-"}},
        {.keys = "e", .shows = {"not available here; run tfprof check RULES FILE"}},
        {.keys = ":check /nothing<ret>", .check = has_no_rules, .shows = {"/nothing: No such file or directory"}},
    };

    (void)state;
    assert_non_null(file);
    fputs("total params <= 1m\nop Conv2D float_ops == 17.63b\ntotal micros <= 1s\ndelta micros <= +10%\n", file);
    fclose(file);
    snprintf(keys, sizeof keys, ":check %s<ret>", path);
    play(36, 120, resnet, steps, COUNT(steps));
    unlink(path);
}

/* The first column stays. */
static void columns_are_chosen(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9", .shows = {"KERNEL CALLS TOTAL"}},
        {.keys = "S", .shows = {"Columns to show", "[x] calls", "[x] total", "!] kernel"}},
        {.keys = "<space><ret>", .shows = {"KERNEL TOTAL", "!CALLS"}},
        {.keys = "89", .shows = {"KERNEL CALLS TOTAL"}},
        /* The line below the table has the columns that are not displayed. */
        {.keys = "<end>", .shows = {"Memcpy DtoH max 3 µs op aten::_local_scalar_dense rank 0 Tab: details"}},
    };

    (void)state;
    play(24, 80, small, steps, COUNT(steps));
}

/* On a narrow screen values of the summary continue on further lines. */
static void the_summary_is_whole(void **state)
{
    static const struct script_step steps[] = {
        {.keys = ":summary<ret>", .shows = {"ms on CPUs, 3.33 ms on accelerators", "0% only copies, 64% idle (64% CPU late)",
                                           "Esc close", "!Enter OK"}},
    };

    (void)state;
    play(36, 80, small, steps, COUNT(steps));
}

static void an_empty_table_says_why(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9", .shows = {"[1 scope]", "@d 9 kernels", "no device work in this input", "NAME"}},
        {.keys = ":memory-table<ret>", .shows = {"[memory-table]", "memory: needs RunMetadata with",
                                                        "capture with allocations"}},
        {.keys = "<esc>", .shows = {"[1 scope]", "NAME"}},
        {.keys = "0", .shows = {"Views", "* 1 scope", "@d 9 kernels no device work in this input",
                                "ranks needs the traces of several ranks of one job",
                                "iterations no iteration marks"}},
        {.keys = "<down><down><down><ret>", .shows = {"[4 op]"}},
    };

    (void)state;
    play(36, 120, resnet, steps, COUNT(steps));
}

/* The tab of a view without a digit fits after the others. */
static void tabs_are_whole(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "F", .shows = {"[F flame]"}},
        {.keys = "R", .shows = {"[R roofline]"}},
        {.keys = ":gaps<ret>", .shows = {"[gaps]"}},
        {.keys = ":memory-table<ret>", .shows = {"[allocs]"}},
    };

    (void)state;
    play(24, 80, small, steps, COUNT(steps));
}

/* The widest menu fits 80 columns. */
static void the_menu_of_views_fits(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "0", .shows = {"collectives needs the traces of several ranks of one job │",
                                "show where accelerator time goes, why devices wait",
                                "list idle times of devices, the longest first", "─ more v ─┘"}},
    };

    (void)state;
    play(24, 80, small, steps, COUNT(steps));
}

static void is_on_the_second_kernel(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_true(table_pane_is_on(a));
    assert_int_equal(a->ui.table.at, 1);
    assert_int_equal(a->ui.input.ahead.n, 0);
}

/* The rows of both profiles, joined by key; rows of one profile are marked, and Enter does nothing
 * on rows of the baseline only. */
static void tables_are_compared(void **state)
{
    static const char *const others[] = {"data/training.pt.trace.json.gz", "-diff_base",
                                         "tests/traces/rank_0.json", NULL};
    static const char *const same[] = {"data/training.pt.trace.json.gz", "-diff_base",
                                       "data/training.pt.trace.json.gz", NULL};
    static const struct script_step marks[] = {
        {.keys = "9", .shows = {"BASELINE NOW DELTA CHANGE", "+sm90_xmma_ge…bf16bf16_bf16f32_f32_nt_n",
                                "0 µs 1.32 ms +1.32 ms", "-gemm_64x32", "row 1 of", "Enter goes to"}},
        {.rows = 24, .cols = 80, .shows = {"KERNEL BASELINE NOW DELTA CHANGE", "+sm90_xmma"}},
        {.keys = "jjj", .shows = {"row 4 of 9", "!Enter goes to"}},
        {.keys = "gg<ret>", .check = is_in_the_tree},
        {.keys = "<esc>8", .shows = {"FIGURE BASELINE NOW DELTA CHANGE"}},
    };
    static const struct script_step equal[] = {
        {.keys = "8", .shows = {"compute 2.28 ms 2.28 ms 0 µs +0.00%", "largest first"}},
        {.keys = ":gaps<ret>", .shows = {"CAUSE", "!BASELINE"}},
    };

    (void)state;
    play(36, 120, others, marks, COUNT(marks));
    play(36, 120, same, equal, COUNT(equal));
}

static void is_in_the_table_s_order(struct app *a, const struct canvas *c, const char *state)
{
    (void)c, (void)state;
    assert_int_equal(a->ui.table.order, 0);
    assert_int_equal(a->ui.table.sheet->sorted_by, -1);
}

/* The order is by the same column, or unsorted if the comparison has other columns. */
static void an_order_survives_a_comparison(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9<gt><gt><gt>", .check = is_descending, .shows = {"TOTAL▾"}},
        {.keys = "D<ret>tests/traces/rank_0.json<ret>", .check = is_in_the_table_s_order,
         .shows = {"BASELINE NOW DELTA CHANGE"}},
        {.keys = "<gt>", .shows = {"KERNEL ▴ BASELINE", "ordered by kernel"}},
        {.keys = "D<ret>", .shows = {"KERNEL ▴ CALLS"}},
    };

    (void)state;
    play(36, 120, small, steps, COUNT(steps));
}

static void has_three_rows(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_int_equal(a->ui.table.sheet->order.n, 3);
    assert_null(strstr(state, "-show_name_regexes")); /* options of the tree */
}

static void a_table_is_searched_and_filtered(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9/gemm<ret>", .shows = {"row 1 of 7 for /gemm"}},
        {.keys = "n", .shows = {"row 3 of 7 for /gemm"}},
        {.keys = "n", .shows = {"row 1 of 7 for /gemm: continued from the start"}},
        {.keys = "N", .shows = {"row 3 of 7 for /gemm: continued from the end"}},
        {.keys = "/nothing<ret>", .shows = {"no match for /nothing in this table"}},
        {.keys = "fvectorized<ret>", .check = has_three_rows,
         .shows = {"row 3 of 3, 7 without the filter", "!ncclDev", "33 of 33 rows"}},
        {.keys = "<gt>", .check = has_three_rows, .shows = {"KERNEL ▴"}},
        {.keys = "f<c-u>nothing", .shows = {"no row matches the filter"}},
        {.keys = "<esc>", .check = has_three_rows},
        {.keys = "f<c-u><ret>", .shows = {"ncclDev", "!without the filter"}},
        {.keys = "s<down><down><ret>", .check = is_descending, .shows = {"TOTAL▾"}},
        {.keys = "B", .shows = {"B is not bound here"}},
    };

    (void)state;
    play(36, 120, small, steps, COUNT(steps));
}

static void a_table_is_written(void **state)
{
    char keys[4096], text[200];
    const struct script_step steps[] = {{.keys = "9"}, {.keys = keys, .shows = {"written: "}}};
    const char *folder = script_folder_make("TFPROF_TEST_FOLDER");
    FILE *file;

    (void)state;
    snprintf(keys, sizeof keys, "e<c-u>%s/kernels.csv<ret>", folder);
    play(36, 120, small, steps, COUNT(steps));
    snprintf(keys, sizeof keys, "%s/kernels.csv", folder);
    file = fopen(keys, "r");
    assert_non_null(file);
    assert_non_null(fgets(text, sizeof text, file));
    assert_memory_equal(text, "name,kernel,op,rank,device,", 27);
    fclose(file);
    unlink(keys);
    script_folder_remove("TFPROF_TEST_FOLDER");
}

static void shows_one_rank(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_false(table_pane_is_on(a));
    assert_non_null(strstr(state, "-rank 1"));
}

static void enter_on_a_rank_opens_its_tree(void **state)
{
    static const char *const ranks[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json", NULL};
    static const struct script_step steps[] = {
        {.keys = ":ranks<ret>", .shows = {"RANK", "Enter shows the tree of this rank alone"}},
        {.keys = "/1<ret>"},
        {.keys = "<gt><ret>", .check = shows_one_rank},
    };

    (void)state;
    play(24, 80, ranks, steps, COUNT(steps));
}

static void shows_one_step(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_false(table_pane_is_on(a));
    assert_non_null(strstr(state, "-step 2"));
    assert_non_null(strstr(state, "-rank 1"));
}

static void shows_one_device(struct app *a, const struct canvas *c, const char *state)
{
    assert_false(table_pane_is_on(a));
    assert_null(strstr(state, "-device_regexes"));
    assert_non_null(strstr(state, "-rank 1"));
    assert_true(script_shows(c, ">GPU0 s"));
}

/* Ranks have equal names of devices and equal numbers of steps. */
static void enter_on_a_row_of_a_rank_opens_the_tree_of_that_rank(void **state)
{
    static const char *const ranks[] = {"tests/traces/rank_0.json", "tests/traces/rank_1.json", NULL};
    static const struct script_step steps[] = {
        {.keys = ":steps<ret>", .shows = {"RANK STEP START DURATION", "[steps]", "the tree of this step alone"}},
        {.keys = "G<ret>", .check = shows_one_step},
        {.keys = "<bs>8G<ret>", .check = shows_one_device},
        {.keys = "<bs>:hosts<ret>/1<ret><ret>", .check = shows_one_rank},
        {.keys = "<bs>:collectives<ret>", .shows = {"LAST", "the tree of this rank alone"}},
        {.keys = "<ret>", .check = shows_one_rank},
    };

    (void)state;
    play(24, 80, ranks, steps, COUNT(steps));
}

/* Keys for a table, and all keys after them, wait until it is computed; other keys act at once and
 * drop the waiting ones. */
static void keys_wait_for_a_table(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "9j", .check = is_on_the_second_kernel},
        {.keys = "89jk<down>", .check = is_on_the_second_kernel},
        {.keys = "8<ret>1", .shows = {"[1 scope]"}},
        {.keys = "9j<esc>", .shows = {"[1 scope]", "!KERNEL CALLS"}},
    };

    (void)state;
    play(36, 120, small, steps, COUNT(steps));
}

static void keys_leave_a_table_for_its_tree(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "8", .shows = {"[8 breakdown]"}},
        {.keys = "1", .shows = {"[1 scope]", "!SPAN"}},
        {.keys = "84", .shows = {"[4 op]", "!SPAN"}},
    };

    (void)state;
    play(36, 120, small, steps, COUNT(steps));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_are_ordered_and_opened),
        cmocka_unit_test(the_header_has_the_verdict),
        cmocka_unit_test(the_header_has_the_summary_of_the_timeline),
        cmocka_unit_test(the_verdict_moves_no_row),
        cmocka_unit_test(kernels_of_several_ranks_differ),
        cmocka_unit_test(an_order_survives_a_comparison),
        cmocka_unit_test(a_table_is_searched_and_filtered),
        cmocka_unit_test(a_table_is_written),
        cmocka_unit_test(enter_on_a_rank_opens_its_tree),
        cmocka_unit_test(enter_on_a_row_of_a_rank_opens_the_tree_of_that_rank),
        cmocka_unit_test(columns_scroll),
        cmocka_unit_test(a_view_without_data_says_what_to_record),
        cmocka_unit_test(the_summary_is_whole),
        cmocka_unit_test(rules_of_a_file_are_checked),
        cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(an_empty_table_says_why),
        cmocka_unit_test(keys_leave_a_table_for_its_tree),
        cmocka_unit_test(tabs_are_whole),
        cmocka_unit_test(the_menu_of_views_fits),
        cmocka_unit_test(tables_are_compared),
        cmocka_unit_test(keys_wait_for_a_table),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
