/* timeline_ruler.h: the rows above the tracks of the timeline. */
#pragma once

#include "tui/app.h"

void timeline_ruler_draw(struct app *a, struct area where);
