/* shape_state.c: shapes of variables, optimisers and saved tensors (shapes.md section 5.17). */
#include "shapes/shape_rules.h"

/* The first version uses rank 0 for an unknown shape. */
static void shape_variable_v1(struct opctx *c)
{
    const struct dims *s = opctx_shape(c, "shape");

    out_set(c, 0, s && s->rank > 0 ? s : NULL);
}

/* The shape of the variable's stored values. */
static const struct dims *stored_shape(struct opctx *c)
{
    struct attr_bytes name = opctx_string(c, "shared_name", "");
    struct attr_shape shape;

    if (name.len == 0)
        name = (struct attr_bytes){
            profile_text(c->profile, c->profile->name[c->node]),
            intern_len(&c->profile->strings, c->profile->name[c->node])};
    return c->source->stored_shape(c->profile, name.bytes, name.len, &shape)
               ? opctx_dims(c, &shape)
               : NULL;
}

static void shape_variable_handle(struct opctx *c)
{
    const struct dims *s = opctx_shape(c, "shape");

    out_set(c, 0, &dims_scalar);
    if (!s && c->stronger)
        s = stored_shape(c);
    out_handle(c, 0, handle_new(c, s, DIM_UNKNOWN));
}

static void shape_variable_handles(struct opctx *c)
{
    out_count(c, opctx_int(c, "N", (int64_t)opctx_n_items(c, "shapes")));
    for (uint32_t i = 0; i < c->n_out; i++) {
        c->out[i].shape = &dims_scalar;
        c->out[i].handle =
            handle_new(c, opctx_shape_of_list(c, "shapes", c->out_index[i]), DIM_UNKNOWN);
    }
}

static void shape_read_variable(struct opctx *c)
{
    const struct dims *s = handle_shape(c, 0, 0);

    out_set(c, 0, s ? s : opctx_shape(c, "_shape"));
}

static void shape_read_variables(struct opctx *c)
{
    out_count(c, c->n_in);
    for (uint32_t i = 0; i < c->n_in; i++)
        out_set(c, i, handle_shape(c, i, 0));
}

static void shape_variable_shape(struct opctx *c)
{
    const struct dims *s = handle_shape(c, 0, 0);

    out_set(c, 0, ctx_vector(c, s ? (int64_t)s->rank : DIM_UNKNOWN));
}

static void shape_assign(struct opctx *c)
{
    if (opctx_bool(c, "validate_shape", true))
        out_set(c, 0, ctx_merge(c, in_shape(c, 0), in_shape(c, 1)));
    else
        out_set(c, 0, in_shape(c, 1));
}

/* The variable merged with its slots and the gradient; scalar inputs are rates. */
static void shape_optimiser(struct opctx *c)
{
    const struct dims *s = in_shape(c, 0), *x;

    for (uint32_t i = 1; i < c->n_in; i++) {
        x = in_shape(c, i);
        if (s ? x && x->rank == s->rank : (int)i <= c->arg && x)
            s = ctx_merge(c, s, x);
    }
    out_set(c, 0, s);
}

/* ---- restored slices: "SIZE SIZE ... -:START,LENGTH" */

static bool number(const char **p, const char *end, int64_t *v)
{
    const char *start = *p;

    for (*v = 0; *p < end && **p >= '0' && **p <= '9'; ++*p) {
        if (!append_digit(v, **p))
            return false;
    }
    return *p > start;
}

/* Reads "SIZE SIZE ... SLICE": the slice follows the last blank. */
static const struct dims *slice_shape(struct opctx *c, const char *text, size_t len)
{
    const char *p = text, *end = text + len, *slice = memrchr(text, ' ', len);
    int64_t d[DIMS_MAX_RANK], start, length;
    uint32_t rank = 0;

    while (slice && p <= slice && rank < DIMS_MAX_RANK && number(&p, end, &d[rank]) && *p++ == ' ')
        rank++;
    if (!slice || p != slice + 1)
        return NULL;
    for (uint32_t i = 0; i < rank; i++) {
        if (p < end && *p == '-')
            p++;
        else if (number(&p, end, &start) && p < end && *p++ == ',' && number(&p, end, &length) &&
                 start <= d[i] && length <= clamp_sub(d[i], start))
            d[i] = length;
        else
            return NULL;
        if (i + 1 < rank && (p >= end || *p++ != ':'))
            return NULL;
    }
    return p == end ? ctx_new(c, rank, d) : NULL;
}

/* The slices are input 2; one output (arg 1), or one for each type. */
static void shape_restore(struct opctx *c)
{
    struct attr_strings slices;

    out_count(c, c->arg == 1 ? 1 : (int64_t)opctx_n_items(c, "dtypes"));
    slices = in_const_strings(c, 2, c->n_declared);
    for (uint32_t k = 0; k < c->n_out && c->out_index[k] < slices.n; k++) {
        const struct attr_bytes *slice = &slices.v[c->out_index[k]];

        if (slice->len > 0)
            c->out[k].shape = slice_shape(c, slice->bytes, slice->len);
    }
}

const struct op_rule shape_rules_state[] = {
    {"Variable", shape_variable_v1, 0},
    {"VarHandleOp", shape_variable_handle, 0},
    {"_VarHandlesOp", shape_variable_handles, 0},
    {"ReadVariableOp", shape_read_variable, 0},
    {"_ReadVariablesOp", shape_read_variables, 0},
    {"VariableShape", shape_variable_shape, 0},
    {"Assign", shape_assign, 0},
    {"ApplyGradientDescent ApplyAddSign ApplyPowerSign ApplyProximalGradientDescent",
     shape_optimiser, 0},
    {"ApplyMomentum ApplyAdagrad ApplyAdagradV2 ApplyProximalAdagrad", shape_optimiser, 1},
    {"ApplyAdam ApplyAdaMax ApplyAdadelta ApplyRMSProp ApplyFtrl ApplyFtrlV2 ApplyAdagradDA "
     "ApplyAdamWithAmsgrad",
     shape_optimiser, 2},
    {"ApplyCenteredRMSProp", shape_optimiser, 3},
    {"RestoreSlice", shape_restore, 1},
    {"RestoreV2", shape_restore, 0},
    {0},
};
