/* test_module.c: reading modules: forms, ids, order of computations, shapes and invalid bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "base/wire_out.h"
#include "fixtures/hlo_text.h"
#include "hlo/attributes.h"
#include "hlo/cost.h"
#include "hlo/fields.h"
#include "hlo/names.h"
#include "hlo/opcode.h"

static const char loop[] =
    "HloModule jit_loop\n"
    "fused { p = f32[8] parameter(0)\n ROOT r = f32[8] negate(p) }\n"
    "body { p = (s32[], f32[8]) parameter(0)\n i = s32[] get-tuple-element(p), index=0\n"
    " x = f32[8] get-tuple-element(p), index=1\n y = f32[8] fusion(x), kind=kLoop, calls=fused\n"
    " ROOT r = (s32[], f32[8]) tuple(i, y), control-predecessors={x} }\n"
    "cond { p = (s32[], f32[8]) parameter(0)\n ROOT r = pred[] constant(0) }\n"
    "ENTRY main { a = s32[] parameter(1)\n b = f32[8] parameter(0)\n"
    " t = (s32[], f32[8]) tuple(a, b)\n"
    " ROOT w = (s32[], f32[8]) while(t), condition=cond, body=body }\n";

static struct hlo_module *read_bytes(const struct strbuf *bytes)
{
    struct err err = {0};
    struct hlo_module *m = hlo_module_new(sb_text(bytes), bytes->len, &err);

    if (!m)
        fail_msg("%s", err_text(&err));
    return m;
}

static bool is(struct text text, const char *other)
{
    return text.len == strlen(other) && memcmp(text.bytes, other, text.len) == 0;
}

static uint32_t named(const struct hlo_module *m, const char *name)
{
    const uint32_t i = hlo_find_name(m, name, strlen(name));

    assert_int_not_equal(i, HLO_NONE);
    return i;
}

static void ids_are_resolved(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m;
    uint32_t w, r, body;

    (void)state;
    hlo_text_proto(&bytes, loop);
    m = read_bytes(&bytes);
    assert_true(is(hlo_module_name(m), "jit_loop"));
    assert_int_equal(m->n_computations, 4);
    assert_int_equal(m->n_instructions, 13);
    assert_true(is(hlo_text(m, m->computations[m->entry].name), "main"));
    w = named(m, "w");
    assert_int_equal(m->computations[m->entry].root, w);
    assert_int_equal(m->instructions[w].opcode, HLO_WHILE);
    assert_int_equal(hlo_operand(m, w, 0), named(m, "t"));
    assert_int_equal(hlo_operand(m, w, 1), HLO_NONE);
    body = hlo_called(m, w, 0);
    assert_true(is(hlo_text(m, m->computations[body].name), "body"));
    assert_true(is(hlo_text(m, m->computations[hlo_called(m, w, 1)].name), "cond"));
    /* By parameter number, not by order. */
    assert_int_equal(hlo_parameter(m, m->entry, 0), named(m, "b"));
    assert_int_equal(hlo_parameter(m, m->entry, 1), named(m, "a"));
    assert_int_equal(hlo_parameter(m, m->entry, 2), HLO_NONE);
    /* Control predecessors follow the operands. */
    r = m->computations[body].root;
    assert_int_equal(m->instructions[r].n_operands, 2);
    assert_int_equal(m->instructions[r].n_controls, 1);
    assert_int_equal(m->operands[m->instructions[r].first_operand + 2], named(m, "x"));
    assert_int_equal(hlo_tuple_index(m, named(m, "x")), 1);
    assert_int_equal(hlo_find_id(m, m->instructions[w].id), w);
    assert_int_equal(hlo_find_id(m, 1), HLO_NONE);
    assert_int_equal(hlo_find_computation(m, m->computations[body].id), body);
    hlo_module_free(m);
    sb_done(&bytes);
}

static void executed_computations_exclude_inlined_callees(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m;

    (void)state;
    hlo_text_proto(&bytes, loop);
    m = read_bytes(&bytes);
    for (uint32_t c = 0; c < m->n_computations; c++) {
        const bool is_fused = is(hlo_text(m, m->computations[c].name), "fused");

        assert_int_equal(m->computations[c].is_executed, !is_fused);
        assert_int_equal(m->by_rank[m->computations[c].rank], c);
        if (is_fused)
            assert_true(m->computations[c].rank < m->computations[m->entry].rank);
    }
    hlo_module_free(m);
    sb_done(&bytes);
}

static void every_form_is_read(void **state)
{
    struct strbuf module = {0}, proto = {0}, snapshot = {0};
    const struct strbuf *forms[] = {&module, &proto, &snapshot};

    (void)state;
    hlo_text_module(&module, loop);
    hlo_text_proto(&proto, loop);
    wire_bytes(&snapshot, HLO_INNER, sb_text(&proto), proto.len);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct hlo_module *m = read_bytes(forms[i]);

        assert_int_equal(m->n_instructions, 13);
        assert_true(is(hlo_module_name(m), "jit_loop"));
        assert_int_equal(m->n_buffers, i > 0);
        hlo_module_free(m);
    }
    sb_done(&module);
    sb_done(&proto);
    sb_done(&snapshot);
}

/* Messages split into pieces are merged field by field. */
static void pieces_of_messages_are_merged(void **state)
{
    static const int64_t dims[] = {8, 3};
    struct strbuf module = {0}, proto = {0}, text = {0};
    struct hlo_module *m;
    size_t mark, inner;

    (void)state;
    mark = wire_begin(&proto, HLO_INNER);
    wire_bytes(&proto, MODULE_NAME, "pieces", 6);
    wire_end(&proto, mark);
    mark = wire_begin(&module, MODULE_COMPUTATIONS);
    wire_int(&module, COMPUTATION_ID, 7);
    inner = wire_begin(&module, COMPUTATION_INSTRUCTIONS);
    wire_bytes(&module, INSTRUCTION_NAME, "a", 1);
    wire_bytes(&module, INSTRUCTION_OPCODE, "iota", 4);
    wire_bytes(&module, INSTRUCTION_SHAPE, "\x10\x0b", 2); /* element_type F32 */
    {
        const size_t shape = wire_begin(&module, INSTRUCTION_SHAPE);

        wire_packed(&module, SHAPE_DIMENSIONS, dims, 2);
        wire_end(&module, shape);
    }
    wire_end(&module, inner);
    wire_end(&module, mark);
    wire_bytes(&proto, HLO_INNER, sb_text(&module), module.len);
    mark = wire_begin(&proto, HLO_INNER);
    wire_int(&proto, MODULE_ENTRY_ID, 7);
    wire_end(&proto, mark);
    m = read_bytes(&proto);
    assert_true(is(hlo_module_name(m), "pieces"));
    assert_int_equal(hlo_leaf(m, 0, 0)->elements, 24);
    assert_int_equal(hlo_shape_bytes(m, 0), 96);
    hlo_shape_text(m, 0, true, &text);
    assert_string_equal(sb_text(&text), "f32[8,3]");
    hlo_module_free(m);
    sb_done(&module);
    sb_done(&proto);
    sb_done(&text);
}

static void shapes_are_lists_of_arrays(void **state)
{
    struct strbuf bytes = {0}, text = {0};
    struct hlo_module *m;
    uint32_t a;

    (void)state;
    hlo_text_proto(&bytes,
                   "HloModule m\n ENTRY e { ROOT a = ((f32[8,3]{1,0:T(8,128)(2,1)E(4)S(1)}, pred[]),"
                   " (), token[], s4[3]{0:E(4)}, bf16[0,5]{0,1:S(2)}) parameter(0) }\n");
    m = read_bytes(&bytes);
    a = named(m, "a");
    assert_true(m->instructions[a].is_tuple);
    assert_int_equal(m->instructions[a].n_leaves, 5);
    assert_int_equal(hlo_leaf(m, a, 0)->elements, 24);
    assert_int_equal(hlo_dim(m, hlo_leaf(m, a, 0), 1), 3);
    assert_int_equal(hlo_dim(m, hlo_leaf(m, a, 0), 2), -1);
    assert_int_equal(hlo_leaf(m, a, 0)->bytes, 12);
    assert_int_equal(hlo_leaf(m, a, 1)->elements, 1);
    assert_int_equal(hlo_leaf(m, a, 1)->bytes, 1);
    assert_int_equal(hlo_leaf(m, a, 2)->elements, 0);
    assert_int_equal(hlo_leaf(m, a, 3)->bytes, 2);
    assert_int_equal(hlo_leaf(m, a, 4)->elements, 0);
    assert_null(hlo_leaf(m, a, 5));
    assert_int_equal(hlo_shape_bytes(m, a), 15);
    hlo_shape_text(m, a, false, &text);
    assert_string_equal(sb_text(&text), "((f32[8,3], pred[]), (), token[], s4[3], bf16[0,5])");
    sb_clear(&text);
    hlo_shape_text(m, a, true, &text);
    assert_string_equal(sb_text(&text), "((f32[8,3]{1,0:T(8,128)(2,1)E(4)S(1)}, pred[]), (), "
                                        "token[], s4[3]{0:E(4)}, bf16[0,5]{0,1:S(2)})");
    hlo_module_free(m);
    sb_done(&bytes);
    sb_done(&text);
}

/* ---- hostile bytes */

/* An HloModuleProto of one computation with the instructions in BODY. */
static void wrap(struct strbuf *out, const struct strbuf *body)
{
    const size_t mark = wire_begin(out, MODULE_COMPUTATIONS);

    sb_add(out, sb_text(body), body->len);
    wire_end(out, mark);
    wire_int_always(out, MODULE_ENTRY_ID, 0);
}

static void put_instruction(struct strbuf *body, const char *opcode, int64_t id,
                            const struct strbuf *rest)
{
    const size_t mark = wire_begin(body, COMPUTATION_INSTRUCTIONS);

    wire_bytes(body, INSTRUCTION_OPCODE, opcode, strlen(opcode));
    wire_int(body, INSTRUCTION_ID, id);
    if (rest)
        sb_add(body, sb_text(rest), rest->len);
    wire_end(body, mark);
}

static void errors_give_position_and_cause(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        const char *text;
    } cases[] = {
        {"", 0, "the HLO module has no entry computation"},
        {"\x0a\x01m", 3, "the HLO module has no entry computation"},
        {"\x0a\x01m\x1a\x05\x0a", 6, "offset 3: length runs past the end"},
        {"\x0a\x01m\x1a\x03\x12\x05\x0a", 8, "offset 5: length runs past the end"},
        {"\x0a\x01m\x1a\x03\x12\x01\x0a", 8, "offset 7: truncated or overlong length"},
        {"\x0a\x01m\x1a\x02\x12\x00", 7, "offset 7: an instruction without an opcode"},
        {"\x0a\x01m\x1a\x09\x12\x07\x12\x01x\x1a\x02\x1a\x07", 14,
         "offset 12: length runs past the end"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};

        assert_null(hlo_module_new(cases[i].bytes, cases[i].len, &err));
        assert_string_equal(err_text(&err), cases[i].text);
        err_done(&err);
    }
}

static void malformed_references_are_ignored(void **state)
{
    struct strbuf body = {0}, bytes = {0}, rest = {0};
    struct hlo_module *m;
    struct hlo_costs *costs;

    (void)state;
    wire_int(&rest, INSTRUCTION_OPERANDS, 99);
    wire_int(&rest, INSTRUCTION_OPERANDS, 5);
    wire_int(&rest, INSTRUCTION_CALLED_COMPUTATIONS, 99);
    wire_int_always(&rest, INSTRUCTION_CALLED_COMPUTATIONS, 0); /* its own computation */
    put_instruction(&body, "fusion", 5, &rest);
    put_instruction(&body, "dot", 6, &rest);
    put_instruction(&body, "dot", 5, NULL); /* a duplicate id */
    put_instruction(&body, "call", 7, &rest);
    wrap(&bytes, &body);
    m = read_bytes(&bytes);
    assert_int_equal(hlo_operand(m, 0, 0), HLO_NONE);
    assert_int_equal(hlo_operand(m, 0, 1), 0);
    assert_int_equal(hlo_called(m, 0, 0), HLO_NONE);
    assert_int_equal(hlo_called(m, 0, 1), 0);
    assert_int_equal(m->computations[0].root, HLO_NONE);
    costs = hlo_costs_new(m);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(hlo_cost(costs, i).state, HLO_NO_RULE);
    assert_int_equal(hlo_cost(costs, 3).state, HLO_NO_COMPUTE);
    hlo_costs_free(costs);
    hlo_module_free(m);
    sb_done(&body);
    sb_done(&bytes);
    sb_done(&rest);
}

/* Fusions that call each other in a cycle. */
static void cycles_have_no_cost(void **state)
{
    struct strbuf bytes = {0};
    struct hlo_module *m;
    struct hlo_costs *costs;

    (void)state;
    for (int64_t c = 0; c < 3; c++) {
        const size_t mark = wire_begin(&bytes, MODULE_COMPUTATIONS);
        struct strbuf rest = {0};

        wire_int_always(&rest, INSTRUCTION_CALLED_COMPUTATIONS, (c + 1) % 3);
        wire_int(&bytes, COMPUTATION_ID, c);
        put_instruction(&bytes, "fusion", c + 1, &rest);
        wire_int(&bytes, COMPUTATION_ROOT, c + 1);
        wire_end(&bytes, mark);
        sb_done(&rest);
    }
    wire_int(&bytes, MODULE_ENTRY_ID, 1);
    m = read_bytes(&bytes);
    costs = hlo_costs_new(m);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(hlo_cost(costs, i).state, HLO_NO_RULE);
    hlo_costs_free(costs);
    hlo_module_free(m);
    sb_done(&bytes);
}

static void sizes_stop_at_the_limits(void **state)
{
    static const int64_t dims[] = {INT64_MAX, INT64_MAX}, unknown[] = {8, -1};
    struct strbuf body = {0}, bytes = {0}, rest = {0};
    struct hlo_module *m;
    struct hlo_costs *costs;
    size_t mark;

    (void)state;
    mark = wire_begin(&rest, INSTRUCTION_SHAPE);
    wire_int(&rest, SHAPE_TYPE, 12);
    wire_packed(&rest, SHAPE_DIMENSIONS, dims, 2);
    wire_end(&rest, mark);
    put_instruction(&body, "negate", 1, &rest);
    sb_clear(&rest);
    mark = wire_begin(&rest, INSTRUCTION_SHAPE);
    wire_int(&rest, SHAPE_TYPE, 12);
    wire_packed(&rest, SHAPE_DIMENSIONS, unknown, 2);
    wire_end(&rest, mark);
    put_instruction(&body, "negate", 2, &rest);
    wrap(&bytes, &body);
    m = read_bytes(&bytes);
    costs = hlo_costs_new(m);
    assert_int_equal(hlo_leaf(m, 0, 0)->elements, INT64_MAX);
    assert_int_equal(hlo_shape_bytes(m, 0), INT64_MAX);
    assert_int_equal(hlo_cost(costs, 0).operations, INT64_MAX);
    assert_int_equal(hlo_leaf(m, 1, 0)->elements, -1);
    assert_int_equal(hlo_shape_bytes(m, 1), 0);
    assert_int_equal(hlo_cost(costs, 1).state, HLO_NO_RULE);
    hlo_costs_free(costs);
    hlo_module_free(m);
    sb_done(&body);
    sb_done(&bytes);
    sb_done(&rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_resolved),
        cmocka_unit_test(executed_computations_exclude_inlined_callees),
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(pieces_of_messages_are_merged),
        cmocka_unit_test(shapes_are_lists_of_arrays),
        cmocka_unit_test(errors_give_position_and_cause),
        cmocka_unit_test(malformed_references_are_ignored),
        cmocka_unit_test(cycles_have_no_cost),
        cmocka_unit_test(sizes_stop_at_the_limits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
