/* timeline_ruler.h: the rows above the tracks of the timeline. */
#ifndef TFPROF_TUI_PICTURES_TIMELINE_RULER_H
#define TFPROF_TUI_PICTURES_TIMELINE_RULER_H

#include "tui/app.h"

void timeline_ruler_draw(struct app *a, struct area where);

#endif
