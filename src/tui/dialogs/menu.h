/* menu.h: a list of choices or a checklist. */
#pragma once

#include "base/vec.h"
#include "tui/dialogs/overlay.h"

struct menu_item {
    char *label;
    char *note;     /* dimmed, on the right; NULL: none */
    char *disabled; /* why it cannot be chosen; NULL: it can */
    bool checked;
    intptr_t value; /* for the caller */
};

struct menu {
    struct overlay overlay;
    const char *title; /* static */
    VEC(struct menu_item) items;
    bool checklist; /* Space toggles an item; Enter accepts all */
    /* Enter on an item with VALUE. A menu is closed before; a checklist is closed afterwards. */
    void (*choose)(struct app *a, intptr_t value);
    void (*choose_all)(struct app *a, struct menu *m);
};

/* Opens an empty menu, owned by A. */
struct menu *menu_open(struct app *a, const char *title,
                       void (*choose)(struct app *a, intptr_t value));
/* Adds an item. The texts are copied. */
struct menu_item *menu_add(struct menu *m, intptr_t value, const char *label, const char *note);
/* O as a menu; NULL if it is none. */
struct menu *menu_from(struct overlay *o);
/* Moves the cursor to the item of VALUE. */
void menu_point(struct menu *m, intptr_t value);
