/* object_graph.c: maps keys of a TF2 checkpoint to variables of a graph. */
#include "load/checkpoint/checkpoint_parts.h"

#include "base/wire_in.h"

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

    while (wire_next(&nodes, &node)) {
        struct wire_in object;

        if (node.number != GRAPH_NODES || node.type != WIRE_LEN)
            continue;
        object = wire_in_field(&node);
        while (wire_next(&object, &attribute)) {
            struct attr_bytes key = {"", 0};
            struct attr_bytes full_name = {"", 0};
            struct wire_in tensor;

            if (attribute.number != OBJECT_ATTRIBUTES || attribute.type != WIRE_LEN)
                continue;
            tensor = wire_in_field(&attribute);
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
