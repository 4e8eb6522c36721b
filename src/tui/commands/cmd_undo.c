/* cmd_undo.c: undo, redo and the list of changes. */
#include "tui/commands/cmd.h"
#include "tui/dialogs/menu.h"
#include "tui/undo.h"

static void show_undo_step(struct app *a, int direction)
{
    struct snapshot now = undo_snapshot(a);
    const snapshot_list *list = direction < 0 ? &a->nav.undo.future : &a->nav.undo.past;
    struct strbuf what = {0};

    if (list->n) {
        const struct snapshot *was = &list->data[list->n - 1];

        undo_difference(&what, direction < 0 ? &now : was, direction < 0 ? was : &now);
        app_print(a, ROLE_TEXT, "%s: %s", direction < 0 ? "undone" : "redone", sb_text(&what));
    }
    sb_done(&what);
    undo_forget(&now);
}

void cmd_undo(struct app *a, int direction)
{
    undo_step(a, direction);
    show_undo_step(a, direction);
}

static void undo_to(struct app *a, intptr_t index)
{
    while (a->nav.undo.past.n > (size_t)index && undo_step(a, -1))
        ;
}

void cmd_undo_list(struct app *a, int arg UNUSED)
{
    struct menu *m = menu_open(a, "Undo back to before ...", undo_to);
    struct snapshot now = undo_snapshot(a);
    const snapshot_list *past = &a->nav.undo.past;

    for (size_t i = past->n; i-- > 0;) {
        struct strbuf what = {0};

        undo_difference(&what, &past->data[i], i + 1 < past->n ? &past->data[i + 1] : &now);
        menu_add(m, (intptr_t)i, sb_text(&what), NULL);
        sb_done(&what);
    }
    undo_forget(&now);
}
