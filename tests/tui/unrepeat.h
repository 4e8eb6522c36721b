/* unrepeat.h: expands the terminal sequence REP, "repeat the last character N times". */
#pragma once

#include "base/strbuf.h"

/* State of the parser; zeroed at the start of a stream. */
struct unrepeat {
    char last;    /* last printed character */
    char seq[12]; /* sequence being read */
    size_t n_seq;
};

/* Appends BYTES to OUT with every ESC [ N b expanded: libvterm 0.1 puts the cursor beyond the last
 * column when such a run ends there. */
void unrepeat(struct unrepeat *u, const char *bytes, size_t len, struct strbuf *out);
