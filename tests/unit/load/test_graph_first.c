/* test_graph_first.c: when a graph, or a part of a trace, is loaded before everything else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "model/recorder.h"

#define GRAPH "node { name: 'b' op: 'Var' } node { name: 'a' op: 'Neg' input: 'b' } node { name: 'c' }"

/* A run of one node, with N_MORE bytes of unknown fields. */
static void write_large_run(const char *name, size_t n_more)
{
    struct strbuf sb = {0};
    char *more = calloc(1, n_more);
    size_t steps = wire_begin(&sb, 1), device = wire_begin(&sb, 1), node;

    wire_string(&sb, 1, "/job:x/device:CPU:0", 19);
    node = wire_begin(&sb, 2);
    wire_string(&sb, 1, "late", 4);
    wire_end(&sb, node);
    wire_end(&sb, device);
    wire_end(&sb, steps);
    wire_bytes(&sb, 15, more, n_more);
    fixture_write(name, sb.data, sb.len);
    sb_done(&sb);
    free(more);
}

/* Loads the graph of g.pb before the run r.pb; NULL without an error when it is not loaded
 * first. */
static struct profile *graph_first(bool with_run)
{
    char *graph = strdup(fixture_path("g.pb")), *run = strdup(fixture_path("r.pb"));
    struct options options;
    const struct load_request request = {.options = &options};
    struct load_begun *begun;
    struct err err = {0};
    struct profile *p;

    set_options(&options, SETTINGS("graph_path", graph, "run_meta_path", with_run ? run : NULL));
    p = load_graph_first(&request, NULL, (struct cancel_mark){0}, &begun, &err);
    load_begun_free(begun);
    options_done(&options);
    assert_int_equal(err.kind, ERR_NONE);
    free(graph);
    free(run);
    return p;
}

static void nodes_keep_their_ids(void **state)
{
    struct profile *first, *all;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, GRAPH);
    write_large_run("r.pb", 6 << 20);
    first = graph_first(true);
    assert_non_null(first);
    assert_int_equal(first->n_nodes, 3);
    assert_int_equal(first->n_steps, 0);
    all = fixture_load("g.pb", NULL, "r.pb", NULL);
    assert_int_equal(all->n_nodes, 4);
    assert_int_equal(all->n_steps, 1);
    for (node_id node = 0; node < first->n_nodes; node++)
        assert_string_equal(profile_text(first, first->name[node]),
                            profile_text(all, all->name[node]));
    profile_free(first);
    profile_free(all);
}

static void only_large_inputs_are_loaded_after_the_graph(void **state)
{
    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, GRAPH);
    assert_null(graph_first(false));
    write_large_run("r.pb", 100000);
    assert_null(graph_first(true));
}

/* ---- parts of traces and captures */

/* Events before and after N_BLANKS blanks. */
static void write_trace(size_t n_blanks)
{
    struct strbuf sb = {0};

    sb_adds(&sb, "{\"traceEvents\":[{\"ph\":\"X\",\"name\":\"early\",\"ts\":1,\"dur\":2},\n"
                 "{\"ph\":\"B\",\"name\":\"open\",\"ts\":4}");
    sb_pad(&sb, ' ', n_blanks);
    sb_adds(&sb, ",{\"ph\":\"E\",\"ts\":8},{\"ph\":\"X\",\"name\":\"late\",\"ts\":9,\"dur\":2}]}");
    fixture_write("t.json", sb.data, sb.len);
    sb_done(&sb);
}

/* An event of 1 ms of kind ID. */
static void add_event(struct strbuf *sb, int64_t id)
{
    const size_t event = wire_begin(sb, 4);

    wire_int(sb, 1, id);
    wire_int(sb, 2, id * 2000000000);
    wire_int(sb, 3, 1000000000);
    wire_end(sb, event);
}

static void add_kind(struct strbuf *sb, int64_t id, const char *name)
{
    const size_t entry = wire_begin(sb, 4);
    size_t value;

    wire_int(sb, 1, id);
    value = wire_begin(sb, 2);
    wire_string(sb, 2, name, strlen(name));
    wire_end(sb, value);
    wire_end(sb, entry);
}

/* Events before and after N_UNKNOWN bytes of an unknown field. */
static void write_capture(size_t n_unknown)
{
    struct strbuf sb = {0};
    char *unknown = calloc(1, n_unknown);
    const size_t plane = wire_begin(&sb, 1);
    size_t line;

    wire_string(&sb, 2, "/host:CPU", 9);
    line = wire_begin(&sb, 3);
    wire_int(&sb, 1, 1);
    add_event(&sb, 1);
    wire_bytes(&sb, 15, unknown, n_unknown);
    add_event(&sb, 2);
    wire_end(&sb, line);
    add_kind(&sb, 1, "early:Add");
    add_kind(&sb, 2, "late:Mul");
    wire_end(&sb, plane);
    fixture_write("h.xplane.pb", sb.data, sb.len);
    sb_done(&sb);
    free(unknown);
}

/* Returns the first part of the file NAME, and all of it in *ALL. */
static struct profile *part_first(const char *name, struct profile **all)
{
    const char *const file = fixture_path(name);
    struct options options;
    const struct load_request request = {.options = &options, .files = &file, .n_files = 1};
    struct load_begun *begun;
    struct err err = {0};
    struct profile *first;

    options_init(&options);
    first = load_graph_first(&request, NULL, (struct cancel_mark){0}, &begun, &err);
    assert_int_equal(err.kind, ERR_NONE);
    *all = load_rest(begun, &request, NULL, (struct cancel_mark){0}, &err);
    assert_non_null(*all);
    options_done(&options);
    return first;
}

static void a_part_of_a_large_trace_is_loaded_first(void **state)
{
    struct profile *first, *all;

    (void)state;
    write_trace(52 << 20);
    first = part_first("t.json", &all);
    assert_non_null(first);
    assert_int_equal(first->recorders[0].n_events, 2);
    assert_int_equal(first->recorders[0].repairs[REPAIR_TRUNCATED], 0);
    assert_int_equal(all->recorders[0].n_events, 4);
    assert_int_equal(all->notes.n, 0);
    profile_free(first);
    profile_free(all);
    write_trace(1000);
    assert_null(part_first("t.json", &all));
    profile_free(all);
}

static void a_part_of_a_large_capture_is_loaded_first(void **state)
{
    struct profile *first, *all;

    (void)state;
    write_capture(52 << 20);
    first = part_first("h.xplane.pb", &all);
    assert_non_null(first);
    assert_int_equal(first->n_nodes, 1);
    assert_string_equal(profile_text(first, first->name[0]), "early");
    assert_int_equal(all->n_nodes, 2);
    profile_free(first);
    profile_free(all);
    write_capture(1000);
    assert_null(part_first("h.xplane.pb", &all));
    profile_free(all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_keep_their_ids),
        cmocka_unit_test(only_large_inputs_are_loaded_after_the_graph),
        cmocka_unit_test(a_part_of_a_large_trace_is_loaded_first),
        cmocka_unit_test(a_part_of_a_large_capture_is_loaded_first),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
