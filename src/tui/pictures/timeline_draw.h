/* timeline_draw.h: drawing of the timeline. */
#pragma once

#include "tui/app.h"

void timeline_draw(struct app *a);
