/* overlay.c: the stack of overlays and common functions. */
#include "tui/dialogs/overlay.h"

#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/app.h"

void *overlay_open(struct app *a, const struct overlay_ops *ops, size_t bytes)
{
    struct overlay *o = xcalloc(1, bytes);

    o->ops = ops;
    o->below = a->ui.top;
    a->ui.top = o;
    return o;
}

void overlay_remove(struct app *a, struct overlay *o)
{
    for (struct overlay **at = &a->ui.top; *at; at = &(*at)->below)
        if (*at == o) {
            *at = o->below;
            if (o->ops->done)
                o->ops->done(o);
            EACH(free, o->needle, o);
            return;
        }
}

void overlay_scroll(struct overlay *o, struct area box, size_t at)
{
    o->page = box.rows;
    o->first_row = box.top;
    o->top = scroll_to(o->top, at, o->ops->n_entries(o), box.rows);
}

void overlay_move(struct overlay *o, struct app *a UNUSED, enum move move)
{
    o->at = move_index(move, o->at, o->ops->n_entries(o), o->page);
}

bool overlay_entry_at(const struct overlay *o, int row, size_t *at)
{
    const size_t i = o->top + (size_t)(row - o->first_row);

    if (row < o->first_row || row >= o->first_row + o->page || i >= o->ops->n_entries(o))
        return false;
    *at = i;
    return true;
}

bool overlay_offers(const struct app *a, enum overlay_offer offer)
{
    return a->ui.top &&
        !(a->ui.top->ops->idle && a->ui.top->ops->idle(a->ui.top) & (unsigned)offer);
}

struct area overlay_box(struct area screen, int rows, int cols, const char *title)
{
    const int height = rows + 2 < screen.rows ? rows + 2 : screen.rows;
    const int width = cols + 2 < screen.cols ? cols + 2 : screen.cols;
    struct area box = area_sub(screen, (screen.rows - height) / 2, (screen.cols - width) / 2,
                               height, width);

    for (int row = 0; row < height; row++)
        area_fill(box, row, 0, width, ' ', ROLE_TEXT);
    for (int side = 0; side < 2; side++) {
        area_fill(box, side * (height - 1), 0, width, 0x2500, ROLE_FRAME);
        for (int row = 1; row < height - 1; row++)
            area_fill(box, row, side * (width - 1), 1, 0x2502, ROLE_FRAME);
    }
    area_fill(box, 0, 0, 1, 0x250c, ROLE_FRAME);
    area_fill(box, 0, width - 1, 1, 0x2510, ROLE_FRAME);
    area_fill(box, height - 1, 0, 1, 0x2514, ROLE_FRAME);
    area_fill(box, height - 1, width - 1, 1, 0x2518, ROLE_FRAME);
    if (title && width > 6) {
        struct area head = area_sub(box, 0, 2, 1, width - 4);
        const int taken = area_printf(head, 0, 0, ROLE_TITLE, " %s", title);

        area_puts(head, 0, taken, " ", ROLE_TITLE);
    }
    return area_sub(box, 1, 1, height - 2, width - 2);
}

void overlay_draw_more(struct area screen, struct area box)
{
    if (screen.rows > 2)
        area_puts(area_sub(screen, box.top + box.rows - screen.top, box.left - screen.left, 1,
                           box.cols),
                  0, box.cols - 9, " more v ", ROLE_KEY);
}
