/* python_stack.c: call stacks as Python prints them. */
#include "load/graph/python_stack.h"

#include "load/spans.h"

/* Parses `File "F", line N, in G`; false for other lines. */
static bool read_frame(struct loader *l, struct span line, struct frame *frame)
{
    static const char file[] = "File \"", number[] = "\", line ", function[] = ", in ";
    struct span at;

    if (!span_begins(line, file))
        return false;
    line = span_skip(line, sizeof file - 1);
    at = span_find(line, number);
    if (!at.bytes)
        return false;
    *frame = (struct frame){.func_start_line = -1};
    frame->file = builder_str(l->builder, line.bytes, line.len - at.len);
    line = span_skip(at, sizeof number - 1);
    frame->lineno = (int32_t)span_number(line, INT32_MAX - 1);
    at = span_find(line, function);
    if (at.bytes)
        frame->function = builder_str(l->builder, at.bytes + sizeof function - 1,
                                      at.len - (sizeof function - 1));
    return true;
}

stack_id python_stack(struct loader *l, struct span text)
{
    enum { MAX_FRAMES = 1024 };
    struct frame frame, *last;
    struct span line;

    l->frames.n = 0;
    while (l->frames.n < MAX_FRAMES && span_line(&text, &line)) {
        line = span_trim(line);
        if (read_frame(l, line, &frame)) {
            vec_push(&l->frames, frame);
        } else if (l->frames.n && line.len) {
            last = &l->frames.data[l->frames.n - 1];
            if (last->text == STRID_EMPTY)
                last->text = builder_str(l->builder, line.bytes, line.len);
        }
    }
    if (!l->frames.n)
        return STACK_NONE;
    builder_profile(l->builder)->has_stacks = true;
    return builder_stack(l->builder, l->frames.data, l->frames.n);
}
