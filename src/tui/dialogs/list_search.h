/* list_search.h: searches an overlay's list for part of an entry. */
#pragma once

#include <stdint.h>

#include "tui/dialogs/overlay.h"

/* Opens a prompt that moves to the first matching entry of the top overlay while text is typed.
 * Does nothing if the overlay has no list. */
void list_search_open(struct app *a);
/* Moves to the next matching entry of O. False if KEY does not repeat a search. */
bool list_search_key(struct overlay *o, struct app *a, uint32_t key);
