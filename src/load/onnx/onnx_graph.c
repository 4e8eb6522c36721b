/* onnx_graph.c: adds rows for the nodes and initializers of one ONNX graph (formats-onnx.md
 * sections 2 to 5). */

#include "load/onnx/onnx.h"

enum { NODE_INPUT = 1, NODE_OUTPUT = 2, NODE_NAME = 3, NODE_TYPE = 4, NODE_ATTRIBUTE = 5,
       NODE_DOMAIN = 7, NODE_OVERLOAD = 8, NODE_METADATA = 9 };
enum { ATTRIBUTE_NAME = 1, ATTRIBUTE_TENSOR = 5, ATTRIBUTE_GRAPH = 6, ATTRIBUTE_GRAPHS = 11 };

/* ---- nodes */

/* The fields of a NodeProto that its row needs. */
struct head {
    struct span name, type, domain, overload, stack;
    struct span value; /* the tensor in attribute `value` */
};

static bool read_attribute(const struct onnx *x, struct span message, struct head *h,
                           struct err *err)
{
    struct span name = {message.bytes, 0}, tensor = {NULL, 0};
    struct wire_in in = span_walk(message);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number == ATTRIBUTE_NAME && f.type == WIRE_LEN)
            name = field_span(&f);
        else if (f.number == ATTRIBUTE_TENSOR && f.type == WIRE_LEN)
            tensor = field_span(&f);
    }
    if (span_is(name, "value"))
        h->value = tensor;
    return load_ended(x->l, &in, "attribute", err);
}

static bool is_string(uint32_t number)
{
    return (number >= NODE_INPUT && number <= NODE_TYPE) || number == NODE_DOMAIN ||
           number == NODE_OVERLOAD;
}

static bool read_head(struct onnx *x, struct span message, struct head *h, struct err *err)
{
    const struct span none = {message.bytes, 0};
    struct wire_in in = span_walk(message);
    struct span key, value;
    struct wire_field f;

    *h = (struct head){none, none, none, none, {NULL, 0}, {NULL, 0}};
    while (wire_next(&in, &f)) {
        if (f.type != WIRE_LEN)
            continue;
        if (is_string(f.number) && !onnx_check_string(x, field_span(&f), err))
            return false;
        if (f.number == NODE_NAME)
            h->name = field_span(&f);
        else if (f.number == NODE_TYPE)
            h->type = field_span(&f);
        else if (f.number == NODE_DOMAIN)
            h->domain = field_span(&f);
        else if (f.number == NODE_OVERLOAD)
            h->overload = field_span(&f);
        else if (f.number == NODE_ATTRIBUTE && !read_attribute(x, field_span(&f), h, err))
            return false;
        if (f.number != NODE_METADATA)
            continue;
        onnx_pair(field_span(&f), &key, &value);
        if (span_is(key, "pkg.torch.onnx.stack_trace"))
            h->stack = value;
    }
    return load_ended(x->l, &in, "node", err);
}

static strid op_of(struct onnx *x, const struct head *h)
{
    sb_clear(&x->text);
    if (h->domain.len && !span_is(h->domain, "ai.onnx")) {
        sb_add(&x->text, h->domain.bytes, h->domain.len);
        sb_addc(&x->text, '.');
    }
    sb_add(&x->text, h->type.bytes, h->type.len);
    return builder_str(x->b, sb_text(&x->text), x->text.len);
}

/* Adds a row for the definition MESSAGE. */
static node_id add_row(struct onnx *x, strid path, strid op, struct span message,
                       enum node_form form)
{
    struct node_def def = {.offset = (uint64_t)(message.bytes - x->l->input.bytes),
                           .len_bytes = (uint32_t)message.len, .file = x->l->file,
                           .form = (uint8_t)form};
    bool added;
    const node_id node = builder_node(x->b, path, op, &added);

    if (message.len <= UINT32_MAX && load_in_input(x->l, message.bytes))
        builder_set_def(x->b, node, def);
    return node;
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

static bool bind_outputs(struct onnx *x, struct span message, strid path, struct err *err)
{
    int32_t i = 0;

    wire_each(f, span_walk(message)) {
        if (f.number != NODE_OUTPUT || f.type != WIRE_LEN)
            continue;
        if (f.len)
            onnx_bind(x, field_span(&f), path, i);
        i += i < INT32_MAX;
        if (load_cancelled(x->l, (size_t)i, err))
            return false;
    }
    return true;
}

/* Queues the subgraphs in attributes of NODE, in file order. */
static void note_bodies(struct onnx *x, struct span message, strid path, node_id node)
{
    struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
    struct wire_in in = span_walk(message), attribute;
    struct wire_field f, g;

    while (wire_next(&in, &f)) {
        struct span name;
        int64_t i = 0;

        if (f.number != NODE_ATTRIBUTE || f.type != WIRE_LEN)
            continue;
        name = span_part(field_span(&f), ATTRIBUTE_NAME);
        attribute = wire_in_field(&f);
        while (wire_next(&attribute, &g)) {
            const bool is_one = g.number == ATTRIBUTE_GRAPH && g.type == WIRE_LEN;

            if (!is_one && !(g.number == ATTRIBUTE_GRAPHS && g.type == WIRE_LEN))
                continue;
            vec_push(&frame->bodies,
                     ((struct onnx_body){.graph = field_span(&g), .holder = node,
                                         .prefix = row_join(&x->paths, path, name, is_one ? -1 : i++)}));
        }
    }
}

static void put_numbered(struct strbuf *sb, struct span type, int64_t index)
{
    sb_add(sb, type.bytes, type.len);
    sb_addc(sb, '_');
    sb_add_int(sb, index);
}

/* Records the name of NODE in runs: its own, or its type and index; Constants are not numbered. */
static void note_run_name(struct onnx *x, const struct head *h, node_id node)
{
    struct run_names *names = &x->l->run_names;
    struct strbuf name = {0};
    strid id;

    names->is_used = true;
    if (h->name.len)
        sb_add(&name, h->name.bytes, h->name.len);
    else
        put_numbered(&name, h->type, x->run_index);
    id = intern_put(&names->names, sb_text(&name), name.len);
    if (id == names->node_of_name.n + 1)
        vec_push(&names->node_of_name, node);
    sb_done(&name);
}

static bool add_node(struct onnx *x, struct span message, int64_t index, struct err *err)
{
    const strid prefix = x->frames.data[x->frames.n - 1].body.prefix;
    struct head h;
    node_id node;
    strid path;

    if (!load_pace(x->l, message.bytes, err) || !read_head(x, message, &h, err))
        return false;
    path = row_path(&x->paths, prefix, h.name, false, h.type, index);
    node = add_row(x, path, op_of(x, &h), message, NODE_FORM_OWN_NODE);
    x->n_nodes++;
    if (!span_is(h.type, "Constant")) {
        note_run_name(x, &h, node);
        x->run_index++;
    }
    vec_push(&x->nodes, ((struct onnx_node){message, node}));
    if (h.stack.bytes)
        builder_set_stack(x->b, node, onnx_stack(x, h.stack));
    if (h.value.bytes && is_default_domain(h.domain) && span_is(h.type, "Constant") &&
        !add_constant(x, node, h.value, err))
        return false;
    if (!bind_outputs(x, message, path, err))
        return false;
    note_bodies(x, message, path, node);
    if (x->functions.n)
        onnx_note_call(x, message, h.domain, h.type, h.overload, path, node);
    return true;
}

/* ---- initializers */

/* Adds a row below PREFIX for an initializer of the current graph, and binds its value. */
static bool onnx_add_initializer(struct onnx *x, strid prefix, struct span message, struct err *err)
{
    const struct span no_op = {(const uint8_t *)"initializer", 11};
    bool constant;
    node_id node;
    strid path;

    if (!load_pace(x->l, message.bytes, err) || !onnx_tensor_read(x->l, message, &x->tensor, err))
        return false;
    if (!onnx_check_string(x, x->tensor.name, err))
        return false;
    constant = onnx_tensor_is_constant(&x->tensor);
    path = row_path(&x->paths, prefix, x->tensor.name, true, no_op, x->n_tensors);
    node = add_row(x, path,
                   constant ? builder_str(x->b, "Constant", 8) : builder_str(x->b, "Parameter", 9),
                   message, NODE_FORM_OWN_TENSOR);
    onnx_tensor_set(x, node, &x->tensor, constant);
    onnx_bind(x, x->tensor.name, path, 0);
    return true;
}

/* ---- declared values */

/* Adds a graph input that is not an initializer. */
static void add_free(struct onnx *x, const struct onnx_info *info)
{
    const struct onnx_frame *frame = &x->frames.data[x->frames.n - 1];
    struct free_tensor tensor = {.shape = info->shape, .batch_dims = info->batch_dims};

    if (x->frames.n == 1)
        tensor.batch_dims |= 1;
    tensor.name = row_free_name(&x->paths, frame->body.prefix, info->name);
    builder_add_free_tensor(x->b, tensor);
    onnx_bind(x, info->name, tensor.name, 0);
}

static bool add_info(struct onnx *x, struct span message, bool is_input, struct err *err)
{
    struct onnx_value *value;
    struct onnx_info info;

    if (!load_pace(x->l, message.bytes, err) || !onnx_info_read(x, message, &info, err))
        return false;
    value = onnx_lookup_own(x, info.name);
    if (!value && is_input && info.name.len) {
        add_free(x, &info);
    } else if (value) {
        if (value->shape == SHAPE_UNKNOWN)
            value->shape = info.shape;
        value->bits = onnx_type_of(info.type)->bits;
    }
    return true;
}

/* ---- inputs of nodes */

/* Records the producers of values of the main graph, to resolve names in runs. */
static void note_value(struct onnx *x, struct span name, node_id node)
{
    struct run_names *names = &x->l->run_names;

    if (x->frames.n == 1 && name.len &&
        intern_put(&names->values, name.bytes, name.len) == names->maker_of_value.n + 1)
        vec_push(&names->maker_of_value, node);
}

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

static void add_output(struct onnx *x, node_id node, int32_t index, struct span name)
{
    const struct onnx_value *value = name.len ? onnx_lookup_own(x, name) : NULL;

    note_value(x, name, node);
    if (value && value->shape != SHAPE_UNKNOWN)
        builder_add_output(x->b, node, index, value->shape);
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
            add_output(x, node->id, n_outputs++, field_span(&f));
        if (load_cancelled(x->l, (size_t)(n_inputs + n_outputs), err))
            return false;
    }
    return true;
}

/* ---- a graph */

/* Calls VISIT for each message in field NUMBER of GRAPH, until it returns false. */
static bool for_each_message(struct onnx *x, struct span graph, uint32_t number,
                 bool (*visit)(struct onnx *x, struct span message, int64_t index, struct err *err),
                 struct err *err)
{
    struct wire_in in = span_walk(graph);
    struct wire_field f;
    int64_t i = 0;

    while (wire_next(&in, &f))
        if (f.number == number && f.type == WIRE_LEN && !visit(x, field_span(&f), i++, err))
            return false;
    return load_ended(x->l, &in, "graph", err);
}

static bool visit_initializer(struct onnx *x, struct span message, int64_t index UNUSED,
                              struct err *err)
{
    return onnx_add_initializer(x, x->frames.data[x->frames.n - 1].body.prefix, message, err);
}

static bool visit_sparse(struct onnx *x, struct span message, int64_t index, struct err *err)
{
    const struct span values = span_part(message, 1);

    return !values.bytes || visit_initializer(x, values, index, err);
}

static bool visit_batch(struct onnx *x, struct span message, int64_t index UNUSED, struct err *err)
{
    return onnx_note_batch(x, message, err);
}

static bool visit_input(struct onnx *x, struct span message, int64_t index UNUSED, struct err *err)
{
    return add_info(x, message, true, err);
}

static bool visit_info(struct onnx *x, struct span message, int64_t index UNUSED, struct err *err)
{
    return add_info(x, message, false, err);
}

bool onnx_fill_graph(struct onnx *x, struct err *err)
{
    enum { NODE = 1, INITIALIZER = 5, INPUT = 11, OUTPUT = 12, INFO = 13, SPARSE = 15 };
    enum { FUNCTION_NODE = 7, FUNCTION_INFO = 12 };
    const struct onnx_body body = x->frames.data[x->frames.n - 1].body;
    const bool is_function = body.function != 0;
    bool ok;

    x->nodes.n = 0;
    x->run_index = 0;
    if (is_function)
        ok = for_each_message(x, body.graph, FUNCTION_NODE, add_node, err) &&
             for_each_message(x, body.graph, FUNCTION_INFO, visit_info, err);
    else
        ok = (x->frames.n > 1 || for_each_message(x, body.graph, INPUT, visit_batch, err)) &&
             for_each_message(x, body.graph, NODE, add_node, err) &&
             for_each_message(x, body.graph, INITIALIZER, visit_initializer, err) &&
             for_each_message(x, body.graph, SPARSE, visit_sparse, err) &&
             for_each_message(x, body.graph, INPUT, visit_input, err) &&
             for_each_message(x, body.graph, OUTPUT, visit_info, err) &&
             for_each_message(x, body.graph, INFO, visit_info, err);
    for (size_t i = 0; ok && i < x->nodes.n; i++)
        ok = connect(x, &x->nodes.data[i], err);
    return ok;
}
