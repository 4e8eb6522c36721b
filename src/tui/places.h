/* places.h: places to come back to: the jump list, marks with a letter, and
 * marked rows. */
#ifndef TFPROF_TUI_PLACES_H
#define TFPROF_TUI_PLACES_H

#include "base/vec.h"
#include "tui/panes/rowmap.h"
#include "tui/tasks/tasks.h"

struct place {
    bool set;
    enum view_id view;
    row_id row;
    node_id node; /* finds the row again when the tree is another one */
};

struct snapshot;

/* A place of the jump list. */
struct jump {
    struct place place;
    struct snapshot *state; /* the whole screen, where one drilled; NULL: the place alone */
};

enum { PLACE_LETTERS = 26, PLACES_MAX = 200 };

struct places {
    VEC(struct jump) jumps;
    size_t at; /* index in jumps; jumps.n: behind the newest */
    struct place letters[PLACE_LETTERS];
    VEC(struct place) marked;
};

/* The place of the cursor. */
struct place place_here(struct app *a);
/* Its row in the tree T of its view; 0 when there is none any more. */
row_id place_row(struct place place, const struct tree *t);
/* Goes there, changing the view if need be. */
void place_go(struct app *a, struct place place);
/* Remembers the present place before a jump. */
void places_jump(struct app *a);
/* The same before options change for a look at one row: what is come back to is the screen as
 * it is now, options and folds included. */
void places_drill(struct app *a);
/* Back (-1) or forward (1) in the jump list; false at its end. */
bool places_travel(struct app *a, int direction);
/* Marks the row under the cursor or takes its mark away. */
void places_toggle_mark(struct app *a);
bool places_is_marked(const struct app *a, enum view_id view, row_id row);
/* Lead rows over MAPS [VIEW_COUNT]. */
void place_remap(struct place *place, const struct rowmap *maps);
void places_remap(struct places *p, const struct rowmap *maps);
/* The same without the states that jumps come back to, which have trees of their own. */
void places_remap_rows(struct places *p, const struct rowmap *maps);
void places_done(struct places *p);

#endif
