/* replace_session.h: replaces the displayed profile. Cursor, open rows, marks, places, search
 * and undo are kept. */
#pragma once

#include "tui/rows/rowmap.h"

struct app;

/* Displays RESULT (given) of the incoming session, which becomes the session. MAPS [VIEW_COUNT]
 * map the displayed trees to the new ones. */
void replace_session(struct app *a, const struct rowmap *maps, struct result *result);
