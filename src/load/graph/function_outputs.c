/* function_outputs.c: converts output references by name, "node:name:index", to an index over all
 * outputs of the node. */
#include "load/graph/function_outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/lower_bound.h"
#include "base/xalloc.h"
#include "load/graph/attrs.h"

enum { OP_OUTPUT_ARG = 3, ARG_NAME = 1, ARG_NUMBER_ATTR = 5, ARG_TYPE_LIST_ATTR = 6 };
enum { NODE_ATTR = 5 };

/* An output argument of an op, and the attribute with the number of its tensors; without one it is
 * a single tensor. */
struct output_arg {
    struct span name;
    struct span count_attr; /* len 0: none */
    uint32_t index;         /* index of the argument */
};

struct op_outputs {
    uint32_t n;
    uint32_t n_single;          /* the first arguments that are single tensors */
    struct output_arg *in_order;
    struct output_arg *by_name; /* sorted by name; the first of equal names first */
};

/* ---- ops without a definition in the file */

/* Names of the outputs of common ops; separated by blanks. */
static const struct {
    const char *ops, *outputs;
} op_outputs_table[] = {
    {"FusedBatchNorm FusedBatchNormV2 FusedBatchNormV3",
     "y batch_mean batch_variance reserve_space_1 reserve_space_2 reserve_space_3"},
    {"FusedBatchNormGrad FusedBatchNormGradV2",
     "x_backprop scale_backprop offset_backprop reserve_space_3 reserve_space_4"},
    {"FusedBatchNormGradV3",
     "x_backprop scale_backprop offset_backprop reserve_space_4 reserve_space_5"},
    {"Switch RefSwitch", "output_false output_true"},
    {"Merge RefMerge", "output value_index"},
    {"TopK TopKV2", "values indices"},
    {"Unique", "y idx"},
    {"SoftmaxCrossEntropyWithLogits SparseSoftmaxCrossEntropyWithLogits", "loss backprop"},
    {"BroadcastGradientArgs", "r0 r1"},
    {"ListDiff", "out idx"},
    {"TensorListPopBack", "output_handle tensor"},
    {"TensorArrayV3", "handle flow"},
    {"TensorArrayGradV3", "grad_handle flow_out"},
    {"CudnnRNN CudnnRNNV2 CudnnRNNV3", "output output_h output_c reserve_space host_reserved"},
    {"CudnnRNNBackprop CudnnRNNBackpropV2 CudnnRNNBackpropV3",
     "input_backprop input_h_backprop input_c_backprop params_backprop"},
    {"MaxPoolWithArgmax", "output argmax"},
};

/* The index of the word of LEN bytes in WORDS, or -1. */
static int32_t find_word(const char *words, const char *word, size_t len)
{
    for (int32_t i = 0; *words; i++) {
        size_t n = strcspn(words, " ");

        if (n == len && memcmp(words, word, len) == 0)
            return i;
        words += n + (words[n] == ' ');
    }
    return -1;
}

/* The index of output NAME of op OP (shapes.md section 6.3); 0 for other ops, which have one output
 * or one list of outputs. */
static int32_t op_output_index(const char *op, size_t op_len, const char *name, size_t name_len)
{
    for (size_t i = 0; i < sizeof op_outputs_table / sizeof *op_outputs_table; i++)
        if (find_word(op_outputs_table[i].ops, op, op_len) >= 0) {
            int32_t index = find_word(op_outputs_table[i].outputs, name, name_len);

            return index < 0 ? 0 : index;
        }
    return 0;
}

/* ---- by name */

static int compare_spans(struct span a, struct span b)
{
    return bytes_compare(a.bytes, a.len, b.bytes, b.len);
}

COMPARE_CHAIN(by_name_then_index, struct output_arg, THEN(compare_spans(a->name, b->name)) || UP(index))

/* The first argument with that name, or NULL. */
static const struct output_arg *find_arg(const struct op_outputs *op, struct span name)
{
    size_t at = 0;

    LOWER_BOUND(at, op->n, i, compare_spans(op->by_name[i].name, name) < 0);
    return at < op->n && compare_spans(op->by_name[at].name, name) == 0 ? &op->by_name[at] : NULL;
}

/* ---- ops */

static struct output_arg read_arg(struct span message, uint32_t index, struct arena *arena)
{
    const struct span number = span_part(message, ARG_NUMBER_ATTR);
    const struct span list = span_part(message, ARG_TYPE_LIST_ATTR);
    const struct span name = span_part(message, ARG_NAME);
    struct output_arg arg = {.index = index, .count_attr = number.len ? number : list};

    /* Copied because sorting needs names that do not change. */
    arg.name = (struct span){(const uint8_t *)arena_memdupz(arena, name.bytes, name.len), name.len};
    return arg;
}

static struct op_outputs *read_op(struct span op_def, struct arena *arena)
{
    struct op_outputs *op = ARENA_NEW(arena, struct op_outputs, 1);
    VEC(struct output_arg) args = {0};

    *op = (struct op_outputs){0};
    wire_each_len(f, span_walk(op_def), OP_OUTPUT_ARG) {
        const struct output_arg arg = read_arg(field_span(&f), (uint32_t)args.n, arena);

        vec_push(&args, arg);
    }
    op->n = (uint32_t)args.n;
    op->in_order = arena_copy(arena, args.data, args.n, sizeof *args.data);
    op->by_name = arena_copy(arena, args.data, args.n, sizeof *args.data);
    vec_done(&args);
    while (op->n_single < op->n && !op->in_order[op->n_single].count_attr.len)
        op->n_single++;
    if (op->n)
        qsort(op->by_name, op->n, sizeof *op->by_name, by_name_then_index);
    return op;
}

/* The outputs of op ID, decoded once; NULL when unknown. */
static const struct op_outputs *outputs_of(struct function_library *lib, strid id)
{
    if (id >= lib->op_of.n || !lib->op_of.data[id].bytes)
        return NULL;
    if (id >= lib->outputs_of.n)
        vec_resize_zero(&lib->outputs_of, lib->names.n);
    if (!lib->outputs_of.data[id])
        lib->outputs_of.data[id] = read_op(lib->op_of.data[id], &lib->arena);
    return lib->outputs_of.data[id];
}

/* ---- nodes with arguments of several tensors */

static int64_t count_of(const struct attr_value *v)
{
    int64_t count = 1;

    if (v->kind == ATTR_INT)
        count = v->v.i;
    else if (v->kind == ATTR_LIST)
        count = v->n_items;
    return count < 0 || count > MAX_OUTPUTS ? MAX_OUTPUTS : count;
}

static struct span attr_name(const struct attr *attr)
{
    return (struct span){(const uint8_t *)attr->name.bytes, attr->name.len};
}

static int by_attr_name(const void *left, const void *right)
{
    return compare_spans(attr_name(left), attr_name(right));
}

/* The number of tensors of an argument with COUNT_ATTR in a node with N ATTRS, sorted by name. */
static int64_t arg_tensors(struct span count_attr, const struct attr *attrs, size_t n)
{
    const struct attr key = {.name = {(const char *)count_attr.bytes, count_attr.len}};
    const struct attr *found =
        count_attr.len && n ? bsearch(&key, attrs, n, sizeof key, by_attr_name) : NULL;

    return found ? count_of(&found->value) : 1;
}

/* For each argument of OP, the number of outputs of the node NODE_DEF before it.  NULL when the
 * budget is exhausted. */
static uint32_t *count_before(struct budget *budget, const struct op_outputs *op,
                              struct span node_def)
{
    struct arena arena = {0};
    const struct attr *decoded;
    struct attr *attrs;
    uint32_t *before;
    int64_t sum = 0;
    size_t n;

    if (!budget_take(budget, op->n * sizeof *before, op->n))
        return NULL;
    decoded = attrs_of_message(span_walk(node_def), NODE_ATTR, &arena, &n);
    attrs = ARENA_NEW(&arena, struct attr, n);
    if (n) {
        memcpy(attrs, decoded, n * sizeof *attrs);
        qsort(attrs, n, sizeof *attrs, by_attr_name);
    }
    before = xreallocarray(NULL, op->n, sizeof *before);
    for (uint32_t i = 0; i < op->n; i++) {
        before[i] = (uint32_t)sum;
        if (sum < MAX_OUTPUTS)
            sum += arg_tensors(op->in_order[i].count_attr, attrs, n);
    }
    arena_done(&arena);
    return before;
}

int64_t outputs_before(struct output_names *names, node_id node, struct span node_def,
                       struct span op, struct span name)
{
    struct function_library *lib = names->lib;
    const strid id = intern_find(&lib->names, op.bytes, op.len);
    const struct op_outputs *outputs = id == STRID_NONE ? NULL : outputs_of(lib, id);
    const struct output_arg *arg;

    if (!outputs)
        return op_output_index((const char *)op.bytes, op.len, (const char *)name.bytes, name.len);
    arg = find_arg(outputs, name);
    if (!arg || !arg->name.bytes)
        return 0;
    if (arg->index <= outputs->n_single)
        return arg->index < MAX_OUTPUTS ? arg->index : MAX_OUTPUTS;
    if (node >= names->before.n)
        vec_resize_zero(&names->before, (size_t)node + 1);
    if (!names->before.data[node])
        names->before.data[node] = count_before(names->budget, outputs, node_def);
    return names->before.data[node] ? names->before.data[node][arg->index] : 0;
}

void output_names_done(struct output_names *names)
{
    for (size_t i = 0; i < names->before.n; i++)
        free(names->before.data[i]);
    vec_done(&names->before);
}
