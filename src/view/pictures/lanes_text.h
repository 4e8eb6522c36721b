/* lanes_text.h: lanes of what ran when in words: their names, and what nothing overlapped. */
#ifndef TFPROF_VIEW_PICTURES_LANES_TEXT_H
#define TFPROF_VIEW_PICTURES_LANES_TEXT_H

#include "view/pictures/lanes.h"

/* Each appends to SB, names escaped for people. */

/* "1.72sec" for TICKS of the clock of L. */
void lanes_time(const struct lanes *l, struct strbuf *sb, int64_t ticks);
/* "cpu:0 #1", "gpu:0 stream 7", "rank 3 cpu:0 MainThread": of a device the last part tells. */
void lane_name(const struct lanes *l, struct strbuf *sb, const struct span_lane *lane);
/* "input bound: 610ms before the first Conv2D", or what else nothing overlapped, if anything. */
void lanes_alone_text(const struct lanes *l, struct strbuf *sb);

#endif
