/* shape_data.c: shapes of datasets, iterators, queues and readers (shapes.md section 5.20). */
#include "shapes/shape_rules.h"

/* Shapes from attribute output_shapes, one for each output. */
static void shape_output_shapes(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "output_shapes"));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = opctx_shape_of_list(c, "output_shapes", c->out_index[i]);
}

static void shape_map_defun(struct opctx *c)
{
    const struct dims *rows = ctx_vector(c, dim_at(in_shape(c, 0), 0));

    out_count(c, (int64_t)opctx_n_items(c, "output_shapes"));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = dims_concat(c->keep, rows,
                                      opctx_shape_of_list(c, "output_shapes", c->out_index[i]));
}

/* A scalar handle, or (arg 1) the old handle of two strings, which TensorFlow does not track; the
 * components come from attribute shapes. */
static void shape_queue(struct opctx *c)
{
    size_t n = opctx_n_items(c, "shapes");
    const struct dims **shapes;
    struct handle *h;

    out_set(c, 0, c->arg == 1 ? ctx_vector(c, 2) : &dims_scalar);
    if (n == 0 || n > UINT16_MAX || (c->arg == 1 && !c->stronger))
        return;
    shapes = ARENA_NEW(c->keep, const struct dims *, n);
    for (size_t i = 0; i < n; i++)
        shapes[i] = opctx_shape_of_list(c, "shapes", i);
    h = ARENA_NEW(c->keep, struct handle, 1);
    *h = (struct handle){.n = (uint32_t)n, .shapes = shapes, .length = DIM_UNKNOWN};
    out_handle(c, 0, h);
}

/* One output for each component. */
static void shape_dequeue(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "component_types"));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = handle_shape(c, 0, c->out_index[i]);
}

/* The number of rows is input 1 (arg 0), or at most that. */
static void shape_dequeue_many(struct opctx *c)
{
    const struct dims *rows = ctx_vector(c, c->arg == 0 ? in_const_dim(c, 1) : DIM_UNKNOWN);

    out_count(c, (int64_t)opctx_n_items(c, "component_types"));
    for (uint32_t i = 0; i < c->n_out; i++)
        c->out[i].shape = dims_concat(c->keep, rows, handle_shape(c, 0, c->out_index[i]));
}

/* A handle [2]; its elements come from hint_pushed(). */
static void shape_stack(struct opctx *c)
{
    out_set(c, 0, ctx_vector(c, 2));
    if (c->stronger)
        out_handle(c, 0, handle_new(c, NULL, DIM_UNKNOWN));
}

/* TensorFlow does not track values through stacks. */
static void shape_stack_pop(struct opctx *c)
{
    if (c->stronger)
        out_set(c, 0, handle_shape(c, 0, 0));
}

/* Indices, keys, and one output for each component. */
static void shape_barrier_take(struct opctx *c)
{
    out_count(c, clamp_add(2, (int64_t)opctx_n_items(c, "component_types")));
}

/* One output for each type in attribute dtypes. */
static void shape_unstage(struct opctx *c)
{
    out_count(c, (int64_t)opctx_n_items(c, "dtypes"));
}

const struct op_rule shape_rules_data[] = {
    {"IteratorGetNext IteratorGetNextSync DatasetToSingleElement ReduceDataset "
     "MultiDeviceIteratorGetNextFromShard OptionalGetValue",
     shape_output_shapes, 0},
    {"MapDefun", shape_map_defun, 0},
    {"FIFOQueue RandomShuffleQueue PaddingFIFOQueue PriorityQueue", shape_queue, 1},
    {"FIFOQueueV2 RandomShuffleQueueV2 PaddingFIFOQueueV2 PriorityQueueV2", shape_queue, 0},
    {"QueueDequeue QueueDequeueV2", shape_dequeue, 0},
    {"QueueDequeueMany QueueDequeueManyV2", shape_dequeue_many, 0},
    {"QueueDequeueUpTo QueueDequeueUpToV2", shape_dequeue_many, 1},
    {"Unstage StagePeek MapUnstage MapPeek OrderedMapUnstage OrderedMapPeek", shape_unstage, 0},
    {"Stack StackV2", shape_stack, 0},
    {"StackPop StackPopV2", shape_stack_pop, 0},
    {"BarrierTakeMany", shape_barrier_take, 0},
    {0},
};
