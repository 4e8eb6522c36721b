/* user_code.c: finds frames of a call stack outside of libraries. */
#include "tui/panes/pane.h"

#include "view/build/hidden_frames.h"

static bool is_line(const struct frame *f, const struct frame *frame)
{
    return f && f->file == frame->file && f->lineno == frame->lineno &&
           f->function == frame->function;
}

/* The row of FRAME at or above INNERMOST; 0: none. */
static row_id row_of_frame(const struct tree *t, row_id innermost, const struct frame *frame)
{
    row_id row = innermost;

    while (row && !is_line(t->frame[row], frame))
        row = t->parent[row];
    return row;
}

/* The first row outside of libraries; 0: none. */
static row_id own_row(const struct tree *t, row_id innermost)
{
    struct hidden_frames libraries;
    row_id row = innermost;

    hidden_frames_init(&libraries, t->profile, LIBRARY_FRAMES);
    while (row && (t->n_folded[row] || frame_is_hidden(&libraries, t->frame[row])))
        row = t->parent[row];
    hidden_frames_done(&libraries);
    return row;
}

row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame)
{
    const row_id innermost = t->row_of_node[node];
    row_id row = 0;

    if (innermost == ROW_NONE || !t->frame)
        return innermost;
    if (frame)
        row = row_of_frame(t, innermost, frame);
    if (!row)
        row = own_row(t, innermost);
    return row ? row : innermost;
}
