/* timeline_search.h: searching for names in time. */
#pragma once

#include "tui/app.h"

/* Updates the matches of the search, if they are known. */
void timeline_count_matches(struct app *a);
/* See struct picture_ops. */
void timeline_find(struct app *a, int direction);
void timeline_find_begins(struct app *a);
