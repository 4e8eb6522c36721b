/* known_shapes.c: shapes and bytes of the outputs and inputs of nodes, for the screen and the
 * exports. */
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "flops/flops_priv.h"

/* Operators whose output 0 has the type of input INPUT, or BITS if there is no such input.  Others
 * have the type of input 0. */
static const struct type_rule {
    const char *ops;
    int32_t input; /* -1: none; INPUT_CONTROL: the first result of a body */
    uint8_t bits;
} type_rules[] = {
    {" ", 0, 0},
    {" Shape Size NonZero ArgMax ArgMin SequenceLength ", -1, 64},
    {" Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not IsNaN IsInf DynamicQuantizeLinear "
     "OptionalHasElement RegexFullMatch ", -1, 8},
    {" ConvInteger MatMulInteger Multinomial ConstantOfShape RandomNormal RandomUniform "
     "BlackmanWindow HammingWindow HannWindow MelWeightMatrix ", -1, 32},
    {" QuantizeLinear ", 2, 8},
    {" DequantizeLinear Where CastLike ", 1, 0},
    {" OneHot EmbedLayerNormalization MatMulIntegerToFloat Loop ", 2, 0},
    {" QLinearConv QLinearMatMul ", 7, 0},
    {" If Scan ", INPUT_CONTROL, 0},
};
enum { N_RULES = sizeof type_rules / sizeof *type_rules };

struct typing {
    const struct profile *p;
    uint8_t *bits;    /* by node: of an element of output 0; 0: unknown */
    uint8_t *rule_of; /* by op: index in type_rules + 1; 0: not looked up yet */
};

/* The op without its domain, between blanks. */
static void put_op(const struct profile *p, node_id node, struct strbuf *sb)
{
    const char *op = profile_text(p, p->op[node]), *dot = strrchr(op, '.');

    sb_clear(sb);
    sb_addf(sb, " %s ", dot ? dot + 1 : op);
}

static const struct type_rule *rule_of(struct typing *t, node_id node)
{
    uint8_t *found = &t->rule_of[t->p->op[node]];
    struct strbuf op = {0};
    size_t rule = *found;

    if (!rule) {
        put_op(t->p, node, &op);
        for (rule = N_RULES; rule > 1 && !strstr(type_rules[rule - 1].ops, sb_text(&op));)
            rule--;
        sb_done(&op);
        *found = (uint8_t)rule;
    }
    return &type_rules[rule - 1];
}

/* Bits of output INDEX of NODE: most outputs are of one type. */
static uint8_t bits_of_output(const struct typing *t, node_id node, int32_t index)
{
    struct strbuf op = {0};
    uint8_t bits = t->bits[node];

    if (index <= 0)
        return bits;
    put_op(t->p, node, &op);
    if (strstr(" TopK MaxPool Unique ", sb_text(&op)))
        bits = 64;
    else if (strstr(" Dropout ", sb_text(&op)))
        bits = 8;
    else if (strstr(" DynamicQuantizeLinear ", sb_text(&op)) && index == 1)
        bits = 32;
    sb_done(&op);
    return bits;
}

/* Bits of the input at POSITION; for INPUT_CONTROL of the first result of a body. */
static uint8_t bits_of_input(const struct typing *t, node_id node, int32_t position)
{
    const struct profile *p = t->p;

    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];
        const struct free_tensor *made_by_none;

        if ((input->own_index == INPUT_CONTROL ? INPUT_CONTROL : profile_input_position(p, node, i)) != position)
            continue;
        if (input->source != NODE_NONE)
            return bits_of_output(t, input->source, input->output_index);
        made_by_none = profile_free_tensor(p, profile_input_name(p, i));
        return made_by_none ? made_by_none->element_bits : 0;
    }
    return 0;
}

static bool is_operator(const struct profile *p, node_id node)
{
    return p->def[node].form == NODE_FORM_OWN_NODE || p->def[node].form == NODE_FORM_OWN_CALL;
}

static void infer_types(struct typing *t)
{
    for (node_id node = 0; node < t->p->n_nodes; node++) {
        const bool is_call = t->p->def[node].form == NODE_FORM_OWN_CALL;
        const struct type_rule *rule;

        if (t->bits[node] || !is_operator(t->p, node))
            continue;
        rule = rule_of(t, node);
        t->bits[node] = bits_of_input(t, node, is_call ? INPUT_CONTROL : rule->input);
        if (!t->bits[node])
            t->bits[node] = rule->bits;
    }
}

static int64_t bytes_of(const struct known_shape *s, uint8_t bits)
{
    int64_t n = bits;

    for (uint32_t i = 0; i < s->n_dims; i++) {
        if (s->dims[i] < 0)
            return 0;
        n = clamp_mul(n, s->dims[i]);
    }
    return s->origin == SHAPE_NOT_KNOWN ? 0 : quotient_up(n, 8);
}

/* Bytes of N outputs of NODE.  Names of outputs in the file may be empty: such an output is not made. */
static int64_t bytes_of_outputs(const struct flops *f, const struct typing *t, node_id node,
                                const struct known_shape *shapes, size_t n, struct arena *arena)
{
    const struct attr_value *names = NULL;
    const struct attr *attrs;
    size_t n_attrs;
    int64_t bytes = 0;

    if (n > 1) {
        attrs = f->priv->request.attrs->decode(t->p, node, arena, &n_attrs);
        names = attrs_find(attrs, n_attrs, "node outputs");
    }
    for (size_t i = 0; i < n; i++)
        if (!names || names->kind != ATTR_LIST || names->item_kind != ATTR_STRING ||
            (i < names->n_items && names->v.list_s[i].len > 0))
            bytes = clamp_add(bytes, bytes_of(&shapes[i], bits_of_output(t, node, (int32_t)i)));
    return bytes;
}

int64_t *output_bytes_new(const struct flops *f)
{
    const struct profile *p = f->priv->p;
    struct typing t = {.p = p, .bits = xcalloc(p->n_nodes, 1), .rule_of = xcalloc(p->strings.n, 1)};
    int64_t *bytes = xcalloc(p->n_nodes, sizeof *bytes);

    if (p->n_nodes)
        memcpy(t.bits, p->element_bits, p->n_nodes);
    /* Twice, since results of bodies follow the nodes that hold these. */
    infer_types(&t);
    infer_types(&t);
    for (node_id node = 0; node < p->n_nodes; node++) {
        const struct known_shape *shapes;
        struct arena arena = {0};
        size_t n = is_operator(p, node) ? flops_shapes(f, p, node, SHAPE_OUTPUTS_MAX, &arena, &shapes) : 0;

        n = n < SHAPE_OUTPUTS_MAX ? n : SHAPE_OUTPUTS_MAX;
        bytes[node] = bytes_of_outputs(f, &t, node, shapes, n, &arena);
        arena_done(&arena);
    }
    EACH(free, t.bits, t.rule_of);
    return bytes;
}

static void set_shape(struct known_shape *k, const int64_t *dims, uint32_t n_dims,
                      enum shape_origin origin)
{
    *k = (struct known_shape){dims, n_dims, origin};
}

static void set_profile_shape(struct known_shape *k, const struct profile *p, shape_id id,
                              enum shape_origin origin)
{
    if (id != SHAPE_UNKNOWN && k->origin == SHAPE_NOT_KNOWN)
        set_shape(k, p->shapes[id].dims, id == SHAPE_SCALAR ? 0 : p->shapes[id].n_dims, origin);
}

/* Shapes without inference: recorded ones, then those of runs. */
static size_t from_profile(const struct profile *p, node_id node, uint32_t max,
                           struct arena *arena, const struct known_shape **shapes)
{
    const struct node_output *outs = p->outputs;
    uint32_t first = p->output_begin[node], last = p->output_begin[node + 1];
    uint32_t run = p->run_output_begin ? p->run_output_begin[node] : 0;
    uint32_t run_end = p->run_output_begin ? p->run_output_begin[node + 1] : 0;
    struct known_shape *list;
    int64_t all = last > first ? clamp_add(outs[last - 1].index, 1) : 0, n;

    for (uint32_t k = run; k < run_end; k++)
        all = p->run_outputs[k].slot >= all ? clamp_add(p->run_outputs[k].slot, 1) : all;
    all = all > 0 ? all : 0;
    n = all < max ? all : max;
    list = ARENA_NEW(arena, struct known_shape, (size_t)n);
    memset(list, 0, (size_t)n * sizeof *list);
    for (uint32_t k = first; k < last; k++)
        if (outs[k].index >= 0 && outs[k].index < n)
            set_profile_shape(&list[outs[k].index], p, outs[k].shape, SHAPE_RECORDED);
    for (uint32_t k = run; k < run_end; k++)
        if (p->run_outputs[k].slot >= 0 && p->run_outputs[k].slot < n)
            set_profile_shape(&list[p->run_outputs[k].slot], p, p->run_outputs[k].shape,
                              SHAPE_OF_RUN);
    *shapes = list;
    return (size_t)all;
}

size_t flops_shapes(const struct flops *f, const struct profile *p, node_id node, uint32_t max,
                    struct arena *arena, const struct known_shape **shapes)
{
    struct known_shape *list;
    const struct dims **dims;
    enum shape_origin *origins;
    struct body_node in_body;
    uint32_t all, n;

    max = max < SHAPE_OUTPUTS_MAX ? max : SHAPE_OUTPUTS_MAX;
    if (!flops_has_shapes(f))
        return from_profile(p, node, max, arena, shapes);
    in_body = function_counts_body_node(f->priv->functions, node);
    all = shape_graph_all_outputs(in_body.graph, in_body.node, max, arena, &dims, &origins);
    n = all < max ? all : max;
    list = ARENA_NEW(arena, struct known_shape, n);
    for (uint32_t i = 0; i < n; i++) {
        set_shape(&list[i], dims[i] ? dims[i]->d : NULL, dims[i] ? dims[i]->rank : 0, origins[i]);
    }
    *shapes = list;
    return all;
}

struct known_shape flops_shape(const struct flops *f, const struct profile *p, node_id node,
                               int32_t index, struct arena *arena)
{
    const struct known_shape *list;
    size_t n = node == NODE_NONE ? 0 : flops_shapes(f, p, node, SHAPE_OUTPUTS_MAX, arena, &list);

    n = n < SHAPE_OUTPUTS_MAX ? n : SHAPE_OUTPUTS_MAX;
    return index >= 0 && (size_t)index < n ? list[index] : (struct known_shape){0};
}

struct known_shape flops_input_shape(const struct flops *f, const struct node_input *input)
{
    const struct profile *p = f->priv->p;
    const struct tensor *kept = NULL;
    struct tensor made_by_none;
    struct body_node in_body;

    if (input->source == NODE_NONE) {
        made_by_none = shape_graph_free_tensor(f->priv->graph, (uint32_t)(input - p->inputs));
        kept = &made_by_none;
    } else {
        in_body = function_counts_body_node(f->priv->functions, input->source);
        kept = shape_graph_tracked(in_body.graph, in_body.node, input->own_index);
    }
    return kept && kept->shape
               ? (struct known_shape){kept->shape->d, kept->shape->rank, SHAPE_INFERRED}
               : (struct known_shape){0};
}

bool flops_has_shapes(const struct flops *f)
{
    return f && f->priv->graph;
}
