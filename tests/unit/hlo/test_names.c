/* test_names.c: categories and scopes of instructions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* clang-format off */
#include <cmocka.h>
/* clang-format on */

#include "fixtures/hlo_text.h"
#include "hlo/names.h"
#include "hlo/opcode.h"

static void scopes_are_parts_of_the_op_name(void **state)
{
    static const struct {
        const char *op_name, *scope, *primitive;
    } cases[] = {
        {"", "", ""},
        {"jit(train_step)/transpose(jvp(loss))/head/proj/dot_general",
         "transpose(jvp(loss))/head/proj/dot_general", "dot_general"},
        {"jit(f)/jit(main)/add", "add", "add"},
        {"jit(f)/jit(main)/jit(main)/add", "jit(main)/add", "add"},
        {"jit(main)/add", "add", "add"},
        {"pjit(f)/jit(main)/add", "add", "add"},
        {"pmap(f)/add", "add", "add"},
        {"a/jit(f)/add", "a/jit(f)/add", "add"},
        {"jit(f)", "", ""},
        {"jit(f)/jit(main)", "", ""},
        {"jit (f)/x", "jit (f)/x", "x"},
        {"x", "x", "x"},
        {"//a//b/", "a/b", "b"},
        {"jit(f)/add;jit(f)/mul", "add", "add"},
        {";x", "", ""},
        {"vmap(a/b)/c[d=/e]/{/}/f", "vmap(a|b)/c[d=|e]/{|}/f", "f"},
        {"a)/b]/c", "a)/b]/c", "c"},
        {"a(b/c", "a(b|c", "a(b|c"},
        {"(])/a", "(])/a", "a"},
        {"model/dense/MatMul", "model/dense/MatMul", "MatMul"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct text op_name = {cases[i].op_name, (uint32_t)strlen(cases[i].op_name)};
        struct strbuf path = {0};
        size_t last;

        sb_adds(&path, "label/");
        last = hlo_scope(&path, op_name);
        assert_string_equal(sb_text(&path) + strlen("label/"), cases[i].scope);
        assert_string_equal(sb_text(&path) + last, cases[i].primitive);
        sb_done(&path);
    }
}

static void categories_follow_opcode_and_kind(void **state)
{
    static const struct {
        const char *instruction, *category;
    } cases[] = {
        {"transpose(a), dimensions={0}", "data formatting"},
        {"copy(a)", "data formatting"},
        {"reshape(a)", "data formatting"},
        {"copy-start(a)", "copy-start"},
        {"add(a, a)", "non-fusion elementwise"},
        {"tanh(a)", "non-fusion elementwise"},
        {"fusion(a), kind=kLoop", "loop fusion"},
        {"fusion(a), kind=kInput", "input fusion"},
        {"fusion(a), kind=kOutput", "output fusion"},
        {"fusion(a), kind=kCustom", "custom fusion"},
        {"fusion(a), kind=kNew", "fusion"},
        {"fusion(a)", "fusion"},
        {"dot(a, a)", "dot"},
        {"custom-call(a)", "custom-call"},
        {"all-reduce-start(a)", "all-reduce-start"},
        {"rng-bit-generator(a)", "rng-bit-generator"},
        {"never-heard-of(a)", "never-heard-of"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf text = {0}, bytes = {0};
        struct err err = {0};
        struct hlo_module *m;
        struct text category;

        sb_addf(&text, "HloModule m\n ENTRY e { a = f32[8] parameter(0)\n ROOT r = f32[8] %s }\n",
                cases[i].instruction);
        hlo_text_proto(&bytes, sb_text(&text));
        m = hlo_module_new(sb_text(&bytes), bytes.len, &err);
        assert_non_null(m);
        category = hlo_category(m, m->computations[m->entry].root);
        assert_int_equal(category.len, strlen(cases[i].category));
        assert_memory_equal(category.bytes, cases[i].category, category.len);
        hlo_module_free(m);
        sb_done(&text);
        sb_done(&bytes);
    }
}

static void opcodes_are_found_by_name(void **state)
{
    (void)state;
    for (unsigned i = HLO_OTHER + 1; i < HLO_OPCODES; i++) {
        const char *name = hlo_opcodes[i].name;

        assert_int_equal(hlo_opcode_find(name, strlen(name)), i);
        assert_int_equal(hlo_opcode_find(name, strlen(name) - 1) == i, 0);
    }
    assert_int_equal(hlo_opcode_find("", 0), HLO_OTHER);
    assert_int_equal(hlo_opcode_find("zzz", 3), HLO_OTHER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scopes_are_parts_of_the_op_name),
        cmocka_unit_test(categories_follow_opcode_and_kind),
        cmocka_unit_test(opcodes_are_found_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
