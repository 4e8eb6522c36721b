/* timeline_window.h: the window in time of the timeline. */
#pragma once

#include "tui/app.h"

/* Sets the window to LEN_TICKS from FROM_TICKS, within the step. A column has at least one tick. */
void timeline_set_window(struct ui *ui, int64_t from_ticks, int64_t len_ticks);
/* Moves the window so that the cursor is not at its border. */
void timeline_follow(struct app *a);
