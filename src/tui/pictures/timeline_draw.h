/* timeline_draw.h: drawing of the timeline. */
#ifndef TFPROF_TUI_PICTURES_TIMELINE_DRAW_H
#define TFPROF_TUI_PICTURES_TIMELINE_DRAW_H

#include "tui/app.h"

void timeline_draw(struct app *a);

#endif
