/* note_summary.h: what a report of notes says of a comparison. */
#ifndef TFPROF_SESSION_NOTE_SUMMARY_H
#define TFPROF_SESSION_NOTE_SUMMARY_H

#include "session/words.h"
#include "view/query.h"

/* Adds to LINES what R compares, one line for each selected figure of the root, and what is noted
 * of the comparison; nothing when R compares nothing.  Makes figures that are missing. */
void note_summary(struct words *lines, struct result *r);

#endif
