/* call_stacks.c: call stacks that share their callers. */
#include "model/call_stacks.h"

#include <string.h>

#include "base/hash.h"

void stack_frames(const struct call_stacks *s, const struct call_stack *stack, frame_list *list)
{
    uint32_t i = stack->n_frames;

    list->n = 0;
    vec_reserve(list, i);
    list->n = i;
    for (uint32_t at = stack->leaf; at != STACK_ROOT; at = s->nodes[at].caller)
        list->data[--i] = stack_frame(s, at);
}

struct call_stack stack_common(const struct call_stacks *s, struct call_stack a,
                               struct call_stack b)
{
    while (a.leaf != b.leaf) {
        struct call_stack *longer = a.n_frames >= b.n_frames ? &a : &b;

        longer->leaf = s->nodes[longer->leaf].caller;
        longer->n_frames--;
    }
    return a;
}

/* ---- building */

static void add_node(struct stack_builder *b, struct stack_node node, uint32_t depth)
{
    const uint32_t id = (uint32_t)b->nodes.n;

    vec_push(&b->nodes, ((struct building_node){.node = node, .depth = depth}));
    if (2 * b->nodes.n > b->slots.n_slots) {
        slots_done(&b->slots);
        slots_init(&b->slots, 2 * b->nodes.n);
        for (uint32_t i = 0; i < id; i++) {
            const struct stack_node *old = &b->nodes.data[i].node;

            slots_add(&b->slots, hash_pair(old->caller, old->frame), i);
        }
    }
    slots_add(&b->slots, hash_pair(node.caller, node.frame), id);
}

void stack_builder_init(struct stack_builder *b)
{
    *b = (struct stack_builder){.slots = {0}};
    intern_init(&b->frames);
    add_node(b, (struct stack_node){STACK_ROOT, 0}, 0);
    vec_push(&b->leaves, STACK_ROOT);
    stack_builder_stack(b, STACK_ROOT);
}

void stack_builder_done(struct stack_builder *b)
{
    intern_done(&b->frames);
    EACH(vec_done, &b->nodes, &b->leaves);
    slots_done(&b->slots);
}

uint32_t stack_builder_frame(struct stack_builder *b, const struct frame *frame)
{
    return intern_put(&b->frames, frame, sizeof *frame);
}

uint32_t stack_builder_find(const struct stack_builder *b, uint32_t caller, uint32_t frame)
{
    size_t probe = slots_find(&b->slots, hash_pair(caller, frame));
    uint32_t at;

    while ((at = slots_next(&b->slots, &probe)) != SLOTS_NONE)
        if (b->nodes.data[at].node.caller == caller && b->nodes.data[at].node.frame == frame)
            break;
    return at;
}

uint32_t stack_builder_node(struct stack_builder *b, uint32_t caller, uint32_t frame)
{
    const uint32_t found = stack_builder_find(b, caller, frame);

    if (found != SLOTS_NONE)
        return found;
    add_node(b, (struct stack_node){caller, frame}, b->nodes.data[caller].depth + 1);
    return (uint32_t)b->nodes.n - 1;
}

stack_id stack_builder_stack(struct stack_builder *b, uint32_t node)
{
    stack_id *id = &b->nodes.data[node].id;

    if (*id == STACK_NONE) {
        *id = (stack_id)b->leaves.n;
        vec_push(&b->leaves, node);
    }
    return *id;
}

struct frame stack_builder_frame_of(const struct stack_builder *b, uint32_t node)
{
    struct frame frame;

    memcpy(&frame, intern_text(&b->frames, b->nodes.data[node].node.frame), sizeof frame);
    return frame;
}

static const struct frame *pack_frames(const struct stack_builder *b, struct arena *arena)
{
    struct frame *frames = arena_calloc(arena, b->frames.n, sizeof *frames);

    for (uint32_t i = 1; i < b->frames.n; i++)
        memcpy(&frames[i], intern_text(&b->frames, i), sizeof *frames);
    return frames;
}

struct call_stacks stack_builder_pack(struct stack_builder *b, struct arena *arena)
{
    struct stack_node *nodes = ARENA_NEW(arena, struct stack_node, b->nodes.n);
    struct call_stack *stacks = ARENA_NEW(arena, struct call_stack, b->leaves.n);
    const struct call_stacks packed = {
        .frames = pack_frames(b, arena),
        .nodes = nodes,
        .stacks = stacks,
        .n_frames = (uint32_t)b->frames.n,
        .n_nodes = (uint32_t)b->nodes.n,
        .n_stacks = (uint32_t)b->leaves.n,
    };

    for (size_t i = 0; i < b->nodes.n; i++)
        nodes[i] = b->nodes.data[i].node;
    stacks[STACK_NONE] = (struct call_stack){STACK_ROOT, 0};
    for (size_t i = 1; i < b->leaves.n; i++)
        stacks[i] = (struct call_stack){b->leaves.data[i], b->nodes.data[b->leaves.data[i]].depth};
    stack_builder_done(b);
    *b = (struct stack_builder){.slots = {0}};
    return packed;
}
