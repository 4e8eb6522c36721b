/* verdict_row.h: the row of the header that says what limits the run. */
#ifndef TFPROF_TUI_VERDICT_ROW_H
#define TFPROF_TUI_VERDICT_ROW_H

struct app;

/* Draws the verdict with a bar for each device, as many as fit. The key of the view that explains
 * it stands at the end. Nothing without a verdict. */
void verdict_row_draw(struct app *a);

#endif
