/* views.c: the list of views, and its menu. */
#include "tui/commands/views.h"

#include "base/xalloc.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/menu.h"
#include "tui/keymap.h"
#include "tui/panes/picture.h"
#include "tui/tables/table_pane.h"

#define TREE_TAB(name, id, keys, label, ...) {#name, label},
#define PAGE_TAB(name, keys, label, ...) {#name, label},
#define PICTURE_TAB(name, id, action, keys, label, ...) {action, label},
#define TABLE_TAB(name, action, keys, label, ...) {action, label},
const struct view_tab view_list[] = {
    VIEW_LIST(TREE_TAB, PAGE_TAB, PICTURE_TAB, TABLE_TAB) {NULL, NULL},
};

bool view_is_on(const struct app *a, const struct action *action)
{
    const struct picture_ops *picture = picture_displayed(a);
    const int view = (int)(a->doc.result ? a->doc.result->view_id : a->doc.requested.view);

    if (action->run == cmd_table || action->run == cmd_check)
        return table_pane_is_on(a) && a->ui.table.view == action->arg;
    if (action->run == cmd_picture)
        return picture && picture == picture_get(action->arg);
    return action->run == cmd_view && view == action->arg &&
           (!picture || picture == picture_get(PICTURE_FLAME));
}

bool views_leave_picture(struct app *a)
{
    const struct picture_ops *picture = picture_displayed(a);

    if (!picture || picture == picture_get(PICTURE_FLAME))
        return false;
    a->ui.picture = NULL;
    return true;
}

static void choose(struct app *a, intptr_t at)
{
    const struct action *action = action_find(view_list[at].action);

    if (!view_is_on(a, action))
        action_run(a, action);
}

void cmd_views(struct app *a, int arg UNUSED)
{
    struct menu *m = menu_open(a, "Views", choose);

    for (intptr_t i = 0; view_list[i].action; i++) {
        const struct action *action = action_find(view_list[i].action);
        const char *reason = action_refusal(a, action);
        struct strbuf key = {0}, label = {0};
        struct menu_item *item;

        keymap_label(a->ui.keymap, CTX_TREE, action, &key);
        sb_addf(&label, "%-2s %s", sb_text(&key), action->name);
        item = menu_add(m, i, sb_text(&label), reason ? reason : action_help(action));
        item->disabled = reason ? xstrdup(reason) : NULL;
        item->checked = view_is_on(a, action);
        if (item->checked)
            m->overlay.at = (size_t)i;
        EACH(sb_done, &key, &label);
    }
}
