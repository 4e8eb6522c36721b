/* picture.c: chooses the displayed picture and the one to compute. */
#include "tui/panes/picture.h"

#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"

#define DECLARE(name, ...) extern const struct picture_ops name##_picture;
VIEW_LIST(NO_VIEW, NO_VIEW, DECLARE, NO_VIEW)
DECLARE(table)
#undef DECLARE

#define ROW(name, id, ...) [PICTURE_##id] = &name##_picture,
static const struct picture_ops *const pictures[PICTURE_COUNT] = {
    VIEW_LIST(NO_VIEW, NO_VIEW, ROW, NO_VIEW) ROW(table, TABLE)};
#undef ROW

const struct picture_ops *picture_get(int id)
{
    return pictures[id];
}

const struct picture_ops *picture_displayed(const struct app *a)
{
    return a->ui.picture && a->doc.result && a->ui.picture->fits(&a->doc) ? a->ui.picture : NULL;
}

/* Returns the displayed picture if it must be computed. */
static const struct picture_ops *stale_displayed(const struct app *a)
{
    const struct picture_ops *ops = a->ui.layout.tiny ? NULL : picture_displayed(a);

    return ops && ops->is_stale && ops->is_stale(a) ? ops : NULL;
}

const struct picture_ops *picture_stale(const struct app *a)
{
    const struct picture_ops *ops = stale_displayed(a);

    for (int i = 0; i < PICTURE_COUNT && !ops && !load_is_open(a) && figures_are_ready(a); i++)
        if (pictures[i]->is_made_ahead && pictures[i]->fits(&a->doc) && pictures[i]->is_stale(a))
            ops = pictures[i];
    return ops;
}

void picture_renew(struct app *a)
{
    if (stale_displayed(a))
        task_request(a, TASK_PICTURE);
}

void pictures_forget(struct ui *ui)
{
    for (int i = 0; i < PICTURE_COUNT; i++)
        pictures[i]->forget(ui);
}

void cmd_picture(struct app *a, int id)
{
    a->ui.focus = PANE_TREE;
    a->ui.picture = a->ui.picture == pictures[id] ? NULL : pictures[id];
    if (a->ui.picture && a->ui.picture->shown)
        a->ui.picture->shown(a);
    picture_renew(a);
}
