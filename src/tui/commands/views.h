/* views.h: the list of views: tree views, pictures and tables, each by its action. */
#pragma once

#include "tui/action.h"

struct view_tab {
    const char *action; /* name */
    const char *narrow; /* label on narrow screens; NULL: the name */
};

#define ONE(...) +1
/* The first VIEW_TABS entries have a tab; all are in the menu. Terminated by a NULL action. */
enum { VIEW_TABS = TAB_LIST(ONE, ONE, ONE, ONE) };
#undef ONE
extern const struct view_tab view_list[];

/* True while ACTION's view is displayed. */
bool view_is_on(const struct app *a, const struct action *action);
/* Returns from a picture or table to the tree, but stays in the flame graph, which is another form
 * of the tree. False when nothing changed. */
bool views_leave_picture(struct app *a);
