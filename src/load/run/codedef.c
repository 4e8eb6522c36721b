/* codedef.c: decodes call stacks of op logs and profiles. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "load/bytes/elements.h"

bool load_id_string(struct loader *l, struct span entry, struct err *err)
{
    struct map_entry e;

    if (!load_map_entry(l, entry, NULL, &e, err))
        return false;
    idmap_put(&l->strings, e.key, builder_str(l->builder, e.value_span.bytes, e.value_span.len),
              l->file);
    return true;
}

/* A string of a frame: inline in older files, else an id. */
struct frame_text {
    struct span inline_text;
    int64_t id;
};

static strid text_id(struct loader *l, const struct frame_text *text)
{
    uint32_t id;

    if (text->inline_text.len)
        return builder_str(l->builder, text->inline_text.bytes, text->inline_text.len);
    id = idmap_get(&l->strings, text->id);
    return id == IDMAP_NONE ? STRID_EMPTY : id;
}

static bool read_frame(struct loader *l, struct span message, struct frame *frame, struct err *err)
{
    /* field numbers: inline text, id */
    enum { FILE_TEXT = 1, LINENO, FUNCTION_TEXT, LINE_TEXT, START_LINE, FILE_ID, FUNCTION_ID,
           LINE_ID, N_FIELDS };
    struct wire_in in = span_walk(message);
    struct span spans[N_FIELDS] = {{NULL, 0}};
    int64_t numbers[N_FIELDS] = {0};
    struct wire_field f;

    while (wire_next(&in, &f)) {
        if (f.number >= N_FIELDS)
            continue;
        if (f.type == WIRE_LEN)
            spans[f.number] = field_span(&f);
        else if (f.type == WIRE_VARINT)
            numbers[f.number] = (int64_t)f.value;
    }
    frame->file = text_id(l, &(struct frame_text){spans[FILE_TEXT], numbers[FILE_ID]});
    frame->function = text_id(l, &(struct frame_text){spans[FUNCTION_TEXT], numbers[FUNCTION_ID]});
    frame->text = text_id(l, &(struct frame_text){spans[LINE_TEXT], numbers[LINE_ID]});
    frame->lineno = (int32_t)numbers[LINENO];
    frame->func_start_line = (int32_t)numbers[START_LINE];
    return load_ended(l, &in, "frame of a call stack", err);
}

/* Appends the frames of a CodeDef to l->frames. */
static bool read_code_def(struct loader *l, struct span code_def, struct err *err)
{
    struct wire_in in = span_walk(code_def);
    struct wire_field f;
    struct frame frame;

    while (wire_next_len(&in, &f, 1)) {
        if (!read_frame(l, field_span(&f), &frame, err))
            return false;
        vec_push(&l->frames, frame);
    }
    return load_ended(l, &in, "call stack", err);
}

/* Cache of a file's call stacks by their encoding: large files repeat a few thousand stacks, and
 * comparing bytes is faster than decoding frames. */
struct stack_cache {
    struct intern encoded;
    VEC(stack_id) stacks; /* by id in encoded */
};

static void free_stacks(void *data)
{
    struct stack_cache *c = data;

    intern_done(&c->encoded);
    vec_done(&c->stacks);
    free(c);
}

void load_stacks_begin(struct loader *l)
{
    if (l->stacks) {
        intern_done(&l->stacks->encoded);
        l->stacks->stacks.n = 0;
    } else {
        l->stacks = xcalloc(1, sizeof *l->stacks);
        loader_keep(l, l->stacks, free_stacks);
    }
    intern_init(&l->stacks->encoded);
}

/* The call stack of a CodeDef, decoded on first use. */
static bool stack_of(struct loader *l, const struct stack_part *part, stack_id *stack,
                     struct err *err)
{
    struct stack_cache *c = l->stacks;
    uint32_t id = intern_put_hashed(&c->encoded, part->code_def.bytes, part->code_def.len,
                                    part->hash);

    if (id >= c->stacks.n)
        vec_resize_zero(&c->stacks, (size_t)id + 1);
    *stack = c->stacks.data[id];
    if (*stack != STACK_NONE)
        return true;
    l->frames.n = 0;
    if (!read_code_def(l, part->code_def, err))
        return false;
    *stack = c->stacks.data[id] = builder_stack(l->builder, l->frames.data, l->frames.n);
    return true;
}

bool load_stack(struct loader *l, stack_id *stack, struct err *err)
{
    *stack = STACK_NONE;
    if (l->stack_parts.n == 0)
        return true;
    if (l->stack_parts.n == 1)
        return stack_of(l, &l->stack_parts.data[0], stack, err);
    l->frames.n = 0;
    for (size_t i = 0; i < l->stack_parts.n; i++) /* repeated messages are merged */
        if (!read_code_def(l, l->stack_parts.data[i].code_def, err))
            return false;
    *stack = builder_stack(l->builder, l->frames.data, l->frames.n);
    return true;
}
