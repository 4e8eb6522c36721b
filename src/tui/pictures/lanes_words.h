/* lanes_words.h: what is said of lanes over time. */
#ifndef TFPROF_TUI_PICTURES_LANES_WORDS_H
#define TFPROF_TUI_PICTURES_LANES_WORDS_H

#include "tui/app.h"

/* Each appends to SB; the picture has lanes. */

void lanes_add_ticks(const struct app *a, struct strbuf *sb, int64_t ticks);
/* "cpu:0 #1", "gpu:0 stream 7", "rank 3 cpu:0 MainThread": of a device the last part tells. */
void lanes_add_name(const struct app *a, struct strbuf *sb, const struct span_lane *lane);
/* "input bound: 610ms before the first Conv2D", or what else nothing overlapped. */
void lanes_add_alone(const struct app *a, struct strbuf *sb);

/* What is under the cursor, for the status row; nothing without lanes. */
void lanes_status(struct app *a, struct strbuf *sb);

#endif
