/* glyph.h: ASCII replacements for the glyphs that panes draw. */
#ifndef TFPROF_TUI_GLYPH_H
#define TFPROF_TUI_GLYPH_H

#include "term/canvas.h"

/* Replaces all non-ASCII characters on C. A wide character becomes its replacement and a space. */
void glyph_ascii_canvas(struct canvas *c);

#endif
