/* opctx.h: one node as rules see it: attributes, inputs, outputs.  Shape rules read inputs and set
 * outputs; value rules (values.h) and counting rules (rules.h) run afterwards.  Rules are
 * straight-line code: a helper that finds a contradiction calls opctx_fail(), which makes the
 * outputs of the node unknown, and returns "unknown". */
#pragma once

#include "base/satmath.h"
#include "shapes/dims.h"
#include "model/attr.h"
#include "model/function.h"

/* An unknown element of a struct value. */
#define VALUE_UNKNOWN INT64_MIN
/* Longer tensors are not tracked, because they cannot be shapes. */
#define VALUE_MAX 1024

/* The elements of a small integer tensor of rank 0 or 1. */
struct value {
    uint32_t n;
    bool scalar; /* rank 0; n is 1 */
    bool folded; /* TensorFlow treats it as a constant (shapes.md section 3); else its elements are
                  * known individually. In stronger inference: all elements are known */
    int64_t v[]; /* elements; VALUE_UNKNOWN */
};

/* The contents of a resource or variant tensor: the shape of a variable, the elements of a list or
 * array, the components of a queue. */
struct handle {
    uint32_t n;
    const struct dims *const *shapes;
    int64_t length; /* of a list, else DIM_UNKNOWN */
};

/* The elements of a small floating point constant of rank 0 or 1; sizes are sometimes computed from
 * them. */
struct reals {
    uint32_t n;
    bool scalar;
    bool single; /* round to 32 bits at each operation, as TensorFlow does */
    double v[];
};

/* The known shape, value and handle of a tensor. */
struct tensor {
    const struct dims *shape;
    const struct value *value;
    const struct reals *reals;
    const struct handle *handle;
};

/* True when the same is known about N tensors. */
bool tensors_equal(const struct tensor *a, const struct tensor *b, uint32_t n);
/* True when the known elements of T match its shape: one element for a scalar, d[0] for a vector;
 * other ranks have none.  Holds for every tensor of a graph. */
bool tensor_is_consistent(const struct tensor *t);
/* Removes the elements of T if they contradict its shape, because recorded shapes have priority. */
void tensor_make_consistent(struct tensor *t);

struct opctx;

/* A row of a table of shape rules or value rules. */
struct op_rule {
    const char *ops; /* op types, separated by single blanks */
    void (*apply)(struct opctx *c);
    int arg; /* selects a variant of a shared function */
};

struct shape_graph;
struct shape_hints;

struct opctx {
    struct arena *keep;    /* for data of outputs */
    struct arena *scratch; /* reset for each node */
    const struct profile *profile;
    const struct attr_source *source;
    const struct shape_graph *graph;
    struct shape_hints *hints; /* for the rules of shape_hints.c only */
    bool stronger;
    bool stronger_loops; /* stronger inference for loops, branches and lists; also set inside calls,
                          * where tracing knew more than TensorFlow's import */

    int64_t transcendental, division; /* FLOPs of each, at least 1 */

    node_id node;
    int arg; /* of the current row */
    uint32_t n_in;
    struct tensor *in;
    const struct node_input **in_edge; /* sources of the inputs */

    uint32_t n_declared; /* outputs of the op */
    /* The outputs that are read, and their indexes in ascending order.  Output 0 is always the
     * first. */
    uint32_t n_out;
    struct tensor *out;
    const uint32_t *out_index;

    const struct attr *attrs; /* use opctx_attr() */
    size_t n_attrs;
    bool has_attrs;

    bool failed;
    const char *why; /* static text */
};

/* Makes the outputs unknown because of WHY (static text); the first reason is kept. */
void opctx_fail(struct opctx *c, const char *why);

/* An attribute, or NULL. */
const struct attr_value *opctx_attr(struct opctx *c, const char *name);
int64_t opctx_int(struct opctx *c, const char *name, int64_t absent);
bool opctx_bool(struct opctx *c, const char *name, bool absent);
/* The bytes of a string attribute; those of ABSENT when it is missing. */
struct attr_bytes opctx_string(struct opctx *c, const char *name, const char *absent);
bool opctx_string_is(struct opctx *c, const char *name, const char *absent, const char *text);
/* A list of integers; NULL and *N = 0 when it is empty or missing. */
const int64_t *opctx_ints(struct opctx *c, const char *name, size_t *n);
/* A shape attribute; unknown when it is missing. */
const struct dims *opctx_shape(struct opctx *c, const char *name);
/* Number of shapes in a list, and one of them. */
size_t opctx_n_items(struct opctx *c, const char *name);
const struct dims *opctx_shape_of_list(struct opctx *c, const char *name, size_t i);
/* A shape as written in an attribute. */
const struct dims *opctx_dims(struct opctx *c, const struct attr_shape *s);

/* The shape of input I; unknown when there is no such input. */
static inline const struct dims *in_shape(const struct opctx *c, uint32_t i)
{
    return i < c->n_in ? c->in[i].shape : NULL;
}

static inline const struct handle *in_handle(const struct opctx *c, uint32_t i)
{
    return i < c->n_in ? c->in[i].handle : NULL;
}

/* The shape of component I of the handle at input IN; unknown without a handle. */
const struct dims *handle_shape(const struct opctx *c, uint32_t in, uint32_t i);
const struct handle *handle_new(struct opctx *c, const struct dims *shape, int64_t length);

/* The position of INDEX in the ascending list INDEXES of N; N when it is missing. */
uint32_t index_slot(const uint32_t *indexes, uint32_t n, uint32_t index);

/* Declares N outputs, all unknown.  The default is one output. */
void out_count(struct opctx *c, int64_t n);
/* Output I; NULL when it is not read. */
struct tensor *out_tensor(const struct opctx *c, uint32_t i);
/* Setters have no effect on outputs that are not read. */
void out_set(struct opctx *c, uint32_t i, const struct dims *s);
void out_set_all(struct opctx *c, const struct dims *s);
void out_handle(struct opctx *c, uint32_t i, const struct handle *h);

/* The elements of input I, some of which may be unknown; NULL: even their number is unknown. */
const struct value *in_known(const struct opctx *c, uint32_t i);
/* The constant at input I as TensorFlow folds it; NULL when an element is unknown. */
const struct value *in_const(const struct opctx *c, uint32_t i);
bool in_const_scalar(const struct opctx *c, uint32_t i, int64_t *v);
/* The constant scalar at input I as a size; unknown when it is not constant, or -1. */
int64_t in_const_dim(struct opctx *c, uint32_t i);
/* All known elements of input I; NULL when even their number is unknown. */
const struct value *in_entries(struct opctx *c, uint32_t i);
/* The shape whose sizes are the elements of input I (shapes.md section 1.3). */
const struct dims *in_as_shape(struct opctx *c, uint32_t i);
/* True when input I comes from a node of op type OP. */
bool in_is_op(const struct opctx *c, uint32_t i, const char *op);
/* The integers of the Const node at input I, of any rank, in row-major order; NULL when it is not a
 * Const of integers or has more than VALUE_MAX elements. */
const struct value *in_const_matrix(struct opctx *c, uint32_t i);
/* The strings of the Const node at input I, at most MAX; empty when it is not a Const of
 * strings. */
struct attr_strings in_const_strings(struct opctx *c, uint32_t i, size_t max);

/* N unknown elements of a vector or a scalar (N is 1); N is at most VALUE_MAX. */
struct value *value_new(struct opctx *c, uint32_t n, bool scalar);
/* Sets `folded` to FOLDED; in stronger inference, to whether all elements are known. */
const struct value *value_seal(const struct opctx *c, struct value *v, bool folded);

/* Shape helpers that call opctx_fail() on a conflict. */
const struct dims *ctx_merge(struct opctx *c, const struct dims *x, const struct dims *y);
const struct dims *ctx_broadcast(struct opctx *c, const struct dims *x, const struct dims *y);
const struct dims *ctx_rank(struct opctx *c, const struct dims *s, uint32_t rank);
const struct dims *ctx_rank_at_least(struct opctx *c, const struct dims *s, uint32_t rank);
const struct dims *ctx_new(struct opctx *c, size_t rank, const int64_t *d);
const struct dims *ctx_vector(struct opctx *c, int64_t size);
const struct dims *ctx_matrix(struct opctx *c, int64_t rows, int64_t cols);
const struct dims *ctx_unknown(struct opctx *c, int64_t rank);
/* Converts AXIS in [-rank, rank) to an index; false, after opctx_fail(), when it is out of
 * range. */
bool ctx_axis(struct opctx *c, int64_t axis, uint32_t rank, uint32_t *at);
int64_t ctx_add(struct opctx *c, int64_t a, int64_t b);
int64_t ctx_mul(struct opctx *c, int64_t a, int64_t b);
int64_t ctx_div(struct opctx *c, int64_t a, int64_t b, bool evenly);
int64_t ctx_merge_dim(struct opctx *c, int64_t a, int64_t b);

/* Size I of S, from the end when negative; unknown when it does not exist. */
static inline int64_t dim_at(const struct dims *s, int64_t i)
{
    if (!s)
        return DIM_UNKNOWN;
    i = i < 0 ? clamp_add(i, s->rank) : i;
    return i >= 0 && i < (int64_t)s->rank ? s->d[i] : DIM_UNKNOWN;
}
