/* undo.h: states of the screen before each change. */
#pragma once

#include "tui/nav.h"
#include "tui/rows/rowmap.h"

struct app;

/* Saves the current state before a change and drops undone states. */
void undo_remember(struct app *a);
/* Goes back (-1) or forward (1). False if there is no state. */
bool undo_step(struct app *a, int direction);
/* Goes to state S (borrowed), as a change that can be undone. */
void undo_go(struct app *a, const struct snapshot *s);
/* Goes back and drops the state that was left. */
void undo_drop(struct app *a);
/* Drops the pending state, whose query failed or was cancelled. */
void undo_abandon(struct app *a);
/* Restores cursor and folds when the pending state's result is displayed. False: none pending. */
bool undo_restore_pending(struct app *a);
/* The folds of VIEW in the pending state, borrowed; NULL: none, or of another tree. */
struct folds *undo_pending_folds(const struct app *a, enum view_id view);
/* Appends the difference between A and B: "-min_micros 300", "view code", "folds". */
void undo_difference(struct strbuf *sb, const struct snapshot *a, const struct snapshot *b);
/* The current state; free with undo_forget(). */
struct snapshot undo_snapshot(struct app *a);
void undo_forget(struct snapshot *s);
/* Maps trees, folds and rows of all states by MAPS [VIEW_COUNT]. */
void undo_remap(struct undo *u, const struct rowmap *maps);
/* As undo_remap() for one state. */
void undo_remap_state(struct snapshot *s, const struct rowmap *maps);
/* Sets OPTION to its value in FROM in all states, because undo does not change what is loaded. */
void undo_set_option(struct undo *u, const struct option *option, const struct options *from);
void undo_done(struct undo *u);
