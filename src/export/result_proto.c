/* result_proto.c: writes the result as API messages of the original (semantics.md section 6, proto;
 * message fields: formats-tfprof.md section 4). */
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/wire_out.h"
#include "export/sinks/outbuf.h"
#include "load/checkpoint/checkpoint.h"
#include "render/tensor_value.h"
#include "view/advise/advise.h"

/* The field numbers of a metric. */
struct metric_fields {
    uint8_t self, total;
};

static const struct metric_fields graph_node_fields[METRIC_COUNT] = {
    [METRIC_BYTES] = {3, 7}, [METRIC_PEAK_BYTES] = {24, 27}, [METRIC_RESIDUAL_BYTES] = {25, 28},
    [METRIC_OUTPUT_BYTES] = {26, 29}, [METRIC_MICROS] = {2, 6},
    [METRIC_ACCELERATOR_MICROS] = {17, 19}, [METRIC_CPU_MICROS] = {18, 20},
    [METRIC_PARAMS] = {4, 8}, [METRIC_FLOAT_OPS] = {13, 14}, [METRIC_OCCURRENCE] = {21, 22},
};

/* 0: the message has no such field. */
static const struct metric_fields multi_node_fields[METRIC_COUNT] = {
    [METRIC_BYTES] = {3, 7}, [METRIC_PEAK_BYTES] = {16, 19}, [METRIC_RESIDUAL_BYTES] = {17, 20},
    [METRIC_OUTPUT_BYTES] = {18, 21}, [METRIC_MICROS] = {2, 6},
    [METRIC_ACCELERATOR_MICROS] = {12, 14}, [METRIC_CPU_MICROS] = {13, 15},
    [METRIC_PARAMS] = {4, 8}, [METRIC_FLOAT_OPS] = {5, 9},
};

enum {
    NODE_NAME = 1, GRAPH_NODE_DEVICES = 10, GRAPH_NODE_CHILDREN = 12, GRAPH_NODE_TENSOR_VALUE = 15,
    GRAPH_NODE_INPUT_SHAPES = 16, GRAPH_NODE_TOTAL_DEFINITION_COUNT = 23,
    MULTI_NODE_GRAPH_NODES = 10, MULTI_NODE_CHILDREN = 11,
};

/* Appends the checkpoint value of the tensor with the row's name, not truncated; doubles have six
 * significant digits. */
static void add_tensor_value(struct strbuf *sb, const struct result *r, row_id row)
{
    enum { DTYPE = 1, VALUE_DOUBLE = 2, VALUE_INT64 = 3, VALUE_STR = 4 };
    const struct checkpoint_tensor *t = tensor_of_row(r, row);
    struct checkpoint_values values;
    struct err err = {0};
    size_t mark;

    if (!t)
        return;
    mark = wire_begin(sb, GRAPH_NODE_TENSOR_VALUE);
    wire_int(sb, DTYPE, t->dtype);
    if (tensor_is_shown(t->dtype) &&
        checkpoint_values_read(r->profile->checkpoint, t, SIZE_MAX, &values, &err)) {
        for (size_t i = 0; values.kind == CHECKPOINT_DOUBLES && i < values.n; i++)
            values.doubles[i] = tensor_six_digits(values.doubles[i]);
        if (values.kind == CHECKPOINT_DOUBLES && values.n)
            wire_bytes(sb, VALUE_DOUBLE, values.doubles, values.n * sizeof *values.doubles);
        else if (values.kind == CHECKPOINT_INTS && values.n)
            wire_packed(sb, VALUE_INT64, values.ints, values.n);
        for (size_t i = 0; values.kind == CHECKPOINT_STRINGS && i < values.n; i++)
            wire_bytes(sb, VALUE_STR, values.strings[i].bytes, values.strings[i].len);
        checkpoint_values_done(&values);
    }
    err_done(&err); /* a tensor that cannot be read has no values */
    wire_end(sb, mark);
}

static void add_shape(struct strbuf *sb, const struct profile *p, shape_id id)
{
    enum { VALUE = 2, DIM = 2, SIZE = 1, UNKNOWN_RANK = 3 };
    size_t mark = wire_begin(sb, VALUE);
    const struct shape *shape = &p->shapes[id];

    if (id == SHAPE_UNKNOWN)
        wire_int(sb, UNKNOWN_RANK, 1);
    for (uint32_t i = 0; i < shape->n_dims; i++) {
        size_t dim = wire_begin(sb, DIM);

        wire_int(sb, SIZE, shape->dims[i]);
        wire_end(sb, dim);
    }
    wire_end(sb, mark);
}

/* Appends devices and input shapes of a graph node. */
static void add_node_facts(struct strbuf *sb, const struct profile *p, node_id id)
{
    const node_id node = profile_node_of_part(p, id);
    const strid device = p->device[id];

    if (device != STRID_EMPTY)
        wire_string(sb, GRAPH_NODE_DEVICES, profile_text(p, device),
                    intern_len(&p->strings, device));
    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        size_t mark = wire_begin(sb, GRAPH_NODE_INPUT_SHAPES);

        wire_int(sb, 1, profile_input_position(p, node, i));
        add_shape(sb, p, profile_input_shape(p, &p->inputs[i]));
        wire_end(sb, mark);
    }
}

/* Appends a graph node whose totals are its own values. */
static void add_member(struct strbuf *sb, struct result *r, node_id node)
{
    const struct profile *p = r->profile;
    size_t mark = wire_begin(sb, MULTI_NODE_GRAPH_NODES);

    wire_string(sb, NODE_NAME, profile_text(p, p->name[node]),
                intern_len(&p->strings, p->name[node]));
    for (int m = 0; m < METRIC_COUNT; m++) {
        int64_t value;

        if (!graph_node_fields[m].self)
            continue;
        value = metric_to_named((enum metric_id)m, result_node_figures(r, (enum metric_id)m)[node]);

        wire_int(sb, graph_node_fields[m].self, value);
        wire_int(sb, graph_node_fields[m].total, value);
    }
    wire_int(sb, GRAPH_NODE_TOTAL_DEFINITION_COUNT, 1);
    add_node_facts(sb, p, node);
    wire_end(sb, mark);
}

COMPARE_WITH(by_name, node_id, struct profile,
             THEN(intern_compare(&with->strings, with->name[*a], with->name[*b])))

static void add_members(struct strbuf *sb, struct result *r, row_id row)
{
    const struct tree *tree = r->tree;
    VEC(node_id) nodes = {0};

    for (uint32_t i = tree->member_begin[row]; i < tree->member_begin[row + 1]; i++)
        if (r->node_accounted[tree->members[i]])
            vec_push(&nodes, tree->members[i]);
    if (nodes.n)
        qsort_r(nodes.data, nodes.n, sizeof *nodes.data, by_name, (void *)(uintptr_t)r->profile);
    for (size_t i = 0; i < nodes.n; i++)
        add_member(sb, r, nodes.data[i]);
    vec_done(&nodes);
}

/* Appends all fields of a row except its children. */
static void add_row(struct strbuf *sb, struct result *r, row_id row)
{
    const struct tree *tree = r->tree;
    const struct metric_fields *fields =
        r->view->is_multi ? multi_node_fields : graph_node_fields;

    wire_string(sb, NODE_NAME, tree_name(tree, row), tree_name_len(tree, row));
    for (int m = 0; m < METRIC_COUNT; m++) {
        if (!fields[m].self)
            continue;
        wire_int(sb, fields[m].self, metric_to_named((enum metric_id)m, r->self[m][row]));
        wire_int(sb, fields[m].total, metric_to_named((enum metric_id)m, r->total[m][row]));
    }
    if (r->view->is_multi) {
        add_members(sb, r, row);
        return;
    }
    wire_int(sb, GRAPH_NODE_TOTAL_DEFINITION_COUNT, r->total_defs[row]);
    if (field_in(r->options.select, FIELD_TENSOR_VALUE))
        add_tensor_value(sb, r, row);
    if (tree->member_begin[row] < tree->member_begin[row + 1])
        add_node_facts(sb, r->profile, tree->members[tree->member_begin[row]]);
}

/* The displayed rows in message order, and their parents. */
struct message_tree {
    VEC(row_id) rows;
    VEC(uint32_t) holder;     /* index of the row whose message contains this one */
    VEC(size_t) size_bytes;   /* size of the message, including children */
};

/* Fills the list in pre-order with a stack by depth; in the op view each row contains the next
 * one. */
static void message_tree_init(struct message_tree *t, struct result *r)
{
    struct result_walk w;
    VEC(uint32_t) at_depth = {0};

    memset(t, 0, sizeof *t);
    result_walk_init(&w, r, 0);
    while (result_walk_next(&w)) {
        uint32_t index = (uint32_t)t->rows.n;
        uint32_t holder = w.depth ? at_depth.data[w.depth - 1] : 0;

        if (r->view->is_list)
            holder = index ? index - 1 : 0;
        vec_resize_zero(&at_depth, (size_t)w.depth + 1);
        at_depth.data[w.depth] = index;
        vec_push(&t->rows, w.row);
        vec_push(&t->holder, holder);
    }
    result_walk_done(&w);
    vec_done(&at_depth);
}

/* A length precedes its content, so one reverse pass sums the lengths.  The fields of each row are
 * encoded twice, which needs less memory than storing them. */
static void measure(struct message_tree *t, struct result *r, uint32_t children_field)
{
    struct strbuf sb = {0};
    size_t tag_bytes = wire_varint_size((uint64_t)children_field << 3);

    vec_resize_zero(&t->size_bytes, t->rows.n);
    for (size_t i = t->rows.n; i-- > 0;) {
        sb_clear(&sb);
        add_row(&sb, r, t->rows.data[i]);
        t->size_bytes.data[i] += sb.len;
        if (i)
            t->size_bytes.data[t->holder.data[i]] +=
                tag_bytes + wire_varint_size(t->size_bytes.data[i]) + t->size_bytes.data[i];
    }
    sb_done(&sb);
}

static bool proto_write(struct result *r, struct sink *sink, struct err *err)
{
    uint32_t children_field = r->view->is_multi ? MULTI_NODE_CHILDREN : GRAPH_NODE_CHILDREN;
    struct message_tree t;
    struct outbuf out;

    result_need(r, FIELD_BIT(METRIC_COUNT) - 1);
    message_tree_init(&t, r);
    measure(&t, r, children_field);
    outbuf_init(&out, sink, err);
    for (size_t i = 0; i < t.rows.n && outbuf_step(&out); i++) {
        if (i) {
            wire_tag(&out.text, children_field, WIRE_LEN);
            wire_varint(&out.text, t.size_bytes.data[i]);
        }
        add_row(&out.text, r, t.rows.data[i]);
    }
    EACH(vec_done, &t.rows, &t.holder, &t.size_bytes);
    return outbuf_end(&out);
}

static bool proto_write_advice(const struct advice *a, struct sink *sink, struct err *err)
{
    enum { CHECKERS = 1, ENTRY_KEY = 1, ENTRY_VALUE = 2, REPORTS = 2 };
    struct strbuf report = {0};
    struct outbuf out;

    outbuf_init(&out, sink, err);
    for (size_t i = 0; i < a->n_sections && outbuf_step(&out); i++) {
        const struct checker_advice *section = &a->sections[i];
        size_t entry = wire_begin(&out.text, CHECKERS);
        size_t checker;

        wire_bytes(&out.text, ENTRY_KEY, section->checker->name, strlen(section->checker->name));
        checker = wire_begin(&out.text, ENTRY_VALUE);
        for (size_t k = 0; k < section->n_reports; k++) {
            sb_clear(&report);
            for (size_t line = 0; line < section->reports[k].n_lines; line++) {
                sb_adds(&report, line ? "\n" : "");
                sb_add(&report, section->reports[k].lines[line].bytes,
                       section->reports[k].lines[line].len);
            }
            wire_string(&out.text, REPORTS, sb_text(&report), report.len);
        }
        wire_end(&out.text, checker);
        wire_end(&out.text, entry);
    }
    sb_done(&report);
    return outbuf_end(&out);
}

const struct output output_proto = {
    .name = "proto",
    .help = "the result as the protocol buffer message of the original's API",
    .outfile = OUTFILE_NEEDED,
    .counts_operations = true,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_OP | 1u << VIEW_CODE |
             1u << VIEW_ADVISE,
    .write = proto_write,
    .write_advice = proto_write_advice,
};
