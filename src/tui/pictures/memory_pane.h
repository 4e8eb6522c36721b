/* memory_pane.h: memory in use over time and what is live at a time, in the place of the tree. */
#ifndef TFPROF_TUI_PICTURES_MEMORY_PANE_H
#define TFPROF_TUI_PICTURES_MEMORY_PANE_H

#include "tui/panes/pane.h"
#include "view/pictures/memory_picture.h"

/* A zeroed struct has seen nothing. */
struct memory_pane {
    struct memory_picture *picture; /* owned; of the profile that is seen; NULL: not there yet */
    int at;                         /* slice of the plot; MEMORY_AT_PEAK */
    size_t curve;
    enum memory_group by;
    size_t row, top; /* of the rows: under the cursor, first in the window */
};

extern const struct pane memory_pane;

/* What the picture is wanted to be of; false: it is not on, or it is that. */
bool memory_pane_wants(const struct app *a, struct memory_question *q);
/* Takes M (given), which is of what is seen. */
void memory_pane_take(struct app *a, struct memory_picture *m);
/* The profile that it was made of is gone. */
void memory_pane_forget(struct memory_pane *p);

#endif
