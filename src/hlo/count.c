/* count.c: rules that count the operations of one execution (formats-hlo.md section 6). */
#include <string.h>

#include "base/satmath.h"
#include "hlo/attributes.h"
#include "hlo/fields.h"
#include "hlo/opcode.h"
#include "hlo/tally.h"

/* ---- building blocks */

static const struct hlo_leaf *known(struct hlo_tally *t, const struct hlo_leaf *leaf)
{
    static const struct hlo_leaf nothing;

    return hlo_tally_need(t, leaf && leaf->elements >= 0) ? leaf : &nothing;
}

const struct hlo_leaf *hlo_tally_operand(struct hlo_tally *t, uint32_t k)
{
    return known(t, hlo_leaf(t->m, hlo_operand(t->m, t->i, k), 0));
}

const struct hlo_leaf *hlo_tally_output(struct hlo_tally *t)
{
    return known(t, hlo_leaf(t->m, t->i, 0));
}

/* Multiplies the term of FIGURE by the elements of LEAF. */
static void hlo_tally_elements(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf)
{
    const int64_t *dims = leaf->n_dims ? t->m->dims + leaf->first_dim : NULL;

    terms_times_sizes(&t->figures[figure], dims, leaf->n_dims, leaf->elements);
}

void hlo_tally_dim(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf,
                   uint64_t at)
{
    const int64_t size = hlo_dim(t->m, leaf, at);

    if (hlo_tally_need(t, size >= 0))
        terms_times(&t->figures[figure], size);
}

/* Adds the term N(LEAF). */
static void hlo_tally_each(struct hlo_tally *t, enum hlo_figure figure, const struct hlo_leaf *leaf)
{
    terms_plus(&t->figures[figure]);
    hlo_tally_elements(t, figure, leaf);
}

void hlo_tally_product(struct hlo_tally *t, const struct hlo_leaf *output)
{
    t->is_multiply_add = true;
    terms_plus(&t->figures[HLO_OPERATIONS]);
    terms_times(&t->figures[HLO_OPERATIONS], 2);
    hlo_tally_elements(t, HLO_OPERATIONS, output);
}

/* Adds WEIGHT to FIGURE for each of the RUNS. */
static void add_runs(struct hlo_tally *t, enum hlo_figure figure, int64_t weight,
                     const struct hlo_runs *runs, size_t n)
{
    struct terms *sum = &t->figures[figure];

    for (size_t i = 0; weight && i < n; i++) {
        if (runs[i].negative)
            terms_minus(sum);
        else
            terms_plus(sum);
        if (runs[i].leaf)
            hlo_tally_elements(t, figure, runs[i].leaf);
        if (runs[i].times != 1)
            terms_times(sum, runs[i].times);
        if (weight != 1 || !runs[i].leaf)
            terms_times(sum, weight);
    }
}

/* Adds the cost of called computation K for all N RUNS. */
static void hlo_tally_runs(struct hlo_tally *t, uint32_t k, const struct hlo_runs *runs, size_t n)
{
    const uint32_t c = hlo_called(t->m, t->i, k);
    const uint32_t caller = t->m->instructions[t->i].computation;
    bool *saturated = &t->figures[HLO_OPERATIONS].saturated;
    const struct hlo_body *body;
    int64_t times = 0;

    /* In a recursion the callee has no cost yet. */
    if (!hlo_tally_need(t, c != HLO_NONE) ||
        !hlo_tally_need(t, t->m->computations[c].rank < t->m->computations[caller].rank))
        return;
    body = &t->costs->bodies[c];
    hlo_tally_need(t, !body->no_rule);
    *saturated |= body->saturated;
    for (size_t i = 0; i < n; i++) {
        const int64_t elements = runs[i].leaf ? runs[i].leaf->elements : 1;
        const int64_t more = sat_mul(runs[i].times, elements, saturated);

        times = sat_add(times, runs[i].negative ? clamp_neg(more) : more, saturated);
    }
    if (!hlo_tally_need(t, times >= 0))
        return;
    for (enum hlo_figure figure = 0; figure < HLO_FIGURES; figure++)
        add_runs(t, figure, body->figures[figure], runs, n);
    t->multiply_adds = clamp_add(t->multiply_adds, clamp_mul(times, body->multiply_adds));
    t->divisions = clamp_add(t->divisions, clamp_mul(times, body->divisions));
}

/* log2 N, rounded down (floor) or up (ceil); 0 for N < 1. */
static int64_t log2_floor(int64_t n)
{
    return n > 1 ? (int64_t)(63 - (unsigned)__builtin_clzll((unsigned long long)n)) : 0;
}

static int64_t log2_ceiling(int64_t n)
{
    return n > 1 ? clamp_add(log2_floor(clamp_sub(n, 1)), 1) : 0;
}

/* ---- rules */

static void count_unknown(struct hlo_tally *t)
{
    t->no_rule = true;
}

static void count_nothing(struct hlo_tally *t)
{
    (void)t;
}

static void count_elementwise(struct hlo_tally *t)
{
    const uint8_t opcode = t->m->instructions[t->i].opcode;
    const struct hlo_leaf *output = hlo_tally_output(t);

    hlo_tally_each(t, HLO_OPERATIONS, output);
    if (opcode == HLO_DIVIDE || opcode == HLO_REMAINDER)
        t->divisions = output->elements;
}

static void count_transcendental(struct hlo_tally *t)
{
    hlo_tally_each(t, HLO_TRANSCENDENTALS, hlo_tally_output(t));
}

/* Counts the elements of all output arrays. */
static void count_outputs(struct hlo_tally *t, enum hlo_figure figure)
{
    for (uint32_t k = 0; k < t->m->instructions[t->i].n_leaves; k++)
        hlo_tally_each(t, figure, known(t, hlo_leaf(t->m, t->i, k)));
}

static void count_random(struct hlo_tally *t)
{
    count_outputs(t, HLO_TRANSCENDENTALS);
}

static void count_all_reduce(struct hlo_tally *t)
{
    count_outputs(t, HLO_OPERATIONS);
}

static void count_dot(struct hlo_tally *t)
{
    struct hlo_list contracted =
        hlo_list(t->m, t->i, INSTRUCTION_DOT_NUMBERS, DOT_LHS_CONTRACTING);
    const struct hlo_leaf *lhs = hlo_tally_operand(t, 0);
    int64_t at;

    hlo_tally_product(t, hlo_tally_output(t));
    while (hlo_next_number(&contracted, &at))
        hlo_tally_dim(t, HLO_OPERATIONS, lhs, (uint64_t)at);
}

static void count_reduce(struct hlo_tally *t)
{
    const struct hlo_runs runs[] = {{hlo_tally_operand(t, 0), 1, false},
                                    {hlo_tally_output(t), 1, true}};

    hlo_tally_runs(t, 0, runs, 2);
}

struct window_dimension {
    int64_t size, padding_low, padding_high;
};

static struct window_dimension read_window_dimension(struct wire_in message)
{
    struct window_dimension d = {0};
    struct wire_field f;

    while (wire_next(&message, &f)) {
        if (f.type != WIRE_VARINT)
            continue;
        if (f.number == WINDOW_SIZE)
            d.size = (int64_t)f.value;
        else if (f.number == WINDOW_PADDING_LOW)
            d.padding_low = (int64_t)f.value;
        else if (f.number == WINDOW_PADDING_HIGH)
            d.padding_high = (int64_t)f.value;
    }
    return d;
}

/* Elements of the instruction's window minus 1. */
static int64_t window_steps(struct hlo_tally *t)
{
    struct hlo_list dimensions = hlo_list(t->m, t->i, INSTRUCTION_WINDOW, WINDOW_DIMENSIONS);
    struct wire_in dimension;
    int64_t elements = 1;

    while (hlo_next_message(&dimensions, &dimension)) {
        const int64_t size = read_window_dimension(dimension).size;

        hlo_tally_need(t, size > 0);
        elements = sat_mul(elements, size, &t->figures[HLO_OPERATIONS].saturated);
    }
    return clamp_sub(elements, 1);
}

/* If a reduce-window reduces one whole dimension and broadcasts the result, the size of that
 * dimension, else 0. */
static int64_t broadcast_width(struct hlo_tally *t)
{
    struct hlo_list dimensions = hlo_list(t->m, t->i, INSTRUCTION_WINDOW, WINDOW_DIMENSIONS);
    uint32_t n_reduced = 0, n_padded = 0, at = 0;
    struct wire_in dimension;
    int64_t width = 0;

    for (; hlo_next_message(&dimensions, &dimension); at++) {
        const struct window_dimension d = read_window_dimension(dimension);

        n_reduced += d.size != 1;
        n_padded += d.padding_low != 0 || d.padding_high != 0;
        if (d.padding_low > 0 && d.padding_low == d.padding_high &&
            d.size == clamp_add(clamp_mul(2, d.padding_low), 1) &&
            hlo_dim(t->m, hlo_leaf(t->m, t->i, 0), at) == clamp_add(d.padding_low, 1))
            width = clamp_add(d.padding_low, 1);
    }
    return n_reduced == 1 && n_padded == 1 && !t->m->instructions[t->i].is_tuple ? width : 0;
}

static void count_reduce_window(struct hlo_tally *t)
{
    const struct hlo_leaf *output = hlo_tally_output(t);
    const int64_t width = broadcast_width(t);
    const struct hlo_runs runs[] = {{NULL, width ? quotient(output->elements, width) : 0, false},
                                    {NULL, clamp_sub(width, 1), false}};

    if (width)
        hlo_tally_runs(t, 0, runs, 2);
    else
        hlo_tally_runs(t, 0, &(struct hlo_runs){output, window_steps(t), false}, 1);
}

/* Calls select and scatter; operands: array, source, initial value. */
static void count_select_and_scatter(struct hlo_tally *t)
{
    const struct hlo_leaf *source = hlo_tally_operand(t, 1);

    hlo_tally_runs(t, 0, &(struct hlo_runs){source, window_steps(t), false}, 1);
    hlo_tally_runs(t, 1, &(struct hlo_runs){source, 1, false}, 1);
}

static void count_map(struct hlo_tally *t)
{
    hlo_tally_runs(t, 0, &(struct hlo_runs){hlo_tally_output(t), 1, false}, 1);
}

/* Operands: arrays, indices, then one update for each array. */
static void count_scatter(struct hlo_tally *t)
{
    const uint32_t n_arrays = t->m->instructions[t->i].n_operands / 2;

    hlo_tally_runs(t, 0, &(struct hlo_runs){hlo_tally_operand(t, n_arrays + 1), 1, false}, 1);
}

/* Adds a cost that is already computed. */
static void count_part(struct hlo_tally *t, const struct hlo_cost *cost)
{
    hlo_tally_need(t, cost->state != HLO_NO_RULE);
    t->figures[HLO_OPERATIONS].saturated |= cost->saturated;
    if (cost->operations) {
        terms_plus(&t->figures[HLO_OPERATIONS]);
        terms_times(&t->figures[HLO_OPERATIONS], cost->operations);
    }
    if (cost->transcendentals) {
        terms_plus(&t->figures[HLO_TRANSCENDENTALS]);
        terms_times(&t->figures[HLO_TRANSCENDENTALS], cost->transcendentals);
    }
    t->multiply_adds = cost->multiply_adds;
    t->divisions = cost->divisions;
}

uint32_t hlo_part_of_custom_fusion(const struct hlo_costs *costs, uint32_t i)
{
    const struct hlo_module *m = costs->m;
    const struct text kind = hlo_string(m, i, INSTRUCTION_FUSION_KIND);
    const uint32_t c = hlo_called(m, i, 0);

    if (c == HLO_NONE || !text_is(kind, "kCustom") ||
        m->computations[c].rank >= m->computations[m->instructions[i].computation].rank)
        return HLO_NONE;
    return costs->bodies[c].gather_or_scatter;
}

static void count_fusion(struct hlo_tally *t)
{
    const uint32_t part = hlo_part_of_custom_fusion(t->costs, t->i);

    if (part != HLO_NONE) {
        count_part(t, &t->costs->costs[part]);
        return;
    }
    hlo_tally_runs(t, 0, &(struct hlo_runs){NULL, 1, false}, 1);
}

/* Four multiply-adds for each complex one. */
static void count_fft(struct hlo_tally *t)
{
    struct hlo_list lengths = hlo_list(t->m, t->i, INSTRUCTION_FFT_LENGTH, 0);
    struct terms *sum = &t->figures[HLO_OPERATIONS];
    int64_t length;

    t->is_multiply_add = true;
    terms_plus(sum);
    terms_times(sum, 8);
    while (hlo_next_number(&lengths, &length))
        terms_times(sum, log2_floor(length));
    hlo_tally_elements(t, HLO_OPERATIONS, hlo_tally_operand(t, 0));
}

static void count_triangular_solve(struct hlo_tally *t)
{
    const struct hlo_leaf *a = hlo_tally_operand(t, 0), *b = hlo_tally_operand(t, 1);

    hlo_tally_product(t, b);
    hlo_tally_dim(t, HLO_OPERATIONS, a, (uint64_t)a->n_dims - 1);
}

static void count_cholesky(struct hlo_tally *t)
{
    const struct hlo_leaf *a = hlo_tally_operand(t, 0);

    hlo_tally_each(t, HLO_OPERATIONS, a);
    hlo_tally_dim(t, HLO_OPERATIONS, a, (uint64_t)a->n_dims - 1);
    terms_divide(&t->figures[HLO_OPERATIONS], 3);
}

static void count_sort(struct hlo_tally *t)
{
    const struct hlo_leaf *array = hlo_tally_operand(t, 0);

    hlo_tally_each(t, HLO_OPERATIONS, array);
    terms_times(&t->figures[HLO_OPERATIONS], log2_ceiling(array->elements));
}

hlo_count *const hlo_count_rules[] = {
    [HLO_COUNT_UNKNOWN] = count_unknown, [HLO_COUNT_NOTHING] = count_nothing,
    [HLO_COUNT_ELEMENTWISE] = count_elementwise, [HLO_COUNT_TRANSCENDENTAL] = count_transcendental,
    [HLO_COUNT_RANDOM] = count_random, [HLO_COUNT_DOT] = count_dot,
    [HLO_COUNT_CONVOLUTION] = hlo_count_convolution, [HLO_COUNT_REDUCE] = count_reduce,
    [HLO_COUNT_REDUCE_WINDOW] = count_reduce_window,
    [HLO_COUNT_SELECT_AND_SCATTER] = count_select_and_scatter, [HLO_COUNT_MAP] = count_map,
    [HLO_COUNT_SCATTER] = count_scatter, [HLO_COUNT_FUSION] = count_fusion,
    [HLO_COUNT_ALL_REDUCE] = count_all_reduce, [HLO_COUNT_FFT] = count_fft,
    [HLO_COUNT_TRIANGULAR_SOLVE] = count_triangular_solve, [HLO_COUNT_CHOLESKY] = count_cholesky,
    [HLO_COUNT_SORT] = count_sort, [HLO_COUNT_CALL] = count_nothing,
    [HLO_COUNT_BODIES] = count_nothing, [HLO_COUNT_CUSTOM_CALL] = hlo_count_custom_call,
};
_Static_assert(sizeof hlo_count_rules / sizeof *hlo_count_rules == HLO_COUNT_RULES, "a rule each");
