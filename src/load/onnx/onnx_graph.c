/* onnx_graph.c: adds rows for the nodes and initializers of one ONNX graph (formats-onnx.md
 * sections 2 to 5). */

#include <inttypes.h>

#include "load/graph/python_stack.h"
#include "load/onnx/onnx.h"

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5,
       NODE_DOMAIN = 7, NODE_OVERLOAD = 8, NODE_METADATA = 9 };
enum { GRAPH_NODE = 1, GRAPH_INITIALIZER = 5, GRAPH_INPUT = 11, GRAPH_OUTPUT = 12, GRAPH_INFO = 13,
       GRAPH_SPARSE = 15, SPARSE_VALUES = 1, FUNCTION_NODE = 7, FUNCTION_INFO = 12 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_INT = 3, ATTRIBUTE_TENSOR = 5, ATTRIBUTE_GRAPH = 6, ATTRIBUTE_GRAPHS = 11 };

/* ---- nodes */

/* The fields of a NodeProto that its row needs. */
struct head {
    struct span name, type, domain, overload, stack;
    struct span value; /* the tensor in attribute `value` */
    struct span edge;  /* the last input or output */
    uint8_t bits;      /* of elements of the output, by an attribute; 0: unknown */
};

struct attribute {
    struct span name, tensor;
    int64_t number; /* of a tensor: its type */
};

static bool read_attribute(const struct onnx *x, struct span message, struct head *h,
                           struct err *err)
{
    static const struct field_spec fields[] = {
        {ATTRIBUTE_NAME, FIELD_SPAN, offsetof(struct attribute, name)},
        {ATTRIBUTE_INT, FIELD_NUMBER, offsetof(struct attribute, number)},
        {ATTRIBUTE_TENSOR, FIELD_SPAN, offsetof(struct attribute, tensor)}, {0}};
    static const struct field_spec type[] = {{2, FIELD_NUMBER, offsetof(struct attribute, number)}, {0}};
    struct attribute a = {.name = {message.bytes, 0}};

    if (!load_fields(x->l, message, "attribute", fields, &a, err))
        return false;
    if (span_is(a.name, "value")) {
        h->value = a.tensor;
        if (!load_fields(x->l, a.tensor, "tensor", type, &a, err))
            return false;
    } else if (span_begins(a.name, "value_")) {
        a.number = span_begins(a.name, "value_int") ? ONNX_INT64 : span_begins(a.name, "value_float");
    } else if (!span_is(a.name, "to") && !span_is(a.name, "dtype") &&
               !span_is(a.name, "output_datatype")) {
        return true;
    }
    h->bits = onnx_types[onnx_type(a.number)].bits;
    return true;
}

static bool read_head(struct onnx *x, struct span message, struct head *h, struct err *err)
{
    static const struct field_spec fields[] = {
        {NODE_INPUT, FIELD_NAME, offsetof(struct head, edge)},
        {NODE_OUTPUT, FIELD_NAME, offsetof(struct head, edge)},
        {NODE_NAME, FIELD_NAME, offsetof(struct head, name)},
        {NODE_TYPE, FIELD_NAME, offsetof(struct head, type)},
        {NODE_DOMAIN, FIELD_NAME, offsetof(struct head, domain)},
        {NODE_OVERLOAD, FIELD_NAME, offsetof(struct head, overload)}, {0}};
    const struct span none = {message.bytes, 0};
    struct span key, value;

    *h = (struct head){.name = none, .type = none, .domain = none, .overload = none};
    if (!load_fields(x->l, message, "node", fields, h, err))
        return false;
    if (!h->type.len)
        return load_fail(x->l, message.bytes, err, "node without op_type");
    wire_each(f, span_walk(message)) {
        if (f.type != WIRE_LEN)
            continue;
        if (f.number == NODE_ATTRIBUTE && !read_attribute(x, field_span(&f), h, err))
            return false;
        if (f.number != NODE_METADATA)
            continue;
        onnx_pair(field_span(&f), &key, &value);
        if (span_is(key, "pkg.torch.onnx.stack_trace"))
            h->stack = value;
    }
    return true;
}

static strid op_of(struct onnx *x, const struct head *h)
{
    sb_clear(&x->rows.text);
    if (h->domain.len && !span_is(h->domain, "ai.onnx")) {
        sb_add(&x->rows.text, h->domain.bytes, h->domain.len);
        sb_addc(&x->rows.text, '.');
    }
    sb_add(&x->rows.text, h->type.bytes, h->type.len);
    return builder_str(x->b, sb_text(&x->rows.text), x->rows.text.len);
}

static bool is_default_domain(struct span domain)
{
    return domain.len == 0 || span_is(domain, "ai.onnx");
}

/* Sets the tensor of a Constant with attribute `value`. */
static bool add_constant(struct onnx *x, node_id node, struct span value, struct err *err)
{
    if (!onnx_tensor_read(x->l, value, &x->tensor, err))
        return false;
    onnx_tensor_set(x, node, &x->tensor, onnx_tensor_is_constant(&x->tensor));
    return true;
}

/* Sets *N to the number of outputs up to the last one that has a name. */
static bool bind_outputs(struct onnx *x, struct span message, strid path, int32_t *n, struct err *err)
{
    int32_t i = 0;

    *n = 0;
    wire_each_len(f, span_walk(message), NODE_OUTPUT) {
        if (f.len)
            onnx_bind(x, field_span(&f), path, i);
        i += i < INT32_MAX;
        *n = f.len ? i : *n;
        if (load_cancelled(x->l, (size_t)i, err))
            return false;
    }
    return true;
}

/* Queues the subgraphs in attributes of NODE, in file order. */
static void note_bodies(struct onnx *x, struct span message, strid path, node_id node)
{
    struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
    struct wire_in in = span_walk(message);
    struct wire_field f, g;

    while (wire_next_len(&in, &f, NODE_ATTRIBUTE)) {
        const struct span name = span_part(field_span(&f), ATTRIBUTE_NAME);
        struct wire_in attribute = wire_in_field(&f);
        int64_t i = 0;

        while (wire_next(&attribute, &g)) {
            const bool is_one = g.number == ATTRIBUTE_GRAPH && g.type == WIRE_LEN;

            if (!is_one && !(g.number == ATTRIBUTE_GRAPHS && g.type == WIRE_LEN))
                continue;
            vec_push(&frame->bodies,
                     ((struct onnx_body){.graph = field_span(&g), .holder = node,
                                         .prefix = row_join(&x->rows.paths, path, name, is_one ? -1 : i++)}));
        }
    }
}

/* Records the name of NODE in runs: its own, or its type and index; Constants are not numbered. */
static void note_run_name(struct onnx *x, const struct head *h, node_id node)
{
    struct strbuf *text = &x->rows.text;

    sb_clear(text);
    sb_add(text, h->name.bytes, h->name.len);
    if (!h->name.len) {
        sb_add(text, h->type.bytes, h->type.len);
        sb_addf(text, "_%" PRId64, x->run_index);
    }
    model_name_in_runs(x->l, sb_text(text), text->len, node);
}

static bool add_node(struct onnx *x, struct span message, uint32_t number UNUSED, int64_t index,
                     struct err *err)
{
    const strid prefix = x->frames.data[x->frames.n - 1].body.prefix;
    struct head h;
    int32_t n_outputs;
    node_id node;
    strid path;

    if (!load_tick(x->l, message.bytes, err) || !read_head(x, message, &h, err))
        return false;
    path = row_path(&x->rows.paths, prefix, h.name, false, h.type, index);
    node = model_row(&x->rows, path, op_of(x, &h), message, NODE_FORM_OWN_NODE);
    onnx_charge_row(x);
    x->n_nodes++;
    if (!span_is(h.type, "Constant")) {
        note_run_name(x, &h, node);
        x->run_index++;
    }
    if (h.bits)
        builder_set_element_bits(x->b, node, h.bits);
    if (h.stack.bytes)
        builder_set_stack(x->b, node, python_stack(x->l, h.stack));
    if (h.value.bytes && is_default_domain(h.domain) && span_is(h.type, "Constant") &&
        !add_constant(x, node, h.value, err))
        return false;
    if (!bind_outputs(x, message, path, &n_outputs, err))
        return false;
    vec_push(&x->nodes, ((struct onnx_node){message, node, h.value.bytes ? 0 : n_outputs}));
    note_bodies(x, message, path, node);
    if (x->functions.n)
        onnx_note_call(x, message, h.domain, h.type, h.overload, path, node);
    return true;
}

/* ---- initializers */

/* Adds a row for an initializer of the current graph, and binds its value.  A sparse one has the
 * name and size of its values. */
static bool add_initializer(struct onnx *x, struct span message, uint32_t number, int64_t index UNUSED,
                            struct err *err)
{
    const strid prefix = x->frames.data[x->frames.n - 1].body.prefix;
    const struct span no_op = {(const uint8_t *)"initializer", 11};
    bool constant;
    node_id node;
    strid path;

    if (number == GRAPH_SPARSE)
        message = span_part(message, SPARSE_VALUES);
    if (!message.bytes)
        return true;
    if (!load_tick(x->l, message.bytes, err) || !onnx_tensor_read(x->l, message, &x->tensor, err))
        return false;
    constant = onnx_tensor_is_constant(&x->tensor);
    path = row_path(&x->rows.paths, prefix, x->tensor.name, true, no_op, x->n_tensors);
    node = model_row(&x->rows, path,
                     constant ? builder_str(x->b, "Constant", 8) : builder_str(x->b, "Parameter", 9),
                     message, NODE_FORM_OWN_TENSOR);
    onnx_charge_row(x);
    onnx_tensor_set(x, node, &x->tensor, constant);
    onnx_bind(x, x->tensor.name, path, 0);
    return true;
}

/* ---- declared values */

/* Adds an input or output of the main graph to the summary. */
static void add_end(struct onnx *x, const char *key, const struct onnx_info *info)
{
    struct strbuf *text = &x->rows.text;

    sb_clear(text);
    sb_add(text, info->name.bytes, info->name.len);
    sb_addc(text, ' ');
    sb_add(text, sb_text(&x->dims_text), x->dims_text.len);
    model_fact(&x->rows, key, FACT_ITEM, (struct span){NULL, 0}, model_text(&x->rows));
}

/* Adds a graph input that is not an initializer. */
static void add_free(struct onnx *x, const struct onnx_info *info)
{
    const struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
    struct free_tensor tensor = {.shape = info->shape, .batch_dims = info->batch_dims,
                                 .element_bits = onnx_types[onnx_type(info->type)].bits};

    if (x->frames.n == 1)
        tensor.batch_dims |= 1;
    tensor.name = row_free_name(&x->rows.paths, frame->body.prefix, info->name);
    builder_add_free_tensor(x->b, tensor);
    onnx_bind(x, info->name, tensor.name, 0);
}

/* Adds a ValueInfoProto in field NUMBER of the graph. */
static bool add_info(struct onnx *x, struct span message, uint32_t number, int64_t index UNUSED,
                     struct err *err)
{
    const bool is_main = x->frames.n == 1, is_input = number == GRAPH_INPUT;
    struct onnx_value *value;
    struct onnx_info info;

    if (!load_tick(x->l, message.bytes, err) || !onnx_info_read(x, message, &info, err))
        return false;
    value = onnx_lookup_own(x, info.name);
    if (is_main && (is_input ? !value : number == GRAPH_OUTPUT))
        add_end(x, is_input ? "inputs" : "outputs", &info);
    if (!value && is_input && info.name.len) {
        add_free(x, &info);
    } else if (value) {
        if (value->shape == SHAPE_UNKNOWN)
            value->shape = info.shape;
        value->bits = onnx_types[onnx_type(info.type)].bits;
    }
    return true;
}

/* ---- inputs of nodes */

static void note_first_input(struct onnx *x, node_id node, const struct onnx_value *value)
{
    struct run_names *names = &x->l->run_names;

    while (names->first_input.n <= node)
        vec_push(&names->first_input, NODE_NONE);
    names->first_input.data[node] = value ? builder_find(x->b, value->node) : NODE_NONE;
}

static void add_input(struct onnx *x, node_id node, int32_t position, struct span name)
{
    const struct onnx_value *value = name.len ? onnx_lookup(x, name) : NULL;

    if (position == 0)
        note_first_input(x, node, value);

    x->n_undefined += name.len && !value;
    builder_add_input(x->b, node, position, value ? value->node : STRID_EMPTY,
                      value ? value->output : 0, value ? value->output : 0);
}

/* Outputs of unknown shape are listed only if IS_LAST: the last one gives their number. */
static void add_output(struct onnx *x, node_id node, int32_t index, struct span name, bool is_last)
{
    const struct onnx_value *value = name.len ? onnx_lookup_own(x, name) : NULL;

    if (x->frames.n == 1)
        model_value_in_runs(x->l, name, node);
    if (is_last || (value && value->shape != SHAPE_UNKNOWN))
        builder_add_output(x->b, node, index, value ? value->shape : SHAPE_UNKNOWN);
    if (value && index == 0 && value->bits && !builder_get_element_bits(x->b, node))
        builder_set_element_bits(x->b, node, value->bits);
}

static bool connect(struct onnx *x, const struct onnx_node *node, struct err *err)
{
    int32_t n_inputs = 0, n_outputs = 0;

    wire_each(f, span_walk(node->message)) {
        if (f.type != WIRE_LEN || n_inputs == INT32_MAX || n_outputs == INT32_MAX)
            continue;
        if (f.number == NODE_INPUT)
            add_input(x, node->id, n_inputs++, field_span(&f));
        else if (f.number == NODE_OUTPUT)
            add_output(x, node->id, n_outputs, field_span(&f), n_outputs + 1 == node->n_outputs);
        n_outputs += f.number == NODE_OUTPUT;
        if (load_cancelled(x->l, (size_t)(n_inputs + n_outputs), err))
            return false;
    }
    return true;
}

/* ---- a graph */

static bool note_batch(struct onnx *x, struct span message, uint32_t number UNUSED,
                       int64_t index UNUSED, struct err *err)
{
    return x->frames.n > 1 || onnx_note_batch(x, message, err);
}

/* A pass over the messages in one field of a graph. */
struct pass {
    uint32_t number;
    bool (*visit)(struct onnx *x, struct span message, uint32_t number, int64_t index, struct err *err);
};

/* The graph has N pieces. */
static bool run_pass(struct onnx *x, const struct span *pieces, size_t n, const struct pass *pass,
                     struct err *err)
{
    struct wire_field f;
    int64_t i = 0;

    for (; n; n--) {
        struct wire_in in = span_walk(*pieces++);

        while (wire_next(&in, &f))
            if (f.number == pass->number && f.type == WIRE_LEN &&
                !pass->visit(x, field_span(&f), f.number, i++, err))
                return false;
        if (!load_ended(x->l, &in, "graph", err))
            return false;
    }
    return true;
}

bool onnx_fill_graph(struct onnx *x, struct err *err)
{
    static const struct pass of_function[] = {{FUNCTION_NODE, add_node}, {FUNCTION_INFO, add_info}};
    static const struct pass of_graph[] = {
        {GRAPH_INPUT, note_batch},         {GRAPH_NODE, add_node},   {GRAPH_INITIALIZER, add_initializer},
        {GRAPH_SPARSE, add_initializer},   {GRAPH_INPUT, add_info},  {GRAPH_OUTPUT, add_info},
        {GRAPH_INFO, add_info}};
    const struct onnx_body body = x->frames.data[x->frames.n - 1].body;
    const bool is_function = body.function != 0;
    const struct pass *passes = is_function ? of_function : of_graph;
    const size_t n = is_function ? sizeof of_function / sizeof *passes : sizeof of_graph / sizeof *passes;
    const bool is_main = x->frames.n == 1;
    bool ok = true;

    x->nodes.n = 0;
    x->run_index = 0;
    for (size_t i = 0; ok && i < n; i++)
        ok = run_pass(x, is_main ? x->graph.data : &body.graph, is_main ? x->graph.n : 1, &passes[i], err);
    for (size_t i = 0; ok && i < x->nodes.n; i++)
        ok = connect(x, &x->nodes.data[i], err);
    return ok;
}
