/* tables_graph.c: tables of what a graph is: nodes, types, edges, outputs, shapes, call stacks. */
#include "export/sql/sql_table.h"
#include "model/format.h"

static uint64_t count_nodes(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_nodes;
}

static void set_shape_id(struct sql_value *v, shape_id shape)
{
    if (shape != SHAPE_UNKNOWN)
        sql_set_integer(v, shape);
}

/* ---- nodes */

enum { NODE_NODE, NODE_NAME, NODE_OP, NODE_TYPE_SET, NODE_DEVICE, NODE_SHAPE, NODE_CALL_STACK,
       NODE_FILE, NODE_FLOAT_OPS };

static const struct sql_column node_columns[] = {
    [NODE_NODE] = {"node", "INTEGER", "number of the node"},
    [NODE_NAME] = {"name", "TEXT", "its name"},
    [NODE_OP] = {"op", "TEXT", "its operation"},
    [NODE_TYPE_SET] = {"type_set", "INTEGER", "its types: in op_types"},
    [NODE_DEVICE] = {"device", "TEXT", "canonical device"},
    [NODE_SHAPE] = {"shape", "INTEGER", "attribute shape: in shapes"},
    [NODE_CALL_STACK] = {"call_stack", "INTEGER", "what created it: in call_stacks"},
    [NODE_FILE] = {"file", "INTEGER", "where it is defined: in files"},
    [NODE_FLOAT_OPS] = {"recorded_float_ops", "INTEGER", "of one execution, as recorded"},
};

static void node_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const node_id node = (node_id)c->key;

    switch (column) {
    case NODE_NAME:
        sql_set_string(v, p, p->name[node]);
        break;
    case NODE_OP:
        sql_set_string(v, p, p->op[node]);
        break;
    case NODE_DEVICE:
        sql_set_string(v, p, p->device[node]);
        break;
    case NODE_TYPE_SET:
        sql_set_integer(v, p->typeset[node]);
        break;
    case NODE_SHAPE:
        set_shape_id(v, p->shape[node]);
        break;
    case NODE_CALL_STACK:
        if (p->trace[node] != TRACE_NONE)
            sql_set_integer(v, p->trace[node]);
        break;
    case NODE_FILE:
        if (p->def[node].form != NODE_FORM_NONE)
            sql_set_integer(v, p->def[node].file);
        break;
    default:
        sql_set_integer(v, p->static_float_ops[node]);
        break;
    }
}

const struct sql_table sql_table_nodes = {
    .name = "nodes", .view = VIEW_ADVISE, .help = "nodes of the graph and of its runs", .columns = node_columns,
    .n_columns = SQL_COUNT(node_columns), .n_keys = count_nodes, .value = node_value,
};

/* ---- op types */

static const struct sql_column type_columns[] = {
    {"type_set", "INTEGER", "number of the set"},
    {"type", "TEXT", "one of its types: what -account_type_regexes match"},
};

static uint64_t count_sets(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_typesets;
}

static uint32_t count_types(struct sql_cursor *c)
{
    const struct profile *p = c->source->profile;

    return p->typeset_begin[c->key + 1] - p->typeset_begin[c->key];
}

static void type_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;

    (void)column;
    sql_set_string(v, p, p->typeset_types[p->typeset_begin[c->key] + c->at]);
}

const struct sql_table sql_table_op_types = {
    .name = "op_types", .view = VIEW_ADVISE, .help = "sets of types of nodes", .columns = type_columns,
    .n_columns = SQL_COUNT(type_columns), .n_keys = count_sets, .n_rows = count_types,
    .value = type_value,
};

/* ---- edges */

enum { EDGE_NODE, EDGE_POSITION, EDGE_SOURCE, EDGE_MISSING, EDGE_OUTPUT, EDGE_IS_CONTROL,
       EDGE_SHAPE };

static const struct sql_column edge_columns[] = {
    [EDGE_NODE] = {"node", "INTEGER", "the reader: in nodes"},
    [EDGE_POSITION] = {"position", "INTEGER", "among its inputs"},
    [EDGE_SOURCE] = {"source", "INTEGER", "what it reads: in nodes"},
    [EDGE_MISSING] = {"missing_source", "TEXT", "its name, where there is no such node"},
    [EDGE_OUTPUT] = {"output", "INTEGER", "which output of the source"},
    [EDGE_IS_CONTROL] = {"is_control", "INTEGER", "1: the order alone, no tensor"},
    [EDGE_SHAPE] = {"shape", "INTEGER", "recorded shape of the tensor: in shapes"},
};

static uint32_t count_edges(struct sql_cursor *c)
{
    const struct profile *p = c->source->profile;

    return p->input_begin[c->key + 1] - p->input_begin[c->key];
}

static void edge_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const uint32_t i = (uint32_t)(p->input_begin[c->key] + c->at);
    const struct node_input *in = &p->inputs[i];

    switch (column) {
    case EDGE_POSITION:
        sql_set_integer(v, profile_input_position(p, (node_id)c->key, i));
        break;
    case EDGE_SOURCE:
        if (in->source != NODE_NONE)
            sql_set_integer(v, in->source);
        break;
    case EDGE_MISSING:
        if (in->source == NODE_NONE)
            sql_set_string(v, p, profile_input_name(p, i));
        break;
    case EDGE_OUTPUT:
        if (in->own_index != INPUT_CONTROL)
            sql_set_integer(v, in->own_index);
        break;
    case EDGE_IS_CONTROL:
        sql_set_integer(v, in->own_index == INPUT_CONTROL);
        break;
    default:
        set_shape_id(v, profile_input_shape(p, in));
        break;
    }
}

const struct sql_table sql_table_edges = {
    .name = "edges", .view = VIEW_ADVISE, .help = "inputs of nodes", .columns = edge_columns,
    .n_columns = SQL_COUNT(edge_columns), .n_keys = count_nodes, .n_rows = count_edges,
    .value = edge_value,
};

/* ---- outputs */

static const struct sql_column output_columns[] = {
    {"node", "INTEGER", "in nodes"},
    {"output", "INTEGER", "its index"},
    {"shape", "INTEGER", "recorded shape: in shapes"},
};

static uint32_t count_outputs(struct sql_cursor *c)
{
    const struct profile *p = c->source->profile;

    return p->output_begin[c->key + 1] - p->output_begin[c->key];
}

static void output_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const struct node_output *out = &p->outputs[p->output_begin[c->key] + c->at];

    if (column == 1)
        sql_set_integer(v, out->index);
    else
        set_shape_id(v, out->shape);
}

const struct sql_table sql_table_outputs = {
    .name = "outputs", .view = VIEW_ADVISE, .help = "outputs of nodes", .columns = output_columns,
    .n_columns = SQL_COUNT(output_columns), .n_keys = count_nodes, .n_rows = count_outputs,
    .value = output_value,
};

/* ---- shapes */

enum { SHAPE_SHAPE, SHAPE_TEXT, SHAPE_RANK, SHAPE_ELEMENTS };

static const struct sql_column shape_columns[] = {
    [SHAPE_SHAPE] = {"shape", "INTEGER", "number of the shape"},
    [SHAPE_TEXT] = {"dims", "TEXT", "3x3x16; -1 for a dimension that is not known"},
    [SHAPE_RANK] = {"dimensions", "INTEGER", "how many"},
    [SHAPE_ELEMENTS] = {"elements", "INTEGER", "their product, where all are known"},
};

static uint64_t count_shapes(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_shapes;
}

static void set_elements(struct sql_value *v, struct shape shape)
{
    bool saturated = false;
    int64_t n = 1;

    for (uint32_t i = 0; i < shape.n_dims; i++) {
        if (shape.dims[i] < 0)
            return;
        n = sat_mul(n, shape.dims[i], &saturated);
    }
    if (!saturated)
        sql_set_integer(v, n);
}

static void shape_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct shape shape = c->source->profile->shapes[c->key];

    if (c->key == SHAPE_UNKNOWN)
        return;
    if (column == SHAPE_ELEMENTS) {
        set_elements(v, shape);
    } else if (column == SHAPE_RANK) {
        sql_set_integer(v, c->key == SHAPE_SCALAR ? 0 : shape.n_dims);
    } else {
        sb_clear(&c->text);
        format_shape(&c->text, shape);
        sql_set_scratch(v, c);
    }
}

const struct sql_table sql_table_shapes = {
    .name = "shapes", .view = VIEW_ADVISE, .help = "distinct shapes; 0 is one that is not known", .columns = shape_columns,
    .n_columns = SQL_COUNT(shape_columns), .n_keys = count_shapes, .value = shape_value,
};

/* ---- call stacks */

enum { FRAME_STACK, FRAME_POSITION, FRAME_FILE, FRAME_LINE, FRAME_FUNCTION, FRAME_TEXT };

static const struct sql_column frame_columns[] = {
    [FRAME_STACK] = {"call_stack", "INTEGER", "number of the stack"},
    [FRAME_POSITION] = {"position", "INTEGER", "0 is the outermost caller"},
    [FRAME_FILE] = {"file", "TEXT", "source file"},
    [FRAME_LINE] = {"line", "INTEGER", "line of the call"},
    [FRAME_FUNCTION] = {"function", "TEXT", "function that calls"},
    [FRAME_TEXT] = {"text", "TEXT", "source text of the line"},
};

static uint64_t count_stacks(const struct sql_source *s, const struct sql_table *t)
{
    (void)t;
    return s->profile->n_traces;
}

static uint32_t count_frames(struct sql_cursor *c)
{
    return c->source->profile->traces[c->key].n_frames;
}

static void frame_value(struct sql_cursor *c, size_t column, struct sql_value *v)
{
    const struct profile *p = c->source->profile;
    const struct frame *frame = &p->traces[c->key].frames[c->at];

    if (column == FRAME_POSITION)
        sql_set_integer(v, c->at);
    else if (column == FRAME_FILE)
        sql_set_string(v, p, frame->file);
    else if (column == FRAME_FUNCTION)
        sql_set_string(v, p, frame->function);
    else if (column == FRAME_TEXT)
        sql_set_string(v, p, frame->text);
    else if (frame->lineno >= 0)
        sql_set_integer(v, frame->lineno);
}

const struct sql_table sql_table_call_stacks = {
    .name = "call_stacks", .view = VIEW_ADVISE, .help = "frames of distinct call stacks", .columns = frame_columns,
    .n_columns = SQL_COUNT(frame_columns), .n_keys = count_stacks, .n_rows = count_frames,
    .value = frame_value,
};
