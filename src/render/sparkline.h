/* sparkline.h: figures in a row of characters, as high as they are large. */
#ifndef TFPROF_RENDER_SPARKLINE_H
#define TFPROF_RENDER_SPARKLINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Appends N figures as blocks of eight heights, one cell each, the highest for the largest figure;
 * what is not above 0 is a blank.  More than CELLS, at least one, are joined with their
 * neighbours: the largest of them counts. */
void sparkline_add(struct strbuf *sb, const int64_t *values, size_t n, size_t cells);
/* The cell of figure I of N, of CELLS. */
size_t sparkline_cell(size_t i, size_t n, size_t cells);

#endif
