/* step_strip.h: what the steps took, as a line of blocks beside the step that is seen. */
#ifndef TFPROF_TUI_STEP_STRIP_H
#define TFPROF_TUI_STEP_STRIP_H

#include "base/strbuf.h"
#include "term/canvas.h"

struct app;

/* How many columns the strip has on a screen of SCREEN_COLS, one for each step or, where these are more than
 * it has room for, for neighbours together; 0: there is none, for there are no two steps. */
int step_strip_cols(const struct app *a, int screen_cols);
/* What is to be said behind it: how many steps are a column, how many are outliers (on a SHORT line, "2!").
 * Nothing while the times are not known. */
void step_strip_legend(const struct app *a, int cols, bool is_short, struct strbuf *sb);
/* Draws it from LEFT on; a click on a column shows its longest step. */
void step_strip_draw(struct app *a, struct area where, int row, int left, int cols);

#endif
