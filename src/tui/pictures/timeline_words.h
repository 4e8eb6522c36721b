/* timeline_words.h: text about the timeline on the screen, in addition to
 * view/pictures/timeline_text.h. */
#pragma once

#include "tui/app.h"

/* Append to SB; the picture must have tracks. */

void timeline_add_ticks(const struct ui *ui, struct strbuf *sb, int64_t ticks);

/* Appends the status row: the span or idle time under the cursor; nothing without tracks. */
void timeline_status(struct app *a, struct strbuf *sb);
