/* test_load.c: profiles loaded from graphs, runs, logs and profiles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/wire_out.h"
#include "fixtures/load_fixture.h"

static const struct shape *shape_of(const struct profile *p, shape_id id)
{
    return &p->shapes[id];
}

static void assert_shape(const struct profile *p, shape_id id, const char *wanted)
{
    char text[128] = "";

    for (uint32_t i = 0; i < shape_of(p, id)->n_dims; i++) {
        size_t len = strlen(text);

        snprintf(text + len, sizeof text - len, "%s%lld", i ? "x" : "",
                 (long long)shape_of(p, id)->dims[i]);
    }
    assert_string_equal(text, wanted);
}

/* ---- GraphDef */

#define GRAPH                                                                               \
    "node { name: 'a' op: 'Var' attr { key: 'shape' value { shape {"                        \
    "  dim { size: 3 } dim { size: -1 } dim { } } } }"                                      \
    "  attr { key: '_output_shapes' value { list {"                                         \
    "    shape { } shape { unknown_rank: true } shape { dim { size: 7 } } } } } }"          \
    "node { name: 'b' op: 'Add' input: 'a' input: 'a:2' input: '^a' input: 'gone:1' }"      \
    "node { name: 'a' op: 'Other' input: 'x:y:z' }"                                         \
    "node { name: 'c' op: 'Add' input: 'a:2' input: '^b:3' input: 'a:+1' input: '-n:-5' }"  \
    "node { name: '' op: 'NoName' input: '' }"                                              \
    "library { function { } } versions { producer: 24 }"

static void check_graph(struct profile *p)
{
    node_id a = fixture_node(p, "a"), b = fixture_node(p, "b"), c = fixture_node(p, "c");
    const struct node_input *in = p->inputs + p->input_begin[b];

    assert_int_equal(p->n_nodes, 4);
    assert_string_equal(profile_text(p, p->op[a]), "Var");
    assert_shape(p, p->shape[a], "3x-1x0");
    assert_int_equal(profile_output_shape(p, a, 0), SHAPE_SCALAR);
    assert_shape(p, profile_output_shape(p, a, 0), "1");
    assert_int_equal(profile_output_shape(p, a, 1), SHAPE_UNKNOWN);
    assert_shape(p, profile_output_shape(p, a, 2), "7");
    assert_int_equal(profile_output_shape(p, a, 3), SHAPE_UNKNOWN);
    assert_int_equal(p->input_begin[b + 1] - p->input_begin[b], 4);
    /* The control input is the last input of `a`: index 0 for all three. */
    assert_int_equal(in[0].output_index, 0);
    assert_int_equal(in[1].output_index, 0);
    assert_int_equal(in[1].own_index, 2);
    assert_int_equal(in[2].own_index, INPUT_CONTROL);
    assert_int_equal(in[2].source, a);
    assert_int_equal(in[3].source, NODE_NONE);
    assert_string_equal(profile_text(p, profile_input_name(p, p->input_begin[b] + 3)), "gone");
    assert_int_equal(in[3].output_index, 1);
    in = p->inputs + p->input_begin[c];
    assert_int_equal(in[0].output_index, 1);
    assert_int_equal(in[1].source, b);
    assert_int_equal(in[1].output_index, 3);
    assert_int_equal(in[2].output_index, 1);
    assert_string_equal(profile_text(p, profile_input_name(p, p->input_begin[c] + 3)), "-n");
    assert_int_equal(in[3].output_index, -5);
    assert_int_equal(p->inputs[p->input_begin[fixture_node(p, "")]].source, fixture_node(p, ""));
    assert_string_equal(fixture_types(p, "b"), "Add");
    profile_free(p);
}

static void test_graph_binary_and_text(void **state)
{
    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, GRAPH);
    fixture_write("g.pbtxt", GRAPH, strlen(GRAPH));
    check_graph(fixture_load("g.pb", NULL, NULL, NULL));
    check_graph(fixture_load("g.pbtxt", NULL, NULL, NULL));
}

static void test_graph_by_name(void **state)
{
    struct profile *p;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH,
                   "node { name: 'b' op: 'o' } node { name: 'a/b' op: 'o' }"
                   "node { name: 'a' op: 'o' } node { name: 'a\\000' op: 'o' }"
                   "node { name: 'B' op: 'o' } node { name: '' op: 'o' }");
    p = fixture_load("g.pb", NULL, NULL, NULL);
    assert_int_equal(p->n_nodes, 6);
    for (uint32_t i = 1; i < p->n_nodes; i++)
        assert_true(intern_compare(&p->strings, p->name[p->by_name[i - 1]],
                                   p->name[p->by_name[i]]) < 0);
    assert_int_equal(profile_find(p, "a\0", 2), 3);
    assert_int_equal(profile_find(p, "a", 1), 2);
    assert_int_equal(profile_find(p, "o", 1), NODE_NONE);
    profile_free(p);
}

static void test_bad_inputs(void **state)
{
    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, "node { name: 'x' op: 'o' input: 'a:x' }");
    fixture_load_file("g.pb", "g.pb: offset 10: node 'x': input 'a:x' is not NAME:NUMBER");
    fixture_write("g.pbtxt", "node { name: 'x'\n  op: 'o' input: 'a:' }", 40);
    fixture_load_file("g.pbtxt", "g.pbtxt:1:7: node 'x': input 'a:' is not NAME:NUMBER");
    fixture_binary("g.pb", FORMAT_GRAPH, "node { name: 'x' op: 'o' input: 'a:2147483648' }");
    fixture_load_file("g.pb", "g.pb: offset 10: node 'x': input 'a:2147483648' is not NAME:NUMBER");
    fixture_binary("g.pb", FORMAT_GRAPH, "node { name: 'x' op: 'o' input: 'a:-2147483648' }");
    fixture_load_file("g.pb", NULL);
}

/* ---- RunMetadata */

#define CPU "/job:x/device:CPU:0"
#define CPU_LOWER "/job:x/device:cpu:0"

static const char run_graph[] = "node { name: 'a' op: 'A' } node { name: 'b' op: 'B' }";

static void test_run_times(void **state)
{
    struct exec_lists lists = {0};
    struct exec e;
    struct profile *p;
    node_id a;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, run_graph);
    fixture_binary("r.pb", FORMAT_RUN_META,
                   "step_stats { dev_stats { device: '" CPU "'"
                   "  node_stats { node_name: 'a:A' all_start_micros: 100 op_end_rel_micros: 7 }"
                   "  node_stats { node_name: 'a' all_start_micros: 90 }"
                   "  node_stats { node_name: 'a' op_end_rel_micros: 1000 }"
                   "  node_stats { node_name: 'new' all_start_micros: 5 op_end_rel_micros: -2 }"
                   "  node_stats { node_name: 'RecvTensor' } node_stats { node_name: '_SOURCE' }"
                   "  node_stats { node_name: 'xMEMCPYx' all_start_micros: 1 } }"
                   "dev_stats { device: '/device:GPU:0/stream:all'"
                   "  node_stats { node_name: 'a:A' all_start_micros: 200 op_end_rel_micros: 9 } }"
                   "dev_stats { device: '/job:x/device:CPU:1'"
                   "  node_stats { node_name: 'a' all_start_micros: 1 op_end_rel_micros: 9 } } }");
    p = fixture_load("g.pb", NULL, "r.pb", NULL);
    assert_int_equal(p->n_nodes, 3);
    a = fixture_node(p, "a");
    assert_string_equal(profile_text(p, p->device[a]), CPU_LOWER);
    assert_string_equal(profile_text(p, p->host_device[a]), CPU_LOWER);
    assert_string_equal(fixture_types(p, "a"), CPU_LOWER "|A");
    assert_string_equal(fixture_types(p, "new"), CPU_LOWER "|new");
    assert_true(profile_exec(p, a, 0, &e));
    assert_int_equal(e.run_count, 2);
    assert_int_equal(e.cpu_ps, 8 * PS_PER_US); /* 0 counts as 1 */
    assert_int_equal(e.accelerator_ps, 9 * PS_PER_US);
    assert_int_equal(e.start_ticks, 90);
    assert_int_equal(e.latest_end_ticks, 209);
    profile_exec_lists(p, &e, &lists);
    assert_int_equal(lists.times.n, 3);
    assert_true(lists.times.data[2].accelerator);
    assert_int_equal(lists.devices.n, 2);
    assert_true(profile_exec(p, fixture_node(p, "new"), 0, &e));
    assert_int_equal(e.cpu_ps, -2 * PS_PER_US);
    assert_int_equal(e.latest_end_ticks, 3);
    assert_false(profile_ran(p, fixture_node(p, "b")));
    assert_int_equal(p->n_steps, 1);
    assert_true(p->has_runtime);
    assert_false(p->misses_accelerator_stream);
    assert_true(fixture_has_note(p, "33.33% of the nodes")); /* `new` does not count */
    exec_lists_done(&lists);
    profile_free(p);
}

static void test_run_memory(void **state)
{
    struct exec_lists lists = {0};
    struct exec e;
    const struct exec_memory *m;
    struct profile *p;
    node_id b;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, run_graph);
    fixture_binary(
        "r.pb", FORMAT_RUN_META,
        "step_stats { dev_stats { device: '/job:x/device:GPU:3'"
        "  node_stats { node_name: 'b' all_start_micros: 50 op_end_rel_micros: 5"
        "    memory { allocator_name: 'GPU_0_bfc' total_bytes: 10 peak_bytes: 20 live_bytes: 3"
        "      allocator_bytes_in_use: 77 allocation_records { alloc_micros: 4 alloc_bytes: -6 } }"
        "    memory { allocator_name: 'cpu' total_bytes: 100 allocator_bytes_in_use: 999 }"
        "    output { slot: 1 tensor_description { shape { dim { size: 2 } }"
        "      allocation_description { requested_bytes: 8 allocated_bytes: 64 ptr: 5 } } }"
        "    output { slot: 0 tensor_description {"
        "      allocation_description { requested_bytes: 9 } } }"
        "    output { slot: 2 }"
        "    memory_stats { temp_memory_size: 1000 persistent_memory_size: 10000 } } } }");
    p = fixture_load("g.pb", NULL, "r.pb", NULL);
    b = fixture_node(p, "b");
    assert_true(profile_exec(p, b, 0, &e));
    assert_int_equal(e.requested_bytes, 11110);
    assert_int_equal(e.peak_bytes, 11020);
    assert_int_equal(e.residual_bytes, 10003);
    assert_int_equal(e.output_bytes, 73);
    profile_exec_lists(p, &e, &lists);
    m = &lists.memories.data[0];
    assert_int_equal(m->memory_ticks, 55);
    assert_int_equal(m->accelerator_temp_bytes, 1000);
    assert_int_equal(m->accelerator_persistent_bytes, 10000);
    assert_int_equal(m->host_temp_bytes, 0);
    assert_int_equal(m->allocator_bytes_in_use, 77);
    assert_int_equal(m->n_outputs, 2);
    assert_int_equal(lists.buffers.data[0].bytes, 9);
    assert_int_equal(lists.buffers.data[1].ptr, 5);
    assert_int_equal(lists.allocations.n, 1);
    assert_int_equal(lists.allocations.data[0].bytes, -6);
    assert_string_equal(profile_text(p, p->host_device[b]), "/job:x/device:cpu:0");
    assert_true(profile_on_accelerator(p, b));
    assert_true(p->misses_accelerator_stream);
    assert_true(fixture_has_note(p, "no device is a stream:all"));
    assert_int_equal(p->run_output_begin[b + 1] - p->run_output_begin[b], 3);
    assert_shape(p, p->run_outputs[p->run_output_begin[b]].shape, "2");
    assert_int_equal(p->run_outputs[p->run_output_begin[b] + 2].shape, SHAPE_UNKNOWN);
    exec_lists_done(&lists);
    profile_free(p);
}

static void test_run_steps(void **state)
{
    struct exec e;
    struct profile *p;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, run_graph);
    fixture_binary("empty.pb", FORMAT_RUN_META, "");
    fixture_binary("r.pb", FORMAT_RUN_META,
                   "step_stats { dev_stats { device: '" CPU "'"
                   "  node_stats { node_name: 'a' all_start_micros: 1 } } }");
    p = fixture_load("g.pb", NULL, "empty.pb", "r.pb");
    assert_int_equal(p->n_steps, 1);
    assert_int_equal(p->steps[0], 1);
    assert_false(profile_has_step(p, 0));
    assert_true(profile_has_step(p, 1));
    assert_false(profile_exec(p, fixture_node(p, "a"), 0, &e));
    assert_true(fixture_has_note(p, "invalid, has no step statistics"));
    profile_free(p);
}

static void test_saturation(void **state)
{
    struct exec e;
    struct profile *p;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, run_graph);
    fixture_binary("r.pb", FORMAT_RUN_META,
                   "step_stats { dev_stats { device: '" CPU "'"
                   "  node_stats { node_name: 'b' all_start_micros: 9223372036854775807"
                   "    op_end_rel_micros: 9223372036854775807"
                   "    memory { total_bytes: 9223372036854775807 } memory { total_bytes: 1 } }"
                   "  node_stats { node_name: 'b' all_start_micros: 1 op_end_rel_micros: 5 } } }");
    p = fixture_load("g.pb", NULL, "r.pb", NULL);
    assert_true(profile_exec(p, fixture_node(p, "b"), 0, &e));
    assert_true(e.cpu_ps == INT64_MAX);
    assert_true(e.requested_bytes == INT64_MAX);
    assert_true(e.latest_end_ticks == INT64_MAX);
    assert_true(fixture_has_note(p, "node 'b': a sum of its figures is saturated at the "
                                    "64-bit limit"));
    profile_free(p);
}

/* ---- OpLogProto */

static void test_op_log(void **state)
{
    frame_list stack = {0};
    struct profile *p;

    (void)state;
    fixture_binary("g.pb", FORMAT_GRAPH, run_graph);
    /* The strings follow the entries; of duplicate ids the last one counts. */
    fixture_binary("l.pb", FORMAT_OP_LOG,
                   "log_entries { name: 'a' float_ops: 7 types: 'z' types: 'A' types: 'b'"
                   "  code_def { traces { file_id: 1 lineno: 12 function_id: 2 line_id: 99 }"
                   "    traces { file: 'inline.py' function_id: 2 lineno: -1 func_start_line: 3 } } }"
                   "log_entries { name: 'a' float_ops: 0 types: 'y'"
                   "  code_def { traces { file_id: 2 } } }"
                   "log_entries { name: 'a' float_ops: 9 }"
                   "log_entries { name: 'b' code_def { } }"
                   "log_entries { name: 'unknown' float_ops: 1 }"
                   "id_to_string { key: 1 value: 'old' } id_to_string { key: 2 value: 'f' }"
                   "id_to_string { key: 1 value: 'new' }");
    p = fixture_load("g.pb", "l.pb", NULL, NULL);
    assert_int_equal(p->n_nodes, 2);
    assert_string_equal(fixture_types(p, "a"), "A|b|y|z");
    assert_int_equal(p->static_float_ops[0], 9);
    assert_true(p->has_stacks);
    stack_frames(&p->call_stacks, profile_stack(p, p->stack[0]), &stack);
    assert_int_equal(stack.n, 2);
    assert_string_equal(profile_text(p, stack.data[0]->file), "new");
    assert_string_equal(profile_text(p, stack.data[0]->function), "f");
    assert_string_equal(profile_text(p, stack.data[0]->text), "");
    assert_int_equal(stack.data[0]->lineno, 12);
    assert_string_equal(profile_text(p, stack.data[1]->file), "inline.py");
    assert_int_equal(stack.data[1]->lineno, -1);
    assert_int_equal(stack.data[1]->func_start_line, 3);
    vec_done(&stack);
    assert_int_not_equal(p->stack[1], STACK_NONE);
    assert_int_equal(profile_stack(p, p->stack[1])->n_frames, 0);
    profile_free(p);
}

/* ---- ProfileProto */

static void test_profile(void **state)
{
    struct exec_lists lists = {0};
    struct exec e;
    const struct node_input *in;
    struct profile *p;

    (void)state;
    fixture_binary(
        "p.pb", FORMAT_PROFILE,
        "nodes { key: 5 value { name: 'sum' op: 'Add' id: 5 inputs { key: 1 value: 9 }"
        "  inputs { key: 0 value: 3 } inputs { key: 2 value: 77 } op_types: 'Add' op_types: 'x'"
        "  src_output_index { key: 9 value: 4 } canonical_device: '/d:cpu:0' host_device: 'h'"
        "  float_ops: 11 trace { traces { file_id: 3 lineno: 8 } }"
        "  execs { key: 20 value { run_count: 2 all_start_micros: 5 latest_end_micros: 50"
        "    cpu_execs { key: '/d:cpu:0' value { times { int64_values: 5 int64_values: 6 }"
        "      times { int64_values: 40 int64_values: 10 } } }"
        "    accelerator_execs { key: 's' value { times { int64_values: 6 int64_values: 1 } } }"
        "    memory_execs { memory_micros: 9 requested_bytes: 100 peak_bytes: 90"
        "      residual_bytes: 80 output_bytes: 70"
        "      output_memory { key: 1 value { bytes: 70 ptr: 3 } } }"
        "    memory_execs { requested_bytes: 1 }"
        "    allocations { alloc_micros: 7 alloc_bytes: 8 } devices: 'b' devices: 'a' devices: 'b' } }"
        "  execs { key: 10 value { run_count: 1 } } } }"
        "nodes { key: 3 value { name: 'v' op: 'Var' id: 3 shape: 2 shape: 5"
        "  output_shapes { key: 0 value { int64_values: 2 int64_values: 5 } } } }"
        "nodes { key: 9 value { name: 'w' op: 'Var' id: 9 shape: 1 } }"
        "steps: 20 steps: 10 has_trace: true id_to_string { key: 3 value: 'file.py' }");
    p = fixture_load_profile("p.pb");
    assert_int_equal(p->n_nodes, 3);
    assert_int_equal(p->n_steps, 2);
    assert_int_equal(p->steps[0], 10);
    assert_true(p->has_stacks && p->has_runtime);
    in = p->inputs + p->input_begin[0];
    assert_int_equal(p->input_begin[1] - p->input_begin[0], 2); /* node 77 does not exist */
    assert_int_equal(in[0].source, fixture_node(p, "v"));
    assert_int_equal(in[1].source, fixture_node(p, "w"));
    assert_int_equal(in[1].output_index, 4);
    assert_string_equal(fixture_types(p, "sum"), "Add|x");
    assert_string_equal(fixture_types(p, "v"), ""); /* as stored */
    assert_int_equal(p->static_float_ops[0], 11);
    assert_string_equal(profile_text(
        p, stack_frame(&p->call_stacks, profile_stack(p, p->stack[0])->leaf)->file), "file.py");
    assert_shape(p, p->shape[fixture_node(p, "v")], "2x5");
    assert_shape(p, profile_input_shape(p, &in[0]), "2x5");
    assert_int_equal(p->exec_begin[1] - p->exec_begin[0], 2);
    assert_true(profile_exec(p, 0, 10, &e));
    assert_true(profile_exec(p, 0, 20, &e));
    assert_int_equal(e.run_count, 2);
    assert_int_equal(e.cpu_ps, 16 * PS_PER_US);
    assert_int_equal(e.accelerator_ps, 1 * PS_PER_US);
    assert_int_equal(e.latest_end_ticks, 50);
    assert_int_equal(e.requested_bytes, 101);
    profile_exec_lists(p, &e, &lists);
    assert_int_equal(lists.memories.n, 2);
    assert_int_equal(lists.buffers.data[0].bytes, 70);
    assert_int_equal(lists.allocations.n, 1);
    assert_int_equal(lists.devices.n, 2);
    assert_string_equal(profile_text(p, lists.devices.data[0]), "a");
    exec_lists_done(&lists);
    profile_free(p);
}

/* The layout of release 1.4: fields 7 to 16 are numbers. */
static void test_flat_profile(void **state)
{
    struct strbuf sb = {0};
    struct exec_lists lists = {0};
    struct exec e;
    struct profile *p;
    size_t nodes = wire_begin(&sb, 1), node, execs, exec;

    (void)state;
    wire_int(&sb, 1, 4);
    node = wire_begin(&sb, 2);
    wire_bytes(&sb, 1, "n", 1);
    wire_bytes(&sb, 9, "Op", 2);
    execs = wire_begin(&sb, 12);
    wire_int(&sb, 1, 2);
    exec = wire_begin(&sb, 2);
    for (uint32_t field = 7; field <= 15; field++)
        wire_int(&sb, field, field * 100);
    wire_int(&sb, 16, 1);
    wire_end(&sb, exec);
    wire_end(&sb, execs);
    wire_end(&sb, node);
    wire_end(&sb, nodes);
    wire_int(&sb, 3, 2); /* steps, not packed */
    fixture_write("p.pb", sb.data, sb.len);
    sb_done(&sb);
    p = fixture_load_profile("p.pb");
    assert_true(profile_exec(p, 0, 2, &e));
    assert_int_equal(e.requested_bytes, 700);
    assert_int_equal(e.output_bytes, 1000);
    profile_exec_lists(p, &e, &lists);
    assert_int_equal(lists.memories.data[0].host_temp_bytes, 1100);
    assert_int_equal(lists.memories.data[0].allocator_bytes_in_use, 1500);
    assert_true(profile_has_step(p, 2));
    exec_lists_done(&lists);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph_binary_and_text),
        cmocka_unit_test(test_graph_by_name),
        cmocka_unit_test(test_bad_inputs),
        cmocka_unit_test(test_run_times),
        cmocka_unit_test(test_run_memory),
        cmocka_unit_test(test_run_steps),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_op_log),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_flat_profile),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
