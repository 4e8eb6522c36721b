/* opctx.h: one node as the rules see it: attributes, inputs, outputs.
 *
 * Shape rules read inputs and write outputs; value rules (values.h) and
 * counting rules (rules.h) find all of it filled.  Rules are straight-line
 * code: a helper that meets a contradiction calls opctx_fail(), after which
 * the outputs of the node are unknown, and goes on with "unknown". */
#ifndef TFPROF_FLOPS_OPCTX_H
#define TFPROF_FLOPS_OPCTX_H

#include "base/satmath.h"
#include "shapes/dims.h"
#include "model/attr.h"
#include "model/function.h"

/* Element that is not known, in a struct value. */
#define VALUE_UNKNOWN INT64_MIN
/* Longer tensors are not followed: they are no shapes. */
#define VALUE_MAX 1024

/* The content of a small integer tensor of rank 0 or 1. */
struct value {
    uint32_t n;
    bool scalar; /* rank 0; n is 1 */
    bool folded; /* a constant in the eyes of TensorFlow, not only known by
                    entry; shapes.md section 3.  Stronger: all entries known */
    int64_t v[]; /* VALUE_UNKNOWN or the element */
};

/* What a resource or variant tensor stands for: the shape of a variable, the
 * elements of a list or array, the components of a queue. */
struct handle {
    uint32_t n;
    const struct dims *const *shapes;
    int64_t length; /* of a list, DIM_UNKNOWN otherwise */
};

/* The content of a small floating point tensor of rank 0 or 1, a constant: sizes are
 * worked out in such numbers now and then. */
struct reals {
    uint32_t n;
    bool scalar;
    bool single; /* rounded to 32 bits at each step, as TensorFlow does */
    double v[];
};

/* What is known of one tensor. */
struct tensor {
    const struct dims *shape;
    const struct value *value;
    const struct reals *reals;
    const struct handle *handle;
};

/* True when the same is known of N tensors. */
bool tensors_equal(const struct tensor *a, const struct tensor *b, uint32_t n);
/* True when the elements of T, where they are known, are as many as its shape says: one of a scalar,
 * those of a vector, never of a matrix.  Holds for every tensor of a graph. */
bool tensor_is_consistent(const struct tensor *t);
/* Forgets elements that the shape of T contradicts: a recorded shape counts more than they do. */
void tensor_make_consistent(struct tensor *t);

struct opctx;

/* One row of a table of shape rules or value rules. */
struct op_rule {
    const char *ops; /* op types, separated by single blanks */
    void (*apply)(struct opctx *c);
    int arg; /* tells apart what shares a function */
};

struct shape_graph;
struct shape_hints;

struct opctx {
    struct arena *keep;    /* what outputs point to */
    struct arena *scratch; /* reset for each node */
    const struct profile *profile;
    const struct attr_source *source;
    const struct shape_graph *graph;
    struct shape_hints *hints; /* for the rules of shape_hints.c alone */
    bool stronger;
    bool stronger_loops; /* for loops, branches and lists: also inside of calls,
                            where tracing knew more than TensorFlow's import */

    int64_t transcendental, division; /* what these count, at least 1 */

    node_id node;
    int arg; /* of the row being applied */
    uint32_t n_in;
    struct tensor *in;
    const struct node_input **in_edge; /* where the inputs come from */

    uint32_t n_declared; /* outputs that the op has */
    /* Those of them that somebody reads, and which they are, rising.  The first is output 0. */
    uint32_t n_out;
    struct tensor *out;
    const uint32_t *out_index;

    const struct attr *attrs; /* through opctx_attr() only */
    size_t n_attrs;
    bool has_attrs;

    bool failed;
    const char *why; /* static text */
};

/* The outputs are unknown because of WHY (static text; the first one stays). */
void opctx_fail(struct opctx *c, const char *why);

/* An attribute, or NULL. */
const struct attr_value *opctx_attr(struct opctx *c, const char *name);
int64_t opctx_int(struct opctx *c, const char *name, int64_t absent);
bool opctx_bool(struct opctx *c, const char *name, bool absent);
/* The bytes of a string; those of ABSENT when it is not there. */
struct attr_bytes opctx_string(struct opctx *c, const char *name, const char *absent);
bool opctx_string_is(struct opctx *c, const char *name, const char *absent, const char *text);
/* A list of integers, NULL with *N = 0 when it is empty or not there. */
const int64_t *opctx_ints(struct opctx *c, const char *name, size_t *n);
/* A shape; unknown when it is not there. */
const struct dims *opctx_shape(struct opctx *c, const char *name);
/* Number of shapes in a list, and one of them. */
size_t opctx_n_items(struct opctx *c, const char *name);
const struct dims *opctx_shape_of_list(struct opctx *c, const char *name, size_t i);
/* A shape as written in an attribute. */
const struct dims *opctx_dims(struct opctx *c, const struct attr_shape *s);

/* The shape at input I; unknown when there is no such input. */
static inline const struct dims *in_shape(const struct opctx *c, uint32_t i)
{
    return i < c->n_in ? c->in[i].shape : NULL;
}

static inline const struct handle *in_handle(const struct opctx *c, uint32_t i)
{
    return i < c->n_in ? c->in[i].handle : NULL;
}

/* The shape of component I of the handle at input IN; unknown without. */
const struct dims *handle_shape(const struct opctx *c, uint32_t in, uint32_t i);
const struct handle *handle_new(struct opctx *c, const struct dims *shape, int64_t length);

/* Place of INDEX in the rising list INDEXES of N; N when it is not there. */
uint32_t index_slot(const uint32_t *indexes, uint32_t n, uint32_t index);

/* Makes N outputs, all unknown; a rule that does not call it has one. */
void out_count(struct opctx *c, int64_t n);
/* Output I, NULL when nobody reads it. */
struct tensor *out_tensor(const struct opctx *c, uint32_t i);
/* These do nothing for an output that nobody reads. */
void out_set(struct opctx *c, uint32_t i, const struct dims *s);
void out_set_all(struct opctx *c, const struct dims *s);
void out_handle(struct opctx *c, uint32_t i, const struct handle *h);

/* The elements of input I as far as they are known; NULL: not even their number. */
const struct value *in_known(const struct opctx *c, uint32_t i);
/* Constants of inputs as TensorFlow folds them: NULL when not all known. */
const struct value *in_const(const struct opctx *c, uint32_t i);
bool in_const_scalar(const struct opctx *c, uint32_t i, int64_t *v);
/* The same as a size: unknown when not constant or -1. */
int64_t in_const_dim(struct opctx *c, uint32_t i);
/* Whatever entries are known, NULL when not even their number. */
const struct value *in_entries(struct opctx *c, uint32_t i);
/* The shape that the vector at input I spells out; shapes.md section 1.3. */
const struct dims *in_as_shape(struct opctx *c, uint32_t i);
/* True when input I is an output of a node of op type OP. */
bool in_is_op(const struct opctx *c, uint32_t i, const char *op);
/* The integers of the Const node at input I, whatever its rank, row by row; NULL when it is no
 * such Const or has more than VALUE_MAX. */
const struct value *in_const_matrix(struct opctx *c, uint32_t i);
/* The strings of the Const node at input I, at most MAX of them; none when it is no such Const. */
struct attr_strings in_const_strings(struct opctx *c, uint32_t i, size_t max);

/* N unknown elements, of a scalar (N is then 1) or a vector; N is at most VALUE_MAX. */
struct value *value_new(struct opctx *c, uint32_t n, bool scalar);
/* Sets `folded` from FOLDED and, in stronger inference, from the entries. */
const struct value *value_seal(const struct opctx *c, struct value *v, bool folded);

/* Shape helpers that fail the node on a conflict. */
const struct dims *ctx_merge(struct opctx *c, const struct dims *x, const struct dims *y);
const struct dims *ctx_broadcast(struct opctx *c, const struct dims *x, const struct dims *y);
const struct dims *ctx_rank(struct opctx *c, const struct dims *s, uint32_t rank);
const struct dims *ctx_rank_at_least(struct opctx *c, const struct dims *s, uint32_t rank);
const struct dims *ctx_new(struct opctx *c, size_t rank, const int64_t *d);
const struct dims *ctx_unknown(struct opctx *c, int64_t rank);
/* AXIS within [-rank, rank) as an index; false with a failed node otherwise. */
bool ctx_axis(struct opctx *c, int64_t axis, uint32_t rank, uint32_t *at);
int64_t ctx_add(struct opctx *c, int64_t a, int64_t b);
int64_t ctx_mul(struct opctx *c, int64_t a, int64_t b);
int64_t ctx_div(struct opctx *c, int64_t a, int64_t b, bool evenly);
int64_t ctx_merge_dim(struct opctx *c, int64_t a, int64_t b);

/* Size I of S counted from the end when negative; unknown when not there. */
static inline int64_t dim_at(const struct dims *s, int64_t i)
{
    if (!s)
        return DIM_UNKNOWN;
    i = i < 0 ? clamp_add(i, s->rank) : i;
    return i >= 0 && i < (int64_t)s->rank ? s->d[i] : DIM_UNKNOWN;
}

#endif
