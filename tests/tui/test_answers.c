/* test_answers.c: the number of keys needed to answer common questions. */
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
#include "term/keyname.h"

#define SAMPLE "data/resnet32.pb.gz"
#define GRAPH "tests/golden/models/mobilenet/graph.pb.gz"

static const char *const sample[] = {SAMPLE, NULL};

static int count_keys(const char *macro)
{
    uint32_t key;
    int n = 0;

    for (size_t len; *macro; macro += len, n++) {
        len = key_parse(macro, strlen(macro), &key);
        assert_true(len > 0);
    }
    return n;
}

typedef void check_fn(struct app *a, const struct canvas *c, const char *state);

/* Tests that KEYS, which must be N, lead to a screen that CHECK accepts, at two sizes. */
static void takes(int n, const char *const *args, const char *keys, check_fn *check)
{
    static const int sizes[][2] = {{36, 120}, {24, 80}};

    assert_int_equal(count_keys(keys), n);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct script_step step = {.keys = *keys ? keys : NULL, .check = check};
        const struct script script = {.args = args, .rows = sizes[i][0], .cols = sizes[i][1],
                                      .steps = &step, .n_steps = 1};

        assert_int_equal(script_run(&script), 0);
    }
}

static void is_its_line(struct app *a, const struct canvas *c, const char *state)
{
    assert_int_equal(a->doc.result->view_id, VIEW_CODE);
    assert_non_null(strstr(state, "-account_type_regexes Conv2DBackpropFilter"));
    assert_true(script_shows(c, "resnet_model.py:157"));
}

static void which_type_in_which_layers_from_which_line(void **state)
{
    (void)state;
    takes(4, sample, "4j<ret>3", is_its_line);
}

static void is_hottest(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    script_cursor_is_on(a, "gradients/unit_1_0/sub2/conv2/Conv2D_grad/Conv2DBackpropFilter");
}

static void the_most_expensive_operation(void **state)
{
    (void)state;
    takes(1, sample, ".", is_hottest);
}

static void shows_params(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "PARAMS v"));
    assert_true(script_shows(c, "2.61 M"));
}

static void shows_params_of_runs(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "PARAMS v"));
    assert_true(script_shows(c, "930.59 k"));
}

/* A graph shows them on the first screen; a run must be sorted by them with four keys. */
static void how_many_parameters(void **state)
{
    static const char *const graph[] = {GRAPH, NULL};

    (void)state;
    takes(0, graph, "", shows_params);
    takes(4, sample, "spp<ret>", shows_params_of_runs);
}

static void shows_megabytes_of_params(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)state;
    assert_true(script_shows(c, "param B"));
    assert_true(script_shows(c, "3.72 MB"));
}

static void how_much_memory_of_parameters(void **state)
{
    (void)state;
    takes(1, sample, "<tab>", shows_megabytes_of_params);
}

static void is_by_bytes(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.result->options.order_by, ORDER_METRIC + METRIC_BYTES);
    assert_true(script_shows(c, "BYTES v"));
    assert_true(script_shows(c, "3.00 GB"));
}

static void by_a_field_that_is_not_selected(void **state)
{
    (void)state;
    takes(3, sample, "sb<ret>", is_by_bytes);
}

static void is_first_against_second(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_non_null(strstr(state, " -step 0"));
    assert_non_null(strstr(state, " -diff_step 1"));
    assert_true(script_shows(c, "DELTA v")); /* the largest change first */
}

static void one_step_against_the_next(void **state)
{
    (void)state;
    takes(3, sample, "]D<ret>", is_first_against_second);
}

static void is_of_eight(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    assert_non_null(strstr(state, " -batch 8"));
    assert_true(script_shows(c, "640"));
}

static void operations_at_batch_8(void **state)
{
    char path[] = "/tmp/tfprof-test-XXXXXX.pbtxt";
    const char *const args[] = {path, NULL};
    FILE *f = fdopen(mkstemps(path, 6), "w");

    (void)state;
    assert_non_null(f);
    fputs("node { name: 'x' op: 'Placeholder' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
          "  attr { key: 'shape' value { shape { dim { size: -1 } dim { size: 4 } } } } }\n"
          "node { name: 'w' op: 'VariableV2' attr { key: 'dtype' value { type: DT_FLOAT } }\n"
          "  attr { key: 'shape' value { shape { dim { size: 4 } dim { size: 10 } } } } }\n"
          "node { name: 'y' op: 'MatMul' input: 'x' input: 'w' attr { key: 'T' value { type: DT_FLOAT } }\n"
          "  attr { key: 'transpose_a' value { b: false } }\n"
          "  attr { key: 'transpose_b' value { b: false } } }\n", f);
    fclose(f);
    takes(8, args, ":-bat<tab>8<ret>", is_of_eight); /* 2 * 8 * 4 * 10 */
    unlink(path);
}

/* Duplicates the first line of the first advice report that has lines. */
static void repeat_line(struct app *a, const struct canvas *c, const char *state)
{
    struct advice_report *r = NULL;

    (void)c, (void)state;
    for (size_t i = 0; i < a->doc.advice->n_sections && !r; i++)
        if (a->doc.advice->sections[i].n_reports && a->doc.advice->sections[i].reports[0].n_lines)
            r = &a->doc.advice->sections[i].reports[0];
    assert_non_null(r);
    r->lines = realloc(r->lines, (r->n_lines + 1) * sizeof *r->lines);
    assert_non_null(r->lines);
    r->capacity = r->n_lines + 1;
    r->lines[r->n_lines] =
        (struct advice_line){.bytes = strdup(r->lines[0].bytes), .len = r->lines[0].len};
    r->n_lines++;
}

/* A row without self time can still be expensive because of its descendants. */
static void no_cost_is_zero(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "gradients, cpu: 4.64 s, accelerator: 0 µs, total: 4.64 s"));
    assert_false(script_shows(c, "total: 0 µs"));
    assert_true(script_shows(c, "(41.21%) (2 times)"));
}

static void advice_is_short_and_true(void **state)
{
    static const struct script_step steps[] = {
        {.check = repeat_line},
        {.keys = "5", .check = no_cost_is_zero},
    };
    static const char *const args[] = {"data/resnet32.pb.gz", NULL};
    const struct script script = {.args = args, .rows = 36, .cols = 120, .steps = steps,
                                  .n_steps = 2};

    (void)state;
    assert_int_equal(script_run(&script), 0);
}

/* ---- a trace with devices */

static const char *const trace[] = {"data/training.pt.trace.json.gz", NULL};

static void says_why_devices_idle(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "idle 64 %"));
    assert_true(script_shows(c, "CPU-bound: launch queue empty"));
}

static void says_how_much_communication_is_exposed(struct app *a, const struct canvas *c,
                                                   const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "exposed comm 11 %"));
}

static void shows_exposed_communication(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "EXPOSED"));
    assert_true(script_shows(c, "1.04 ms"));
}

static void lists_the_slowest_kernel(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "sm90_xmm"));
    assert_true(script_shows(c, "39.66%"));
}

static void is_on_its_operator(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "AddmmBackward0 › aten::mm"));
}

static void is_on_its_line(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_CODE);
    assert_true(script_shows(c, ".py"));
}

static void says_what_the_host_did(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "launch queue empty: CPU-bound; host: "));
}

/* Questions about training on GPUs.  Keys wait for the table of `9`. */
static void why_devices_wait_and_for_what(void **state)
{
    (void)state;
    takes(0, trace, "", says_why_devices_idle);
    takes(0, trace, "", says_how_much_communication_is_exposed);
    takes(1, trace, "8", shows_exposed_communication);
    takes(1, trace, "9", lists_the_slowest_kernel);
    takes(2, trace, "9<ret>", is_on_its_operator);
    takes(3, trace, "9<ret>3", is_on_its_line);
    takes(2, trace, "7}", says_what_the_host_did);
}

static void names_the_slow_rank(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "rank 1 late: delayed others"));
}

static void says_by_how_much(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "rank 1 late: delayed others by 920 µs in 2 of 2"));
}

/* Two ranks: the first one waits in its collectives for the second one. */
static void which_rank_is_slow(void **state)
{
    static const char *const edits[] = {
        "s/\"ts\": \\([12]\\)440, \"dur\": 110/\"ts\": \\1010, \"dur\": 540/' tests/traces/rank_0.json",
        "s/\"ts\": \\([12]\\)150, \"dur\": 180/\"ts\": \\1010, \"dur\": 440/' tests/traces/rank_1.json"};
    char paths[2][40] = {"/tmp/tfprof-test-XXXXXX.json", "/tmp/tfprof-test-XXXXXX.json"}, command[200];
    const char *const ranks[] = {paths[0], paths[1], NULL};

    (void)state;
    for (int i = 0; i < 2; i++) {
        close(mkstemps(paths[i], 5));
        snprintf(command, sizeof command, "sed '%s >%s", edits[i], paths[i]);
        assert_int_equal(system(command), 0);
    }
    takes(0, ranks, "", names_the_slow_rank);
    takes(1, ranks, "5", says_by_how_much);
    EACH(unlink, paths[0], paths[1]);
}

static void is_on_the_regression(struct app *a, const struct canvas *c, const char *state)
{
    (void)a, (void)state;
    assert_true(script_shows(c, "AddmmBackward0 › aten::mm") || script_shows(c, "0/aten::mm"));
    assert_true(script_shows(c, "+40 µs"));
    assert_true(script_shows(c, "+13.8%"));
}

/* Two keys, the path of the baseline, and two more keys. */
static void the_slowest_change(void **state)
{
    static const int sizes[][2] = {{36, 120}, {24, 80}};
    char path[] = "/tmp/tfprof-test-XXXXXX.json", command[200], keys[80];
    const struct script_step steps[] = {{.keys = keys}, {.keys = ".", .check = is_on_the_regression}};

    (void)state;
    close(mkstemps(path, 5));
    snprintf(command, sizeof command,
             "gunzip -c data/training.pt.trace.json.gz | sed 's/\"dur\":160.000/\"dur\":120.000/' >%s", path);
    assert_int_equal(system(command), 0);
    snprintf(keys, sizeof keys, "D<ret>%s<ret>", path);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const struct script script = {.args = trace, .rows = sizes[i][0], .cols = sizes[i][1],
                                      .steps = steps, .n_steps = 2};

        assert_int_equal(script_run(&script), 0);
    }
    unlink(path);
}

/* Advice on devices is sorted by gain; Enter goes to its subject. */
static void advice_leads_to_its_subject(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "5", .shows = {"maximum gain", "launch queue empty: CPU-bound"}},
        {.keys = "<ret>", .shows = {"Optimizer.step#AdamW.step › aten::addcdiv_", "!may gain"}},
    };
    const struct script script = {.args = trace, .rows = 36, .cols = 120, .steps = steps,
                                  .n_steps = 2};

    (void)state;
    assert_int_equal(script_run(&script), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(which_type_in_which_layers_from_which_line),
        cmocka_unit_test(why_devices_wait_and_for_what),
        cmocka_unit_test(which_rank_is_slow),
        cmocka_unit_test(the_slowest_change),
        cmocka_unit_test(advice_leads_to_its_subject),
        cmocka_unit_test(the_most_expensive_operation),
        cmocka_unit_test(how_many_parameters),
        cmocka_unit_test(how_much_memory_of_parameters),
        cmocka_unit_test(by_a_field_that_is_not_selected),
        cmocka_unit_test(one_step_against_the_next),
        cmocka_unit_test(operations_at_batch_8),
        cmocka_unit_test(advice_is_short_and_true),
    };

    return cmocka_run_group_tests_name("tests/tui/test_answers", tests, NULL, NULL);
}
