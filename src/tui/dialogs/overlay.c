/* overlay.c: the stack of overlays and common functions. */
#include "tui/dialogs/overlay.h"

#include <stdlib.h>

#include "tui/app.h"

void overlay_push(struct app *a, struct overlay *o)
{
    o->below = a->ui.top;
    a->ui.top = o;
}

void overlay_pop(struct app *a)
{
    struct overlay *o = a->ui.top;

    if (!o)
        return;
    a->ui.top = o->below;
    free(o->needle);
    o->ops->free(o);
}

void overlay_remove(struct app *a, struct overlay *o)
{
    for (struct overlay **at = &a->ui.top; *at; at = &(*at)->below)
        if (*at == o) {
            *at = o->below;
            free(o->needle);
            o->ops->free(o);
            return;
        }
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
