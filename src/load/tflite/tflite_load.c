/* tflite_load.c: loads TFLite models as graphs (formats-tflite.md). */
#include <inttypes.h>
#include <string.h>

#include "base/satmath.h"
#include "load/formats.h"
#include "load/tflite/tflite.h"

/* The producer of a tensor of the current subgraph. */
struct maker {
    strid name; /* STRID_NONE: not found yet */
    int32_t output;
};

struct tflite {
    struct loader *l;
    struct builder *b;
    struct flat f;
    struct flat_table model;
    struct flat_vector subgraphs, buffers;
    struct model_rows rows;
    VEC(struct maker) makers;
    VEC(uint8_t) is_bias;      /* by tensor of the current subgraph */
    VEC(strid) results;        /* producers of all subgraphs' outputs, by subgraph */
    VEC(size_t) first_result;  /* by subgraph: index in results */
    VEC(node_id) holders;      /* nodes that run subgraphs; held: the subgraph of each */
    VEC(int32_t) held;
    int64_t n_operators, n_tensors;
    bool has_open_shapes;
    uint64_t items_left; /* limit for items visited, since tables may share lists */
};

/* ---- detection */

static bool fits_tflite(struct span bytes, struct evidence *e)
{
    return !e && bytes.len >= 8 && memcmp(bytes.bytes + 4, "TFL3", 4) == 0;
}

/* ---- tensors */

/* Size in bytes of a tensor's data. */
static uint64_t buffer_bytes(struct tflite *x, struct flat_table tensor)
{
    const uint32_t at = (uint32_t)flat_field_i32(&x->f, tensor, TENSOR_BUFFER, 0);
    const struct flat_table buffer = flat_item_table(&x->f, x->buffers, at);
    const uint64_t size = flat_field_u64(&x->f, buffer, BUFFER_SIZE);

    if (at >= x->buffers.n && x->buffers.n)
        flat_fail(&x->f, tensor.at, "a tensor has a buffer that is not listed");
    return size > 1 ? size : flat_field_vector(&x->f, buffer, BUFFER_DATA, 1).n;
}

/* Charges N items at AT to items_left; false when the limit is exceeded. */
static bool charge_items(struct tflite *x, uint64_t n, size_t at)
{
    if (n > x->items_left) {
        flat_fail(&x->f, at, "shared lists exceed the limit for the size of the file");
        return false;
    }
    x->items_left -= n;
    return !x->f.why;
}

static shape_id shape_of(struct tflite *x, struct flat_table tensor)
{
    const struct flat_vector v = flat_field_vector(&x->f, tensor, TENSOR_SHAPE, 4);

    x->l->dims.n = 0;
    if (!charge_items(x, v.n, tensor.at))
        return SHAPE_UNKNOWN;
    for (uint32_t i = 0; i < v.n; i++)
        vec_push(&x->l->dims, flat_item_i32(&x->f, v, i));
    return v.n ? builder_shape(x->b, x->l->dims.data, x->l->dims.n) : SHAPE_SCALAR;
}

/* Adds a row for operator or tensor I of the subgraph GRAPH. */
static node_id add_row(struct tflite *x, strid path, strid op, struct flat_table graph, uint32_t i,
                       enum node_form form)
{
    const struct span table = {x->f.bytes.bytes + graph.at, 4};
    const node_id node = model_row(&x->rows, path, op, table, form);
    struct node_def def = builder_get_def(x->b, node);

    def.offset |= (uint64_t)i << 32;
    builder_set_def(x->b, node, def);
    return node;
}

/* The TensorType of TENSOR; the last one if it is unknown. */
static uint8_t type_of(struct tflite *x, struct flat_table tensor)
{
    const uint8_t number = flat_field_u8(&x->f, tensor, TENSOR_TYPE, 0);

    return number < TFLITE_TYPE_COUNT ? number : TFLITE_TYPE_COUNT - 1;
}

static bool is_parameter(const struct tflite *x, uint8_t type, uint32_t i)
{
    if (type == TFLITE_INT32 || type == TFLITE_INT64)
        return x->is_bias.data[i];
    return type != TFLITE_STRING && type != TFLITE_BOOL;
}

static void add_constant(struct tflite *x, strid prefix, struct flat_table graph,
                         struct flat_table tensor, uint32_t i, uint64_t bytes)
{
    static const struct span no_op = {(const uint8_t *)"tensor", 6};
    const uint8_t number = type_of(x, tensor);
    const bool is_param = is_parameter(x, number, i);
    const strid path = row_path(&x->rows.paths, prefix, flat_field_string(&x->f, tensor, TENSOR_NAME), true,
                                no_op, i);
    const node_id node =
        add_row(x, path, is_param ? builder_str(x->b, "Parameter", 9) : builder_str(x->b, "Constant", 8),
                graph, i, NODE_FORM_OWN_TENSOR);
    struct model_tensor t = {.type = number,
                             .shape = shape_of(x, tensor), .is_constant = !is_param};

    t.n_elements = model_elements(&x->rows, x->l->dims.data, x->l->dims.n);
    t.bytes = t.own_bytes = bytes < INT64_MAX ? (int64_t)bytes : INT64_MAX;
    model_tensor_set(&x->rows, node, &t);
    x->makers.data[i] = (struct maker){path, 0};
}

/* ---- operators */

static strid op_of(struct tflite *x, struct flat_table op, uint32_t *code)
{
    enum { CUSTOM = 32 };
    struct strbuf text = {0};
    struct span custom;
    const char *name;
    strid id;

    *code = tflite_code(&x->f, x->model, op, &custom);
    name = tflite_builtin_name(*code);
    if (*code == CUSTOM && custom.len)
        sb_add(&text, custom.bytes, custom.len);
    else if (name)
        sb_adds(&text, name);
    else
        sb_addf(&text, "BUILTIN_%" PRIu32, *code);
    id = builder_str(x->b, sb_text(&text), text.len);
    sb_done(&text);
    return id;
}

/* Marks the bias of a convolution or fully connected layer, given its INPUTS. */
static void mark_bias(struct tflite *x, struct flat_vector inputs, uint32_t code)
{
    enum { CONV_2D = 3, DEPTHWISE = 4, FULLY_CONNECTED = 9, TRANSPOSE_CONV = 67, CONV_3D = 132 };
    const uint32_t at = code == TRANSPOSE_CONV ? 3 : 2;
    const int32_t tensor = flat_item_i32(&x->f, inputs, at);

    if ((code == CONV_2D || code == DEPTHWISE || code == FULLY_CONNECTED || code == TRANSPOSE_CONV ||
         code == CONV_3D) &&
        at < inputs.n && tensor >= 0 && (size_t)tensor < x->is_bias.n)
        x->is_bias.data[tensor] = 1;
}

/* Records the subgraphs that NODE runs. */
static void note_bodies(struct tflite *x, struct flat_table op, uint32_t code, node_id node)
{
    enum { IF = 118, WHILE = 119, CALL_ONCE = 129 };
    const int n = code == CALL_ONCE ? 1 : code == IF || code == WHILE ? 2 : 0;
    const struct flat_table options = n ? flat_field_table(&x->f, op, OP_OPTIONS)
                                        : (struct flat_table){0};

    for (int i = 0; i < n; i++) {
        vec_push(&x->holders, node);
        vec_push(&x->held, flat_field_i32(&x->f, options, (uint16_t)(4 + 2 * i), 0));
    }
}

static void add_operator(struct tflite *x, strid prefix, struct flat_table graph, uint32_t subgraph,
                         uint32_t i)
{
    static const struct span no_op = {(const uint8_t *)"operator", 8};
    const struct flat_vector ops = flat_field_vector(&x->f, graph, GRAPH_OPERATORS, 4);
    const struct flat_vector tensors = flat_field_vector(&x->f, graph, GRAPH_TENSORS, 4);
    const struct flat_table op = flat_item_table(&x->f, ops, i);
    const struct flat_vector inputs = flat_field_vector(&x->f, op, OP_INPUTS, 4);
    const struct flat_vector outputs = flat_field_vector(&x->f, op, OP_OUTPUTS, 4);
    struct flat_table made;
    struct span name = {NULL, 0};
    uint32_t code;
    strid path, type;
    node_id node;

    if (!charge_items(x, (uint64_t)inputs.n + outputs.n, op.at))
        return;
    type = op_of(x, op, &code);
    if (outputs.n && flat_item_i32(&x->f, outputs, 0) >= 0)
        name = flat_field_string(
            &x->f, flat_item_table(&x->f, tensors, (uint32_t)flat_item_i32(&x->f, outputs, 0)),
            TENSOR_NAME);
    if (!charge_items(x, name.len, op.at))
        return;
    path = row_path(&x->rows.paths, prefix, name, false, no_op, i);
    node = add_row(x, path, type, graph, i, NODE_FORM_OWN_NODE);
    x->n_operators++;
    if (subgraph == 0) { /* benchmark_model names its number and its first output */
        model_name_in_runs(x->l, &i, sizeof i, node);
        model_value_in_runs(x->l, name, node);
    }
    mark_bias(x, inputs, code);
    note_bodies(x, op, code, node);
    for (uint32_t k = 0; k < outputs.n && !x->f.why; k++) {
        const int32_t at = flat_item_i32(&x->f, outputs, k);

        if (at < 0 || (uint32_t)at >= tensors.n)
            continue;
        made = flat_item_table(&x->f, tensors, (uint32_t)at);
        x->makers.data[at] = (struct maker){path, (int32_t)k};
        builder_add_output(x->b, node, (int32_t)k, shape_of(x, made));
        if (k == 0)
            builder_set_element_bits(x->b, node, tflite_types[type_of(x, made)].bits);
    }
}

static void connect(struct tflite *x, struct flat_vector ops, uint32_t i, node_id node)
{
    const struct flat_vector inputs =
        flat_field_vector(&x->f, flat_item_table(&x->f, ops, i), OP_INPUTS, 4);

    for (uint32_t k = 0; k < inputs.n && !x->f.why; k++) {
        const int32_t at = flat_item_i32(&x->f, inputs, k);
        const struct maker *m = at >= 0 && (size_t)at < x->makers.n ? &x->makers.data[at] : NULL;
        const bool is_made = m && m->name != STRID_NONE;

        builder_add_input(x->b, node, (int32_t)k, is_made ? m->name : STRID_EMPTY,
                          is_made ? m->output : 0, is_made ? m->output : 0);
    }
}

/* ---- subgraphs */

/* Adds an input for a tensor without a producer. */
static void add_free(struct tflite *x, strid prefix, struct flat_table tensor, uint32_t i)
{
    struct free_tensor t = {.shape = shape_of(x, tensor), .element_bits = tflite_types[type_of(x, tensor)].bits};

    t.name = row_free_name(&x->rows.paths, prefix, flat_field_string(&x->f, tensor, TENSOR_NAME));
    builder_add_free_tensor(x->b, t);
    x->makers.data[i] = (struct maker){t.name, 0};
}

static bool add_tensors(struct tflite *x, strid prefix, struct flat_table graph, struct err *err)
{
    const struct flat_vector tensors = flat_field_vector(&x->f, graph, GRAPH_TENSORS, 4);

    for (uint32_t i = 0; i < tensors.n && !x->f.why; i++) {
        const struct flat_table tensor = flat_item_table(&x->f, tensors, i);
        const uint64_t bytes = buffer_bytes(x, tensor);
        const struct flat_vector signature = flat_field_vector(&x->f, tensor, TENSOR_SIGNATURE, 4);

        if (!load_tick(x->l, x->l->input.bytes, err))
            return false;
        if (!charge_items(x, 1 + flat_field_string(&x->f, tensor, TENSOR_NAME).len + signature.n, tensor.at))
            return true;
        for (uint32_t k = 0; k < signature.n; k++)
            x->has_open_shapes |= flat_item_i32(&x->f, signature, k) < 0;
        x->n_tensors++;
        if (bytes && x->makers.data[i].name == STRID_NONE)
            add_constant(x, prefix, graph, tensor, i, bytes);
        else if (x->makers.data[i].name == STRID_NONE)
            add_free(x, prefix, tensor, i);
    }
    return true;
}

static void note_results(struct tflite *x, struct flat_table graph)
{
    const struct flat_vector outputs = flat_field_vector(&x->f, graph, GRAPH_OUTPUTS, 4);

    vec_push(&x->first_result, x->results.n);
    for (uint32_t k = 0; k < outputs.n; k++) {
        const int32_t at = flat_item_i32(&x->f, outputs, k);

        if (at >= 0 && (size_t)at < x->makers.n && x->makers.data[at].name != STRID_NONE)
            vec_push(&x->results, x->makers.data[at].name);
    }
}

static strid prefix_of(struct tflite *x, struct flat_table graph, uint32_t i)
{
    static const struct span no_name = {(const uint8_t *)"subgraph", 8};
    struct span name = flat_field_string(&x->f, graph, GRAPH_NAME);

    if (!i)
        return STRID_EMPTY;
    return name.len ? row_join(&x->rows.paths, STRID_EMPTY, name, -1)
                    : row_join(&x->rows.paths, STRID_EMPTY, no_name, i);
}

static bool add_subgraph(struct tflite *x, uint32_t i, struct err *err)
{
    const struct flat_table graph = flat_item_table(&x->f, x->subgraphs, i);
    const struct flat_vector tensors = flat_field_vector(&x->f, graph, GRAPH_TENSORS, 4);
    const struct flat_vector ops = flat_field_vector(&x->f, graph, GRAPH_OPERATORS, 4);
    const strid prefix = prefix_of(x, graph, i);
    const node_id first = builder_n_nodes(x->b);

    x->makers.n = x->is_bias.n = 0;
    if (!charge_items(x, (uint64_t)tensors.n + ops.n, graph.at))
        return true;
    vec_resize_zero(&x->is_bias, tensors.n);
    vec_reserve(&x->makers, tensors.n);
    for (uint32_t k = 0; k < tensors.n; k++)
        vec_push(&x->makers, ((struct maker){.name = STRID_NONE}));
    for (uint32_t k = 0; k < ops.n && !x->f.why; k++) {
        if (!load_tick(x->l, x->l->input.bytes, err))
            return false;
        add_operator(x, prefix, graph, i, k);
    }
    if (!add_tensors(x, prefix, graph, err))
        return false;
    for (uint32_t k = 0; k < ops.n && !x->f.why; k++)
        connect(x, ops, k, first + k);
    note_results(x, graph);
    return true;
}

/* Adds the results of a subgraph as control inputs of the operator that runs it. */
static void connect_bodies(struct tflite *x)
{
    enum { FIRST_POSITION = 1 << 24, RESULTS_MAX = 1 << 20 };
    int32_t position = FIRST_POSITION;

    for (size_t i = 0; i < x->holders.n && position < FIRST_POSITION + RESULTS_MAX; i++) {
        const int32_t body = x->held.data[i];
        size_t end;

        if (body < 0 || (size_t)body >= x->first_result.n)
            continue;
        end = (size_t)body + 1 < x->first_result.n ? x->first_result.data[body + 1] : x->results.n;
        for (size_t k = x->first_result.data[body];
             k < end && position < FIRST_POSITION + RESULTS_MAX; k++)
            builder_add_input(x->b, x->holders.data[i], position++, x->results.data[k], 0,
                              INPUT_CONTROL);
    }
}

/* ---- the summary */

/* Adds the inputs or outputs of subgraph 0, such as "x [1,?,3]", to the summary. */
static void add_ends(struct tflite *x, const char *key, struct flat_table graph, uint16_t field)
{
    const struct flat_vector ends = flat_field_vector(&x->f, graph, field, 4);
    const struct flat_vector tensors = flat_field_vector(&x->f, graph, GRAPH_TENSORS, 4);
    struct strbuf *text = &x->rows.text;

    for (uint32_t i = 0; i < ends.n && !x->f.why; i++) {
        const struct flat_table t =
            flat_item_table(&x->f, tensors, (uint32_t)flat_item_i32(&x->f, ends, i));
        const struct span name = flat_field_string(&x->f, t, TENSOR_NAME);
        const struct flat_vector shape = flat_field_vector(&x->f, t, TENSOR_SHAPE, 4);
        const struct flat_vector open = flat_field_vector(&x->f, t, TENSOR_SIGNATURE, 4);

        sb_clear(text);
        sb_add(text, name.bytes, name.len);
        sb_adds(text, " [");
        for (uint32_t k = 0; k < shape.n; k++) {
            sb_adds(text, k ? "," : "");
            if (k < open.n && flat_item_i32(&x->f, open, k) < 0)
                sb_addc(text, '?');
            else
                sb_add_int(text, flat_item_i32(&x->f, shape, k));
        }
        sb_addc(text, ']');
        model_fact(&x->rows, key, FACT_ITEM, (struct span){NULL, 0}, model_text(&x->rows));
    }
}

static void add_facts(struct tflite *x)
{
    const struct flat_table main = flat_item_table(&x->f, x->subgraphs, 0);
    const struct span none = {NULL, 0};

    model_number(&x->rows, "nodes", x->n_operators);
    model_number(&x->rows, "tensors", x->n_tensors);
    model_type_facts(&x->rows);
    model_fact(&x->rows, "producer", FACT_TEXT, none, flat_field_string(&x->f, x->model, MODEL_DESCRIPTION));
    model_number(&x->rows, "version", (uint32_t)flat_field_i32(&x->f, x->model, MODEL_VERSION, 0));
    model_number(&x->rows, "subgraphs", x->subgraphs.n);
    add_ends(x, "inputs", main, GRAPH_INPUTS);
    add_ends(x, "outputs", main, GRAPH_OUTPUTS);
}

/* ---- loading */

static bool load_model(struct tflite *x, struct err *err)
{
    x->model = flat_root(&x->f);
    x->subgraphs = flat_field_vector(&x->f, x->model, MODEL_SUBGRAPHS, 4);
    x->buffers = flat_field_vector(&x->f, x->model, MODEL_BUFFERS, 4);
    for (uint32_t i = 0; i < x->subgraphs.n && !x->f.why; i++)
        if (!add_subgraph(x, i, err))
            return false;
    connect_bodies(x);
    add_facts(x);
    if (!x->f.why)
        return true;
    return err_set(err, ERR_INPUT, "%s: offset %zu: %s; %" PRId64 " operators read before", x->l->path,
                   x->f.at, x->f.why, x->n_operators);
}

static bool load_tflite(struct loader *l, struct err *err)
{
    struct tflite x = {.l = l, .b = l->builder, .f = {.bytes = l->input}};
    struct notes *notes = &builder_profile(l->builder)->notes;
    bool ok;

    x.items_left = 4 * (uint64_t)l->input.len;
    ok = model_rows_init(&x.rows, l, "tflite:", tflite_types, TFLITE_TYPE_COUNT, err);
    if (ok) {
        builder_profile(l->builder)->attrs_of_def = tflite_attrs_of_def;
        ok = load_model(&x, err);
    }
    if (ok && x.has_open_shapes)
        note_add(notes, "%s: sizes shown as ? are dynamic; counts use the "
                        "stored shapes", l->path);
    model_rows_done(&x.rows);
    EACH(vec_done, &x.makers, &x.is_bias, &x.results, &x.first_result, &x.holders, &x.held);
    return ok;
}

const struct format_row format_tflite = {
    .name = "TFLite",
    .help = "a model (*.tflite), as TFLiteConverter writes it",
    .binary_name = "TFLite",
    .contents = CONTAINS_GRAPH,
    .load_order = 27,
    .detect_order = 4,
    .keep_bytes = true,
    .fits = fits_tflite,
    .load = load_tflite,
};
