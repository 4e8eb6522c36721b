/* user_code.c: which lines of a call stack are the user's own. */
#include "tui/panes/user_code.h"

#include "view/hidden_frames.h"

static bool is_row_of(const struct tree *t, row_id row, const struct frame *frame,
                      struct hidden_frames *libraries)
{
    const struct frame *f = t->frame ? t->frame[row] : NULL;

    if (!f)
        return false;
    if (frame)
        return f->file == frame->file && f->lineno == frame->lineno &&
               f->function == frame->function;
    return !frame_is_hidden(libraries, f);
}

row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame)
{
    const row_id innermost = t->row_of_node[node];
    struct hidden_frames libraries;
    row_id row = innermost;

    if (innermost == ROW_NONE)
        return ROW_NONE;
    hidden_frames_init(&libraries, t->profile, LIBRARY_FRAMES);
    while (row && !is_row_of(t, row, frame, &libraries))
        row = t->parent[row];
    hidden_frames_done(&libraries);
    return row ? row : innermost;
}
