/* merge.c: builds the profile with the nodes of two profiles. */
#include "match/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "match/merge_priv.h"
#include "match/text_order.h"
#include "model/events.h"

strid merge_string(struct merge *m, strid string)
{
    strid *taken = &m->string_of[string];

    if (*taken == STRID_NONE)
        *taken = intern_put_hashed(&m->p->strings, intern_text(&m->base->strings, string),
                                   intern_len(&m->base->strings, string),
                                   m->base->strings.entries[string].hash);
    return *taken;
}

/* Strings of the current profile keep their ids. */
static void merge_strings(struct merge *m)
{
    const struct intern *from = &m->now->strings;

    intern_init(&m->p->strings);
    for (strid i = 1; i < from->n; i++)
        intern_put_hashed(&m->p->strings, from->entries[i].bytes, from->entries[i].len,
                          from->entries[i].hash);
    m->string_of = xalloc_huge(m->base->strings.n, sizeof *m->string_of);
    memset(m->string_of, 0xff, m->base->strings.n * sizeof *m->string_of);
}

/* ---- which ids there are */

static void list_nodes(struct merge *m)
{
    const struct pairs *pairs = m->pairs;

    m->id_of = xalloc_huge((size_t)m->base->n_nodes + 1, sizeof *m->id_of);
    for (node_id node = 0; node < m->now->n_nodes; node++)
        vec_push(&m->ids, ((struct merged_id){node, pairs->base_of[node]}));
    for (node_id node = 0; node < m->base->n_nodes; node++) {
        m->id_of[node] = pairs->now_of[node];
        if (m->id_of[node] != NODE_NONE)
            continue;
        m->id_of[node] = (node_id)m->ids.n;
        vec_push(&m->ids, ((struct merged_id){NODE_NONE, node}));
    }
    m->p->n_nodes = (uint32_t)m->ids.n;
}

static uint32_t parts_of(const struct profile *p, node_id node)
{
    return p->n_parts && node != NODE_NONE ? p->part_begin[node + 1] - p->part_begin[node] : 0;
}

static void list_parts_of(struct merge *m, struct merged_id id)
{
    const uint32_t n_now = parts_of(m->now, id.now), n_base = parts_of(m->base, id.base);

    if (!n_now && !n_base)
        return;
    if (!n_now && id.now != NODE_NONE)
        vec_push(&m->ids, ((struct merged_id){id.now, NODE_NONE}));
    for (uint32_t i = 0; i < n_now; i++)
        vec_push(&m->ids, ((struct merged_id){m->now->n_nodes + m->now->part_begin[id.now] + i,
                                              NODE_NONE}));
    if (!n_base && id.base != NODE_NONE)
        vec_push(&m->ids, ((struct merged_id){NODE_NONE, id.base}));
    for (uint32_t i = 0; i < n_base; i++)
        vec_push(&m->ids,
                 ((struct merged_id){NODE_NONE,
                                     m->base->n_nodes + m->base->part_begin[id.base] + i}));
}

static void list_parts(struct merge *m)
{
    struct profile *p = m->p;

    if (!m->now->n_parts && !m->base->n_parts)
        return;
    p->part_begin = ARENA_NEW(&p->arena, uint32_t, (size_t)p->n_nodes + 1);
    p->part_begin[0] = 0;
    for (node_id node = 0; node < p->n_nodes; node++) {
        list_parts_of(m, m->ids.data[node]);
        p->part_begin[node + 1] = (uint32_t)m->ids.n - p->n_nodes;
    }
    p->n_parts = (uint32_t)m->ids.n - p->n_nodes;
    p->node_of_part = ARENA_NEW(&p->arena, node_id, p->n_parts);
    for (node_id node = 0; node < p->n_nodes; node++)
        for (uint32_t i = p->part_begin[node]; i < p->part_begin[node + 1]; i++)
            p->node_of_part[i] = node;
}

/* ---- what they have */

static stack_id stack_of_base(const struct merge *m, stack_id stack)
{
    return stack == STACK_NONE ? STACK_NONE : m->now->call_stacks.n_stacks + stack - 1;
}

static uint32_t stack_node_of_base(const struct merge *m, uint32_t node)
{
    return node == STACK_ROOT ? STACK_ROOT : m->now->call_stacks.n_nodes + node - 1;
}

static struct node_def def_of_base(const struct merge *m, struct node_def def)
{
    def.file = (uint16_t)(def.file + m->now->n_files);
    return def;
}

static void copy_now(const struct merge *m, node_id id, node_id from)
{
#define COPY_NOW(member, ...) m->p->member[id] = m->now->member[from];
    NODE_COLUMNS(COPY_NOW)
}

static void copy_base(struct merge *m, node_id id, node_id from)
{
#define NUMBER_OF_BASE(m, number) (number)
#define STRING_OF_BASE merge_string
#define SHAPE_OF_BASE shape_of_base
#define STACK_OF_BASE stack_of_base
#define DEF_OF_BASE def_of_base
#define COPY_BASE(member, type, kind, ...) \
    m->p->member[id] = kind##_OF_BASE(m, m->base->member[from]);
    NODE_COLUMNS(COPY_BASE)
}

/* Takes stacks from the baseline where the current side has no frames: a node without a stack has
 * no row in the code view. */
static void add_missing_stacks(struct merge *m)
{
    const struct profile *base = m->base;
    stack_id *stacks = m->p->stack;

    for (node_id id = 0; id < m->ids.n; id++) {
        const struct merged_id of = m->ids.data[id];

        if (of.now != NODE_NONE && of.base != NODE_NONE && 
            !profile_stack(m->now, stacks[id])->n_frames &&
            profile_stack(base, base->stack[of.base])->n_frames)
            stacks[id] = stack_of_base(m, base->stack[of.base]);
    }
}

static void merge_columns(struct merge *m)
{
    struct profile *p = m->p;
    const size_t n = m->ids.n;

#define NEW_COLUMN(member, type, ...) p->member = ARENA_NEW(&p->arena, type, n);
    NODE_COLUMNS(NEW_COLUMN)
    for (node_id id = 0; id < n; id++)
        if (m->ids.data[id].now != NODE_NONE)
            copy_now(m, id, m->ids.data[id].now);
        else
            copy_base(m, id, m->ids.data[id].base);
    add_missing_stacks(m);
}

/* Call text of a part; a side without parts has none. */
static strid call_text(struct merge *m, struct merged_id id, size_t column)
{
    const bool is_now = id.now != NODE_NONE;
    const struct profile *from = is_now ? m->now : m->base;
    const node_id at = is_now ? id.now : id.base;
    const strid *texts = *(strid *const *)((const char *)from + column);

    if (at < from->n_nodes || !texts)
        return STRID_EMPTY;
    return is_now ? texts[at - from->n_nodes] : merge_string(m, texts[at - from->n_nodes]);
}

static void merge_calls(struct merge *m)
{
    struct profile *p = m->p;

    if (!p->n_parts)
        return;
    p->call_dims = ARENA_NEW(&p->arena, strid, p->n_parts);
    p->call_values = ARENA_NEW(&p->arena, strid, p->n_parts);
    for (uint32_t i = 0; i < p->n_parts; i++) {
        const struct merged_id id = m->ids.data[p->n_nodes + i];

        p->call_dims[i] = call_text(m, id, offsetof(struct profile, call_dims));
        p->call_values[i] = call_text(m, id, offsetof(struct profile, call_values));
    }
}

static struct frame frame_of_base(struct merge *m, const struct frame *frame)
{
    struct frame copy = *frame;

    copy.file = merge_string(m, frame->file);
    copy.function = merge_string(m, frame->function);
    copy.text = merge_string(m, frame->text);
    return copy;
}

/* The stack frame of a baseline node: the paired frame of the current profile, else its own. */
static uint32_t frame_of_node(const struct merge *m, uint32_t node)
{
    const struct call_stacks *now = &m->now->call_stacks;
    const struct frame_row *row = &m->base_frames->rows.data[m->base_frames->row_of[node]];

    if (row->partner == FRAME_NONE)
        return now->n_frames + m->base->call_stacks.nodes[node].frame - 1;
    return (uint32_t)(m->now_frames->rows.data[row->partner].frame - now->frames);
}

/* Appends frames and stack nodes of the baseline to the current ones; both share the root. */
static void merge_stacks(struct merge *m)
{
    const struct call_stacks *now = &m->now->call_stacks, *base = &m->base->call_stacks;
    struct arena *arena = &m->p->arena;
    const uint32_t n_frames = now->n_frames + base->n_frames - 1;
    const uint32_t n_nodes = now->n_nodes + base->n_nodes - 1;
    const uint32_t n_stacks = now->n_stacks + base->n_stacks - 1;
    struct frame *frames = ARENA_NEW(arena, struct frame, n_frames);
    struct stack_node *nodes = ARENA_NEW(arena, struct stack_node, n_nodes);
    struct call_stack *stacks = ARENA_NEW(arena, struct call_stack, n_stacks);

    memcpy(frames, now->frames, now->n_frames * sizeof *frames);
    memcpy(nodes, now->nodes, now->n_nodes * sizeof *nodes);
    memcpy(stacks, now->stacks, now->n_stacks * sizeof *stacks);
    for (uint32_t i = 1; i < base->n_frames; i++)
        frames[now->n_frames + i - 1] = frame_of_base(m, &base->frames[i]);
    for (uint32_t i = 1; i < base->n_nodes; i++)
        nodes[now->n_nodes + i - 1] = (struct stack_node){
            stack_node_of_base(m, base->nodes[i].caller), frame_of_node(m, i)};
    for (stack_id i = 1; i < base->n_stacks; i++)
        stacks[stack_of_base(m, i)] = (struct call_stack){
            stack_node_of_base(m, base->stacks[i].leaf), base->stacks[i].n_frames};
    m->p->call_stacks = (struct call_stacks){frames, nodes, stacks, n_frames, n_nodes, n_stacks};
    m->p->first_base_frame = now->n_frames;
    m->p->has_stacks = m->now->has_stacks || m->base->has_stacks;
}

static void merge_shapes(struct merge *m)
{
    const struct profile *now = m->now, *base = m->base;
    struct profile *p = m->p;

    p->n_shapes = now->n_shapes + base->n_shapes - SHAPE_SCALAR - 1;
    p->shapes = ARENA_NEW(&p->arena, struct shape, p->n_shapes);
    memcpy(p->shapes, now->shapes, now->n_shapes * sizeof *p->shapes);
    for (shape_id i = SHAPE_SCALAR + 1; i < base->n_shapes; i++)
        p->shapes[shape_of_base(m, i)] = base->shapes[i];
}

/* Of equal names the current node comes last, so that rows of longer names are below it. */
static void merge_names(struct merge *m)
{
    struct profile *p = m->p;
    uint32_t b = 0, n = 0;

    p->n_node_of_string = (uint32_t)p->strings.n;
    p->node_of_string = ARENA_NEW(&p->arena, node_id, p->n_node_of_string);
    memset(p->node_of_string, 0xff, p->n_node_of_string * sizeof *p->node_of_string);
    for (node_id node = p->n_nodes; node-- > 0;)
        p->node_of_string[p->name[node]] = node;
    p->by_name = ARENA_NEW(&p->arena, node_id, p->n_nodes);
    for (uint32_t i = 0; i < p->n_nodes;) {
        const node_id new = n < m->now->n_nodes ? m->now->by_name[n] : NODE_NONE;
        const node_id old = b < m->base->n_nodes ? m->base->by_name[b] : NODE_NONE;
        const bool is_paired = old != NODE_NONE && m->pairs->now_of[old] != NODE_NONE;

        if (is_paired) {
            b++;
        } else if (old == NODE_NONE ||
                   (new != NODE_NONE &&
                    text_order(m->now, m->now->name[new], m->base, m->base->name[old]) < 0)) {
            p->by_name[i++] = new;
            n++;
        } else {
            p->by_name[i++] = m->id_of[old];
            b++;
        }
    }
}

/* The input files stay owned by the two profiles. */
static void merge_files(struct merge *m)
{
    const struct profile *now = m->now, *base = m->base;
    struct profile *p = m->p;

    p->n_files = now->n_files + base->n_files;
    p->files = ARENA_NEW(&p->arena, struct source_file, p->n_files);
    if (now->n_files)
        memcpy(p->files, now->files, now->n_files * sizeof *p->files);
    if (base->n_files)
        memcpy(p->files + now->n_files, base->files, base->n_files * sizeof *p->files);
}

/* Adds what events of the baseline are called. */
static void merge_event_names(struct merge *m)
{
    const struct event_store *s = m->base->events;

    for (uint32_t i = 0; s && i < s->n_kinds; i++)
        merge_string(m, s->kinds[i].name);
    for (size_t i = 0; s && i < s->tracks.n; i++)
        merge_string(m, s->tracks.data[i].name);
    for (size_t i = 0; s && i < s->devices.n; i++) {
        merge_string(m, s->devices.data[i].name);
        merge_string(m, s->devices.data[i].model_name);
    }
}

struct profile *merge_profiles(const struct pairs *pairs, const struct frames *base_frames,
                               const struct frames *now_frames, node_id **now_of, node_id **base_of)
{
    struct merge m = {.pairs = pairs, .base_frames = base_frames, .now_frames = now_frames,
                      .base = pairs->base, .now = pairs->now};

    m.p = xcalloc(1, sizeof *m.p);
    *m.p = *pairs->now; /* members that are not set below are the current ones */
    memset(&m.p->arena, 0, sizeof m.p->arena);
    memset(&m.p->notes, 0, sizeof m.p->notes);
    merge_strings(&m);
    list_nodes(&m);
    list_parts(&m);
    merge_columns(&m);
    merge_calls(&m);
    merge_stacks(&m);
    merge_shapes(&m);
    merge_types(&m);
    merge_lists(&m);
    merge_event_names(&m);
    merge_names(&m);
    merge_files(&m);
    m.p->kind = m.now->kind > m.base->kind ? m.now->kind : m.base->kind;
    m.p->has_negative_runs = m.now->has_negative_runs || m.base->has_negative_runs;
    *now_of = xalloc_huge(m.ids.n + 1, sizeof **now_of);
    *base_of = xalloc_huge(m.ids.n + 1, sizeof **base_of);
    for (size_t id = 0; id < m.ids.n; id++) {
        (*now_of)[id] = m.ids.data[id].now;
        (*base_of)[id] = m.ids.data[id].base;
    }
    EACH(free, m.string_of, m.id_of);
    vec_done(&m.ids);
    return m.p;
}

void merge_free(struct profile *merged)
{
    if (!merged)
        return;
    notes_done(&merged->notes);
    intern_done(&merged->strings);
    arena_done(&merged->arena);
    free(merged);
}
