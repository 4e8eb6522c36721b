/* glyph.h: the glyphs panes draw with and their ASCII stand-ins. */
#ifndef TFPROF_TUI_GLYPH_H
#define TFPROF_TUI_GLYPH_H

#include "term/canvas.h"

/* Replaces all that is not ASCII on C by its stand-in; what is two columns
 * wide becomes one stand-in and a space. */
void glyph_ascii_canvas(struct canvas *c);

#endif
