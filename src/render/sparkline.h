/* sparkline.h: a series of values as block characters. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

/* Appends N values as blocks of eight heights, one cell each, scaled to the largest value; values
 * <= 0 are blanks.  With more values than CELLS (at least 1) neighbours share a cell, which shows
 * their maximum. */
void sparkline_add(struct strbuf *sb, const int64_t *values, size_t n, size_t cells);
/* The cell, of CELLS, of value I of N. */
size_t sparkline_cell(size_t i, size_t n, size_t cells);
