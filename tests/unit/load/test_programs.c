/* test_programs.c: compiled programs as graphs: nodes, inputs, shapes, figures, counts, labels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/hlo_text.h"
#include "fixtures/load_fixture.h"
#include "flops/flops.h"
#include "load/graph/attrs.h"
#include "load/load.h"
#include "model/memory_log.h"
#include "model/metric.h"

static const char train[] =
    "HloModule jit_train\n"
    "fused { p = f32[8,16] parameter(0)\n ROOT r = f32[8,16] tanh(p) }\n"
    "body { c = (s32[], f32[8,16]) parameter(0)\n"
    " x = f32[8,16] get-tuple-element(c), index=1\n"
    " i = s32[] get-tuple-element(c), index=0\n"
    " y = f32[8,16] add(x, x), metadata={op_name=\"jit(train)/while/body/add\"}\n"
    " ROOT t = (s32[], f32[8,16]) tuple(i, y) }\n"
    "cond { q = (s32[], f32[8,16]) parameter(0)\n ROOT less = pred[] constant(0) }\n"
    "ENTRY main { w = f32[32,16] parameter(0), metadata={op_name=\"w\"}\n"
    " data = f32[8,32] parameter(1)\n"
    " n = s32[] constant(0)\n"
    " d = f32[8,16] dot(data, w), lhs_contracting_dims={1}, rhs_contracting_dims={0}, "
    "metadata={op_name=\"jit(train)/jit(main)/layer/dot_general\" stack_frame_id=2}\n"
    " f = f32[8,16] fusion(d), kind=kLoop, calls=fused, metadata={op_name=\"jit(train)/layer/tanh\" "
    "source_file=\"net.py\" source_line=7}\n"
    " u = f32[8,16] custom-call(f), custom_call_target=\"my_kernel\", control-predecessors={d}\n"
    " s = (s32[], f32[8,16]) tuple(n, u)\n"
    " ROOT loop = (s32[], f32[8,16]) while(s), condition=cond, body=body }\n"
    "file \"train.py\" function \"main\" function \"step\"\n"
    "location 1 1 40 1 location 1 2 12 5 frame 1 0 frame 2 1\n"
    "buffer 1 2048 0 w buffer 2 512 0 d buffer 3 512 0 f\n"
    "allocation 2048 0 parameter : 1\n"
    "trace\nalloc 2\nalloc 3\nfree 2\n";

/* Writes the text message TEXT to the file NAME in its wire form. */
static void write_program(const char *name, const char *text)
{
    struct strbuf bytes = {0};

    hlo_text_proto(&bytes, text);
    fixture_write(name, sb_text(&bytes), bytes.len);
    sb_done(&bytes);
}

static struct profile *load_files(const char *const *files, size_t n)
{
    struct options options;
    const struct load_request request = {.options = &options, .files = files, .n_files = n};
    struct err err = {0};
    struct profile *p;

    options_init(&options);
    p = load_profile(&request, NULL, (struct cancel_mark){NULL, 0}, &err);
    options_done(&options);
    if (!p)
        fail_msg("%s", err_text(&err));
    return p;
}

static struct profile *load_program(const char *text)
{
    const char *path;

    write_program("program.hlo.pb", text);
    path = fixture_path("program.hlo.pb");
    return load_files(&path, 1);
}

static void instructions_that_run_are_nodes(void **state)
{
    struct profile *p = load_program(train);
    const node_id dot = fixture_node(p, "jit_train/layer/dot_general/d");

    (void)state;
    assert_int_equal(p->n_nodes, 15);
    assert_string_equal(profile_text(p, p->op[dot]), "dot");
    assert_string_equal(fixture_types(p, "jit_train/layer/dot_general/d"), "dot|dot_general");
    assert_string_equal(fixture_types(p, "jit_train/layer/tanh/f"), "fusion|loop fusion|tanh");
    assert_string_equal(fixture_types(p, "jit_train/u"), "custom-call|my_kernel");
    assert_string_equal(fixture_types(p, "jit_train/w/w"), "_entry_parameter|parameter");
    assert_string_equal(fixture_types(p, "jit_train/c"), "parameter");
    assert_string_equal(fixture_types(p, "jit_train/while/body/add/y"),
                        "add|non-fusion elementwise");
    /* Fused instructions are not nodes. */
    assert_int_equal(profile_find(p, "jit_train/p", 11), NODE_NONE);
    profile_free(p);
}

/* The names of the inputs of NODE as "a|b", control inputs as "^a". */
static const char *inputs_of(const struct profile *p, const char *name, struct strbuf *sb)
{
    const node_id node = fixture_node(p, name);

    sb_clear(sb);
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++)
        sb_addf(sb, "%s%s%s", i > p->input_begin[node] ? "|" : "",
                p->inputs[i].own_index == INPUT_CONTROL ? "^" : "",
                profile_text(p, profile_input_name(p, i)) + strlen("jit_train/"));
    return sb_text(sb);
}

static void operands_are_inputs(void **state)
{
    struct profile *p = load_program(train);
    struct strbuf sb = {0};

    (void)state;
    assert_string_equal(inputs_of(p, "jit_train/layer/dot_general/d", &sb), "data|w/w");
    assert_string_equal(inputs_of(p, "jit_train/u", &sb),
                        "layer/tanh/f|^layer/dot_general/d");
    /* A loop reads the results of its body and its condition. */
    assert_string_equal(inputs_of(p, "jit_train/loop", &sb), "s|t|less");
    assert_string_equal(inputs_of(p, "jit_train/c", &sb), "");
    sb_done(&sb);
    profile_free(p);
}

static void arrays_of_a_shape_are_outputs(void **state)
{
    struct profile *p = load_program(train);
    const node_id loop = fixture_node(p, "jit_train/loop");
    const struct shape *shape = &p->shapes[profile_output_shape(p, loop, 1)];

    (void)state;
    assert_int_equal(profile_output_shape(p, loop, 0), SHAPE_SCALAR);
    assert_int_equal(shape->n_dims, 2);
    assert_int_equal(shape->dims[0], 8);
    assert_int_equal(shape->dims[1], 16);
    profile_free(p);
}

static void stacks_are_those_of_the_file(void **state)
{
    struct profile *p = load_program(train);
    frame_list frames = {0};

    (void)state;
    assert_true(p->has_stacks);
    stack_frames(&p->call_stacks,
                 profile_stack(p, p->stack[fixture_node(p, "jit_train/layer/dot_general/d")]), &frames);
    assert_int_equal(frames.n, 2);
    assert_string_equal(profile_text(p, frames.data[0]->function), "main");
    assert_int_equal(frames.data[1]->lineno, 12);
    stack_frames(&p->call_stacks,
                 profile_stack(p, p->stack[fixture_node(p, "jit_train/layer/tanh/f")]), &frames);
    assert_int_equal(frames.n, 1);
    assert_string_equal(profile_text(p, frames.data[0]->file), "net.py");
    vec_done(&frames);
    assert_int_equal(p->stack[fixture_node(p, "jit_train/u")], STACK_NONE);
    profile_free(p);
}

static int64_t figure(const struct profile *p, enum metric_id metric, const char *name)
{
    const struct figures figures = {.profile = p,
                                    .static_float_ops = p->static_float_ops,
                                    .rank = RANK_AVERAGE,
                                    .step = STEP_AVERAGE};
    bool saturated = false;

    return metric_self(&figures, metric, fixture_node(p, name), &saturated);
}

static void figures_equal_those_of_one_run(void **state)
{
    struct profile *p = load_program(train);

    (void)state;
    assert_int_equal(figure(p, METRIC_FLOAT_OPS, "jit_train/layer/dot_general/d"), 2 * 8 * 16 * 32);
    assert_int_equal(figure(p, METRIC_BYTES_ACCESSED, "jit_train/layer/dot_general/d"),
                     4 * (8 * 16 + 8 * 32 + 32 * 16));
    assert_int_equal(figure(p, METRIC_OUTPUT_BYTES, "jit_train/layer/dot_general/d"), 512);
    assert_int_equal(figure(p, METRIC_BYTES, "jit_train/layer/dot_general/d"), 512);
    assert_int_equal(figure(p, METRIC_OUTPUT_BYTES, "jit_train/loop"), 0);
    assert_int_equal(figure(p, METRIC_PARAMS, "jit_train/w/w"), 512);
    assert_int_equal(figure(p, METRIC_PARAMS, "jit_train/c"), 0);
    assert_int_equal(figure(p, METRIC_PEAK_BYTES, "jit_train/w/w"), 2048);
    assert_int_equal(figure(p, METRIC_PEAK_BYTES, "jit_train/layer/dot_general/d"), 512);
    assert_int_equal(figure(p, METRIC_OCCURRENCE, "jit_train/u"), 0);
    profile_free(p);
}

/* ---- counts */

static struct flops *count(const struct profile *p, struct flops_request request)
{
    struct err err = {0};
    struct flops *f;

    request.attrs = &attrs_source;
    f = flops_compute(p, &request, (struct cancel_mark){NULL, 0}, &err);
    assert_non_null(f);
    return f;
}

static void expect_formula(const struct profile *p, const struct flops *f, const char *name,
                           const char *wanted)
{
    struct strbuf text = {0};

    flops_explain(f, fixture_node(p, name), &text);
    assert_string_equal(sb_text(&text), wanted);
    sb_done(&text);
}

static void counts_have_their_formula(void **state)
{
    struct profile *p = load_program(train);
    struct flops *f = count(p, (struct flops_request){.rules = FLOPS_RULES_LOG});
    struct strbuf line = {0};

    (void)state;
    expect_formula(p, f, "jit_train/layer/dot_general/d", "2 * 8x16 * 32 = 8192");
    expect_formula(p, f, "jit_train/layer/tanh/f",
                   "0; and 128 transcendental functions, which -flops full counts");
    expect_formula(p, f, "jit_train/while/body/add/y",
                   "8x16 = 128 per iteration: the number of iterations is not known");
    expect_formula(p, f, "jit_train/u", "not known: no rule for my_kernel");
    expect_formula(p, f, "jit_train/n", "computes nothing");
    flops_coverage(f, &line);
    assert_string_equal(sb_text(&line), "counted 2 of 3 compute ops; 1 of them per iteration of a "
                                        "loop; 1 without a rule: my_kernel");
    assert_int_equal(f->state[fixture_node(p, "jit_train/u")], FLOPS_NO_RULE);
    assert_int_equal(f->state[fixture_node(p, "jit_train/n")], FLOPS_NO_COMPUTE);
    sb_done(&line);
    flops_free(f);
    profile_free(p);
}

static void full_counts_weigh_functions(void **state)
{
    struct profile *p = load_program(train);
    struct flops *f = count(p, (struct flops_request){.rules = FLOPS_RULES_FULL,
                                                      .transcendental = 10});

    (void)state;
    assert_int_equal(f->count[fixture_node(p, "jit_train/layer/tanh/f")], 1280);
    expect_formula(p, f, "jit_train/layer/tanh/f", "T * (8x16) = 1280; T = 10");
    flops_free(f);
    f = count(p, (struct flops_request){.rules = FLOPS_RULES_COMPAT, .macs = true});
    assert_int_equal(f->count[fixture_node(p, "jit_train/layer/dot_general/d")], 4096);
    expect_formula(p, f, "jit_train/layer/dot_general/d",
                   "2 * 8x16 * 32 - 4096 multiply-adds = 4096");
    flops_free(f);
    profile_free(p);
}

/* ---- files */

static void attributes_are_those_of_the_instruction(void **state)
{
    struct profile *p = load_program(train);
    struct arena arena = {0};
    size_t n;
    const struct attr *attrs = attrs_decode(p, fixture_node(p, "jit_train/layer/tanh/f"), &arena, &n);
    const struct attr_value *shape = attrs_find(attrs, n, "shape");
    const struct attr_value *calls = attrs_find(attrs, n, "calls");

    (void)state;
    assert_non_null(shape);
    assert_int_equal(shape->v.s.len, strlen("f32[8,16]"));
    assert_memory_equal(shape->v.s.bytes, "f32[8,16]", shape->v.s.len);
    assert_non_null(calls);
    assert_int_equal(calls->n_items, 1);
    assert_memory_equal(calls->v.list_s[0].bytes, "fused", 5);
    arena_done(&arena);
    profile_free(p);
}

static void labels_are_distinct(void **state)
{
    static const char text[] = "HloModule ab\nENTRY e { ROOT c = f32[] constant(0) }\n";
    struct strbuf paths[3] = {{0}};
    const char *files[3];
    struct profile *p;

    (void)state;
    for (int i = 0; i < 3; i++) {
        char name[] = "p0.hlo.pb";

        name[1] = (char)('0' + i);
        write_program(name, text);
        sb_adds(&paths[i], fixture_path(name));
        files[i] = sb_text(&paths[i]);
    }
    p = load_files(files, 3);
    fixture_node(p, "ab/c");
    fixture_node(p, "ab(0)/c");
    fixture_node(p, "ab(0)#3/c");
    profile_free(p);
    for (int i = 0; i < 3; i++)
        sb_done(&paths[i]);
}

/* XLA writes a memory report next to the forms of a program; it is not a program. */
static void one_form_of_each_dumped_program_is_read(void **state)
{
    static const char report[] = "\x0a\x14\x08\x08\x1a\x10\x08\x01\x10\x08\x18\x08!\0\0\0\0\0\0\xf0?";
    static const char *const names[] = {
        "dump/module_0003.jit_f.before_optimizations.hlo.pb",
        "dump/module_0003.jit_f.cpu_after_optimizations-memory-usage-report.pb",
        "dump/module_0003.jit_f.cpu_after_optimizations.hlo.pb",
        "dump/module_0004.jit_g.before_optimizations.hlo.pb",
    };
    const char *folder = fixture_path("dump");
    struct profile *p;

    (void)state;
    assert_int_equal(mkdir(folder, 0700), 0);
    write_program(names[0], "HloModule f\nENTRY e { ROOT before = f32[] constant(0) }\n");
    fixture_write(names[1], report, sizeof report - 1);
    write_program(names[2], "HloModule f\nENTRY e { ROOT after = f32[] constant(0) }\n");
    write_program(names[3], "HloModule g\nENTRY e { ROOT only = f32[] constant(0) }\n");
    folder = fixture_path("dump");
    p = load_files(&folder, 1);
    assert_int_equal(p->n_nodes, 2);
    fixture_node(p, "f/after");
    fixture_node(p, "g/only");
    profile_free(p);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(fixture_path(names[i]));
    rmdir(fixture_path("dump"));
}

static void damaged_programs_are_named(void **state)
{
    struct strbuf bytes = {0};

    (void)state;
    hlo_text_proto(&bytes, train);
    fixture_write("cut.hlo.pb", sb_text(&bytes), bytes.len - 20);
    fixture_load_file("cut.hlo.pb", "cut.hlo.pb: offset 798: length runs past the end");
    sb_done(&bytes);
}

/* Storing every frame of a long chain would take memory quadratic in the file size. */
static void deep_stacks_are_bounded(void **state)
{
    enum { FRAMES = 4000 };
    struct strbuf text = {0};
    struct profile *p;
    size_t n_frames = 0;

    (void)state;
    sb_adds(&text, "HloModule deep\nENTRY e {");
    for (int i = 1; i <= 400; i++)
        sb_addf(&text, " c%d = f32[] constant(0), metadata={op_name=\"c\" stack_frame_id=%d}\n", i,
                FRAMES - i);
    sb_adds(&text, " ROOT r = f32[] add(c1, c2) }\nfile \"a.py\" function \"f\" location 1 1 1 1");
    for (int i = 0; i < FRAMES; i++)
        sb_addf(&text, " frame 1 %d", i);
    p = load_program(sb_text(&text));
    for (uint32_t i = 1; i < p->call_stacks.n_stacks; i++)
        n_frames += profile_stack(p, i)->n_frames;
    assert_true(n_frames > 0 && n_frames < 40000);
    assert_true(fixture_has_note(p, "deep: too many or too deep call stacks"));
    profile_free(p);
    sb_done(&text);
}

/* The planned memory of a program is an allocator of the memory log. */
static void plans_are_allocators(void **state)
{
    struct profile *p = load_program(train);
    const struct memory_allocator *a = p->memory->allocators.data;
    const struct memory_allocation *m = a->allocations.data;

    (void)state;
    assert_int_equal(p->memory->allocators.n, 1);
    assert_string_equal(profile_text(p, a->device), "jit_train");
    assert_int_equal(a->n_events, 3);
    assert_int_equal(a->start_bytes, 2048);
    assert_int_equal(a->peak_bytes, 3072);
    assert_int_equal(a->peak, 2);
    assert_int_equal(a->end_bytes, 2560);
    assert_int_equal(a->allocations.n, 3);
    assert_int_equal(m[0].begin, 0);
    assert_int_equal(m[1].end, 3);
    assert_int_equal(m[2].end, MEMORY_NEVER);
    for (size_t i = 0; i < a->allocations.n; i++)
        assert_int_not_equal(p->memory->sites[m[i].site].id, NODE_NONE);
    profile_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_that_run_are_nodes),
        cmocka_unit_test(operands_are_inputs),
        cmocka_unit_test(arrays_of_a_shape_are_outputs),
        cmocka_unit_test(stacks_are_those_of_the_file),
        cmocka_unit_test(figures_equal_those_of_one_run),
        cmocka_unit_test(counts_have_their_formula),
        cmocka_unit_test(full_counts_weigh_functions),
        cmocka_unit_test(attributes_are_those_of_the_instruction),
        cmocka_unit_test(labels_are_distinct),
        cmocka_unit_test(plans_are_allocators),
        cmocka_unit_test(one_form_of_each_dumped_program_is_read),
        cmocka_unit_test(damaged_programs_are_named),
        cmocka_unit_test(deep_stacks_are_bounded),
    };

    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
