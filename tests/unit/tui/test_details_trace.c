/* test_details_trace.c: the details pane for ranks, input shapes and kernels of traces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/load_with.h"
#include "fixtures/memory_file.h"
#include "model/row_names.h"
#include "tui/panes/details/details_parts.h"

#define MARK(n, ts)                                                                              \
    "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#" n "\",\"pid\":1,"       \
    "\"tid\":1,\"ts\":" ts ",\"dur\":100},"
#define CALL(ts, dur, dims)                                                                      \
    "{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":" ts      \
    ",\"dur\":" dur ",\"args\":{\"Input Dims\":" dims "}},"
#define KERNEL(id, ts, dur)                                                                      \
    "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\",\"pid\":1,\"tid\":1,\"ts\":" ts  \
    ",\"dur\":1,\"args\":{\"correlation\":" id "}},"                                             \
    "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":" ts          \
    ",\"dur\":" dur ",\"args\":{\"correlation\":" id ",\"device\":0,\"stream\":7,"               \
    "\"grid\":[4,1,1],\"block\":[128,1,1],\"registers per thread\":32,\"shared memory\":64,"     \
    "\"blocks per SM\":0.5,\"warps per SM\":2,\"est. achieved occupancy %\":25}},"

#define TRACE(rank, events)                                                                      \
    "{\"schemaVersion\":1,\"distributedInfo\":{\"rank\":" rank ",\"world_size\":2},"             \
    "\"traceEvents\":[" events "{}]}"

static const char rank_0[] = TRACE(
    "0", MARK("1", "0") MARK("2", "200") CALL("10", "20", "[[2,3],[3,4]]") KERNEL("1", "11", "5")
             CALL("210", "20", "[[2,3],[3,4]]") KERNEL("2", "211", "7")
                 CALL("240", "20", "[[8,3],[3,4]]") KERNEL("3", "241", "9"));
static const char unlaunched[] = TRACE(
    "0", MARK("1", "0") KERNEL("1", "11", "5")
             "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm\",\"pid\":0,\"tid\":7,\"ts\":20,"
             "\"dur\":4,\"args\":{\"correlation\":9,\"device\":0,\"stream\":7}},");
static const char rank_1[] = TRACE("1", MARK("2", "200") CALL("210", "50", "[[2,3],[3,4]]"));

/* Fails unless the details of row NAME in the scope view at STEP are the lines WANTED. */
static void check_row(const char *first, const char *name, const char *second, int64_t step,
                      const char *wanted)
{
    const struct memory_file files[] = {memory_file(first, strlen(first)),
                                        memory_file(rank_1, sizeof rank_1 - 1)};
    const char *paths[] = {files[0].path, files[1].path};
    struct lines l = {.cols = 60};
    struct err err = {0};
    struct options o;
    struct load_request request = {.options = &o, .files = paths, .n_files = second ? 2 : 1};
    struct profile *p;
    struct query *q;
    struct result *r;
    row_id row = 0;

    options_init(&o);
    p = load_profile(&request, NULL, (struct cancel_mark){0}, &err);
    assert_non_null(p);
    q = query_new_threads(p, 1);
    o.step = step;
    r = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    while (row < r->tree->n_rows && !text_is(tree_text(r->tree, row), name))
        row++;
    assert_true(row < r->tree->n_rows);
    details_trace(&l, r, row, true);
    assert_string_equal(sb_text(&l.text), wanted);
    lines_done(&l);
    result_free(r);
    options_done(&o);
    query_free(q);
    profile_free(p);
    close(files[0].fd);
    close(files[1].fd);
}

static void check(const char *second, int64_t step, const char *wanted)
{
    check_row(rank_0, "aten::mm", second, step, wanted);
}

#define CONFIG                                                                                  \
    "  grid 4x1x1  block 128x1x1  stream 7  32 registers"                                       \
    "  64 B shared  occupancy 25 %"

static void shapes_have_counts_and_kernels_their_launch(void **state)
{
    (void)state;
    check(NULL, -1,
          "2 different input shapes"
          "     2x [[2,3],[3,4]]"
          "     1x [[8,3],[3,4]]"
          "kernels and copies, all steps"
          "gemm  3x 21 µs  avg 7 µs  min 5 µs  max 9 µs" CONFIG);
}

static void one_step_has_separate_tracks(void **state)
{
    (void)state;
    check(NULL, 1, "kernels and copies, step 1"
                   "gemm  1x 5 µs" CONFIG);
}

static void ranks_are_compared(void **state)
{
    (void)state;
    check(rank_1, 2,
          "2 ranks, step 2"
          "least    50 µs rank 1median   50 µs rank 1most     56 µs rank 0"
          "2 different input shapes"
          "     2x [[2,3],[3,4]]"
          "     1x [[8,3],[3,4]]"
          "kernels and copies, step 2"
          "gemm  2x 16 µs  avg 8 µs  min 7 µs  max 9 µs" CONFIG);
}

static void a_row_without_launches_gives_the_reason(void **state)
{
    (void)state;
    check_row(unlaunched, NO_LAUNCH_NAME, NULL, STEP_ALL,
              "4 µs in 1 kernel: launched before the trace began"
              "kernels and copies, all steps"
              "gemm  1x 4 µs");
}

static void waits_have_their_kinds(void **state)
{
    (void)state;
    check_row(rank_0, "ProfilerStep*", NULL, 1, "waits    100% nothing recorded");
}

/* 300 kernels of one operator, each launched twice. */
static void omitted_kernels_are_counted(void **state)
{
    struct strbuf text = {0};

    (void)state;
    sb_adds(&text, "{\"schemaVersion\":1,\"traceEvents\":[{\"ph\":\"X\",\"cat\":\"cpu_op\","
                   "\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":0,\"dur\":9999},");
    for (int i = 0; i < 600; i++)
        sb_addf(&text,
                "{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"launch\",\"pid\":1,\"tid\":1,"
                "\"ts\":%d,\"dur\":1,\"args\":{\"correlation\":%d}},"
                "{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"k%d\",\"pid\":0,\"tid\":7,\"ts\":%d,"
                "\"dur\":1,\"args\":{\"correlation\":%d,\"device\":0,\"stream\":7}},",
                10 + 5 * i, i + 1, i % 300, 12 + 5 * i, i + 1);
    sb_adds(&text, "{}]}");
    check_row(sb_text(&text), "aten::mm", NULL, STEP_ALL, "kernels  too many: :kernels lists them");
    sb_done(&text);
}

static void nodes_of_onnxruntime_have_sizes_and_threads(void **state)
{
    static const char profile[] =
        "[{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":90,\"ts\":5,\"ph\":\"X\",\"name\":\"model_run\",\"args\":{}},"
        "{\"cat\":\"Node\",\"pid\":1,\"tid\":1,\"dur\":20,\"ts\":10,\"ph\":\"X\",\"name\":\"mm_kernel_time\",\"args\":"
        "{\"op_name\":\"MatMul\",\"activation_size\":\"32\",\"parameter_size\":\"96\",\"provider\":\"CPUExecutionProvider\","
        "\"mem_in_use_peak\":\"1024\",\"thread_scheduling_stats\":{\"main_thread\":{\"core\":3,\"Run\":7,\"Wait\":2},"
        "\"sub_threads\":{\"77\":{\"num_run\":4}}}}},"
        "{\"cat\":\"Node\",\"pid\":1,\"tid\":1,\"dur\":20,\"ts\":40,\"ph\":\"X\",\"name\":\"mm_kernel_time\",\"args\":"
        "{\"op_name\":\"MatMul\",\"mem_in_use_peak\":\"2048\"}},"
        "{\"cat\":\"Session\",\"pid\":1,\"tid\":1,\"dur\":80,\"ts\":8,\"ph\":\"X\",\"name\":\"SequentialExecutor::Execute\","
        "\"args\":{\"thread_scheduling_stats\":{\"main_thread\":{\"Run\":70}}}}]";

    (void)state;
    check_row(profile, "mm", NULL, STEP_ALL,
              "recorded activation_size 32         parameter_size 96         mem_in_use_peak 1024"
              "         main_thread core 3         main_thread Run 7         main_thread Wait 2"
              "         sub_threads 77 num_run 4");
    check_row(profile, "(session)/SequentialExecutor::Execute", NULL, STEP_ALL, "recorded main_thread Run 70");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_counts_and_kernels_their_launch),
        cmocka_unit_test(one_step_has_separate_tracks),
        cmocka_unit_test(ranks_are_compared),
        cmocka_unit_test(a_row_without_launches_gives_the_reason),
        cmocka_unit_test(waits_have_their_kinds),
        cmocka_unit_test(omitted_kernels_are_counted),
        cmocka_unit_test(nodes_of_onnxruntime_have_sizes_and_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
