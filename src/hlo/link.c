/* link.c: resolves the ids in a module: operands, called computations, roots, parameters, the
 * entry. */
#include <stdlib.h>

#include "base/hash.h"
#include "base/xalloc.h"
#include "hlo/attributes.h"
#include "hlo/fields.h"
#include "hlo/opcode.h"
#include "hlo/read.h"

static uint64_t hash_id(int64_t id)
{
    return hash_pair((uint64_t)id, 0);
}

uint32_t hlo_find_id(const struct hlo_module *m, int64_t id)
{
    size_t probe = slots_find(&m->instruction_ids, hash_id(id));
    uint32_t i;

    while ((i = slots_next(&m->instruction_ids, &probe)) != SLOTS_NONE)
        if (m->instructions[i].id == id)
            return i;
    return HLO_NONE;
}

uint32_t hlo_find_name(const struct hlo_module *m, const char *name, size_t len)
{
    size_t probe = slots_find(&m->instruction_names, hash_bytes(name, len));
    uint32_t i;

    while ((i = slots_next(&m->instruction_names, &probe)) != SLOTS_NONE)
        if (text_equals(hlo_name(m, i), (struct text){name, (uint32_t)len}))
            return i;
    return HLO_NONE;
}

uint32_t hlo_find_computation(const struct hlo_module *m, int64_t id)
{
    size_t probe = slots_find(&m->computation_ids, hash_id(id));
    uint32_t c;

    while ((c = slots_next(&m->computation_ids, &probe)) != SLOTS_NONE)
        if (m->computations[c].id == id)
            return c;
    return HLO_NONE;
}

/* Of equal ids or names only the first is indexed. */
static void index_all(struct hlo_module *m)
{
    slots_init(&m->instruction_ids, m->n_instructions);
    slots_init(&m->instruction_names, m->n_instructions);
    slots_init(&m->computation_ids, m->n_computations);
    for (uint32_t i = 0; i < m->n_instructions; i++) {
        const struct text name = hlo_name(m, i);

        if (hlo_find_id(m, m->instructions[i].id) == HLO_NONE)
            slots_add(&m->instruction_ids, hash_id(m->instructions[i].id), i);
        if (hlo_find_name(m, name.bytes, name.len) == HLO_NONE)
            slots_add(&m->instruction_names, hash_bytes(name.bytes, name.len), i);
    }
    for (uint32_t c = 0; c < m->n_computations; c++)
        if (hlo_find_computation(m, m->computations[c].id) == HLO_NONE)
            slots_add(&m->computation_ids, hash_id(m->computations[c].id), c);
}

/* The instruction with ID in computation C, or HLO_NONE. */
static uint32_t find_in(const struct hlo_module *m, uint32_t c, int64_t id)
{
    const uint32_t i = hlo_find_id(m, id);

    return i != HLO_NONE && m->instructions[i].computation == c ? i : HLO_NONE;
}

/* Appends the instructions that field NUMBER of instruction I refers to. */
static void link_operands(struct hlo_reader *r, uint32_t i, uint32_t number)
{
    const struct hlo_module *m = r->m;
    uint64_t id;

    wire_each(f, hlo_walk(m, m->instructions[i].message)) {
        const uint8_t *at = NULL;

        while (f.number == number && wire_next_number(&f, WIRE_VARINT, &at, &id))
            vec_push(&r->operands, find_in(m, m->instructions[i].computation, (int64_t)id));
    }
}

static void link_called(struct hlo_reader *r, uint32_t i)
{
    uint64_t id;

    wire_each(f, hlo_walk(r->m, r->m->instructions[i].message)) {
        const uint8_t *at = NULL;

        while (f.number == INSTRUCTION_CALLED_COMPUTATIONS &&
               wire_next_number(&f, WIRE_VARINT, &at, &id))
            vec_push(&r->called, hlo_find_computation(r->m, (int64_t)id));
    }
}

static void link_instructions(struct hlo_reader *r)
{
    for (uint32_t i = 0; i < r->m->n_instructions; i++) {
        struct hlo_instruction *in = &r->m->instructions[i];

        in->first_operand = (uint32_t)r->operands.n;
        link_operands(r, i, INSTRUCTION_OPERANDS);
        in->n_operands = (uint32_t)r->operands.n - in->first_operand;
        link_operands(r, i, INSTRUCTION_CONTROL_PREDECESSORS);
        in->n_controls = (uint32_t)r->operands.n - in->first_operand - in->n_operands;
        in->first_called = (uint32_t)r->called.n;
        link_called(r, i);
        in->n_called = (uint32_t)r->called.n - in->first_called;
    }
    vec_fit(&r->called);
    r->m->called = r->called.data;
}

/* Lists the parameters of each computation by number. */
static void link_parameters(struct hlo_module *m)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->n_instructions; i++)
        n += m->instructions[i].opcode == HLO_PARAMETER;
    m->parameters = xreallocarray(NULL, n, sizeof *m->parameters);
    memset(m->parameters, 0xff, n * sizeof *m->parameters);
    n = 0;
    for (uint32_t c = 0; c < m->n_computations; c++) {
        struct hlo_computation *of = &m->computations[c];
        const uint32_t first = of->first_instruction, end = first + of->n_instructions;

        of->first_parameter = n;
        for (uint32_t i = first; i < end; i++)
            of->n_parameters += m->instructions[i].opcode == HLO_PARAMETER;
        n += of->n_parameters;
        for (uint32_t i = first; i < end; i++) {
            const uint64_t number = m->instructions[i].opcode == HLO_PARAMETER
                                        ? (uint64_t)hlo_number(m, i, INSTRUCTION_PARAMETER_NUMBER)
                                        : UINT64_MAX;

            if (number < of->n_parameters && hlo_parameter(m, c, number) == HLO_NONE)
                m->parameters[of->first_parameter + number] = i;
        }
    }
}

static bool find_entry(struct hlo_reader *r)
{
    struct hlo_module *m = r->m;
    const struct text wanted = hlo_text(m, r->entry_name);

    m->entry = r->has_entry_id ? hlo_find_computation(m, r->entry_id) : HLO_NONE;
    for (uint32_t c = 0; m->entry == HLO_NONE && c < m->n_computations; c++)
        if (wanted.len && text_equals(hlo_text(m, m->computations[c].name), wanted))
            m->entry = c;
    return m->entry != HLO_NONE ||
           err_set(r->err, ERR_INPUT, "the HLO module has no entry computation");
}

/* ---- the order of computations */

/* A computation on the stack, and the next call to visit. */
struct visit {
    uint32_t computation, next, end;
};

static struct visit visit_of(const struct hlo_module *m, uint32_t c)
{
    const struct hlo_computation *of = &m->computations[c];
    struct visit v = {c, 0, 0};

    if (of->n_instructions) {
        const struct hlo_instruction *last =
            &m->instructions[of->first_instruction + of->n_instructions - 1];

        v.next = m->instructions[of->first_instruction].first_called;
        v.end = last->first_called + last->n_called;
    }
    return v;
}

/* Ranks computations in post-order of a depth-first search along the calls. */
static void rank_computations(struct hlo_module *m)
{
    VEC(struct visit) open = {0};
    uint8_t *seen = xcalloc(m->n_computations, 1);
    uint32_t rank = 0;

    m->by_rank = xreallocarray(NULL, m->n_computations, sizeof *m->by_rank);
    for (uint32_t c = 0; c < m->n_computations; c++) {
        if (!seen[c])
            vec_push(&open, visit_of(m, c));
        seen[c] = 1;
        while (open.n) {
            struct visit *v = &open.data[open.n - 1];

            if (v->next < v->end) {
                const uint32_t callee = m->called[v->next++];

                if (callee == HLO_NONE || seen[callee])
                    continue;
                seen[callee] = 1;
                vec_push(&open, visit_of(m, callee));
            } else {
                m->computations[v->computation].rank = rank;
                m->by_rank[rank++] = v->computation;
                open.n--;
            }
        }
    }
    vec_done(&open);
    free(seen);
}

static void mark_executed(struct hlo_module *m)
{
    VEC(uint32_t) open = {0};

    m->computations[m->entry].is_executed = true;
    vec_push(&open, m->entry);
    while (open.n) {
        const struct hlo_computation *c = &m->computations[open.data[--open.n]];

        for (uint32_t i = c->first_instruction; i < c->first_instruction + c->n_instructions; i++) {
            for (uint32_t k = 0; k < m->instructions[i].n_called; k++) {
                const uint32_t callee = hlo_called(m, i, k);

                if (!hlo_executes_callees(m->instructions[i].opcode) || callee == HLO_NONE ||
                    m->computations[callee].is_executed)
                    continue;
                m->computations[callee].is_executed = true;
                vec_push(&open, callee);
            }
        }
    }
    vec_done(&open);
}

static void mark_loops(struct hlo_module *m)
{
    for (uint32_t rank = m->n_computations; rank-- > 0;) {
        const struct hlo_computation *c = &m->computations[m->by_rank[rank]];

        for (uint32_t i = c->first_instruction; i < c->first_instruction + c->n_instructions; i++) {
            const bool is_loop = c->is_in_loop || m->instructions[i].opcode == HLO_WHILE;

            for (uint32_t k = 0; is_loop && k < m->instructions[i].n_called; k++)
                if (hlo_called(m, i, k) != HLO_NONE)
                    m->computations[hlo_called(m, i, k)].is_in_loop = true;
        }
    }
}

bool hlo_link(struct hlo_reader *r)
{
    struct hlo_module *m = r->m;

    index_all(m);
    link_instructions(r);
    for (uint32_t c = 0; c < m->n_computations; c++)
        m->computations[c].root = find_in(m, c, m->computations[c].root_id);
    link_parameters(m);
    hlo_link_frames(r);
    if (!find_entry(r))
        return false;
    rank_computations(m);
    mark_executed(m);
    mark_loops(m);
    return true;
}
