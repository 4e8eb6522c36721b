/* step_strip.h: the duration of each step as a line of blocks. */
#ifndef TFPROF_TUI_STEP_STRIP_H
#define TFPROF_TUI_STEP_STRIP_H

#include "base/strbuf.h"
#include "term/canvas.h"

struct app;
struct doc;

/* Number of columns of the strip on a screen of SCREEN_COLS: one for each step, or fewer with
 * several steps a column; 0 for fewer than two steps. */
int step_strip_cols(const struct doc *doc, int screen_cols);
/* Appends the legend: steps for each column, number of outliers (SHORT: "2!"). Nothing until the
 * times are known. */
void step_strip_legend(const struct doc *doc, int cols, bool is_short, struct strbuf *sb);
/* Draws the strip from LEFT on. A click on a column shows its longest step. */
void step_strip_draw(struct app *a, struct area where, int row, int left, int cols);

#endif
