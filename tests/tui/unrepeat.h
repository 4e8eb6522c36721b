/* unrepeat.h: writes out "the last character N times more". */
#ifndef TFPROF_TESTS_UNREPEAT_H
#define TFPROF_TESTS_UNREPEAT_H

#include "base/strbuf.h"

/* Where in the stream we are; a zeroed one is at its start. */
struct unrepeat {
    char last;    /* character printed last */
    char seq[12]; /* the sequence being read */
    size_t n_seq;
};

/* Appends BYTES to OUT with every ESC [ N b written out: libvterm 0.1 leaves
 * the cursor beyond the last column when such a run ends there. */
void unrepeat(struct unrepeat *u, const char *bytes, size_t len, struct strbuf *out);

#endif
