/* lanes_pane.h: what ran when on each thread and stream, in the place of the tree. */
#ifndef TFPROF_TUI_PICTURES_LANES_PANE_H
#define TFPROF_TUI_PICTURES_LANES_PANE_H

#include "tui/panes/pane.h"
#include "view/pictures/lanes.h"

/* A zeroed struct has seen nothing. */
struct lanes_pane {
    struct lanes *lanes; /* owned; of the profile that is seen; NULL: not there yet */
    enum lane_group_by by;
    size_t lane, top;    /* under the cursor; first in the window */
    int64_t at_ticks;    /* under the cursor */
    int64_t from_ticks, len_ticks; /* the window in time; 0 long: all */
    bool chooses_range;    /* from anchor_ticks to the cursor */
    int64_t anchor_ticks;
    node_id node;        /* whose spans are marked */
    bool goes_to_node;   /* the cursor is to go where it ran */
};

extern const struct pane lanes_pane;

bool lanes_pane_is_on(const struct app *a);
/* True when its lanes are those of other options than what is seen, or not there though they could. */
bool lanes_pane_is_stale(const struct app *a);
/* True when it is on and stale. */
bool lanes_pane_wants(const struct app *a);
/* Takes L (given), which is of what is seen. */
void lanes_pane_take(struct app *a, struct lanes *l);
/* Chooses no range any more; false when none was being chosen. */
bool lanes_pane_drop_range(struct app *a);
/* The profile that it was made of is gone. */
void lanes_pane_forget(struct lanes_pane *p);

#endif
