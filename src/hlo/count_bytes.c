/* count_bytes.c: bytes that one execution reads and writes (formats-hlo.md section 7). */
#include "base/satmath.h"
#include "hlo/attributes.h"
#include "hlo/opcode.h"
#include "hlo/tally.h"

/* Larger constants of a fusion are read from memory. */
enum { MAX_IMMEDIATE_ELEMENTS = 8 };

static void add(int64_t *sum, int64_t bytes)
{
    *sum = clamp_add(*sum, bytes);
}

static int64_t operand_bytes(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    return hlo_shape_bytes(m, hlo_operand(m, i, k));
}

/* Reads operands FROM to TO. */
static void read_operands(const struct hlo_module *m, uint32_t i, uint32_t from, uint32_t to,
                          struct hlo_cost *cost)
{
    for (uint32_t k = from; k < to; k++)
        add(&cost->bytes_read, operand_bytes(m, i, k));
}

/* ---- fusions */

/* What a fusion writes for its root I, or an element of that: of an update in place what is new. */
static int64_t written_bytes(const struct hlo_module *m, uint32_t i)
{
    if (i != HLO_NONE && m->instructions[i].opcode == HLO_DYNAMIC_UPDATE_SLICE)
        return operand_bytes(m, i, 1);
    return hlo_shape_bytes(m, i);
}

/* What is known of an instruction while reads of its computation are counted. */
enum {
    READ_WHOLE = 1, /* somebody reads all of it */
    OUTSIDE = 2,    /* it stands for memory outside of a fusion: a parameter, or an element of one */
};

/* What instruction USER reads of its operand K, SOURCE.  Reads of the whole by several users are
 * one, which SEEN notes. */
static int64_t read_by(const struct hlo_costs *costs, uint32_t user, uint32_t k, uint32_t source,
                       uint8_t *seen)
{
    const struct hlo_module *m = costs->m;
    const enum hlo_opcode opcode = (enum hlo_opcode)m->instructions[user].opcode;
    const uint32_t callee = hlo_called(m, user, 0);
    uint32_t inner;

    if (opcode == HLO_SLICE || (opcode == HLO_DYNAMIC_SLICE && k == 0))
        return hlo_shape_bytes(m, user);
    if (opcode == HLO_DYNAMIC_UPDATE_SLICE && k == 0)
        return 0;
    if (opcode == HLO_BROADCAST || opcode == HLO_RESHAPE)
        return hlo_shape_bytes(m, source);
    if (opcode == HLO_FUSION) {
        inner = callee != HLO_NONE ? hlo_parameter(m, callee, k) : HLO_NONE;
        return inner != HLO_NONE ? costs->reads[inner] : 0;
    }
    if (seen[source] & READ_WHOLE)
        return 0;
    seen[source] |= READ_WHOLE;
    return hlo_shape_bytes(m, source);
}

/* Marks what is OUTSIDE; operands stand before their users. */
static void mark_outside(const struct hlo_module *m, uint32_t first, uint32_t end, uint8_t *seen)
{
    for (uint32_t i = first; i < end; i++) {
        const uint8_t opcode = m->instructions[i].opcode;
        const uint32_t source = hlo_operand(m, i, 0);

        if (opcode == HLO_PARAMETER ||
            (opcode == HLO_GET_TUPLE_ELEMENT && source != HLO_NONE && seen[source] & OUTSIDE))
            seen[i] |= OUTSIDE;
    }
}

/* What users in computation C read of what is OUTSIDE, that of elements also for the whole. */
static void count_reads(struct hlo_costs *costs, uint32_t first, uint32_t end, uint8_t *seen)
{
    const struct hlo_module *m = costs->m;

    for (uint32_t i = first; i < end; i++) {
        for (uint32_t k = 0; !(seen[i] & OUTSIDE) && k < m->instructions[i].n_operands; k++) {
            const uint32_t source = hlo_operand(m, i, k);

            if (source != HLO_NONE && seen[source] & OUTSIDE)
                add(&costs->reads[source], read_by(costs, i, k, source, seen));
        }
    }
    for (uint32_t i = end; i-- > first;)
        if (seen[i] & OUTSIDE && m->instructions[i].opcode == HLO_GET_TUPLE_ELEMENT)
            add(&costs->reads[hlo_operand(m, i, 0)], costs->reads[i]);
}

void hlo_count_fused_bytes(struct hlo_costs *costs, uint32_t c, uint8_t *seen)
{
    const struct hlo_module *m = costs->m;
    const struct hlo_computation *fused = &m->computations[c];
    const uint32_t first = fused->first_instruction, end = first + fused->n_instructions;
    struct hlo_body *body = &costs->bodies[c];

    mark_outside(m, first, end, seen);
    count_reads(costs, first, end, seen);
    for (uint32_t k = 0; k < fused->n_parameters; k++)
        if (hlo_parameter(m, c, k) != HLO_NONE)
            add(&body->bytes_read, costs->reads[hlo_parameter(m, c, k)]);
    for (uint32_t i = first; i < end; i++) {
        const struct hlo_leaf *leaf = hlo_leaf(m, i, 0);

        if (m->instructions[i].opcode == HLO_CONSTANT && leaf &&
            leaf->elements > MAX_IMMEDIATE_ELEMENTS)
            add(&body->bytes_read, leaf->bytes);
    }
    if (fused->root == HLO_NONE || m->instructions[fused->root].opcode != HLO_TUPLE) {
        body->bytes_written = written_bytes(m, fused->root);
        return;
    }
    for (uint32_t k = 0; k < m->instructions[fused->root].n_operands; k++)
        add(&body->bytes_written, written_bytes(m, hlo_operand(m, fused->root, k)));
}

/* ---- all others */

static void count_default(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    cost->bytes_written = hlo_shape_bytes(m, i);
    read_operands(m, i, 0, m->instructions[i].n_operands, cost);
}

/* A part that is copied, and N indices from operand FROM on. */
static void count_part(const struct hlo_module *m, uint32_t i, int64_t part, uint32_t from,
                       uint32_t n, struct hlo_cost *cost)
{
    cost->bytes_written = part;
    cost->bytes_read = part;
    read_operands(m, i, from, from + n, cost);
}

/* Operands are arrays, indices, and as many updates as arrays; updates and what they change are
 * read, and that is written. */
static void count_scatter(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    const uint32_t n = m->instructions[i].n_operands, n_arrays = n / 2;

    read_operands(m, i, n_arrays + 1, n, cost);
    cost->bytes_written = cost->bytes_read;
    add(&cost->bytes_read, cost->bytes_read);
    read_operands(m, i, n_arrays, n_arrays + 1, cost);
}

static void count_triangular_solve(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    cost->bytes_written = hlo_shape_bytes(m, i);
    cost->bytes_read = operand_bytes(m, i, 0) / 2;
    read_operands(m, i, 1, 2, cost);
}

/* Half of it is read and half of it written. */
static void count_cholesky(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    cost->bytes_written = operand_bytes(m, i, 0) / 2;
    cost->bytes_read = clamp_sub(operand_bytes(m, i, 0), cost->bytes_written);
}

static void count_custom_call(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    const struct hlo_leaf *first = hlo_leaf(m, i, 0);

    count_default(m, i, cost);
    if (first && hlo_is_library_call(m, i))
        cost->bytes_written = first->bytes;
}

void hlo_count_bytes(const struct hlo_costs *costs, uint32_t i, struct hlo_cost *cost)
{
    const struct hlo_module *m = costs->m;
    const uint32_t callee = hlo_called(m, i, 0);

    switch (hlo_opcodes[m->instructions[i].opcode].bytes) {
    case HLO_BYTES_NOTHING:
        return;
    case HLO_BYTES_SLICE:
        count_part(m, i, hlo_shape_bytes(m, i), 0, 0, cost);
        return;
    case HLO_BYTES_DYNAMIC_SLICE:
    case HLO_BYTES_GATHER:
        count_part(m, i, hlo_shape_bytes(m, i), 1, 1, cost);
        return;
    case HLO_BYTES_DYNAMIC_UPDATE_SLICE:
        count_part(m, i, operand_bytes(m, i, 1), 2, 1, cost);
        return;
    case HLO_BYTES_SCATTER:
        count_scatter(m, i, cost);
        return;
    case HLO_BYTES_FUSION:
        cost->bytes_read = callee != HLO_NONE ? costs->bodies[callee].bytes_read : 0;
        cost->bytes_written = callee != HLO_NONE ? costs->bodies[callee].bytes_written : 0;
        return;
    case HLO_BYTES_TRIANGULAR_SOLVE:
        count_triangular_solve(m, i, cost);
        return;
    case HLO_BYTES_CHOLESKY:
        count_cholesky(m, i, cost);
        return;
    case HLO_BYTES_CUSTOM_CALL:
        count_custom_call(m, i, cost);
        return;
    case HLO_BYTES_DEFAULT:
    case HLO_BYTES_RULES:
        count_default(m, i, cost);
        return;
    }
}
