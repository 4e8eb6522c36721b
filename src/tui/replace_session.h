/* replace_session.h: another profile in place of the one that is seen, under the hands
 * of the person: cursor, open rows, marks, places, search and undo stay. */
#ifndef TFPROF_TUI_REPLACE_SESSION_H
#define TFPROF_TUI_REPLACE_SESSION_H

#include "tui/panes/rowmap.h"

struct app;

/* Shows RESULT (given) of a->incoming, which becomes the session: a node of the old
 * one that it has, has the same id.  MAPS [VIEW_COUNT] lead from the
 * trees seen to the new ones. */
void replace_session(struct app *a, const struct rowmap *maps, struct result *result);

#endif
