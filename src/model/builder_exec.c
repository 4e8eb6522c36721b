/* builder_exec.c: collecting what nodes did in the steps. */
#include <stdlib.h>
#include <string.h>

#include "base/satmath.h"
#include "base/xalloc.h"
#include "model/builder_priv.h"
#include "model/last_wins.h"

enum { FIRST_SLOTS = 1024 };
#define EXEC_NONE UINT32_MAX

void builder_done_execs(struct builder *b)
{
    vec_done(&b->execs);
    vec_done(&b->exec_node);
    vec_done(&b->latest_exec);
    free(b->exec_slots);
    b->exec_slots = NULL;
    owned_done(&b->times);
    owned_done(&b->memories);
    owned_done(&b->allocations);
    owned_done(&b->exec_devices);
    vec_done(&b->output_buffers);
}

/* ---- the record of a node at a step */

static size_t hash_exec(node_id node, int64_t step)
{
    uint64_t h = ((uint64_t)step * 0x9e3779b97f4a7c15u) ^ node;

    h = (h ^ (h >> 32)) * 0xff51afd7ed558ccdu;
    return (size_t)(h ^ (h >> 29));
}

static size_t find_slot(const struct builder *b, node_id node, int64_t step)
{
    size_t mask = b->n_exec_slots - 1;
    size_t i = hash_exec(node, step) & mask;
    uint32_t e;

    while ((e = b->exec_slots[i]) != EXEC_NONE &&
           (b->exec_node.data[e] != node || b->execs.data[e].step != step))
        i = (i + 1) & mask;
    return i;
}

static void rehash(struct builder *b)
{
    b->n_exec_slots = b->n_exec_slots ? b->n_exec_slots * 2 : FIRST_SLOTS;
    b->exec_slots = xreallocarray(b->exec_slots, b->n_exec_slots, sizeof *b->exec_slots);
    memset(b->exec_slots, 0xff, b->n_exec_slots * sizeof *b->exec_slots);
    for (size_t e = 0; e < b->execs.n; e++)
        b->exec_slots[find_slot(b, b->exec_node.data[e], b->execs.data[e].step)] = (uint32_t)e;
}

/* Adds the record of NODE at STEP. */
static uint32_t append(struct builder *b, node_id node, int64_t step)
{
    struct exec fresh = {.step = step};

    if (b->execs.n >= EXEC_NONE)
        xreallocarray(NULL, SIZE_MAX, 2); /* ends the program */
    vec_push(&b->execs, fresh);
    vec_push(&b->exec_node, node);
    return (uint32_t)b->execs.n - 1;
}

/* Index of the record.  Most calls are for the record used last, and loaders
 * come with the steps of a node in ascending order, so the table is made only
 * when one of them goes back. */
static uint32_t exec_index(struct builder *b, node_id node, int64_t step)
{
    uint32_t *latest = &b->latest_exec.data[node];
    size_t slot;

    if (*latest != EXEC_NONE && b->execs.data[*latest].step == step)
        return *latest;
    if (!b->exec_slots && (*latest == EXEC_NONE || b->execs.data[*latest].step < step)) {
        *latest = append(b, node, step);
        return *latest;
    }
    while (b->execs.n * 2 >= b->n_exec_slots)
        rehash(b);
    slot = find_slot(b, node, step);
    if (b->exec_slots[slot] == EXEC_NONE)
        b->exec_slots[slot] = append(b, node, step);
    *latest = b->exec_slots[slot];
    return *latest;
}

struct exec *builder_exec(struct builder *b, node_id node, int64_t step)
{
    uint32_t index = exec_index(b, node, step); /* may move the records */

    return &b->execs.data[index];
}

/* ---- its lists */

void builder_saturated(struct builder *b, node_id node)
{
    if (b->saturated_node == NODE_NONE)
        b->saturated_node = node;
}

static void add_to(struct builder *b, node_id node, int64_t *sum, int64_t value)
{
    bool saturated = false;

    *sum = sat_add(*sum, value, &saturated);
    if (saturated)
        builder_saturated(b, node);
}

void builder_add_time(struct builder *b, node_id node, int64_t step, struct exec_time time)
{
    uint32_t index = exec_index(b, node, step);
    struct exec *e = &b->execs.data[index];

    add_to(b, node, time.accelerator ? &e->accelerator_us : &e->cpu_us, time.dur_us);
    owned_add(&b->times, index, &time);
}

static int compare_slots(const void *x, const void *y)
{
    const struct output_buffer *a = x;
    const struct output_buffer *b = y;

    return (a->slot > b->slot) - (a->slot < b->slot);
}

void builder_add_memory(struct builder *b, node_id node, int64_t step, struct exec_memory memory,
                        const struct output_buffer *outputs, size_t n_outputs)
{
    uint32_t index = exec_index(b, node, step);
    struct exec *e = &b->execs.data[index];
    size_t first = b->output_buffers.n;

    add_to(b, node, &e->requested_bytes, memory.requested_bytes);
    add_to(b, node, &e->peak_bytes, memory.peak_bytes);
    add_to(b, node, &e->residual_bytes, memory.residual_bytes);
    add_to(b, node, &e->output_bytes, memory.output_bytes);
    if (n_outputs >= UINT32_MAX - first)
        xreallocarray(NULL, SIZE_MAX, 2); /* ends the program */
    if (n_outputs) {
        vec_reserve(&b->output_buffers, first + n_outputs);
        memcpy(b->output_buffers.data + first, outputs, n_outputs * sizeof *outputs);
        /* A map by slot. */
        n_outputs = sort_last_wins(b->output_buffers.data + first, n_outputs, sizeof *outputs,
                                   compare_slots);
        b->output_buffers.n = first + n_outputs;
    }
    memory.first_output = (uint32_t)first;
    memory.n_outputs = (uint32_t)n_outputs;
    owned_add(&b->memories, index, &memory);
}

void builder_add_allocation(struct builder *b, node_id node, int64_t step,
                            struct allocation allocation)
{
    owned_add(&b->allocations, exec_index(b, node, step), &allocation);
}

void builder_add_exec_device(struct builder *b, node_id node, int64_t step, strid device)
{
    owned_add(&b->exec_devices, exec_index(b, node, step), &device);
}

/* ---- packing */

struct step_place {
    int64_t step;
    uint32_t index; /* in builder.execs */
};

static int compare_steps(const void *x, const void *y)
{
    const struct step_place *a = x;
    const struct step_place *b = y;

    return (a->step > b->step) - (a->step < b->step);
}

/* Orders the records by node and step; returns RANK[old index] = new index. */
static uint32_t *order_execs(struct builder *b)
{
    struct profile *p = b->profile;
    size_t n = b->execs.n;
    uint32_t *rank = xreallocarray(NULL, n, sizeof *rank);
    uint32_t *dest;
    struct arena scratch = {0};
    struct owned places;
    struct step_place *order;

    owned_init(&places, sizeof *order);
    for (size_t i = 0; i < n; i++) {
        struct step_place place = {b->execs.data[i].step, (uint32_t)i};

        owned_add(&places, b->exec_node.data[i], &place);
    }
    order = owned_pack(&places, p->n_nodes, &scratch, &p->arena, &p->exec_begin);
    for (uint32_t node = 0; node < p->n_nodes; node++)
        sort_last_wins(order + p->exec_begin[node], p->exec_begin[node + 1] - p->exec_begin[node],
                       sizeof *order, compare_steps);
    for (size_t i = 0; i < n; i++)
        rank[order[i].index] = (uint32_t)i;
    arena_done(&scratch);
    dest = xreallocarray(NULL, n, sizeof *dest);
    memcpy(dest, rank, n * sizeof *dest);
    owned_permute(b->execs.data, dest, n, sizeof *b->execs.data);
    free(dest);
    p->execs = xreallocarray(b->execs.data, n, sizeof *p->execs);
    arena_adopt(&p->arena, p->execs, n * sizeof *p->execs);
    memset(&b->execs, 0, sizeof b->execs);
    vec_done(&b->exec_node);
    free(b->exec_slots);
    b->exec_slots = NULL;
    return rank;
}

static uint32_t n_execs(const struct profile *p)
{
    return p->exec_begin[p->n_nodes];
}

/* Packs LIST by the new places of its records; *BEGIN [n_execs + 1] in SCRATCH. */
static void *pack_list(struct builder *b, struct owned *list, const uint32_t *rank,
                       struct arena *scratch, uint32_t **begin, uint32_t *n)
{
    for (size_t i = 0; i < list->owners.n; i++)
        list->owners.data[i] = rank[list->owners.data[i]];
    *n = (uint32_t)owned_count(list);
    return owned_pack(list, n_execs(b->profile), &b->profile->arena, scratch, begin);
}

/* The devices of a record are a set. */
static void pack_devices(struct builder *b, const uint32_t *begin)
{
    struct profile *p = b->profile;
    uint32_t n_all = n_execs(p), kept = 0;

    for (size_t i = 0; i < n_all; i++) {
        uint32_t n = begin[i + 1] - begin[i];
        strid *own = p->exec_devices + kept;

        memmove(own, p->exec_devices + begin[i], n * sizeof *own);
        n = (uint32_t)builder_string_set(b, own, n);
        p->execs[i].first_device = kept;
        p->execs[i].n_devices = n;
        kept += n;
    }
    p->n_exec_devices = kept;
}

void builder_pack_execs(struct builder *b)
{
    struct profile *p = b->profile;
    uint32_t *rank = order_execs(b);
    struct arena scratch = {0};
    uint32_t n = n_execs(p);
    uint32_t *time, *memory, *allocation, *device;

    p->times = pack_list(b, &b->times, rank, &scratch, &time, &p->n_times);
    p->memories = pack_list(b, &b->memories, rank, &scratch, &memory, &p->n_memories);
    p->allocations = pack_list(b, &b->allocations, rank, &scratch, &allocation, &p->n_allocations);
    p->exec_devices = pack_list(b, &b->exec_devices, rank, &scratch, &device, &p->n_exec_devices);
    for (size_t i = 0; i < n; i++) {
        struct exec *e = &p->execs[i];

        e->first_time = time[i];
        e->n_times = time[i + 1] - time[i];
        e->first_memory = memory[i];
        e->n_memories = memory[i + 1] - memory[i];
        e->first_allocation = allocation[i];
        e->n_allocations = allocation[i + 1] - allocation[i];
    }
    pack_devices(b, device);
    p->n_output_buffers = (uint32_t)b->output_buffers.n;
    p->output_buffers = ARENA_NEW(&p->arena, struct output_buffer, b->output_buffers.n);
    if (b->output_buffers.n)
        memcpy(p->output_buffers, b->output_buffers.data,
               b->output_buffers.n * sizeof *p->output_buffers);
    arena_done(&scratch);
    free(rank);
}
