/* test_explain.c: explanations of displayed and hidden rows, rows that cover a share of a figure,
 * and the advice on a small profile. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/builder.h"
#include "view/advise/advise.h"
#include "view/cover.h"
#include "view/explain/explain.h"

struct world {
    struct profile *profile;
    struct query *query;
    struct options options;
    struct result *result;
};

static void add_node(struct builder *b, const char *name, const char *op, int64_t dur_us)
{
    bool added;
    strid gpu = builder_str(b, "/device:gpu:0", 13);
    node_id node = builder_node(b, builder_str(b, name, strlen(name)),
                                builder_str(b, op, strlen(op)), &added);
    struct exec_time time = {gpu, true, 0, 1000, dur_us};

    assert_true(added);
    builder_set_devices(b, node, gpu, gpu);
    builder_add_record(b, node,
                       &(struct exec_record){.run_count = 1,
                                             .start_ticks = 1000,
                                             .latest_end_ticks = 1000 + dur_us,
                                             .times = &time,
                                             .n_times = 1});
}

static int make_world(void **state)
{
    struct world *w = calloc(1, sizeof *w);
    struct builder *b = builder_new();

    builder_add_step(b, 0);
    add_node(b, "a/conv", "Conv2D", 5000);
    add_node(b, "a/BatchNorm", "Mul", 3000);
    add_node(b, "a/deep/er/x", "Add", 1500);
    add_node(b, "b", "Add", 400);
    add_node(b, "c\x01", "Sub", 100);
    w->profile = builder_finish(b);
    w->query = query_new(w->profile);
    options_init(&w->options);
    *state = w;
    return 0;
}

static int free_world(void **state)
{
    struct world *w = *state;

    result_free(w->result);
    options_done(&w->options);
    query_free(w->query);
    profile_free(w->profile);
    free(w);
    return 0;
}

/* Runs VIEW with only OPTION set to VALUE. */
static void run(struct world *w, enum view_id view, const char *option, const char *value)
{
    struct err err = {0};

    result_free(w->result);
    options_done(&w->options);
    options_init(&w->options);
    assert_true(option_set(&w->options, option_find(option), value, &err));
    w->result = query_run(w->query, view, &w->options, (struct cancel_mark){0}, &err);
    assert_non_null(w->result);
}

static void expect(struct world *w, const char *name, const char *want)
{
    struct strbuf got = {0};

    explain_name(&got, w->result, name, strlen(name));
    assert_string_equal(sb_text(&got), want);
    sb_done(&got);
}

static void a_hidden_row_names_the_option(void **state)
{
    struct world *w = *state;

    run(w, VIEW_SCOPE, "hide_name_regexes", "zzz,a/c.*");
    expect(w, "a/conv", "'a/conv' is hidden: it matches -hide_name_regexes #2 'a/c.*'");
    run(w, VIEW_SCOPE, "show_name_regexes", "b");
    expect(w, "c\x01", "'c\\x01' is hidden: its whole name does not match -show_name_regexes");
    run(w, VIEW_SCOPE, "trim_name_regexes", "a");
    expect(w, "a/deep/er",
           "'a/deep/er' is hidden: 'a', above it, matches -trim_name_regexes 'a'");
    run(w, VIEW_SCOPE, "max_depth", "3");
    expect(w, "a/deep/er/x", "'a/deep/er/x' is hidden: its depth is 5, -max_depth is 3");
    run(w, VIEW_SCOPE, "start_name_regexes", "a/deep");
    expect(w, "b", "'b' is hidden: neither it nor a row above matches -start_name_regexes");
    run(w, VIEW_SCOPE, "account_type_regexes", "Conv2D");
    expect(w, "b", "'b' is hidden: none of its types matches -account_type_regexes");
    run(w, VIEW_SCOPE, "min_micros", "500");
    expect(w, "b", "'b' is hidden: its total is 400us, -min_micros is 500us");
    run(w, VIEW_SCOPE, "device_regexes", ".*cpu.*");
    expect(w, "b", "'b' is hidden: its device does not match -device_regexes");
    run(w, VIEW_OP, "max_depth", "1");
    expect(w, "Mul", "'Mul' is hidden: its depth is 2, -max_depth is 1");
}

static void a_displayed_row_explains_counted_and_hidden_rows(void **state)
{
    struct world *w = *state;

    run(w, VIEW_SCOPE, "min_micros", "2000");
    expect(w, "a",
           "'a' is displayed\naccounted: it has no node of its own, and -account_type_regexes '.*' "
           "matches such rows too\n3 of 5 rows below are hidden: 3 by -min_micros");
    expect(w, "a/conv",
           "'a/conv' is displayed\naccounted: type 'Conv2D' matches "
           "-account_type_regexes '.*'");
    run(w, VIEW_OP, "account_type_regexes", "Mul,Add");
    expect(w, "Add",
           "'Add' is displayed\naccounted: 2 of 2 nodes, the first by type 'Add' matches "
           "-account_type_regexes #2 'Add'");
    expect(w, "nothing",
           "'nothing': no row of this name in the op view, with any options");
}

static void an_empty_result_names_the_filter(void **state)
{
    struct world *w = *state;
    struct strbuf got = {0};

    run(w, VIEW_SCOPE, "show_name_regexes", "nothing");
    assert_true(explain_empty(w->result, &got));
    assert_string_equal(sb_text(&got), "no row is shown; hidden are 8 by -show_name_regexes");
    run(w, VIEW_SCOPE, "show_name_regexes", "b");
    assert_false(explain_empty(w->result, &got));
    sb_done(&got);
}

static void cover_finds_the_fewest_rows(void **state)
{
    struct world *w = *state;
    struct cover cover;

    run(w, VIEW_SCOPE, "max_depth", "10");
    assert_true(cover_find(w->result, METRIC_MICROS, 80, &cover));
    assert_int_equal(cover.n_rows, 2);
    assert_int_equal(cover.min, 3000);
    assert_float_equal(cover.percent, 80, 1e-9);
    assert_true(cover_find(w->result, METRIC_MICROS, 81, &cover));
    assert_int_equal(cover.n_rows, 3);
    assert_false(cover_find(w->result, METRIC_PARAMS, 50, &cover));
}

static void advice_marks_the_nodes_it_concerns(void **state)
{
    struct world *w = *state;
    struct err err = {0};
    struct advice *a = advise_run(w->profile, w->query, NULL, true, (struct cancel_mark){0}, &err);
    size_t n;
    const struct advice_mark *mark =
        advice_of_node(a, profile_find(w->profile, "a/BatchNorm", 11), &n);

    assert_int_equal(n, 1);
    assert_string_equal(mark->text, "BatchNorm, try FusedBatchNorm");
    assert_string_equal(mark->checker->name, "OperationChecker");
    assert_null(advice_of_node(a, profile_find(w->profile, "a/conv", 6), &n));
    /* 10 ms of work within 5 ms on one device. */
    assert_string_equal(a->sections[0].reports[0].lines[0].bytes,
                        "device: /device:gpu:0 utilization: 2.00");
    advice_free(a);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_world, free_world)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_hidden_row_names_the_option),
        TEST(a_displayed_row_explains_counted_and_hidden_rows),
        TEST(an_empty_result_names_the_filter),
        TEST(cover_finds_the_fewest_rows),
        TEST(advice_marks_the_nodes_it_concerns),
    };

    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
