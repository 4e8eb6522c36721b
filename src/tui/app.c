/* app.c: messages, and simple questions about the state. */
#include "tui/app.h"

#include <stdarg.h>

void app_print(struct app *a, enum role role, const char *format, ...)
{
    va_list args;

    a->ui.is_drawn = false;
    sb_clear(&a->ui.message.text);
    a->ui.message.role = role;
    va_start(args, format);
    sb_vaddf(&a->ui.message.text, format, args);
    va_end(args);
}

void app_print_err(struct app *a, struct err *err)
{
    app_print(a, ROLE_ERROR, "E: %s", err_text(err));
    err_done(err);
}

void app_print_notes(struct app *a, struct notes *notes)
{
    if (notes->n)
        app_print(a, ROLE_NOTE, "%s", notes->data[0].text);
    notes_done(notes);
}

struct view_state *app_view(struct app *a)
{
    return &a->nav.views[a->doc.result ? a->doc.result->view_id : a->doc.requested.view];
}

row_id app_row(const struct app *a)
{
    return a->nav.cursor < rows_count(a->nav.rows) ? rows_at(a->nav.rows, a->nav.cursor).row : 0;
}

node_id app_cut_call(const struct app *a, row_id row)
{
    const node_id node = row && !a->doc.result->view->is_multi ? tree_node(a->doc.result->tree, row)
                                                           : NODE_NONE;

    return node != NODE_NONE &&
        profile_call_is_cut(a->doc.result->profile, node) ? node : NODE_NONE;
}
