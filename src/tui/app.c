/* app.c: messages, and simple questions about the state. */
#include "tui/app.h"
#include "tui/tables/table_pane.h"

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

struct view_state *app_view(struct app *a)
{
    return &a->nav.views[a->doc.result ? a->doc.result->view_id : a->doc.requested.view];
}

row_id app_row(const struct app *a)
{
    return a->nav.cursor < rows_count(a->nav.rows) ? rows_at(a->nav.rows, a->nav.cursor).row : 0;
}

void app_command(const struct app *a, struct strbuf *sb)
{
    struct session before = {.files = a->doc.files};

    const struct session *s = a->doc.session ? a->doc.session : &before;
    const struct spec *spec = &a->doc.requested;

    if (table_pane_is_on(a))
        session_print_table_command(sb, s, table_view_get(a->ui.table.view), spec->view,
                                    &spec->options);
    else
        session_print_command(sb, s, spec->view, &spec->options);
}
