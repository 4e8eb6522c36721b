/* runs_menu.h: the list of runs of a log folder. Enter opens one. */
#pragma once

#include "load/runs.h"

struct app;

/* Shows the known runs of the last log folder, else of the folder around the displayed run. A
 * task updates them. */
void runs_menu_open(struct app *a, int arg);
/* True while the list is open. */
bool runs_menu_is_open(const struct app *a);
