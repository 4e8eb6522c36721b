/* menu.h: a list to choose from, or to tick. */
#ifndef TFPROF_TUI_MENU_H
#define TFPROF_TUI_MENU_H

#include "base/vec.h"
#include "tui/dialogs/overlay.h"

struct menu_item {
    char *label;
    char *note;     /* dimmed, at the right; NULL: none */
    char *disabled; /* why it cannot be chosen; NULL: it can */
    bool checked;
    intptr_t value; /* the caller's */
};

struct menu {
    struct overlay overlay;
    const char *title; /* static */
    VEC(struct menu_item) items;
    size_t at, top;
    int page; /* rows seen at the last drawing */
    int first_row, left; /* of the items, at the last drawing */
    bool checklist; /* Space ticks; Enter takes them all */
    /* Enter on an item.  The menu is gone when this runs, VALUE is the item's;
     * of a checklist it is still there and goes afterwards. */
    void (*choose)(struct app *a, intptr_t value);
    void (*choose_all)(struct app *a, struct menu *m);
};

/* An empty menu on top of the screen; it belongs to A. */
struct menu *menu_open(struct app *a, const char *title,
                       void (*choose)(struct app *a, intptr_t value));
/* Adds an item; the texts are copied. */
struct menu_item *menu_add(struct menu *m, intptr_t value, const char *label, const char *note);
/* O as a menu; NULL when it is none. */
struct menu *menu_from(struct overlay *o);
/* Puts the cursor on the item of VALUE. */
void menu_point(struct menu *m, intptr_t value);

#endif
