/* test_details_devices.c: the details pane for hosts and devices of a capture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/capture_text.h"
#include "fixtures/load_with.h"
#include "fixtures/memory_file.h"
#include "tui/panes/details/details_parts.h"

static const char text[] =
    "host; h\nplane; /host:CPU\nline; 1; python; 1\n"
    "event; train; 0; 40000000; step_num=6; _r=1\n"
    "plane; /device:GPU:0\nline; 7; s; 1\n"
    "event; k; 0; 5000000; kernel_details=x; correlation_id=1\n"
    "event; k; 10000000; 7000000; kernel_details=x; correlation_id=2\n"
    "event; k; 20000000; 9000000; kernel_details=x; correlation_id=3\n"
    "plane; /device:GPU:1\nline; 7; s; 1\n"
    "event; k; 0; 2000000; kernel_details=x; correlation_id=4\n"
    "plane; /device:GPU:2\nline; 7; s; 1\n"
    "event; other; 0; 3000000; kernel_details=x; correlation_id=5\n";

/* Fails unless the details of row NAME in the scope view at STEP are the lines WANTED. */
static void check_at(const char *capture, int64_t step, const char *name, const char *wanted)
{
    struct memory_file file;
    struct strbuf bytes = {0};
    struct lines l = {.cols = 40};
    struct err err = {0};
    struct options o;
    struct profile *p;
    struct query *q;
    struct result *r;
    row_id row = 0;

    capture_text(&bytes, capture);
    file = memory_file(bytes.data, bytes.len);
    p = load_with(SETTINGS(NULL), file.path, &err);
    assert_non_null(p);
    q = query_new_threads(p, 1);
    options_init(&o);
    o.step = step;
    r = query_run(q, VIEW_SCOPE, &o, (struct cancel_mark){0}, &err);
    assert_non_null(r);
    while (row < r->tree->n_rows && (tree_name_len(r->tree, row) != strlen(name) ||
                                     memcmp(tree_name(r->tree, row), name, strlen(name)) != 0))
        row++;
    details_devices(&l, r, row, true);
    assert_string_equal(sb_text(&l.text), wanted);
    lines_done(&l);
    result_free(r);
    options_done(&o);
    query_free(q);
    profile_free(p);
    close(file.fd);
    sb_done(&bytes);
}

static void check(const char *name, const char *wanted)
{
    check_at(text, -1, name, wanted);
}

/* Marks of two steps; a kernel belongs to the step in which it begins. */
static const char two_steps[] =
    "host; h\nplane; /host:CPU\nline; 1; python; 1\n"
    "event; train; 0; 40000000; step_num=6; _r=1\n"
    "event; train; 50000000; 40000000; step_num=7; _r=1\n"
    "plane; /device:GPU:0\nline; 7; s; 1\n"
    "event; k; 1000000; 5000000; kernel_details=x; correlation_id=1\n"
    "event; k; 51000000; 7000000; kernel_details=x; correlation_id=2\n"
    "event; k; 60000000; 9000000; kernel_details=x; correlation_id=3\n"
    "plane; /device:GPU:1\nline; 7; s; 1\n"
    "event; k; 1000000; 2000000; kernel_details=x; correlation_id=4\n";

static void details_refer_to_the_step(void **state)
{
    (void)state;
    check_at(two_steps, 7, "(no HLO)/k", "on each device, step 7"
                                         "h GPU:0  2x 16 µs: 7 µs, 7 µs, 9 µs");
    check_at(two_steps, 6, "(no HLO)/k", "on each device, step 6"
                                         "h GPU:0  1x 5 µs: 5 µs, 5 µs, 5 µs"
                                         "h GPU:1  1x 2 µs: 2 µs, 2 µs, 2 µs"
                                         "2 devices, step 6"
                                         "least    2 µs h GPU:1median   2 µs h GPU:1most     5 µs h GPU:0");
}

static void a_node_has_executions_on_each_device(void **state)
{
    (void)state;
    check("(no HLO)/k", "on each device, all steps"
                        "h GPU:0  3x 21 µs: 5 µs, 7 µs, 9 µs"
                        "h GPU:1  1x 2 µs: 2 µs, 2 µs, 2 µs"
                        "2 devices, all steps"
                        "least    2 µs h GPU:1median   2 µs h GPU:1most     21 µs h GPU:0");
}

static void a_scope_sums_its_nodes(void **state)
{
    (void)state;
    check("(no HLO)", "3 devices, all steps"
                      "least    2 µs h GPU:1median   3 µs h GPU:2most     21 µs h GPU:0");
}

static void the_run_has_marks(void **state)
{
    (void)state;
    check("_TFProfRoot", "3 devices, all steps"
                         "least    2 µs h GPU:1median   3 µs h GPU:2most     21 µs h GPU:0"
                         "marks    step 6: 40 µs");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_node_has_executions_on_each_device),
        cmocka_unit_test(details_refer_to_the_step),
        cmocka_unit_test(a_scope_sums_its_nodes),
        cmocka_unit_test(the_run_has_marks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
