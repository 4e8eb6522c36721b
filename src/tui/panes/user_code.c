/* user_code.c: which lines of a call stack are the user's own. */
#include "tui/panes/user_code.h"

#include <string.h>

bool is_library_file(const char *path)
{
    static const char *const parts[] = {"site-packages/", "dist-packages/", "/lib/python",
                                        "tensorflow/python/"};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(path, parts[i]))
            return true;
    return path[0] == '<'; /* "<frozen importlib>", "<string>" */
}

static bool is_row_of(const struct tree *t, row_id row, const struct frame *frame)
{
    const struct frame *f = t->frame ? t->frame[row] : NULL;

    if (!f)
        return false;
    if (frame)
        return f->file == frame->file && f->lineno == frame->lineno &&
               f->function == frame->function;
    return !is_library_file(profile_text(t->profile, f->file));
}

row_id user_code_row(const struct tree *t, node_id node, const struct frame *frame)
{
    const row_id innermost = t->row_of_node[node];

    if (innermost == ROW_NONE)
        return ROW_NONE;
    for (row_id row = innermost; row; row = t->parent[row])
        if (is_row_of(t, row, frame))
            return row;
    return innermost;
}
