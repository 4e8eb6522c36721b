/* list_search.h: finding an entry of an overlay's list by a part of its text. */
#ifndef TFPROF_TUI_LIST_SEARCH_H
#define TFPROF_TUI_LIST_SEARCH_H

#include <stdint.h>

#include "tui/dialogs/overlay.h"

/* Asks for what the entries of the top overlay are searched for, and goes to the first one that has
 * it while it is typed; nothing where the overlay has no list. */
void list_search_open(struct app *a);
/* Goes to the next entry of O that has what was searched for; false when KEY is not for that. */
bool list_search_key(struct overlay *o, struct app *a, uint32_t key);

#endif
