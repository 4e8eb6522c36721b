/* cmd_edit.c: actions of overlays and of edited lines. */
#include "tui/commands/cmd.h"
#include "tui/dialogs/overlay.h"
#include "tui/panes/pane.h"

void cmd_accept(struct app *a, int arg UNUSED)
{
    struct overlay *o = a->ui.top;

    if (o && o->ops->accept)
        o->ops->accept(o, a);
}

void cmd_cancel(struct app *a, int arg UNUSED)
{
    struct overlay *o = a->ui.top;

    if (!o)
        return;
    if (o->ops->cancel)
        o->ops->cancel(o, a);
    overlay_remove(a, o);
}

void cmd_edit(struct app *a, int op)
{
    struct overlay *o = a->ui.top;
    struct lineedit *edit = o && o->ops->edit ? o->ops->edit(o) : NULL;

    if (edit && lineedit_do(edit, (enum edit_op)op)) {
        if (o->ops->edited)
            o->ops->edited(o, a);
    } else if (!edit && o && o->ops->adjust && (op == EDIT_LEFT || op == EDIT_RIGHT)) {
        o->ops->adjust(o, a, op == EDIT_LEFT ? -1 : 1);
    }
}

void cmd_complete(struct app *a, int arg UNUSED)
{
    struct overlay *o = a->ui.top;

    if (o && o->ops->complete)
        o->ops->complete(o, a);
}

void cmd_history(struct app *a, int direction)
{
    struct overlay *o = a->ui.top;

    if (o && o->ops->history)
        o->ops->history(o, a, direction);
}

void cmd_toggle(struct app *a, int arg UNUSED)
{
    struct overlay *o = a->ui.top;

    if (o && o->ops->toggle)
        o->ops->toggle(o, a);
}

void cmd_field(struct app *a, int direction)
{
    struct overlay *o = a->ui.top;

    if (o && o->ops->field)
        o->ops->field(o, a, direction);
}
