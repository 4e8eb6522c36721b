/* dump.h: a screen as lines of text, for tests that compare it. */
#ifndef TFPROF_TUI_DUMP_H
#define TFPROF_TUI_DUMP_H

#include "base/strbuf.h"
#include "term/canvas.h"

/* Appends C as text: the size, the rows of characters, the rows of role
 * letters (in both, blanks in ROLE_TEXT at the end of a row are cut), the
 * cursor, and MODES, words about the terminal ("alt mouse paste"; NULL: no
 * such line). */
void canvas_dump(struct strbuf *sb, const struct canvas *c, const char *modes);
/* Appends the characters of one row, cut at the end like a dump's. */
void canvas_dump_row(struct strbuf *sb, const struct canvas *c, int row);

#endif
