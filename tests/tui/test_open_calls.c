/* test_open_calls.c: function bodies that are loaded when a call is opened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "script.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* Each sq of 4x8 has 32 FLOPs. */
static const char graph[] =
    "node { name: 'a,b' op: 'twice' input: 'x' } node { name: 'c' op: 'twice' input: 'a,b' }"
    "node { name: 'x' op: 'Placeholder' attr { key: 'shape' value { shape {"
    "  dim { size: 4 } dim { size: 8 } } } } }"
    "library { function { signature { name: 'sq' input_arg { name: 'i' } output_arg { name: 'o' } }"
    "  node_def { name: 'm' op: 'Square' input: 'i' } ret { key: 'o' value: 'm:y:0' } }"
    "function { signature { name: 'twice' input_arg { name: 'i' } output_arg { name: 'o' } }"
    "  node_def { name: 'p' op: 'sq' input: 'i' } node_def { name: 'q' op: 'sq' input: 'p:o:0' }"
    "  ret { key: 'o' value: 'q:o:0' } } }";

static char folder[64], path[96];

static int make_file(void **state)
{
    FILE *f;

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/tfprof-open-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/graph.pbtxt", folder);
    f = fopen(path, "w");
    if (!f || fputs(graph, f) < 0)
        return -1;
    return fclose(f);
}

static int remove_file(void **state)
{
    (void)state;
    (void)unlink(path);
    return rmdir(folder);
}

static int play(const struct script_step *steps, size_t n_steps)
{
    const char *const args[] = {path, "-function_rows", "0", "-select", "float_ops", "-flops",
                                "full", NULL};
    struct script script = {.args = args, .rows = 30, .cols = 120, .steps = steps,
                            .n_steps = n_steps};

    return script_run(&script);
}

static int64_t root_total(const struct app *a)
{
    return a->doc.result->total[METRIC_FLOAT_OPS][0];
}

/* Checks the names of the displayed rows, root first, separated by blanks. */
static void seen(struct app *a, const char *wanted)
{
    struct strbuf sb = {0};

    for (size_t i = 0; i < rows_count(a->nav.rows); i++) {
        const struct text name = tree_text(a->doc.result->tree, rows_at(a->nav.rows, i).row);

        sb_addf(&sb, "%s%.*s", i ? " " : "", (int)name.len, name.bytes);
    }
    assert_string_equal(sb_text(&sb), wanted);
    sb_done(&sb);
    assert_int_equal(root_total(a), 128);
}

static void nothing_open(struct app *a, const struct canvas *c, const char *state)
{
    (void)state;
    seen(a, "_TFProfRoot a,b c x");
    assert_int_equal(a->doc.result->profile->n_nodes, 3);
    assert_true(script_shows(c, "\u25b9 c "));
    assert_true(script_shows(c, "\u25b9 a,b "));
}

static void one_open(struct app *a, const struct canvas *c, const char *state)
{
    seen(a, "_TFProfRoot a,b a,b/p a,b/q c x");
    assert_int_equal(a->doc.result->profile->n_nodes, 5);
    assert_true(script_shows(c, "2 nodes more"));
    assert_non_null(strstr(state, "--open_calls='a\\,b'"));
    /* The cursor does not move. */
    assert_int_equal(a->nav.cursor, 1);
}

static void two_open(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    seen(a, "_TFProfRoot a,b a,b/p a,b/q a,b/q/m c x");
    assert_non_null(strstr(state, "--open_calls='a\\,b,a\\,b/q'"));
}

/* Undo reverts folds and options; the loaded body stays. */
static void still_loaded(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    assert_int_equal(a->doc.result->profile->n_nodes, 6);
    assert_int_equal(root_total(a), 128);
    assert_non_null(strstr(state, "--open_calls='a\\,b,a\\,b/q'"));
}

static void in_the_graph_view(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_int_equal(a->doc.result->view_id, VIEW_GRAPH);
    seen(a, "_TFProfRoot c a,b x c/q");
}

static void a_body_is_loaded_when_its_call_is_opened(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "", .check = nothing_open},
        {.keys = "j<ret>", .check = one_open},
        {.keys = "jj<right>", .check = two_open},
        {.keys = "s<down><ret>u", .check = still_loaded},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

/* In the graph view a call has its inputs as children, so opening it again loads the body. */
static void in_the_graph_view_too(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "2zRjzo", .check = in_the_graph_view},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

static void gives_the_reason(struct app *a, const struct canvas *c, const char *state)
{
    seen(a, "_TFProfRoot a,b c x");
    assert_true(script_shows(c, "No such file"));
    assert_null(strstr(state, "--open_calls"));
}

static void remove_the_file(struct app *a, const struct canvas *c, const char *state)
{
    (void)a;
    (void)c;
    (void)state;
    assert_int_equal(unlink(path), 0);
}

/* Displayed data does not need the file; only opening fails. */
static void a_deleted_file_leaves_the_screen_unchanged(void **state)
{
    static const struct script_step steps[] = {
        {.keys = "", .check = remove_the_file},
        {.keys = "j<ret>", .check = gives_the_reason},
    };

    (void)state;
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

static void nothing_differs(struct app *a, const struct canvas *c, const char *state)
{
    (void)c;
    (void)state;
    assert_true(script_nothing_differs(a) > 0);
}

static void one_opened_body_has_no_differences(struct app *a, const struct canvas *c, const char *state)
{
    one_open(a, c, state);
    nothing_differs(a, c, state);
}

/* The baseline is opened too. */
static void opened_bodies_equal_the_baseline(void **state)
{
    static char compare[128];
    static const struct script_step steps[] = {
        {.keys = compare, .check = nothing_differs},
        {.keys = ":set<space>-min_delta<space>0<ret>j<ret>", .check = one_opened_body_has_no_differences},
    };

    (void)state;
    snprintf(compare, sizeof compare, "D<ret>%s<ret>", path);
    assert_int_equal(play(steps, COUNT(steps)), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_body_is_loaded_when_its_call_is_opened, make_file,
                                        remove_file),
        cmocka_unit_test_setup_teardown(in_the_graph_view_too, make_file, remove_file),
        cmocka_unit_test_setup_teardown(opened_bodies_equal_the_baseline, make_file,
                                remove_file),
        cmocka_unit_test_setup_teardown(a_deleted_file_leaves_the_screen_unchanged, make_file,
                                                   remove_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
