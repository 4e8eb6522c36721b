/* test_captures.c: programs in real captures compared with known facts.
 *
 * Captures and facts.tsv (file, fact, value) are in $TFPROF_CAPTURES, else in tests/golden/xplane;
 * without them the test is skipped. */
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

#include "base/vec.h"
#include "fixtures/capture_hlo.h"
#include "hlo/attributes.h"
#include "hlo/cost.h"
#include "hlo/memory.h"
#include "hlo/names.h"
#include "hlo/opcode.h"

struct fact {
    const char *file, *name, *value;
};

struct checks {
    VEC(struct fact) facts; /* sorted */
    char *text;
    const char *folder, *file;
    size_t n_right, n_wrong, n_programs;
};

/* ---- facts */

static int compare_facts(const void *a, const void *b)
{
    const struct fact *x = a, *y = b;
    const int order = strcmp(x->file, y->file);

    return order ? order : strcmp(x->name, y->name);
}

/* The value of a fact of the current file; NULL when it is not listed. */
static const char *find_fact(const struct checks *c, const char *name)
{
    const struct fact key = {c->file, name, NULL};
    const struct fact *found = c->facts.n ? bsearch(&key, c->facts.data, c->facts.n,
                                                    sizeof key, compare_facts)
                                          : NULL;

    return found ? found->value : NULL;
}

static char *read_text(const char *folder)
{
    char path[8192];
    FILE *file;
    char *text;
    long len;

    snprintf(path, sizeof path, "%s/facts.tsv", folder);
    file = fopen(path, "rb");
    if (!file)
        return NULL;
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    len = ftell(file);
    rewind(file);
    text = calloc(1, (size_t)len + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)len, file), len);
    fclose(file);
    return text;
}

static void split_facts(struct checks *c)
{
    for (char *line = c->text, *next; line && *line; line = next) {
        struct fact fact = {line, NULL, NULL};
        char *tab = strchr(line, '\t');

        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        if (!tab)
            continue;
        *tab++ = '\0';
        fact.name = tab;
        tab = strchr(tab, '\t');
        if (!tab)
            continue;
        *tab++ = '\0';
        fact.value = tab;
        tab[strcspn(tab, "\t")] = '\0';
        vec_push(&c->facts, fact);
    }
    vec_sort(&c->facts, compare_facts);
}

/* Compares GOT with the fact KIND[KEY].WHAT if it is listed. */
static void check_text(struct checks *c, const char *kind, const char *key, const char *what,
                       const char *got)
{
    struct strbuf name = {0};
    const char *value;

    sb_addf(&name, "%s[%s].%s", kind, key, what);
    value = find_fact(c, sb_text(&name));
    if (value && strcmp(value, got) == 0) {
        c->n_right++;
    } else if (value) {
        c->n_wrong++;
        fprintf(stderr, "# %s: %s: %s, should be %s\n", c->file, sb_text(&name), got, value);
    }
    sb_done(&name);
}

static void check_number(struct checks *c, const char *kind, const char *key, const char *what,
                         int64_t got)
{
    char text[32];

    snprintf(text, sizeof text, "%lld", (long long)got);
    check_text(c, kind, key, what, text);
}

/* ---- programs */

static void add_text(struct strbuf *sb, struct text text)
{
    sb_add(sb, text.bytes, text.len);
}

static void check_inputs(struct checks *c, const struct hlo_module *m, uint32_t i, const char *node)
{
    struct strbuf inputs = {0};

    for (uint32_t k = 0; k < m->instructions[i].n_operands; k++) {
        assert_int_not_equal(hlo_operand(m, i, k), HLO_NONE);
        sb_adds(&inputs, k ? " " : "");
        add_text(&inputs, hlo_name(m, hlo_operand(m, i, k)));
    }
    check_text(c, "op", node, "inputs", sb_text(&inputs));
    sb_done(&inputs);
}

static void check_line(struct checks *c, const struct hlo_module *m, uint32_t i, const char *node)
{
    const struct hlo_metadata metadata = hlo_metadata(m, i);
    const uint32_t depth = hlo_stack_depth(m, &metadata);
    struct hlo_source_location *places = calloc(depth + 1, sizeof *places);

    assert_non_null(places);
    hlo_stack(m, &metadata, places);
    check_number(c, "op", node, "line", depth ? places[depth - 1].line : -1);
    free(places);
}

static void check_instruction(struct checks *c, const struct hlo_module *m,
                              const struct hlo_costs *costs, uint32_t i, const char *label)
{
    static const char *const states[] = {"counted", "no_compute", "no_rule"};
    const struct hlo_cost cost = hlo_cost(costs, i);
    struct strbuf node = {0}, category = {0}, shape = {0};

    sb_addf(&node, "%s/", label);
    hlo_scope(&node, hlo_metadata(m, i).op_name);
    if (node.data[node.len - 1] != '/')
        sb_addc(&node, '/');
    add_text(&node, hlo_name(m, i));
    add_text(&category, hlo_category(m, i));
    hlo_shape_text(m, i, false, &shape);
    check_text(c, "op", sb_text(&node), "category", sb_text(&category));
    check_text(c, "op", sb_text(&node), "output", sb_text(&shape));
    check_text(c, "op", sb_text(&node), "float_ops_state", states[cost.state]);
    check_number(c, "op", sb_text(&node), "float_ops_each", cost.operations);
    check_number(c, "op", sb_text(&node), "transcendentals_each", cost.transcendentals);
    check_number(c, "op", sb_text(&node), "bytes_each", cost.bytes_read + cost.bytes_written);
    check_inputs(c, m, i, sb_text(&node));
    check_line(c, m, i, sb_text(&node));
    sb_done(&node);
    sb_done(&category);
    sb_done(&shape);
}

static void check_module(struct checks *c, const struct hlo_module *m, const char *name)
{
    int64_t elements = 0, bytes = 0, n_nodes = 0;
    uint32_t parameter;

    for (uint64_t k = 0; (parameter = hlo_parameter(m, m->entry, k)) != HLO_NONE; k++) {
        bytes += hlo_shape_bytes(m, parameter);
        for (uint32_t leaf = 0; leaf < m->instructions[parameter].n_leaves; leaf++)
            elements += hlo_leaf(m, parameter, leaf)->elements;
    }
    for (uint32_t i = 0; i < m->n_instructions; i++)
        n_nodes += m->computations[m->instructions[i].computation].is_executed;
    check_number(c, "module", name, "instructions", m->n_instructions);
    check_number(c, "module", name, "computations", m->n_computations);
    check_number(c, "module", name, "nodes", n_nodes);
    check_number(c, "module", name, "stack_frames", m->n_frames - 1);
    check_number(c, "module", name, "entry_parameters", m->computations[m->entry].n_parameters);
    check_number(c, "module", name, "parameter_elements", elements);
    check_number(c, "module", name, "parameter_bytes", bytes);
}

static void check_memory(struct checks *c, const struct hlo_module *m, const char *name)
{
    struct err err = {0};
    struct hlo_memory *memory = hlo_memory_new(m, &err);
    int64_t held = 0, of_instructions = 0;

    assert_non_null(memory);
    check_number(c, "module", name, "heap_peak", memory->heap_peak_bytes);
    check_number(c, "module", name, "heap_fixed", memory->fixed_bytes);
    check_number(c, "module", name, "peak", memory->peak_bytes);
    for (size_t i = 0; i < memory->n_held; i++)
        held += memory->held[i].bytes;
    for (uint32_t i = 0; i < m->n_instructions; i++)
        of_instructions += memory->instruction_peak_bytes[i];
    assert_int_equal(held, memory->peak_bytes);
    assert_int_equal(of_instructions, memory->peak_bytes);
    hlo_memory_free(memory);
}

/* True when module NAME ran and is the only module of that name that ran. */
static bool has_plain_label(const struct checks *c, const char *name)
{
    const size_t len = strcspn(name, "(") + 1;
    char prefix[600];
    size_t n = 0;

    snprintf(prefix, sizeof prefix, "module[%.*s", (int)len, name);
    for (size_t i = 0; i < c->facts.n; i++) {
        const struct fact *f = &c->facts.data[i];

        if (strcmp(f->file, c->file) == 0 && strncmp(f->name, prefix, strlen(prefix)) == 0 &&
            strcmp(f->name + strlen(f->name) - 5, "].ran") == 0)
            n += strcmp(f->value, "yes") == 0;
    }
    return n == 1;
}

static void check_program(void *arg, const char *name, const void *bytes, size_t len)
{
    struct checks *c = arg;
    struct err err = {0};
    struct hlo_module *m = hlo_module_new(bytes, len, &err);
    struct hlo_costs *costs;
    const char *ran;
    char key[600];

    if (!m)
        fail_msg("%s: %s", name, err_text(&err));
    c->n_programs++;
    check_module(c, m, name);
    check_memory(c, m, name);
    snprintf(key, sizeof key, "module[%s].ran", name);
    ran = find_fact(c, key);
    costs = hlo_costs_new(m);
    snprintf(key, sizeof key, "%s", name);
    if (has_plain_label(c, name))
        key[strcspn(key, "(")] = '\0';
    for (uint32_t i = 0; i < m->n_instructions; i++) {
        assert_int_equal(hlo_find_id(m, m->instructions[i].id), i);
        if (ran && strcmp(ran, "yes") == 0 &&
            m->computations[m->instructions[i].computation].is_executed)
            check_instruction(c, m, costs, i, key);
    }
    hlo_costs_free(costs);
    hlo_module_free(m);
}

static void facts_of_captures_hold(void **state)
{
    struct checks c = {.folder = getenv("TFPROF_CAPTURES")};
    const char *last = "";
    char path[4096];

    (void)state;
    if (!c.folder) {
        snprintf(path, sizeof path, "%s/tests/golden/xplane", getenv("top_srcdir"));
        c.folder = path;
    }
    c.text = read_text(c.folder);
    if (!c.text) {
        print_message("# not run: no captures in %s\n", c.folder);
        return;
    }
    split_facts(&c);
    for (size_t i = 0; i < c.facts.n; i++) {
        char file[8192];

        c.file = c.facts.data[i].file;
        if (strcmp(c.file, last) == 0 || strcmp(c.file, "file") == 0)
            continue;
        last = c.file;
        snprintf(file, sizeof file, "%s/%s", c.folder, c.file);
        capture_programs(file, check_program, &c);
    }
    print_message("# %zu programs, %zu facts hold, %zu do not\n", c.n_programs, c.n_right,
                  c.n_wrong);
    assert_int_equal(c.n_wrong, 0);
    assert_true(c.n_right > 0);
    vec_done(&c.facts);
    free(c.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_captures_hold),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
