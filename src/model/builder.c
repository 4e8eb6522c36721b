/* builder.c: collects nodes, their columns, shapes, types and call stacks of a profile. */
#include "model/builder_priv.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- elements */

#define GET_DENSE(column, node) ((column).data[node])
#define SET_DENSE(column, node, value) ((column).data[node] = (value))

#define GET_FIXED GET_DENSE
#define SET_FIXED SET_DENSE

#define GET_LAST(column, node) ((node) < (column).n ? (column).data[node] : 0)
#define SET_LAST(column, node, value)                       \
    do {                                                    \
        if ((node) >= (column).n && (value) != 0)           \
            vec_resize_zero(&(column), (size_t)(node) + 1); \
        if ((node) < (column).n)                            \
            (column).data[node] = (value);                  \
    } while (0)

#define GET_FIRST GET_LAST
#define SET_FIRST(column, node, value)       \
    do {                                     \
        if (GET_LAST(column, node) == 0)     \
            SET_LAST(column, node, value);   \
    } while (0)

#define GETTER(member, type, kind, vector, ...)                      \
    type builder_get_##member(const struct builder *b, node_id node) \
    {                                                                \
        return GET_##vector(b->member, node);                        \
    }
NODE_COLUMNS(GETTER)

#define SETTER(member, type, vector)                                       \
    void builder_set_##member(struct builder *b, node_id node, type value) \
    {                                                                      \
        SET_##vector(b->member, node, value);                              \
    }
#define SETTER_FIXED(member, type)
#define SETTER_DENSE(member, type) SETTER(member, type, DENSE)
#define SETTER_LAST(member, type) SETTER(member, type, LAST)
#define SETTER_FIRST(member, type) SETTER(member, type, FIRST)
#define SETTER_OF(member, type, kind, vector, ...) SETTER_##vector(member, type)
NODE_COLUMNS(SETTER_OF)

/* ---- nodes and parts */

#define ADD_DENSE(column, type) vec_push(&(column), (type){0});
#define ADD_FIXED ADD_DENSE
#define ADD_LAST(column, type)
#define ADD_FIRST(column, type)

/* Appends a node. */
static void builder_columns_add(struct builder *b, strid name, strid op)
{
    const node_id node = builder_n_nodes(b);

#define ADD(member, type, kind, vector, ...) ADD_##vector(b->member, type)
    NODE_COLUMNS(ADD)
    b->name.data[node] = name;
    b->op.data[node] = op;
}

void builder_columns_add_part(struct builder *b, const struct part_def *part)
{
    const node_id id = builder_n_nodes(b);

#define SET_SAME(member, vector) SET_##vector(b->member, id, builder_get_##member(b, part->node));
#define SET_OWN(member, vector) SET_##vector(b->member, id, part->member);
#define SET_NONE(member, vector)
#define ADD_PART(member, type, kind, vector, has, ...) \
    ADD_##vector(b->member, type) SET_##has(member, vector)
    NODE_COLUMNS(ADD_PART)
}

/* ---- whole columns */

static void builder_columns_done(struct builder *b)
{
#define DONE(member, ...) vec_done(&b->member);
    NODE_COLUMNS(DONE)
}

void builder_columns_copy(struct builder *to, const struct builder *from)
{
#define COPY(member, ...) vec_copy(&to->member, &from->member);
    NODE_COLUMNS(COPY)
}

#define PACK_DENSE(b, member, n_ids) PACK_COLUMN(b, (b)->profile->member, member)
#define PACK_FIXED PACK_DENSE
/* Zero pages that are never written take no memory. */
#define PACK_LAST(b, member, n_ids)                                        \
    do {                                                                   \
        if ((b)->member.n)                                                 \
            vec_resize_zero(&(b)->member, n_ids);                          \
        else                                                               \
            (b)->member.data = xcalloc(n_ids, sizeof *(b)->member.data);   \
        (b)->member.n = (n_ids);                                           \
        PACK_DENSE(b, member, n_ids);                                      \
    } while (0)
#define PACK_FIRST PACK_LAST

void builder_columns_pack(struct builder *b)
{
    const size_t n_ids = b->name.n;

#define PACK(member, type, kind, vector, ...) PACK_##vector(b, member, n_ids);
    NODE_COLUMNS(PACK)
}

struct builder *builder_new(void)
{
    static const unsigned char scalar_key = 1; /* a list of int64_t is never one byte long */
    struct builder *b = xcalloc(1, sizeof *b);

    b->profile = xcalloc(1, sizeof *b->profile);
    b->profile->clock.tick_ps = PS_PER_US;
    EACH(intern_init, &b->profile->strings, &b->shapes);
    intern_put(&b->shapes, &scalar_key, sizeof scalar_key); /* id SHAPE_SCALAR */
    stack_builder_init(&b->stacks);
    owned_init(&b->types, sizeof(strid));
    owned_init(&b->inputs, sizeof(struct given_input));
    owned_init(&b->outputs, sizeof(struct node_output));
    builder_init_parts(b);
    b->saturated_node = NODE_NONE;
    return b;
}

void builder_free(struct builder *b)
{
    builder_columns_done(b);
    EACH(vec_done, &b->types_given, &b->run_span, &b->node_of_string);
    intern_done(&b->shapes);
    stack_builder_done(&b->stacks);
    EACH(owned_done, &b->types, &b->inputs, &b->outputs);
    EACH(vec_done, &b->run_outputs, &b->signature_ends, &b->free_tensors, &b->file_facts,
         &b->steps);
    step_set_done(&b->taken_steps);
    builder_done_execs(b);
    builder_done_parts(b);
    free(b);
}

void builder_abandon(struct builder *b)
{
    profile_free(b->profile);
    builder_free(b);
}

struct profile *builder_profile(struct builder *b)
{
    return b->profile;
}

uint16_t builder_file(struct builder *b, struct source_file file)
{
    struct profile *p = b->profile;

    p->files = xreallocarray(p->files, p->n_files + 1, sizeof *p->files);
    p->files[p->n_files] = file;
    return (uint16_t)p->n_files++;
}

void builder_drop_file(struct builder *b)
{
    struct source_file *file = &b->profile->files[--b->profile->n_files];

    if (file->release)
        file->release(file);
    EACH(free, file->path, file->fault);
}

strid builder_str(struct builder *b, const void *bytes, size_t len)
{
    return intern_put(&b->profile->strings, bytes, len);
}

strid builder_str_hashed(struct builder *b, const void *bytes, size_t len, uint32_t hash)
{
    return intern_put_hashed(&b->profile->strings, bytes, len, hash);
}

strid builder_str_kept(struct builder *b, const char *bytes, size_t len, uint32_t hash)
{
    return intern_put_kept(&b->profile->strings, bytes, len, hash);
}

void builder_prefetch(const struct builder *b, const uint32_t *hashes, size_t n, size_t stride)
{
    intern_prefetch(&b->profile->strings, hashes, n, stride);
}

strid builder_str_lower(struct builder *b, const void *bytes, size_t len)
{
    char *lower = xmemdupz(bytes, len);
    strid id;

    for (size_t i = 0; i < len; i++)
        if (lower[i] >= 'A' && lower[i] <= 'Z')
            lower[i] = (char)(lower[i] - 'A' + 'a');
    id = builder_str(b, lower, len);
    free(lower);
    return id;
}

shape_id builder_shape(struct builder *b, const int64_t *dims, size_t n_dims)
{
    return intern_put(&b->shapes, dims, n_dims * sizeof *dims);
}

stack_id builder_stack(struct builder *b, const struct frame *frames, size_t n_frames)
{
    uint32_t node = STACK_ROOT;

    for (size_t i = 0; i < n_frames; i++)
        node = stack_builder_node(&b->stacks, node, stack_builder_frame(&b->stacks, &frames[i]));
    return stack_builder_stack(&b->stacks, node);
}

struct stack_builder *builder_stacks(struct builder *b)
{
    return &b->stacks;
}

node_id builder_find(const struct builder *b, strid name)
{
    return name < b->node_of_string.n ? b->node_of_string.data[name] : NODE_NONE;
}

static void remember_name(struct builder *b, strid name, node_id node)
{
    if (name >= b->node_of_string.n) {
        size_t old = b->node_of_string.n;

        vec_resize_zero(&b->node_of_string, (size_t)name + 1);
        memset(b->node_of_string.data + old, 0xff,
               (b->node_of_string.n - old) * sizeof *b->node_of_string.data);
    }
    b->node_of_string.data[name] = node;
}

node_id builder_node(struct builder *b, strid name, strid op, bool *added)
{
    node_id node = builder_find(b, name);

    *added = node == NODE_NONE;
    if (!*added)
        return node;
    node = builder_n_nodes(b);
    remember_name(b, name, node);
    builder_columns_add(b, name, op);
    vec_push(&b->types_given, 0);
    return node;
}

/* Nodes have distinct names, and there are fewer than 2^32 - 1 strings. */
uint32_t builder_n_nodes(const struct builder *b)
{
    return (uint32_t)b->name.n;
}

void builder_set_devices(struct builder *b, node_id node, strid device, strid host_device)
{
    builder_set_device(b, node, device);
    builder_set_host_device(b, node, host_device);
}

/* Sets are built when all types are known; building them one by one would take quadratic time. */
void builder_add_type(struct builder *b, node_id node, strid type)
{
    assert(node < builder_n_nodes(b));
    owned_add(&b->types, node, &type);
}

void builder_set_types(struct builder *b, node_id node, const strid *types, size_t n_types)
{
    b->types_given.data[node] = 1;
    for (size_t i = 0; i < n_types; i++)
        owned_add(&b->types, node, &types[i]);
}

void builder_add_input(struct builder *b, node_id node, int32_t position, strid source_name,
                       int32_t output_index, int32_t own_index)
{
    struct given_input input = {
        .position = position,
        .output_index = output_index,
        .own_index = own_index,
        .source_name = source_name,
    };

    assert(node < builder_n_nodes(b));
    owned_add(&b->inputs, node, &input);
}

void builder_add_output(struct builder *b, node_id node, int32_t index, shape_id shape)
{
    struct node_output output = {.index = index, .shape = shape};

    assert(node < builder_n_nodes(b));
    owned_add(&b->outputs, node, &output);
}

void builder_set_run_outputs(struct builder *b, node_id node, const struct run_output *outputs,
                             size_t n_outputs)
{
    struct run_span *span;

    assert(node < builder_n_nodes(b));
    if (n_outputs <= builder_n_run_outputs(b, node))
        return;
    if (node >= b->run_span.n)
        vec_resize_zero(&b->run_span, builder_n_nodes(b));
    span = &b->run_span.data[node];
    if (b->run_outputs.n >= UINT32_MAX - n_outputs)
        xreallocarray(NULL, SIZE_MAX, 2); /* always fails, and exits as if memory were exhausted */
    span->first = (uint32_t)b->run_outputs.n;
    span->n = (uint32_t)n_outputs;
    for (size_t i = 0; i < n_outputs; i++)
        vec_push(&b->run_outputs, outputs[i]);
}

size_t builder_n_run_outputs(const struct builder *b, node_id node)
{
    return node < b->run_span.n ? b->run_span.data[node].n : 0;
}

int64_t builder_free_step(struct builder *b, int64_t step)
{
    return step_set_free_from(&b->taken_steps, step);
}

void builder_add_signature_end(struct builder *b, struct signature_end end)
{
    vec_push(&b->signature_ends, end);
}

void builder_add_free_tensor(struct builder *b, struct free_tensor tensor)
{
    vec_push(&b->free_tensors, tensor);
}

void builder_add_file_fact(struct builder *b, struct file_fact fact)
{
    vec_push(&b->file_facts, fact);
}

void builder_add_step(struct builder *b, int64_t step)
{
    vec_push(&b->steps, step);
    step_set_add(&b->taken_steps, step);
}
