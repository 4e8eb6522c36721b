/* dump.h: rows of a canvas as text. */
#ifndef TFPROF_TUI_DUMP_H
#define TFPROF_TUI_DUMP_H

#include "base/strbuf.h"
#include "term/canvas.h"

/* Appends the characters of one row, without blanks at its end. */
void canvas_dump_row(struct strbuf *sb, const struct canvas *c, int row);

#endif
