/* tensor_bytes.c: bytes that an execution of a node reads and writes, from tensor sizes. */
#include "model/attr.h"

#include "base/satmath.h"
#include "base/xalloc.h"

enum { UNKNOWN = -1, BITS_A_BYTE = 8 };

/* The recorded run shape of output INDEX, else the shape of the graph. */
static shape_id shape_of_output(const struct profile *p, node_id node, int32_t index)
{
    const uint32_t begin = p->run_output_begin[node], end = p->run_output_begin[node + 1];

    /* All known runs list them in order. */
    if (index >= 0 && (uint32_t)index < end - begin && p->run_outputs[begin + (uint32_t)index].slot == index &&
        p->run_outputs[begin + (uint32_t)index].shape != SHAPE_UNKNOWN)
        return p->run_outputs[begin + (uint32_t)index].shape;
    return profile_output_shape(p, node, index);
}

static int64_t bytes_of_tensor(const struct profile *p, node_id node, shape_id shape)
{
    const struct shape *s = &p->shapes[shape];
    int64_t bits = p->element_bits[node];

    if (shape == SHAPE_UNKNOWN || !bits)
        return UNKNOWN;
    for (uint32_t i = 0; i < s->n_dims; i++) {
        if (s->dims[i] < 0)
            return UNKNOWN;
        bits = clamp_mul(bits, s->dims[i]);
    }
    return bits / BITS_A_BYTE + (bits % BITS_A_BYTE > 0);
}

static bool add(int64_t *sum, int64_t bytes)
{
    *sum = clamp_add(*sum, bytes == UNKNOWN ? 0 : bytes);
    return bytes != UNKNOWN;
}

static bool add_outputs(const struct profile *p, node_id node, int64_t *sum)
{
    const uint32_t n_run = p->run_output_begin[node + 1] - p->run_output_begin[node];
    const uint32_t n_graph = p->output_begin[node + 1] - p->output_begin[node];

    for (uint32_t i = 0; i < n_run; i++)
        if (!add(sum, bytes_of_tensor(p, node, shape_of_output(p, node, (int32_t)i))))
            return false;
    for (uint32_t i = 0; i < n_graph && !n_run; i++)
        if (!add(sum, bytes_of_tensor(p, node, p->outputs[p->output_begin[node] + i].shape)))
            return false;
    return true;
}

static int64_t bytes_of_node(const struct profile *p, node_id node)
{
    int64_t sum = 0;

    for (uint32_t i = p->input_begin[node]; i < p->input_begin[node + 1]; i++) {
        const struct node_input *input = &p->inputs[i];

        if (input->own_index == INPUT_CONTROL)
            continue;
        if (input->source == NODE_NONE ||
            !add(&sum, bytes_of_tensor(p, input->source,
                                       shape_of_output(p, input->source, input->own_index))))
            return 0;
    }
    return add_outputs(p, node, &sum) ? sum : 0;
}

int64_t *tensor_bytes_new(const struct profile *p)
{
    int64_t *bytes = xcalloc(p->n_nodes, sizeof *bytes);

    for (node_id node = 0; node < p->n_nodes; node++)
        bytes[node] = bytes_of_node(p, node);
    return bytes;
}
