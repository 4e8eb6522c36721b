/* tables_graph.c: tables of the graph: nodes, types, edges, outputs, shapes, call stacks. */
#include "export/tables/table_list.h"
#include "model/format.h"

static void set_shape_id(struct table_value *v, shape_id shape)
{
    if (shape != SHAPE_UNKNOWN)
        value_integer(v, shape);
}

/* ---- nodes */

enum { NODE_NODE, NODE_NAME, NODE_OP, NODE_TYPE_SET, NODE_DEVICE, NODE_SHAPE, NODE_CALL_STACK,
       NODE_FILE, NODE_FLOAT_OPS };

static const struct table_column node_columns[] = {
    [NODE_NODE] = {"node", .help = "number of the node"},
    [NODE_NAME] = {"name", .help = "name of the node", .unit = VALUE_TEXT},
    [NODE_OP] = {"op", .help = "operation type", .unit = VALUE_TEXT},
    [NODE_TYPE_SET] = {"type_set", .help = "set of its types: in op_types"},
    [NODE_DEVICE] = {"device", .help = "canonical device", .unit = VALUE_TEXT},
    [NODE_SHAPE] = {"shape", .help = "value of the attribute shape: in shapes"},
    [NODE_CALL_STACK] = {"call_stack", .help = "call stack that created it: in call_stacks"},
    [NODE_FILE] = {"file", .help = "file that defines it: in files"},
    [NODE_FLOAT_OPS] = {"recorded_float_ops", .help = "recorded float operations of one execution"},
};

static void node_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct profile *p = c->profile;
    const node_id node = (node_id)c->key;

    switch (column) {
    case NODE_NAME:
        value_string(v, p, p->name[node]);
        break;
    case NODE_OP:
        value_string(v, p, p->op[node]);
        break;
    case NODE_DEVICE:
        value_string(v, p, p->device[node]);
        break;
    case NODE_TYPE_SET:
        value_integer(v, p->typeset[node]);
        break;
    case NODE_SHAPE:
        set_shape_id(v, p->shape[node]);
        break;
    case NODE_CALL_STACK:
        if (p->stack[node] != STACK_NONE)
            value_integer(v, p->stack[node]);
        break;
    case NODE_FILE:
        if (p->def[node].form != NODE_FORM_NONE)
            value_integer(v, p->def[node].file);
        break;
    default:
        value_integer(v, p->static_float_ops[node]);
        break;
    }
}

const struct table table_nodes = {
    .name = "nodes", .help = "nodes of the graph and of runs", TABLE_COLUMNS(node_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_nodes)}, .value = node_value,
};

/* ---- op types */

static const struct table_column type_columns[] = {
    {"type_set", .help = "number of the set of types"},
    {"type", .help = "a type of the set, matched by -account_type_regexes", .unit = VALUE_TEXT},
};

static uint32_t count_types(struct table_cursor *c)
{
    const struct profile *p = c->profile;

    return p->typeset_begin[c->key + 1] - p->typeset_begin[c->key];
}

static void type_value(struct table_cursor *c, size_t column UNUSED, struct table_value *v)
{
    const struct profile *p = c->profile;

    value_string(v, p, p->typeset_types[p->typeset_begin[c->key] + c->at]);
}

const struct table table_op_types = {
    .name = "op_types", .help = "sets of op types of nodes", TABLE_COLUMNS(type_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_typesets)}, .n_rows = count_types,
    .value = type_value,
};

/* ---- edges */

enum { EDGE_NODE, EDGE_POSITION, EDGE_SOURCE, EDGE_MISSING, EDGE_OUTPUT, EDGE_IS_CONTROL,
       EDGE_SHAPE };

static const struct table_column edge_columns[] = {
    [EDGE_NODE] = {"node", .help = "node that has this input: in nodes"},
    [EDGE_POSITION] = {"position", .help = "position among the inputs of the node"},
    [EDGE_SOURCE] = {"source", .help = "node that produces the input: in nodes"},
    [EDGE_MISSING] = {"missing_source", .help = "name of a producer that is not in the graph", .unit = VALUE_TEXT},
    [EDGE_OUTPUT] = {"output", .help = "index of the output of the producer"},
    [EDGE_IS_CONTROL] = {"is_control", .help = "1: a control dependency, no tensor"},
    [EDGE_SHAPE] = {"shape", .help = "recorded shape of the tensor: in shapes"},
};

static uint32_t count_edges(struct table_cursor *c)
{
    const struct profile *p = c->profile;

    return p->input_begin[c->key + 1] - p->input_begin[c->key];
}

static void edge_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct profile *p = c->profile;
    const uint32_t i = (uint32_t)(p->input_begin[c->key] + c->at);
    const struct node_input *in = &p->inputs[i];

    switch (column) {
    case EDGE_POSITION:
        value_integer(v, profile_input_position(p, (node_id)c->key, i));
        break;
    case EDGE_SOURCE:
        if (in->source != NODE_NONE)
            value_integer(v, in->source);
        break;
    case EDGE_MISSING:
        if (in->source == NODE_NONE)
            value_string(v, p, profile_input_name(p, i));
        break;
    case EDGE_OUTPUT:
        if (in->own_index != INPUT_CONTROL)
            value_integer(v, in->own_index);
        break;
    case EDGE_IS_CONTROL:
        value_integer(v, in->own_index == INPUT_CONTROL);
        break;
    default:
        set_shape_id(v, profile_input_shape(p, in));
        break;
    }
}

const struct table table_edges = {
    .name = "edges", .help = "inputs of nodes", TABLE_COLUMNS(edge_columns), .has_key_column = true,
    .keys = {MEMBER_OF(struct profile, n_nodes)}, .n_rows = count_edges, .value = edge_value,
};

/* ---- outputs */

static const struct table_column output_columns[] = {
    {"node", .help = "node: in nodes"},
    {"output", .help = "index of the output"},
    {"shape", .help = "recorded shape of the output: in shapes"},
};

static uint32_t count_outputs(struct table_cursor *c)
{
    const struct profile *p = c->profile;

    return p->output_begin[c->key + 1] - p->output_begin[c->key];
}

static void output_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct profile *p = c->profile;
    const struct node_output *out = &p->outputs[p->output_begin[c->key] + c->at];

    if (column == 1)
        value_integer(v, out->index);
    else
        set_shape_id(v, out->shape);
}

const struct table table_outputs = {
    .name = "outputs", .help = "outputs of nodes", TABLE_COLUMNS(output_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, n_nodes)}, .n_rows = count_outputs,
    .value = output_value,
};

/* ---- shapes */

enum { SHAPE_SHAPE, SHAPE_TEXT, SHAPE_RANK, SHAPE_ELEMENTS };

static const struct table_column shape_columns[] = {
    [SHAPE_SHAPE] = {"shape", .help = "number of the shape"},
    [SHAPE_TEXT] = {"dims", .help = "dimensions, such as 3x3x16; -1: unknown", .unit = VALUE_TEXT},
    [SHAPE_RANK] = {"dimensions", .help = "number of dimensions"},
    [SHAPE_ELEMENTS] = {"elements", .help = "number of elements; NULL: unknown"},
};

static void set_elements(struct table_value *v, struct shape shape)
{
    bool saturated = false;
    int64_t n = 1;

    for (uint32_t i = 0; i < shape.n_dims; i++) {
        if (shape.dims[i] < 0)
            return;
        n = sat_mul(n, shape.dims[i], &saturated);
    }
    if (!saturated)
        value_integer(v, n);
}

static void shape_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct shape shape = c->profile->shapes[c->key];

    if (c->key == SHAPE_UNKNOWN)
        return;
    if (column == SHAPE_ELEMENTS) {
        set_elements(v, shape);
    } else if (column == SHAPE_RANK) {
        value_integer(v, c->key == SHAPE_SCALAR ? 0 : shape.n_dims);
    } else {
        sb_clear(&c->text);
        format_shape(&c->text, shape);
        value_scratch(v, c);
    }
}

const struct table table_shapes = {
    .name = "shapes", .help = "distinct shapes; 0: unknown",
    TABLE_COLUMNS(shape_columns), .has_key_column = true,
    .keys = {MEMBER_OF(struct profile, n_shapes)}, .value = shape_value,
};

/* ---- call stacks */

enum { FRAME_STACK, FRAME_POSITION, FRAME_FILE, FRAME_LINE, FRAME_FUNCTION, FRAME_TEXT };

static const struct table_column frame_columns[] = {
    [FRAME_STACK] = {"call_stack", .help = "number of the call stack"},
    [FRAME_POSITION] = {"position", .help = "position of the frame; 0: outermost"},
    [FRAME_FILE] = {"file", .help = "source file", .unit = VALUE_TEXT},
    [FRAME_LINE] = {"line", .help = "line of the call"},
    [FRAME_FUNCTION] = {"function", .help = "name of the function", .unit = VALUE_TEXT},
    [FRAME_TEXT] = {"text", .help = "source text of the line", .unit = VALUE_TEXT},
};

static uint32_t count_frames(struct table_cursor *c)
{
    const struct profile *p = c->profile;
    frame_list *frames = table_state(c, sizeof *frames);

    stack_frames(&p->call_stacks, profile_stack(p, (stack_id)c->key), frames);
    return (uint32_t)frames->n;
}

static void leave_frames(struct table_cursor *c)
{
    frame_list *frames = c->state;

    vec_done(frames);
}

static void frame_value(struct table_cursor *c, size_t column, struct table_value *v)
{
    const struct profile *p = c->profile;
    const frame_list *frames = c->state;
    const struct frame *frame = frames->data[c->at];

    if (column == FRAME_POSITION)
        value_integer(v, c->at);
    else if (column == FRAME_FILE)
        value_string(v, p, frame->file);
    else if (column == FRAME_FUNCTION)
        value_string(v, p, frame->function);
    else if (column == FRAME_TEXT)
        value_string(v, p, frame->text);
    else if (frame->lineno >= 0)
        value_integer(v, frame->lineno);
}

const struct table table_call_stacks = {
    .name = "call_stacks", .help = "frames of distinct call stacks", TABLE_COLUMNS(frame_columns),
    .has_key_column = true, .keys = {MEMBER_OF(struct profile, call_stacks.n_stacks)},
    .n_rows = count_frames, .value = frame_value, .leave = leave_frames,
};
