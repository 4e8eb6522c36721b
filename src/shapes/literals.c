/* literals.c: values of Const nodes, decoded once for all readers. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "shapes/shape_graph_priv.h"

/* The decoded parts of a Const. */
struct literal {
    bool has_ints;
    const struct value *ints; /* NULL: none, or too many */
    struct attr_strings strings;
    size_t max_strings; /* how many were decoded; 0: not decoded */
};

void literals_free(struct literals *l)
{
    EACH(free, l->of_node, l);
}

/* True while the graph is inferred.  Afterwards several threads may read it, so decoded values are
 * not stored. */
static bool is_kept(const struct opctx *c)
{
    return c->keep == c->graph->request->keep;
}

/* The entry of the Const at input I, created where storing is allowed; else NULL. */
static struct literal *entry_of(const struct opctx *c, uint32_t i)
{
    struct literals *all = c->graph->literals;
    const node_id node = c->in_edge[i]->source;

    if (is_kept(c) && !all->of_node)
        all->of_node = xcalloc((size_t)c->graph->p->n_nodes + 1, sizeof(struct literal *));
    if (is_kept(c) && !all->of_node[node])
        all->of_node[node] = arena_calloc(c->keep, 1, sizeof(struct literal));
    return all->of_node ? all->of_node[node] : NULL;
}

/* The tensor of the Const at input I, or NULL; it points into ARENA or the input file. */
static const struct attr_tensor *tensor_of(const struct opctx *c, uint32_t i, struct arena *arena)
{
    size_t n;
    const struct attr *attrs =
        c->source->decode(c->profile, c->in_edge[i]->source, arena, &n);
    const struct attr_value *v = attrs_find(attrs, n, "value");

    return v && v->kind == ATTR_TENSOR ? &v->v.tensor : NULL;
}

static const struct value *decode_ints(struct opctx *c, uint32_t i)
{
    const struct attr_tensor *t = tensor_of(c, i, c->scratch);
    struct attr_int64s list;
    struct value *v;

    if (!t)
        return NULL;
    list = c->source->int64s(t, VALUE_MAX, c->scratch);
    if (list.n_all < 0 || list.n_all != (int64_t)list.n)
        return NULL;
    v = value_new(c, (uint32_t)list.n, false);
    if (list.n)
        memcpy(v->v, list.v, list.n * sizeof v->v[0]);
    return v;
}

const struct value *in_const_matrix(struct opctx *c, uint32_t i)
{
    struct literal *literal;
    const struct value *v;

    if (!in_is_op(c, i, "Const"))
        return NULL;
    literal = entry_of(c, i);
    if (literal && literal->has_ints)
        return literal->ints;
    v = decode_ints(c, i);
    if (is_kept(c)) {
        literal->has_ints = true;
        literal->ints = v;
    }
    return v;
}

static bool has_strings(const struct literal *literal, size_t max)
{
    return literal->max_strings >= max ||
           (literal->max_strings > 0 && literal->strings.n_all <= (int64_t)literal->strings.n);
}

/* Decodes at least twice as many strings as before, so that callers that each need one more do not
 * decode all of them each time. */
static void decode_strings(struct opctx *c, uint32_t i, size_t max, struct literal *literal)
{
    const struct attr_tensor *t = tensor_of(c, i, c->keep);

    literal->max_strings = max < 2 * literal->max_strings ? 2 * literal->max_strings : max;
    literal->strings = t ? c->source->strings(t, literal->max_strings, c->keep)
                         : (struct attr_strings){.n_all = -1};
}

struct attr_strings in_const_strings(struct opctx *c, uint32_t i, size_t max)
{
    struct literal own = {.has_ints = false}, *literal;
    struct attr_strings strings;

    if (max == 0 || !in_is_op(c, i, "Const"))
        return (struct attr_strings){.n_all = -1};
    literal = entry_of(c, i);
    if (!literal || (!has_strings(literal, max) && !is_kept(c)))
        literal = &own;
    if (!has_strings(literal, max))
        decode_strings(c, i, max, literal);
    strings = literal->strings;
    strings.n = strings.n < max ? strings.n : max;
    return strings;
}
