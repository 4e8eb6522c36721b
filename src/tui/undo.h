/* undo.h: what the screen was before each change. */
#ifndef TFPROF_TUI_UNDO_H
#define TFPROF_TUI_UNDO_H

#include "base/vec.h"
#include "tui/panes/rowmap.h"
#include "tui/tasks/tasks.h"

struct app;

/* One state of the screen. */
struct snapshot {
    struct spec spec;
    bool reverse;
    struct tree *tree;   /* with a reference; NULL before the first result */
    struct folds *folds; /* of that tree */
    row_id cursor;
    size_t top;
};

enum { UNDO_MAX = 500 };
typedef VEC(struct snapshot) snapshot_list;

/* A zeroed struct is empty and ready. */
struct undo {
    snapshot_list past;   /* oldest first */
    snapshot_list future; /* the next to redo last */
    struct snapshot pending; /* to be restored when its result is there */
    bool is_pending;
    int n_steps; /* from what is seen to what is coming: back is negative */
};

/* Remembers the present before a change; what was undone is forgotten. */
void undo_remember(struct app *a);
/* Steps back (-1) or forward (1); false when there is nothing. */
bool undo_step(struct app *a, int direction);
/* Goes to the state S (borrowed), as a change that can be undone. */
void undo_go(struct app *a, const struct snapshot *s);
/* Steps back for good: what was left is not kept for redo. */
void undo_drop(struct app *a);
/* What is coming will not come (cancelled, failed): back to what is seen. */
void undo_abandon(struct app *a);
/* Puts cursor and folds of a restored state in place, once its result is
 * shown; false when none is awaited. */
bool undo_restore_pending(struct app *a);
/* The folds that it will put in place in VIEW, borrowed; NULL: it will not, or those of another
 * tree. */
struct folds *undo_coming_folds(const struct app *a, enum view_id view);
/* Appends what changed between A and B: "-min_micros 300", "view code",
 * "folds". */
void undo_difference(struct strbuf *sb, const struct snapshot *a, const struct snapshot *b);
/* The present as a snapshot; free with undo_forget(). */
struct snapshot undo_snapshot(struct app *a);
void undo_forget(struct snapshot *s);
/* Leads the trees, folds and rows of all states over MAPS [VIEW_COUNT]. */
void undo_remap(struct undo *u, const struct rowmap *maps);
/* The same for one state. */
void undo_remap_state(struct snapshot *s, const struct rowmap *maps);
/* Gives OPTION the value it has in FROM in all states: what was opened stays open
 * whatever is undone, since it is part of what is loaded. */
void undo_set_option(struct undo *u, const struct option *option, const struct options *from);
void undo_done(struct undo *u);

#endif
