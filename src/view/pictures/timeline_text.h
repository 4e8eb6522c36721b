/* timeline_text.h: text for tracks of a timeline: their names, and time that nothing overlapped. */
#pragma once

#include "activity/verdict.h"
#include "view/pictures/timeline.h"

/* Each function appends to SB; names are escaped for display. */

/* Appends "1.72sec" for TICKS of the clock of L. */
void timeline_time(const struct timeline *l, struct strbuf *sb, int64_t ticks);
/* Appends the name of a span of track AT; kernels have short names. */
void timeline_name(const struct timeline *l, size_t at, struct strbuf *sb, strid name);
/* Appends "cpu:0 #1", "gpu:0 stream 7" or "rank 3 cpu:0 MainThread": the last component of the
 * device, and the thread or stream. */
void timeline_track_name(const struct timeline *l, struct strbuf *sb, const struct timeline_track *track);
/* Appends "input bound: 610ms before the first Conv2D" or other time without overlap, if
 * notable. */
void timeline_alone_text(const struct timeline *l, struct strbuf *sb);

/* As verdict_make() over all steps and ranks. A run without device work has as text that of its
 * timeline for the step of OPTIONS: "step 3  input bound: ...". */
bool verdict_make_of_run(struct verdict *v, const struct profile *p, const struct options *options,
                         struct cancel_mark cancel, struct err *err);
/* False only if verdict_make_of_run() has no text for P. Constant time. */
bool verdict_is_likely(const struct profile *p);
