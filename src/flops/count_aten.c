/* count_aten.c: operation counts of PyTorch's operators. */
#include "flops/flops_priv.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/satmath.h"
#include "model/iteration.h"

enum { CALL_ARGS_MAX = 16, CALL_DIMS_MAX = 8 };

struct call_list {
    int64_t item[CALL_DIMS_MAX];
    unsigned n;
    bool is_there;    /* true: a list of at most CALL_DIMS_MAX numbers */
    bool in_brackets; /* the value was written as a list */
};

struct call {
    struct call_list dims[CALL_ARGS_MAX];
    struct call_list values[CALL_ARGS_MAX]; /* a list of numbers, or a single number; True is 1 */
    unsigned n_dims, n_values;
};

static const char *skip_blanks(const char *at)
{
    while (*at == ' ' || *at == ',' || *at == '\n' || *at == '\r' || *at == '\t')
        at++;
    return at;
}

static const char *read_number(const char *at, int64_t *number)
{
    const bool negative = *at == '-';

    *number = 0;
    for (at += negative; *at >= '0' && *at <= '9'; at++)
        if (!append_digit(number, *at))
            return NULL;
    if (negative)
        *number = clamp_neg(*number);
    return at;
}

static void push(struct call_list *list, int64_t number)
{
    if (list->n < CALL_DIMS_MAX)
        list->item[list->n] = number;
    list->is_there &= list->n < CALL_DIMS_MAX;
    list->n += list->n < CALL_DIMS_MAX;
}

/* Reads the list of numbers at AT; a list of lists is read as absent.  NULL: not a list. */
static const char *read_list(const char *at, struct call_list *list)
{
    unsigned depth = 0;

    list->is_there = true;
    list->n = 0;
    do {
        int64_t number;

        at = skip_blanks(at);
        if (*at == '[') {
            list->is_there &= depth++ == 0;
            at++;
        } else if (*at == ']') {
            depth--;
            at++;
        } else if (*at == '-' || (*at >= '0' && *at <= '9')) {
            at = read_number(at, &number);
            if (!at)
                return NULL;
            push(list, number);
        } else {
            return NULL;
        }
    } while (depth);
    return at;
}

/* Adds the dims in the JSON at AT, "" when absent; false: it is not a list of lists. */
static bool call_read_dims(struct call *call, const char *at)
{
    at = skip_blanks(at);
    if (*at++ != '[')
        return false;
    for (at = skip_blanks(at); *at == '[' && call->n_dims < CALL_ARGS_MAX; at = skip_blanks(at)) {
        at = read_list(at, &call->dims[call->n_dims++]);
        if (!at)
            return false;
    }
    return *at == ']' || call->n_dims == CALL_ARGS_MAX;
}

/* Reads a value up to its closing quote: "[2, 2]", "True", "1", "". */
static const char *read_value(const char *at, struct call_list *list)
{
    list->is_there = true;
    for (; *at && *at != '"'; at++) {
        int64_t number;

        if (*at == '\\') {
            at += at[1] != '\0';
            continue;
        }
        list->in_brackets |= *at == '[';
        if (*at == 'T' || *at == 'F')
            push(list, *at == 'T');
        if (*at != '-' && (*at < '0' || *at > '9'))
            continue;
        at = read_number(at, &number);
        if (!at)
            return NULL;
        push(list, number);
        at--;
    }
    return *at ? at + 1 : NULL;
}

/* The same for values. */
static bool call_read_values(struct call *call, const char *at)
{
    at = skip_blanks(at);
    if (*at++ != '[')
        return false;
    while (call->n_values < CALL_ARGS_MAX && *(at = skip_blanks(at)) == '"') {
        at = read_value(at + 1, &call->values[call->n_values++]);
        if (!at)
            return false;
    }
    return true;
}

/* The dims of argument I if there are at least MIN; else NULL. */
static const struct call_list *call_dims(const struct call *call, unsigned i, unsigned min)
{
    const struct call_list *list = &call->dims[i];

    return i < call->n_dims && list->is_there && list->n >= min ? list : NULL;
}

/* ---- products */

/* Product of the items from FIRST on. */
static int64_t product(const struct call_list *list, unsigned first)
{
    int64_t all = 1;

    for (unsigned i = first; i < list->n; i++)
        all = clamp_mul(all, list->item[i]);
    return all;
}

/* Item I of a value, which may be a single number for all items; DEFAULTS when it is empty. */
static int64_t value_at(const struct call *call, unsigned arg, unsigned i, int64_t defaults)
{
    const struct call_list *list = &call->values[arg];

    if (arg >= call->n_values || !list->n)
        return defaults;
    return list->item[i < list->n ? i : list->n - 1];
}

/* ---- rules: false when shapes or values are missing */

typedef bool rule_fn(const struct call *call, int64_t *count);

/* 2 * prod(a) / a[-1] * prod(b); batched: prod(b) without the batch dimension. */
static bool matrix_product(const struct call *call, unsigned first, bool batched, int64_t *count)
{
    const struct call_list *a = call_dims(call, first, batched ? 3 : 2);
    const struct call_list *b = call_dims(call, first + 1, batched ? 3 : 2);
    int64_t rows = 1;

    if (!a || !b)
        return false;
    for (unsigned i = 0; i + 1 < a->n; i++)
        rows = clamp_mul(rows, a->item[i]);
    *count = clamp_mul(2, clamp_mul(rows, product(b, batched ? 1 : 0)));
    return true;
}

static bool count_mm(const struct call *call, int64_t *count)
{
    return matrix_product(call, 0, false, count);
}

static bool count_addmm(const struct call *call, int64_t *count)
{
    return matrix_product(call, 1, false, count);
}

static bool count_bmm(const struct call *call, int64_t *count)
{
    return matrix_product(call, 0, true, count);
}

static bool count_baddbmm(const struct call *call, int64_t *count)
{
    return matrix_product(call, 1, true, count);
}

static bool count_elements(const struct call *call, int64_t *count)
{
    const struct call_list *a = call_dims(call, 0, 0);

    if (!a)
        return false;
    *count = product(a, 0);
    return true;
}

/* Elements of a convolution's output along its spatial dimensions.  Values FIRST, FIRST + 1 and
 * FIRST + 2 are stride, padding and dilation.  -1: the kernel is larger than the input. */
static int64_t output_positions(const struct call *call, const struct call_list *in, const struct call_list *w,
                                unsigned first)
{
    int64_t positions = 1;

    for (unsigned i = 0; i + 2 < w->n && i + 2 < in->n; i++) {
        const int64_t stride = value_at(call, first, i, 1);
        const int64_t padding = value_at(call, first + 1, i, 0);
        const int64_t dilation = value_at(call, first + 2, i, 1);
        const int64_t reach = clamp_mul(dilation, clamp_sub(w->item[i + 2], 1));
        const int64_t room =
            clamp_sub(clamp_sub(clamp_add(in->item[i + 2], clamp_mul(2, padding)), reach), 1);

        if (stride <= 0 || room < 0)
            return -1;
        positions = clamp_mul(positions, clamp_add(quotient(room, stride), 1));
    }
    return positions;
}

/* 2 * N * prod(w) * POSITIONS FLOPs. */
static int64_t convolution(const struct call_list *in, const struct call_list *w, int64_t positions)
{
    return clamp_mul(2, clamp_mul(clamp_mul(in->item[0], product(w, 0)), positions));
}

/* True when stride, padding and dilation are lists.  Padding may be a word, which traces do not
 * record. */
static bool has_lists_of_conv2d(const struct call *call)
{
    return call->values[3].in_brackets && call->values[4].in_brackets &&
           call->values[5].in_brackets;
}

/* torch counts 0 where it has no formula: inputs without a batch dimension, padding given as a
 * word. */
static bool count_conv2d(const struct call *call, int64_t *count)
{
    const struct call_list *in = call_dims(call, 0, 1), *w = call_dims(call, 1, 1);
    const int64_t groups = value_at(call, 6, 0, 1);
    int64_t positions;

    if (!in || !w || call->n_values < 6)
        return false;
    if (in->n != 4 || w->n != 4 || groups <= 0 || !has_lists_of_conv2d(call))
        return true;
    positions = output_positions(call, in, w, 3);
    if (positions < 0)
        return false;
    *count = clamp_mul(clamp_mul(clamp_mul(2, in->item[0]), positions),
                       clamp_mul(clamp_mul(w->item[2], w->item[3]),
                                 quotient(clamp_mul(in->item[1], w->item[0]), groups)));
    return true;
}

static bool count_convolution(const struct call *call, int64_t *count)
{
    const struct call_list *in = call_dims(call, 0, 3), *w = call_dims(call, 1, 3);
    int64_t positions;

    if (!in || !w || call->n_values < 7)
        return false;
    positions = value_at(call, 6, 0, 0) ? product(in, 2) : output_positions(call, in, w, 3);
    if (positions < 0)
        return false;
    *count = convolution(in, w, positions);
    return true;
}

static bool count_convolution_backward(const struct call *call, int64_t *count)
{
    const struct call_list *grad = call_dims(call, 0, 3), *in = call_dims(call, 1, 3);
    const struct call_list *w = call_dims(call, 2, 3);
    int64_t positions, once;

    if (!grad || !in || !w || call->n_values < 11)
        return false;
    positions = product(value_at(call, 7, 0, 0) ? in : grad, 2);
    once = convolution(in, w, positions);
    *count = 0;
    for (unsigned i = 0; i < 2; i++)
        if (value_at(call, 10, i, 0))
            *count = clamp_add(*count, once);
    return true;
}

/* Both products of attention: q k^T, and the weights times v. */
static bool count_attention(const struct call *call, int64_t *count)
{
    const struct call_list *q = call_dims(call, 0, 4), *k = call_dims(call, 1, 4), *v = call_dims(call, 2, 4);
    int64_t weights;

    if (!q || !k || !v)
        return false;
    weights = clamp_mul(clamp_mul(clamp_mul(q->item[0], q->item[1]), q->item[2]), k->item[2]);
    *count = clamp_mul(2, clamp_mul(weights, clamp_add(q->item[3], v->item[3])));
    return true;
}

/* Backward attention: five products, one of which recomputes the forward pass.  Inputs are the
 * gradient of the output, q, k and v. */
static bool count_attention_backward(const struct call *call, int64_t *count)
{
    const struct call_list *q = call_dims(call, 1, 4), *k = call_dims(call, 2, 4), *v = call_dims(call, 3, 4);
    int64_t weights, sizes;

    if (!q || !k || !v)
        return false;
    weights = clamp_mul(clamp_mul(clamp_mul(q->item[0], q->item[1]), q->item[2]), k->item[2]);
    sizes = clamp_add(clamp_mul(3, q->item[3]), clamp_mul(2, v->item[3]));
    *count = clamp_mul(2, clamp_mul(weights, sizes));
    return true;
}

struct rule {
    const char *op;
    rule_fn *compat, *full; /* NULL: not counted by these rules */
};

static const struct rule rules[] = {
    {"aten::mm", count_mm, count_mm},
    {"aten::addmm", count_addmm, count_addmm},
    {"aten::bmm", count_bmm, count_bmm},
    {"aten::baddbmm", count_baddbmm, count_baddbmm},
    {"aten::mul", count_elements, NULL},
    {"aten::add", count_elements, NULL},
    {"aten::conv2d", count_conv2d, NULL},
    {"aten::convolution", NULL, count_convolution},
    {"aten::convolution_backward", NULL, count_convolution_backward},
    {"aten::_scaled_dot_product_flash_attention", NULL, count_attention},
    {"aten::_scaled_dot_product_efficient_attention", NULL, count_attention},
    {"aten::_scaled_dot_product_cudnn_attention", NULL, count_attention},
    {"aten::_scaled_dot_product_flash_attention_for_cpu", NULL, count_attention},
    {"aten::_scaled_dot_product_flash_attention_backward", NULL, count_attention_backward},
    {"aten::_scaled_dot_product_efficient_attention_backward", NULL, count_attention_backward},
    {"aten::_scaled_dot_product_cudnn_attention_backward", NULL, count_attention_backward},
    {"aten::_scaled_dot_product_flash_attention_for_cpu_backward", NULL, count_attention_backward},
};

static rule_fn *rule_of(const char *op, bool full)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].op, op) == 0)
            return full ? rules[i].full : rules[i].compat;
    return NULL;
}

/* Attention over a key/value cache, with the sums of its iteration in the values:
 * ["[c_sq,g_sq,c_sk,g_sk,c_sqsq,c_sqsk,g_sqsk]","bytes of q","bytes of k"].  The inputs FIRST, FIRST + 1
 * and FIRST + 2 are q, k and v; their last two dimensions are heads and their size. */
static bool count_cached_attention(const struct call *call, unsigned first, int64_t *count,
                                   int64_t *bytes)
{
    const struct call_list *q = call_dims(call, first, 2), *k = call_dims(call, first + 1, 2);
    const struct call_list *v = call_dims(call, first + 2, 2), *sums = &call->values[0];
    const int64_t *n = sums->item;
    int64_t dq, dv, heads, cached;

    if (!q || !k || !v || call->n_values < 3 || !sums->is_there || sums->n != 7 ||
        q->item[q->n - 1] != k->item[k->n - 1])
        return false;
    heads = q->item[q->n - 2];
    dq = q->item[q->n - 1];
    dv = v->item[v->n - 1];
    *count = clamp_mul(clamp_mul(heads, clamp_add(dq, dv)),
                       clamp_sub(clamp_mul(2, clamp_add(n[5], n[6])), n[4]));
    if (!call->values[1].n || !call->values[2].n)
        return true;
    cached = clamp_add(clamp_mul(k->item[k->n - 2], dq), clamp_mul(v->item[v->n - 2], dv));
    *bytes = clamp_add(clamp_mul(clamp_mul(clamp_add(n[0], n[1]), call->values[1].item[0]),
                                 clamp_mul(heads, clamp_add(dq, dv))),
                       clamp_mul(clamp_mul(clamp_add(n[2], n[3]), call->values[2].item[0]), cached));
    return true;
}

static void read_call(struct call *call, const char *values)
{
    if (!call_read_values(call, values))
        call->n_values = 0;
}

enum flops_state count_aten(const char *op, const char *dims, const char *values, bool full,
                            int64_t *count, int64_t *bytes)
{
    rule_fn *rule = rule_of(op, full);
    struct call call;
    unsigned first;

    *count = *bytes = 0;
    memset(&call, 0, sizeof call);
    if (full && attention_inputs(text_from(op), &first)) {
        if (!call_read_dims(&call, dims))
            return FLOPS_NO_RULE;
        read_call(&call, values);
        return count_cached_attention(&call, first, count, bytes) ? FLOPS_COUNTED : FLOPS_NO_RULE;
    }
    if (!rule)
        return strncmp(op, "aten::", 6) == 0 ? FLOPS_NO_RULE : FLOPS_NO_COMPUTE;
    if (!call_read_dims(&call, dims))
        return FLOPS_UNKNOWN_SHAPE;
    read_call(&call, values);
    return rule(&call, count) ? FLOPS_COUNTED : FLOPS_UNKNOWN_SHAPE;
}
