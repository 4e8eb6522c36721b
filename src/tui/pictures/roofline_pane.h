/* roofline_pane.h: op types below their roofs, in the place of the tree. */
#ifndef TFPROF_TUI_PICTURES_ROOFLINE_PANE_H
#define TFPROF_TUI_PICTURES_ROOFLINE_PANE_H

#include "tui/panes/pane.h"
#include "view/pictures/roofline.h"

/* A zeroed struct has seen nothing. */
struct roofline_pane {
    struct roofline *roofline; /* owned; of the profile that is seen; NULL: not there yet */
    bool is_fresh;             /* it is of the result that is seen */
    strid op;                  /* under the cursor, if it has a point */
    size_t at;                 /* the point under the cursor */
};

extern const struct pane roofline_pane;

/* True when the picture is on and not of the result that is seen. */
bool roofline_pane_wants(const struct app *a);
/* Takes L (given), which is of what is seen. */
void roofline_pane_take(struct app *a, struct roofline *l);
/* Another result is seen: the picture is of the one before, until the next one is there. */
void roofline_pane_renew(struct roofline_pane *p);
/* The profile that it was made of is gone. */
void roofline_pane_forget(struct roofline_pane *p);

#endif
