/* roofline_draw.h: the cells of the roofline plot. */
#pragma once

#include "tui/app.h"

void roofline_draw(struct app *a);
/* The point nearest to a cell of the tree's area. There must be a point. */
size_t roofline_nearest(const struct ui *ui, int row, int col);
