/* count_bytes.c: counts the bytes that one execution reads and writes (formats-hlo.md section
 * 7). */
#include "base/satmath.h"
#include "hlo/attributes.h"
#include "hlo/fields.h"
#include "hlo/opcode.h"
#include "hlo/tally.h"

/* Larger constants of a fusion are in memory. */
enum { MAX_IMMEDIATE_ELEMENTS = 1 };

/* A tuple operand is a table of pointers. */
enum { POINTER_BYTES = 8 };

static void add(int64_t *sum, int64_t bytes)
{
    *sum = clamp_add(*sum, bytes);
}

/* Bytes of operand K of instruction I. */
static int64_t operand_bytes(const struct hlo_module *m, uint32_t i, uint32_t k)
{
    const uint32_t operand = hlo_operand(m, i, k);

    if (operand != HLO_NONE && m->instructions[operand].is_tuple)
        return clamp_mul(m->instructions[operand].n_elements, POINTER_BYTES);
    return hlo_shape_bytes(m, operand);
}

/* Adds operands [FROM, TO) to the bytes read. */
static void read_operands(const struct hlo_module *m, uint32_t i, uint32_t from, uint32_t to,
                          struct hlo_cost *cost)
{
    for (uint32_t k = from; k < to; k++)
        add(&cost->bytes_read, operand_bytes(m, i, k));
}

/* ---- fusions */

/* Bytes that a fusion writes for its root I, or for an element of it; an in-place update writes
 * only the new part. */
static int64_t written_bytes(const struct hlo_module *m, uint32_t i)
{
    if (i != HLO_NONE && m->instructions[i].opcode == HLO_DYNAMIC_UPDATE_SLICE)
        return operand_bytes(m, i, 1);
    return hlo_shape_bytes(m, i);
}

/* Flags of an instruction while the reads of its computation are counted. */
enum {
    READ_WHOLE = 1, /* an instruction reads all of it */
    OUTSIDE = 2,    /* memory from outside the fusion: a parameter, or an element of one */
    /* Of an inner fusion, by the first of its users that is not a slice: */
    UPDATED = 4,  /* a slice or update that uses it as index or value */
    COMPUTED = 8, /* any other user */
    SLICED = 16,  /* it has a slice as a user */
};

/* Records in SEEN and costs->reads what USER reads of the output of the inner fusion SOURCE: a
 * slice reads its part, an in-place update nothing of the part that it replaces. */
static void note_user_of_fusion(struct hlo_costs *costs, uint32_t user, uint32_t source,
                                uint8_t *seen)
{
    const struct hlo_module *m = costs->m;
    const uint8_t opcode = m->instructions[user].opcode;
    const bool is_first = source == hlo_operand(m, user, 0);

    if (opcode == HLO_SLICE || (opcode == HLO_DYNAMIC_SLICE && is_first)) {
        seen[source] |= SLICED;
        add(&costs->reads[source], hlo_shape_bytes(m, user));
    } else if (opcode == HLO_DYNAMIC_UPDATE_SLICE && is_first) {
        seen[source] |= SLICED;
    } else if (!(seen[source] & (UPDATED | COMPUTED))) {
        seen[source] |=
            opcode == HLO_DYNAMIC_SLICE || opcode == HLO_DYNAMIC_UPDATE_SLICE ? UPDATED : COMPUTED;
    }
}

static void note_users_of_fusions(struct hlo_costs *costs, uint32_t first, uint32_t end,
                                  uint8_t *seen)
{
    const struct hlo_module *m = costs->m;

    for (uint32_t i = first; i < end; i++) {
        for (uint32_t k = 0; k < m->instructions[i].n_operands; k++) {
            const uint32_t source = hlo_operand(m, i, k);

            if (source != HLO_NONE && m->instructions[source].opcode == HLO_FUSION)
                note_user_of_fusion(costs, i, source, seen);
        }
    }
}

/* Bytes that the inner fusion USER reads of its operand K.  If its root applies to that operand
 * directly, slices of the output are slices of the operand. */
static int64_t read_by_fusion(const struct hlo_costs *costs, uint32_t user, uint32_t k,
                              const uint8_t *seen)
{
    const struct hlo_module *m = costs->m;
    const uint32_t callee = hlo_called(m, user, 0);
    const uint32_t inner = callee != HLO_NONE ? hlo_parameter(m, callee, k) : HLO_NONE;
    const uint32_t root = callee != HLO_NONE ? m->computations[callee].root : HLO_NONE;
    bool is_simple;

    if (inner == HLO_NONE || root == HLO_NONE)
        return 0;
    is_simple = !m->instructions[root].n_operands || hlo_operand(m, root, 0) == inner;
    if (!is_simple)
        return seen[user] & (UPDATED | COMPUTED | SLICED) ? costs->reads[inner] : 0;
    if (seen[user] & UPDATED)
        return clamp_add(costs->reads[user], hlo_shape_bytes(m, user));
    return clamp_add(costs->reads[user], seen[user] & COMPUTED ? costs->reads[inner] : 0);
}

/* Bytes that instruction USER reads of SOURCE, its operand K.  A whole operand is counted once for
 * all users, with the flag in SEEN. */
static int64_t read_by(const struct hlo_costs *costs, uint32_t user, uint32_t k, uint32_t source,
                       uint8_t *seen)
{
    const struct hlo_module *m = costs->m;
    const enum hlo_opcode opcode = (enum hlo_opcode)m->instructions[user].opcode;

    if (opcode == HLO_SLICE || (opcode == HLO_DYNAMIC_SLICE && k == 0))
        return hlo_shape_bytes(m, user);
    if (opcode == HLO_DYNAMIC_UPDATE_SLICE && source == hlo_operand(m, user, 0))
        return 0;
    if (opcode == HLO_BROADCAST || opcode == HLO_RESHAPE)
        return hlo_shape_bytes(m, source);
    if (opcode == HLO_FUSION)
        return read_by_fusion(costs, user, k, seen);
    if (seen[source] & READ_WHOLE)
        return 0;
    seen[source] |= READ_WHOLE;
    return hlo_shape_bytes(m, source);
}

/* Sets OUTSIDE; operands precede their users. */
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

/* Sums what the instructions [FIRST, END) read of values that are OUTSIDE; reads of elements also
 * count for their tuple. */
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

    note_users_of_fusions(costs, first, end, seen);
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

/* ---- other instructions */

static void count_default(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    cost->bytes_written = hlo_shape_bytes(m, i);
    read_operands(m, i, 0, m->instructions[i].n_operands, cost);
}

/* Includes the arrays of tuples. */
static void count_outfeed(const struct hlo_module *m, uint32_t i, struct hlo_cost *cost)
{
    for (uint32_t k = 0; k < m->instructions[i].n_operands; k++)
        add(&cost->bytes_read, hlo_shape_bytes(m, hlo_operand(m, i, k)));
}

/* Limit for the dimensions of an array; larger ranks are not compared. */
enum { MAX_DIMENSIONS = 64 };

/* Writes the dimensions of array I, fastest first: its layout, or row-major without one.  Returns
 * their number, MAX_DIMENSIONS when the rank is not below that. */
static uint32_t read_order(const struct hlo_module *m, uint32_t i, int64_t order[MAX_DIMENSIONS])
{
    struct hlo_list layouts = hlo_list(m, i, INSTRUCTION_SHAPE, SHAPE_LAYOUT);
    const struct hlo_leaf *leaf = hlo_leaf(m, i, 0);
    const uint32_t rank = leaf && leaf->n_dims < MAX_DIMENSIONS ? leaf->n_dims : MAX_DIMENSIONS;
    struct wire_in layout;
    struct wire_field f;
    uint32_t n = 0;

    while (hlo_next_message(&layouts, &layout)) {
        while (wire_next(&layout, &f)) {
            const uint8_t *at = NULL;
            uint64_t dimension;

            while (f.number == LAYOUT_ORDER && n < rank &&
                   wire_next_number(&f, WIRE_VARINT, &at, &dimension))
                order[n++] = (int64_t)dimension;
        }
    }
    for (uint32_t k = 0; n == 0 && rank < MAX_DIMENSIONS && k < rank; k++)
        order[k] = (int64_t)(rank - 1 - k);
    return rank;
}

/* True when transpose I moves no element: the output layout equals the permuted layout of the
 * operand. */
static bool is_bitcast(const struct hlo_module *m, uint32_t i)
{
    struct hlo_list dimensions = hlo_list(m, i, INSTRUCTION_DIMENSIONS, 0);
    int64_t from[MAX_DIMENSIONS] = {0}, to[MAX_DIMENSIONS] = {0}, permuted[MAX_DIMENSIONS];
    const uint32_t operand = hlo_operand(m, i, 0);
    uint32_t rank, n = 0;

    if (operand == HLO_NONE || m->instructions[operand].is_tuple || m->instructions[i].is_tuple)
        return false;
    rank = read_order(m, i, to);
    if (rank == MAX_DIMENSIONS || read_order(m, operand, from) != rank)
        return false;
    while (n < rank && hlo_next_number(&dimensions, &permuted[n]))
        n++;
    for (uint32_t k = 0; k < rank; k++)
        if (n < rank || to[k] < 0 || to[k] >= rank || permuted[to[k]] != from[k])
            return false;
    return true;
}

/* Reads and writes PART bytes, and reads N indices from operand FROM on. */
static void count_part(const struct hlo_module *m, uint32_t i, int64_t part, uint32_t from,
                       uint32_t n, struct hlo_cost *cost)
{
    cost->bytes_written = part;
    cost->bytes_read = part;
    read_operands(m, i, from, from + n, cost);
}

/* Operands: arrays, indices, then one update for each array.  Reads indices, updates and the
 * replaced parts, and writes those parts. */
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

/* Half of the operand is written. */
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
    uint32_t part;

    switch (hlo_opcodes[m->instructions[i].opcode].bytes) {
    case HLO_BYTES_NOTHING:
        return;
    case HLO_BYTES_OUTFEED:
        count_outfeed(m, i, cost);
        return;
    case HLO_BYTES_TRANSPOSE:
        if (!is_bitcast(m, i))
            count_default(m, i, cost);
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
        part = hlo_part_of_custom_fusion(costs, i);
        if (part != HLO_NONE) {
            cost->bytes_read = costs->costs[part].bytes_read;
            cost->bytes_written = costs->costs[part].bytes_written;
            return;
        }
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
