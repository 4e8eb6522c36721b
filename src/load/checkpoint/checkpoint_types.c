/* checkpoint_types.c: adds types and shapes to the nodes of a graph whose values a checkpoint
 * has. */
#include "base/wire_in.h"
#include "load/checkpoint/checkpoint.h"
#include "load/checkpoint/checkpoint_parts.h"
#include "load/fits.h"
#include "load/formats.h"
#include "load/graph/attrs.h"
#include "proto/checkpoint.pb-c.h"

static void add_type(struct builder *b, struct attr_bytes name, strid type)
{
    /* Only looked up, because most names of a checkpoint may not be nodes of the graph. */
    strid id = intern_find(&builder_profile(b)->strings, name.bytes, name.len);
    node_id node = id == STRID_NONE ? NODE_NONE : builder_find(b, id);

    if (node != NODE_NONE)
        builder_add_type(b, node, type);
}

/* Opens the checkpoint l->path and adds the type `_checkpoint_variables` to nodes with values
 * (semantics.md section 1.4).  The profile keeps the last checkpoint open.  False with ERR. */
static bool load_checkpoint_path(struct loader *l, struct err *err)
{
    struct builder *b = l->builder;
    static const char type_name[] = "_checkpoint_variables";
    const strid type = builder_str(b, type_name, sizeof type_name - 1);
    struct profile *p = builder_profile(b);
    struct checkpoint *c = checkpoint_open(l->path, err);

    if (!c)
        return false;
    for (size_t i = 0; i < checkpoint_n_tensors(c); i++) {
        const struct checkpoint_tensor *t = checkpoint_tensor(c, i);

        add_type(b, t->name, type);
        if (t->full_name.len)
            add_type(b, t->full_name, type);
    }
    if (p->checkpoint)
        p->checkpoint_close(p->checkpoint);
    p->checkpoint = c;
    p->checkpoint_close = checkpoint_close;
    return true;
}

const struct format_row format_checkpoint = {
    .name = "checkpoint",
    .help = "values of variables, V1 or V2, as tf.train.Saver and Checkpoint write them; named by its prefix or any of its files",
    .binary_name = "checkpoint",
    .contents = CONTAINS_ANNOTATIONS,
    .load_order = 70,
    .detect_order = 70,
    .fits = fits_checkpoint,
    .message = &tfp__checkpoint_state__descriptor,
    .load_path = load_checkpoint_path,
};

/* ---- attributes */

static bool stored_shape(const struct profile *p, const char *name, size_t len,
                         struct attr_shape *shape)
{
    const struct checkpoint_tensor *t =
        p->checkpoint ? checkpoint_find(p->checkpoint, name, len) : NULL;

    if (t)
        *shape = t->shape;
    return t != NULL;
}

const struct attr_source attrs_source = {
    .decode = attrs_decode,
    .int64s = tensor_int64s,
    .doubles = tensor_doubles,
    .strings = tensor_strings,
    .stored_shape = stored_shape,
};

enum { GRAPH_NODES = 1, OBJECT_ATTRIBUTES = 2, TENSOR_FULL_NAME = 2, TENSOR_KEY = 3 };

static struct attr_bytes bytes_of(const struct wire_field *field)
{
    return (struct attr_bytes){(const char *)field->bytes, field->len};
}

void object_graph_walk(struct attr_bytes graph,
                       void (*each)(void *context, struct attr_bytes key,
                                    struct attr_bytes full_name),
                       void *context)
{
    struct wire_in nodes = wire_in_of(graph.bytes, graph.len);
    struct wire_field node, attribute, field;

    while (wire_next_len(&nodes, &node, GRAPH_NODES)) {
        struct wire_in object = wire_in_field(&node);

        while (wire_next_len(&object, &attribute, OBJECT_ATTRIBUTES)) {
            struct attr_bytes key = {"", 0};
            struct attr_bytes full_name = {"", 0};
            struct wire_in tensor = wire_in_field(&attribute);

            while (wire_next(&tensor, &field)) {
                if (field.number == TENSOR_FULL_NAME && field.type == WIRE_LEN)
                    full_name = bytes_of(&field);
                else if (field.number == TENSOR_KEY && field.type == WIRE_LEN)
                    key = bytes_of(&field);
            }
            each(context, key, full_name);
        }
    }
}
