/* test_profile_threads.c: the loaded ProfileProto and its reported error do not depend on the
 * number of threads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/sanitize.h"
#include "base/wire_out.h"
#include "fixtures/load_fixture.h"
#include "fixtures/load_with.h"
#include "fixtures/same_profile.h"
#include "model/profile_fields.h"

/* Large enough to be split between threads. */
enum { N_NODES = 20000, SHARED_FROM_BYTES = 4 << 20 };
#define NONE UINT32_MAX

/* Faults of a file, as numbers of nodes. */
struct faults {
    unsigned input, stack, times, last; /* `last`: after all other lists of the node */
    bool below_calls; /* no fault: a function body, with its nodes in reverse order */
};

static const struct faults no_fault = {NONE, NONE, NONE, NONE, false};

static void put_text(struct strbuf *sb, uint32_t field, const char *s)
{
    wire_bytes(sb, field, s, strlen(s));
}

/* An entry of a map of numbers. */
static void put_pair(struct strbuf *sb, uint32_t field, int64_t key, int64_t value)
{
    const size_t entry = wire_begin(sb, field);

    wire_int_always(sb, 1, key);
    wire_int_always(sb, 2, value);
    wire_end(sb, entry);
}

static int64_t id_of(unsigned node)
{
    return (int64_t)node + 3;
}

/* Every hundredth node has the name of the preceding one. */
static bool has_name_of_another(unsigned node)
{
    return node % 100 == 99;
}

static void put_name(struct strbuf *sb, unsigned node)
{
    char text[64];

    node -= has_name_of_another(node);
    snprintf(text, sizeof text, "scope_%u/some_layer/node_%u", node % 7, node);
    put_text(sb, 1, text);
}

static void put_graph(struct strbuf *sb, unsigned node, const struct faults *faults)
{
    const int64_t dims[] = {node % 50, -1, 1}, inputs[] = {0, OWN_CONTROL};
    const unsigned source = node * 31 % N_NODES;
    char text[64];
    size_t entry, part;

    put_pair(sb, 2, 0, id_of(source));
    put_pair(sb, 2, 1, node % 3 ? id_of(source + 1) : -5);
    put_pair(sb, 14, id_of(source), node % 4);
    if (node % 5 == 0)
        wire_packed(sb, OWN_NODE_INPUT, inputs, 2);
    if (node == faults->input)
        wire_bytes(sb, 2, "\x08", 1);
    wire_packed(sb, 4, dims + node % 3, 3 - node % 3);
    if (node % 6 == 2)
        wire_int(sb, OWN_NODE_SCALAR, SCALAR_SHAPE);
    for (unsigned k = 0; k < 1 + node % 2; k++) {
        entry = wire_begin(sb, 15);
        wire_int_always(sb, 1, k);
        part = wire_begin(sb, 2);
        wire_packed(sb, 1, dims, k + 1);
        wire_end(sb, part);
        wire_end(sb, entry);
    }
    snprintf(text, sizeof text, "Op%u", node % 80);
    put_text(sb, 9, text);
    put_text(sb, 5, text);
    put_text(sb, 5, node % 8 ? "mine" : "_trainable_variables");
}

static void put_stack(struct strbuf *sb, unsigned node, bool is_bad)
{
    const size_t stack = wire_begin(sb, 10);

    for (unsigned k = 0; k < 4; k++) {
        const size_t frame = wire_begin(sb, 1);

        wire_int(sb, 6, 1);
        wire_int(sb, 2, node % 777 + k);
        wire_int(sb, 7, 2 + k % 2);
        wire_end(sb, frame);
    }
    if (is_bad)
        wire_bytes(sb, 1, "\x0a", 1);
    wire_end(sb, stack);
}

static void put_times(struct strbuf *sb, uint32_t map, const char *device, unsigned node,
                      unsigned n_numbers)
{
    const int64_t numbers[] = {1500000000000000 + node, node % 1000, 7};
    const size_t entry = wire_begin(sb, map);
    size_t times, tuple;

    put_text(sb, 1, device);
    times = wire_begin(sb, 2);
    tuple = wire_begin(sb, 1);
    wire_packed(sb, 1, numbers, n_numbers);
    wire_end(sb, tuple);
    wire_end(sb, times);
    wire_end(sb, entry);
}

static void put_exec(struct strbuf *sb, unsigned node, int64_t step, bool is_bad)
{
    const size_t entry = wire_begin(sb, 12);
    size_t record, memory;
    char device[64];

    wire_int_always(sb, 1, step);
    record = wire_begin(sb, 2);
    wire_int(sb, 1, 1);
    wire_int(sb, 2, 1500000000000000 + node);
    wire_int(sb, 3, 1500000000000000 + node + 30);
    snprintf(device, sizeof device, "/gpu:%u/stream:all", node % 9);
    if (node % 3)
        put_times(sb, 4, device, node + 1, 3); /* three numbers instead of two, but replaced */
    put_times(sb, 4, "/gpu:0/stream:all", node, 2);
    put_times(sb, 4, device, node, 2);
    put_times(sb, 5, "/cpu:0", node, is_bad ? 1 : 2);
    put_text(sb, 6, device);
    memory = wire_begin(sb, 7);
    wire_int(sb, 1, 1500000000000000 + node);
    wire_int(sb, 7, node % 1000 * 4);
    put_pair(sb, 11, 0, 0);
    wire_end(sb, memory);
    wire_end(sb, record);
    wire_end(sb, entry);
}

static void put_run_output(struct strbuf *sb, unsigned node)
{
    const int64_t dims[] = {node % 30, 4};
    const size_t output = wire_begin(sb, OWN_NODE_RUN_OUTPUT);

    wire_int(sb, RUN_OUTPUT_SLOT, node % 4);
    wire_packed(sb, RUN_OUTPUT_DIMS, dims, node % 3);
    wire_int(sb, RUN_OUTPUT_HAS_SHAPE, node % 5 != 0);
    wire_end(sb, output);
}

static void put_node(struct strbuf *sb, unsigned node, const struct faults *faults)
{
    const size_t entry = wire_begin(sb, 1);
    size_t message;

    wire_int_always(sb, 1, id_of(node));
    message = wire_begin(sb, 2);
    put_name(sb, node);
    put_graph(sb, node, faults);
    put_text(sb, 6, node % 2 ? "/gpu:0" : "/gpu:1");
    put_text(sb, 7, "/cpu:0");
    wire_int(sb, 8, node * 3);
    wire_int(sb, OWN_NODE_STATE, node % STORED_STATES + 1);
    put_stack(sb, node, node == faults->stack);
    put_exec(sb, node, 5, node == faults->times);
    put_exec(sb, node, 2, false);
    put_run_output(sb, node);
    /* other fields of a duplicate node are not read */
    if (node == faults->last || has_name_of_another(node))
        wire_bytes(sb, OWN_NODE_RUN_OUTPUT, "\x12\x7f", 2);
    wire_end(sb, message);
    wire_end(sb, entry);
}

static void put_rest(struct strbuf *sb, const struct faults *faults)
{
    const int64_t steps[] = {2, 5};
    char text[16];

    wire_packed(sb, 3, steps, 2);
    for (unsigned id = 1; id <= 3; id++) {
        const size_t entry = wire_begin(sb, 4);

        wire_int(sb, 1, id);
        snprintf(text, sizeof text, "text %u", id);
        put_text(sb, 2, text);
        wire_end(sb, entry);
    }
    wire_int(sb, OWN_COUNT_RULES, 1);
    if (faults->below_calls) {
        const size_t site = wire_begin(sb, OWN_CALL_SITE);

        wire_int(sb, CALL_SITE_CALL, id_of(20) + 1);
        put_text(sb, CALL_SITE_FUNCTION, "body");
        wire_int(sb, CALL_SITE_FIRST, id_of(30));
        wire_int(sb, CALL_SITE_N_NODES, 40);
        wire_end(sb, site);
    }
}

/* Every fiftieth node is repeated at the end with another name; the repetition counts. */
static void write_profile(const struct faults *faults)
{
    struct strbuf sb = {0};

    for (unsigned i = 0; i < N_NODES; i++)
        put_node(&sb, faults->below_calls ? N_NODES - 1 - i : i, faults);
    for (unsigned i = 10; i < N_NODES; i += 50) {
        const size_t entry = wire_begin(&sb, 1);
        size_t message;

        wire_int_always(&sb, 1, id_of(i));
        message = wire_begin(&sb, 2);
        put_name(&sb, N_NODES + i);
        wire_end(&sb, message);
        wire_end(&sb, entry);
    }
    put_rest(&sb, faults);
    assert_true(sb.len > SHARED_FROM_BYTES);
    fixture_write("p.pb", sb.data, sb.len);
    sb_done(&sb);
}

/* With the address sanitizer one number of threads: it finds faults of memory, not differences. */
static void assert_same_for_all(const struct faults *faults)
{
    static const char *const numbers[] = {"8", "2", "16"};
    const size_t n_numbers = SANITIZE_ADDRESS ? 1 : 3;
    struct profile *one, *many;

    write_profile(faults);
    setenv("TFPROF_THREADS", "1", 1);
    one = fixture_load_profile("p.pb");
    /* one in fifty is replaced, one in a hundred is a duplicate name */
    assert_int_equal(one->n_nodes, N_NODES - N_NODES / 100);
    assert_int_equal(one->n_call_sites, faults->below_calls);
    assert_int_equal(one->n_stored_states, one->n_nodes);
    assert_in_range(one->exec_begin[one->n_nodes], N_NODES, 2 * N_NODES);
    for (size_t i = 0; i < n_numbers; i++) {
        setenv("TFPROF_THREADS", numbers[i], 1);
        many = fixture_load_profile("p.pb");
        assert_same_profile(one, many);
        assert_memory_equal(one->stored_state, many->stored_state, one->n_nodes);
        profile_free(many);
    }
    unsetenv("TFPROF_THREADS");
    profile_free(one);
}

static void nodes_are_the_same(void **state)
{
    (void)state;
    assert_same_for_all(&no_fault);
}

static void nodes_below_calls_are_the_same(void **state)
{
    struct faults faults = no_fault;

    (void)state;
    faults.below_calls = true;
    assert_same_for_all(&faults);
}

static void assert_told(const struct faults *faults, const char *why)
{
    static const char *const numbers[] = {"1", "2", "16"};

    write_profile(faults);
    for (size_t i = 0; i < 3; i++) {
        setenv("TFPROF_THREADS", numbers[i], 1);
        fixture_load_file("p.pb", why);
    }
    unsetenv("TFPROF_THREADS");
}

/* The first error in file order is reported, whichever thread finds one first; within a node, the
 * first in the order of its lists. */
static void faults_are_the_same(void **state)
{
    (void)state;
    assert_told(&(struct faults){.input = 7001, 7000, 7002, 7009, false},
                "p.pb: offset 3978532: frame of a call stack: truncated or overlong length");
    assert_told(&(struct faults){.input = 7000, 7000, 7000, 7000, false},
                "p.pb: offset 3978419: map entry: truncated or overlong number");
    assert_told(&(struct faults){NONE, 7000, 7000, 7000, false},
                "p.pb: offset 3978532: frame of a call stack: truncated or overlong length");
    assert_told(&(struct faults){NONE, NONE, 7000, NONE, false},
                "p.pb: offset 3978679: execution time is not a start and a duration");
    assert_told(&(struct faults){NONE, NONE, NONE, 7000, false},
                "p.pb: offset 3978935: output of a run: length runs past the end");
    assert_told(&(struct faults){NONE, NONE, NONE, 7099, false}, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_the_same),
        cmocka_unit_test(nodes_below_calls_are_the_same),
        cmocka_unit_test(faults_are_the_same),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
