/* builder_finish.c: sorts and packs a collected profile. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/offsets.h"
#include "base/stable_sort.h"
#include "base/system/thread.h"
#include "base/utf8.h"
#include "base/xalloc.h"
#include "model/builder_priv.h"
#include "model/odd_inputs.h"

COMPARE_WITH(compare_strings, strid, struct intern, THEN(intern_compare(with, *a, *b)))

/* Sorts N strings and removes duplicates.  Returns their number. */
static size_t string_set(const struct builder *b, strid *strings, size_t n)
{
    size_t kept = 0;

    if (n < 2)
        return n;
    qsort_r(strings, n, sizeof *strings, compare_strings, &b->profile->strings);
    for (size_t i = 0; i < n; i++)
        if (!kept || strings[kept - 1] != strings[i])
            strings[kept++] = strings[i];
    return kept;
}

static void pack_names(struct builder *b)
{
    struct profile *p = b->profile;
    size_t old = b->node_of_string.n;

    vec_resize_zero(&b->node_of_string, p->strings.n);
    memset(b->node_of_string.data + old, 0xff,
           (p->strings.n - old) * sizeof *b->node_of_string.data);
    p->n_node_of_string = (uint32_t)p->strings.n;
    PACK_COLUMN(b, p->node_of_string, node_of_string);
    p->by_name = ARENA_NEW(&p->arena, node_id, p->n_nodes);
}

/* ---- names in byte order, sorted on all cores while the rest is packed; packing neither reads
 * by_name nor changes names and strings */

struct name_order {
    struct intern_sorting *sorting;
    pthread_t threads[THREADS_MAX];
    unsigned n_threads;
};

static void *sort_names(void *sorting)
{
    intern_sort_work(sorting);
    return NULL;
}

static void begin_name_order(struct name_order *order, struct profile *p)
{
    /* Fewer nodes are sorted on one thread. */
    enum { PARALLEL_FROM_NODES = 20000 };
    const unsigned n_wanted = p->n_nodes < PARALLEL_FROM_NODES ? 0 : thread_count() - 1;

    order->sorting = intern_sort_begin(&p->strings, p->name, p->n_nodes);
    order->n_threads = 0;
    while (order->n_threads < n_wanted &&
           thread_start(&order->threads[order->n_threads], "sort names", sort_names,
                        order->sorting) == 0)
        order->n_threads++;
}

/* Sorts the names that other threads left, and fills by_name. */
static void end_name_order(struct name_order *order, struct profile *p)
{
    intern_sort_work(order->sorting);
    for (unsigned i = 0; i < order->n_threads; i++)
        pthread_join(order->threads[i], NULL);
    intern_sort_end(order->sorting, p->by_name);
    for (uint32_t i = 0; i < p->n_nodes; i++)
        p->by_name[i] = p->node_of_string[p->by_name[i]];
}

/* ---- inputs and outputs */

COMPARE_BY(compare_positions, struct given_input, position)

COMPARE_BY(compare_indexes, struct node_output, index)

/* Sets the output index of all inputs of a node from one source to that of the last entry
 * (semantics.md section 1.1). LATEST [strings] is scratch memory, indexed by source. */
static void unify_output_indexes(struct given_input *inputs, uint32_t n, int32_t *latest)
{
    for (uint32_t i = 0; i < n; i++)
        latest[inputs[i].source_name] = inputs[i].output_index;
    for (uint32_t i = 0; i < n; i++)
        inputs[i].output_index = latest[inputs[i].source_name];
}

/* Stores the N inputs of one node, sorted by position, as inputs KEPT and following of P. */
static void put_inputs(struct profile *p, uint32_t kept, const struct given_input *given, uint32_t n,
                       unsigned char *packed, odd_input_list *odd)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct given_input g = given[i];
        const struct node_input input = {g.output_index, g.own_index,
                                         profile_node_of(p, g.source_name)};

        odd_inputs_note(odd, p, &input, i,
                        (struct odd_input){kept + i, g.position, g.source_name});
        memcpy(packed + (kept + i) * sizeof input, &input, sizeof input);
    }
}

/* Packs in place: packed inputs are not larger, so writing never overtakes reading. */
static void pack_inputs(struct builder *b)
{
    struct profile *p = b->profile;
    int32_t *latest = xreallocarray(NULL, p->strings.n, sizeof *latest);
    struct given_input *given = owned_pack(&b->inputs, p->n_nodes, NULL, &p->arena, &p->input_begin);
    odd_input_list odd = {0};
    uint32_t first = 0, kept = 0;

    static_assert(sizeof(struct node_input) <= sizeof(struct given_input), "packed in place");
    for (uint32_t node = 0; node < p->n_nodes; node++) {
        struct given_input *own = given + first;
        uint32_t n = p->input_begin[node + 1] - first;

        first = p->input_begin[node + 1];
        p->input_begin[node] = kept;
        unify_output_indexes(own, n, latest);
        n = (uint32_t)sort_last_wins(own, n, sizeof *own, compare_positions);
        put_inputs(p, kept, own, n, (unsigned char *)given, &odd);
        kept += n;
    }
    p->input_begin[p->n_nodes] = kept;
    p->inputs = xreallocarray(given, kept, sizeof *p->inputs);
    arena_adopt(&p->arena, p->inputs, kept * sizeof *p->inputs);
    odd_inputs_keep(&odd, p);
    free(latest);
}

static void pack_outputs(struct builder *b)
{
    struct profile *p = b->profile;
    uint32_t kept = 0;

    p->outputs = owned_pack(&b->outputs, p->n_nodes, &p->arena, &p->arena, &p->output_begin);
    for (uint32_t node = 0; node < p->n_nodes; node++) {
        uint32_t first = p->output_begin[node];
        uint32_t n = p->output_begin[node + 1] - first;
        struct node_output *own = p->outputs + kept;

        memmove(own, p->outputs + first, n * sizeof *own);
        p->output_begin[node] = kept;
        kept += (uint32_t)sort_last_wins(own, n, sizeof *own, compare_indexes);
    }
    p->output_begin[p->n_nodes] = kept;
}

static void pack_run_outputs(struct builder *b)
{
    struct profile *p = b->profile;

    p->run_output_begin = xcalloc((size_t)p->n_nodes + 1, sizeof *p->run_output_begin);
    arena_adopt(&p->arena, p->run_output_begin,
                ((size_t)p->n_nodes + 1) * sizeof *p->run_output_begin);
    for (uint32_t node = 0; node < p->n_nodes && b->run_span.n; node++)
        p->run_output_begin[node + 1] = (uint32_t)builder_n_run_outputs(b, node);
    if (b->run_span.n && !offsets_sum(p->run_output_begin, p->n_nodes))
        xalloc_fail();
    p->run_outputs = ARENA_NEW(&p->arena, struct run_output, p->run_output_begin[p->n_nodes]);
    for (uint32_t node = 0; node < b->run_span.n; node++) {
        struct run_span span = b->run_span.data[node];

        if (span.n)
            memcpy(p->run_outputs + p->run_output_begin[node], b->run_outputs.data + span.first,
                   span.n * sizeof *p->run_outputs);
    }
    vec_done(&b->run_outputs);
}

/* ---- data shared by nodes: types, shapes, call stacks */

/* Sets the type set of each node; equal sets have the same id. */
static void pack_types(struct builder *b)
{
    struct profile *p = b->profile;
    struct arena scratch = {0};
    VEC(strid) set = {0};
    struct intern sets;
    uint32_t *begin;
    strid *types;

    intern_init(&sets);
    types = owned_pack(&b->types, p->n_nodes, &scratch, &scratch, &begin);
    p->typeset = ARENA_NEW(&p->arena, typeset_id, profile_n_ids(p));
    for (uint32_t node = 0; node < p->n_nodes; node++) {
        set.n = 0;
        if (!b->types_given.data[node])
            vec_push(&set, p->op[node]);
        for (uint32_t i = begin[node]; i < begin[node + 1]; i++)
            vec_push(&set, types[i]);
        p->typeset[node] = intern_put(
            &sets, set.data, string_set(b, set.data, set.n) * sizeof *set.data);
    }
    for (uint32_t part = p->n_nodes; part < profile_n_ids(p); part++)
        p->typeset[part] = p->typeset[profile_node_of_part(p, part)];
    p->n_typesets = (uint32_t)sets.n;
    p->typeset_begin = ARENA_NEW(&p->arena, uint32_t, sets.n + 1);
    p->typeset_begin[0] = 0;
    for (uint32_t i = 0; i < sets.n; i++)
        p->typeset_begin[i + 1] = intern_len(&sets, i) / (uint32_t)sizeof(strid);
    if (!offsets_sum(p->typeset_begin, sets.n))
        xalloc_fail();
    p->typeset_types = ARENA_NEW(&p->arena, strid, p->typeset_begin[sets.n]);
    for (uint32_t i = 0; i < sets.n; i++)
        memcpy(p->typeset_types + p->typeset_begin[i], intern_text(&sets, i), intern_len(&sets, i));
    vec_done(&set);
    intern_done(&sets);
    arena_done(&scratch);
}

/* Copies entry ID to the profile's arena. */
static const void *copy_entry(struct builder *b, const struct intern *in, uint32_t id)
{
    void *copy = arena_alloc(&b->profile->arena, intern_len(in, id), 1);

    memcpy(copy, intern_text(in, id), intern_len(in, id));
    return copy;
}

static void pack_shapes(struct builder *b)
{
    static const int64_t scalar[1] = {1}; /* how the original prints rank 0 */
    struct profile *p = b->profile;

    p->n_shapes = (uint32_t)b->shapes.n;
    p->shapes = ARENA_NEW(&p->arena, struct shape, p->n_shapes);
    for (uint32_t i = 0; i < p->n_shapes; i++) {
        p->shapes[i].dims = copy_entry(b, &b->shapes, i);
        p->shapes[i].n_dims = intern_len(&b->shapes, i) / (uint32_t)sizeof(int64_t);
    }
    p->shapes[SHAPE_SCALAR] = (struct shape){scalar, 1};
}

/* ---- steps and notes */

COMPARE_VALUES(compare_steps, int64_t)

static void pack_steps(struct builder *b)
{
    struct profile *p = b->profile;

    b->steps.n = sort_last_wins(b->steps.data, b->steps.n, sizeof *b->steps.data, compare_steps);
    p->n_steps = (uint32_t)b->steps.n;
    PACK_COLUMN(b, p->steps, steps);
}

static void pack_signature_ends(struct builder *b)
{
    struct profile *p = b->profile;

    p->n_signature_ends = (uint32_t)b->signature_ends.n;
    PACK_COLUMN(b, p->signature_ends, signature_ends);
}

COMPARE_BY(by_tensor_name, struct free_tensor, name)

static void pack_file_facts(struct builder *b)
{
    struct profile *p = b->profile;

    vec_sort(&b->free_tensors, by_tensor_name);
    p->n_free_tensors = (uint32_t)b->free_tensors.n;
    PACK_COLUMN(b, p->free_tensors, free_tensors);
    p->n_file_facts = (uint32_t)b->file_facts.n;
    PACK_COLUMN(b, p->file_facts, file_facts);
}

static void note_saturation(struct builder *b)
{
    struct profile *p = b->profile;
    struct strbuf name = {0};

    if (b->saturated_node == NODE_NONE)
        return;
    utf8_escape(&name, profile_text(p, p->name[b->saturated_node]),
                intern_len(&p->strings, p->name[b->saturated_node]));
    note_add(&p->notes, "node '%s': a sum of its figures is saturated at the 64-bit limit",
             sb_text(&name));
    sb_done(&name);
}

static void pack_lists(struct builder *b)
{
    pack_inputs(b);
    pack_outputs(b);
    pack_run_outputs(b);
    pack_types(b);
    pack_shapes(b);
    b->profile->call_stacks = stack_builder_pack(&b->stacks, &b->profile->arena);
    pack_steps(b);
    pack_signature_ends(b);
    pack_file_facts(b);
    builder_pack_execs(b);
    builder_finish_events(b);
}

struct profile *builder_finish(struct builder *b)
{
    struct profile *p = b->profile;
    struct name_order order;

    p->n_nodes = builder_n_nodes(b);
    builder_pack_parts(b);
    builder_columns_pack(b);
    pack_names(b);
    begin_name_order(&order, p);
    pack_lists(b);
    end_name_order(&order, p);
    note_saturation(b);
    builder_free(b);
    return p;
}
