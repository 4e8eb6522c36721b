/* count_convolution.c: counts the operations of convolutions (formats-hlo.md section 6.2). */
#include "base/satmath.h"
#include "hlo/attributes.h"
#include "hlo/fields.h"
#include "hlo/tally.h"

/* Limit for sizes, so that products of two cannot overflow. */
#define MAX_SIZE ((int64_t)1 << 30)

enum { STEPS_PER_POSITION = 4 };

/* One spatial dimension. */
struct spatial {
    int64_t kernel, output, input; /* sizes */
    int64_t stride, padding_low, kernel_dilation, input_dilation;
};

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return sat_remainder(a, b) < 0 ? clamp_sub(quotient(a, b), 1) : quotient(a, b);
}

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        const int64_t rest = sat_remainder(a, b);

        a = b;
        b = rest;
    }
    return a;
}

/* The inverse of A modulo M, for coprime A and M (extended Euclidean algorithm). */
static int64_t inverse(int64_t a, int64_t m)
{
    int64_t r = m, next_r = sat_remainder(a, m), x = 0, next_x = 1;

    while (next_r) {
        const int64_t times = quotient(r, next_r);
        const int64_t rest_r = sat_remainder(r, next_r);
        const int64_t rest_x = clamp_sub(x, clamp_mul(times, next_x));

        r = next_r;
        next_r = rest_r;
        x = next_x;
        next_x = rest_x;
    }
    return x;
}

/* The x in [0, N) for which FIXED + STEP * x is a multiple of SPACING in [0, LAST]. */
struct progression {
    int64_t n, step, spacing, last;
    int64_t divisor; /* gcd of step and spacing */
    int64_t period;  /* distance of two solutions x */
    int64_t inverse; /* of step / divisor, modulo period */
};

static struct progression progression_of(int64_t n, int64_t step, int64_t spacing, int64_t input)
{
    struct progression c = {.n = n, .step = step, .spacing = spacing};

    c.last = clamp_mul(spacing, clamp_sub(input, 1));
    c.divisor = greatest_common_divisor(step, spacing);
    c.period = quotient(spacing, c.divisor);
    c.inverse = inverse(quotient(step, c.divisor), c.period);
    return c;
}

static int64_t count_solutions(const struct progression *c, int64_t fixed)
{
    const int64_t min = clamp_neg(floor_quotient(fixed, c->step));
    const int64_t greatest = floor_quotient(clamp_sub(c->last, fixed), c->step);
    const int64_t from = min > 0 ? min : 0;
    const int64_t to = greatest < c->n ? greatest : clamp_sub(c->n, 1);
    int64_t x;

    if (to < from || sat_remainder(fixed, c->divisor) != 0)
        return 0;
    x = sat_remainder(quotient(clamp_neg(fixed), c->divisor), c->period);
    x = sat_remainder(clamp_mul(x, c->inverse), c->period);
    return clamp_sub(floor_quotient(clamp_sub(to, x), c->period),
                     floor_quotient(clamp_sub(clamp_sub(from, 1), x), c->period));
}

static bool sizes_are_valid(const struct spatial *s)
{
    return s->kernel >= 0 && s->kernel <= MAX_SIZE && s->output >= 0 && s->output <= MAX_SIZE &&
           s->input >= 0 && s->input <= MAX_SIZE && s->stride >= 1 && s->stride <= MAX_SIZE &&
           s->padding_low >= -MAX_SIZE && s->padding_low <= MAX_SIZE &&
           s->kernel_dilation >= 1 && s->kernel_dilation <= MAX_SIZE &&
           s->input_dilation >= 1 && s->input_dilation <= MAX_SIZE;
}

/* Pairs of kernel and output positions that meet an element of the input, not padding and not a gap
 * of its dilation; -1 when a size is out of range or the budget is exhausted.  Iterates over the
 * smaller of kernel and output. */
static int64_t count_positions(const struct spatial *s, struct budget *budget)
{
    const bool kernel_first = s->kernel <= s->output;
    const int64_t n = kernel_first ? s->kernel : s->output;
    const int64_t step = kernel_first ? s->kernel_dilation : s->stride;
    struct progression comb;
    int64_t pairs = 0;

    if (!sizes_are_valid(s) || !budget_take(budget, 0, (uint64_t)n * STEPS_PER_POSITION))
        return -1;
    comb = kernel_first ? progression_of(s->output, s->stride, s->input_dilation, s->input)
                        : progression_of(s->kernel, s->kernel_dilation, s->input_dilation, s->input);
    for (int64_t i = 0; i < n; i = clamp_add(i, 1))
        pairs = clamp_add(pairs,
                          count_solutions(&comb, clamp_sub(clamp_mul(i, step), s->padding_low)));
    return pairs;
}

static struct spatial read_dimension(struct wire_in dimension)
{
    struct spatial s = {0};
    struct wire_field f;

    while (wire_next(&dimension, &f)) {
        if (f.type != WIRE_VARINT)
            continue;
        if (f.number == WINDOW_STRIDE)
            s.stride = (int64_t)f.value;
        else if (f.number == WINDOW_PADDING_LOW)
            s.padding_low = (int64_t)f.value;
        else if (f.number == WINDOW_DILATION)
            s.kernel_dilation = (int64_t)f.value;
        else if (f.number == WINDOW_BASE_DILATION)
            s.input_dilation = (int64_t)f.value;
    }
    return s;
}

/* The size of the dimension that the next number of LIST selects. */
static int64_t next_size(struct hlo_tally *t, struct hlo_list *list, const struct hlo_leaf *leaf)
{
    int64_t at = -1;

    hlo_tally_need(t, hlo_next_number(list, &at));
    return hlo_dim(t->m, leaf, (uint64_t)at);
}

/* The last number of FIELD of the dimension numbers; 0 when it is missing. */
static uint64_t dimension_number(const struct hlo_tally *t, uint32_t field)
{
    struct hlo_list list = hlo_list(t->m, t->i, INSTRUCTION_CONVOLUTION_NUMBERS, field);
    int64_t number = 0;

    while (hlo_next_number(&list, &number))
        continue;
    return (uint64_t)number;
}

/* A number of groups; 1 when it is missing. */
static int64_t groups(const struct hlo_tally *t, uint32_t field)
{
    const int64_t n = hlo_number(t->m, t->i, field);

    return n > 0 ? n : 1;
}

/* Multiplies by dimension FIELD of LEAF divided by the number of groups N. */
static void times_share(struct hlo_tally *t, const struct hlo_leaf *leaf, uint32_t field, int64_t n)
{
    const int64_t size = hlo_dim(t->m, leaf, dimension_number(t, field));

    if (hlo_tally_need(t, size >= 0))
        terms_times(&t->figures[HLO_OPERATIONS], quotient(size, n));
}

void hlo_tally_convolution(struct hlo_tally *t, const struct hlo_leaf *lhs,
                           const struct hlo_leaf *rhs, const struct hlo_leaf *output)
{
    const uint32_t numbers = INSTRUCTION_CONVOLUTION_NUMBERS;
    struct hlo_list window = hlo_list(t->m, t->i, INSTRUCTION_WINDOW, WINDOW_DIMENSIONS);
    struct hlo_list kernels = hlo_list(t->m, t->i, numbers, CONVOLUTION_KERNEL_SPATIAL);
    struct hlo_list inputs = hlo_list(t->m, t->i, numbers, CONVOLUTION_INPUT_SPATIAL);
    struct hlo_list outputs = hlo_list(t->m, t->i, numbers, CONVOLUTION_OUTPUT_SPATIAL);
    struct terms *sum = &t->figures[HLO_OPERATIONS];
    struct wire_in dimension;

    t->is_multiply_add = true;
    terms_plus(sum);
    terms_times(sum, 2);
    times_share(t, lhs, CONVOLUTION_INPUT_FEATURE, groups(t, INSTRUCTION_FEATURE_GROUPS));
    times_share(t, output, CONVOLUTION_OUTPUT_FEATURE, 1);
    times_share(t, lhs, CONVOLUTION_INPUT_BATCH, groups(t, INSTRUCTION_BATCH_GROUPS));
    while (hlo_next_message(&window, &dimension)) {
        struct spatial s = read_dimension(dimension);
        int64_t positions;

        s.kernel = next_size(t, &kernels, rhs);
        s.input = next_size(t, &inputs, lhs);
        s.output = next_size(t, &outputs, output);
        positions = count_positions(&s, t->budget);
        if (!hlo_tally_need(t, positions >= 0))
            return;
        terms_times(sum, positions);
    }
}

void hlo_count_convolution(struct hlo_tally *t)
{
    hlo_tally_convolution(t, hlo_tally_operand(t, 0), hlo_tally_operand(t, 1),
                          hlo_tally_output(t));
}
