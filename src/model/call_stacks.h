/* call_stacks.h: call stacks that share their callers: a tree of prefixes.
 *
 * A node of the tree is a frame and its caller, so that a million stacks of a deep program take as much
 * as their distinct prefixes.  A stack is the node of its innermost frame. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/slots.h"
#include "base/vec.h"

/* A distinct call stack; STACK_NONE: the node has no code_def at all. */
typedef uint32_t stack_id;
#define STACK_NONE ((stack_id)0)

/* The lineno of a frame without a source location: only `function` is known. */
#define LINE_NONE (-2)

struct frame {
    strid file, function, text; /* text: the source line */
    int32_t lineno;             /* -1 unknown */
    int32_t func_start_line;    /* -1 unknown */
};

/* True for a frame that names a row without code: FUNCTION is "(backward)" or similar. */
static inline bool frame_is_row_name(const struct frame *frame, struct text function)
{
    return frame->lineno == LINE_NONE && function.len > 2 && function.bytes[0] == '(' &&
           function.bytes[function.len - 1] == ')';
}

#define STACK_ROOT 0 /* the node of the empty stack */

/* A caller precedes its callees. */
struct stack_node {
    uint32_t caller; /* STACK_ROOT: none */
    uint32_t frame;  /* in the list of distinct frames */
};

struct call_stack {
    uint32_t leaf;     /* node of the innermost frame; STACK_ROOT: empty stack */
    uint32_t n_frames; /* may be 0 */
};

/* The stacks of a profile; immutable. */
struct call_stacks {
    const struct frame *frames; /* distinct; [0] is unused */
    const struct stack_node *nodes;
    const struct call_stack *stacks; /* by stack_id; [0] is STACK_NONE */
    uint32_t n_frames, n_nodes, n_stacks;
};

/* The frame of a node other than STACK_ROOT:
 *
 *     for (uint32_t at = stack->leaf; at != STACK_ROOT; at = s->nodes[at].caller)
 *         ... stack_frame(s, at) ... the innermost first */
static inline const struct frame *stack_frame(const struct call_stacks *s, uint32_t node)
{
    return &s->frames[s->nodes[node].frame];
}

/* The frames of a stack, the outermost first; a zeroed list is ready. */
typedef VEC(const struct frame *) frame_list;
void stack_frames(const struct call_stacks *s, const struct call_stack *stack, frame_list *list);
/* Returns the common outermost frames of A and B. */
struct call_stack stack_common(const struct call_stacks *s, struct call_stack a,
                               struct call_stack b);

/* ---- building */

struct building_node {
    struct stack_node node;
    uint32_t depth; /* number of frames */
    stack_id id;    /* STACK_NONE: not yet the end of a stack */
};

struct stack_builder {
    struct intern frames; /* of struct frame */
    VEC(struct building_node) nodes;
    VEC(uint32_t) leaves; /* by stack_id; [0] is unused */
    struct slots slots;   /* of nodes, by caller and frame */
};

void stack_builder_init(struct stack_builder *b);
void stack_builder_done(struct stack_builder *b);
/* The id of a frame, for stack_builder_node(). */
uint32_t stack_builder_frame(struct stack_builder *b, const struct frame *frame);
/* Returns the node of FRAME called from node CALLER, or SLOTS_NONE. stack_builder_node() adds a
 * missing node. */
uint32_t stack_builder_find(const struct stack_builder *b, uint32_t caller, uint32_t frame);
uint32_t stack_builder_node(struct stack_builder *b, uint32_t caller, uint32_t frame);
/* Returns the stack that ends at NODE. */
stack_id stack_builder_stack(struct stack_builder *b, uint32_t node);
/* Number of frames of that stack. */
static inline uint32_t stack_builder_depth(const struct stack_builder *b, uint32_t node)
{
    return b->nodes.data[node].depth;
}
/* The innermost frame of that stack, which has one. */
struct frame stack_builder_frame_of(const struct stack_builder *b, uint32_t node);
/* Packs the stacks into ARENA. B is then empty and must still be freed. */
struct call_stacks stack_builder_pack(struct stack_builder *b, struct arena *arena);
