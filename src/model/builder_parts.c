/* builder_parts.c: collects parts of nodes, data of traces, and events. */
#include <stdlib.h>
#include <string.h>

#include "base/offsets.h"
#include "base/xalloc.h"
#include "model/builder_priv.h"
#include "model/events.h"
#include "model/memory_log.h"

void builder_init_parts(struct builder *b)
{
    intern_init(&b->parts);
}

void builder_done_parts(struct builder *b)
{
    intern_done(&b->parts);
    free(b->part_order);
}

uint32_t builder_part(struct builder *b, const struct part_def *part)
{
    return intern_put(&b->parts, part, sizeof *part) - 1; /* id 0 is the empty string */
}

static struct part_def part_at(const struct builder *b, uint32_t part)
{
    struct part_def def;

    memcpy(&def, intern_text(&b->parts, part + 1), sizeof def);
    return def;
}

node_id builder_part_node(const struct builder *b, uint32_t part)
{
    return part_at(b, part).node;
}

struct recorder *builder_recorder(struct builder *b, uint16_t file)
{
    struct profile *p = b->profile;
    struct recorder *r;

    p->recorders = xreallocarray(p->recorders, p->n_recorders + 1, sizeof *p->recorders);
    r = &p->recorders[p->n_recorders++];
    *r = (struct recorder){.file = file, .rank = -1, .world_size = -1};
    return r;
}

struct event_store *builder_events(struct builder *b)
{
    if (!b->profile->events)
        b->profile->events = event_store_new();
    return b->profile->events;
}

struct memory_log *builder_memory(struct builder *b)
{
    if (!b->profile->memory)
        b->profile->memory = memory_log_new();
    return b->profile->memory;
}

uint32_t *builder_ids_of_parts(const struct builder *b)
{
    const struct profile *p = b->profile;
    uint32_t *id_of_part = xcalloc(p->n_parts, sizeof *id_of_part);

    for (uint32_t i = 0; i < p->n_parts; i++)
        id_of_part[b->part_order[i]] = p->n_nodes + i;
    return id_of_part;
}

void builder_finish_events(struct builder *b)
{
    const struct profile *p = b->profile;
    uint32_t *id_of_part;

    if (!p->events && !p->memory)
        return;
    id_of_part = builder_ids_of_parts(b);
    if (p->events)
        event_store_finish(p->events, id_of_part);
    if (p->memory)
        memory_log_finish(p->memory, id_of_part);
    free(id_of_part);
}

/* Sorts the parts by node into b->part_order, and fills the profile's part_begin. */
static void order_parts(struct builder *b)
{
    struct profile *p = b->profile;

    p->part_begin = arena_calloc(&p->arena, (size_t)p->n_nodes + 1, sizeof *p->part_begin);
    b->part_order = xreallocarray(NULL, p->n_parts, sizeof *b->part_order);
    for (uint32_t i = 0; i < p->n_parts; i++)
        p->part_begin[part_at(b, i).node + 1]++;
    if (!offsets_sum(p->part_begin, p->n_nodes))
        xalloc_fail();
    for (uint32_t i = 0; i < p->n_parts; i++)
        b->part_order[p->part_begin[part_at(b, i).node]++] = i;
    offsets_rewind(p->part_begin, p->n_nodes);
}

void builder_pack_parts(struct builder *b)
{
    struct profile *p = b->profile;

    p->n_parts = (uint32_t)b->parts.n - 1;
    if (!p->n_parts)
        return;
    order_parts(b);
    p->node_of_part = ARENA_NEW(&p->arena, node_id, p->n_parts);
    p->call_dims = ARENA_NEW(&p->arena, strid, p->n_parts);
    p->call_values = ARENA_NEW(&p->arena, strid, p->n_parts);
    for (uint32_t i = 0; i < p->n_parts; i++) {
        const struct part_def part = part_at(b, b->part_order[i]);

        builder_columns_add_part(b, &part);
        p->node_of_part[i] = part.node;
        p->call_dims[i] = part.call_dims;
        p->call_values[i] = part.call_values;
    }
}
