/* lanes_words.h: what the screen says of lanes over time, beside view/pictures/lanes_text.h. */
#ifndef TFPROF_TUI_PICTURES_LANES_WORDS_H
#define TFPROF_TUI_PICTURES_LANES_WORDS_H

#include "tui/app.h"

/* Each appends to SB; the picture has lanes. */

void lanes_add_ticks(const struct app *a, struct strbuf *sb, int64_t ticks);

/* What is under the cursor, for the status row; nothing without lanes. */
void lanes_status(struct app *a, struct strbuf *sb);

#endif
