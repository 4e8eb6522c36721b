/* icicle_pane.h: the rows of the tree as an icicle plot, in the place of the tree. */
#ifndef TFPROF_TUI_PICTURES_ICICLE_PANE_H
#define TFPROF_TUI_PICTURES_ICICLE_PANE_H

#include "tui/panes/pane.h"
#include "view/pictures/icicle.h"

/* A zeroed struct has seen nothing. */
struct icicle_pane {
    struct icicle icicle;
    const struct result *result; /* that it is of; NULL: to be made again */
    struct tree *tree;           /* with a reference; whose rows `zooms` has */
    VEC(row_id) zooms;           /* what the picture is of, and before that; empty: the root */
    int top;                     /* the first level in the window */
};

extern const struct pane icicle_pane;

/* The result that it was made of is gone. */
void icicle_pane_forget(struct icicle_pane *p);
void icicle_pane_done(struct icicle_pane *p);
/* Shows what was seen before the last zoom; false when there was none. */
bool icicle_pane_unzoom(struct app *a);

#endif
