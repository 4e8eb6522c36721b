/* keep.h: what is kept of a profile's screen until the next time: view and
 * options, open rows, letter marks, and the history of prompts. */
#ifndef TFPROF_TUI_KEEP_H
#define TFPROF_TUI_KEEP_H

#include "session/command_line.h"
#include "tui/panes/folds.h"

struct app;
struct keep;

/* NULL when CL says --no-state. */
struct keep *keep_new(const struct command_line *cl);
void keep_free(struct keep *k);
/* Once a profile is there: sets marks, and view and options when none were
 * given on the command line. */
void keep_restore(struct app *a);
/* Opens what was open in VIEW the last time, when its tree is first seen. */
void keep_open_folds(struct app *a, enum view_id view, const struct tree *t, struct folds *folds);
/* Sets the marks of nodes that the graph alone did not have. */
void keep_restore_marks(struct app *a);
void keep_save(struct app *a);
/* Adds a line to the history. */
void keep_remember(struct app *a, const char *line);
/* The line BACK steps ago (1: the last one); NULL when there is none. */
const char *keep_history(struct app *a, size_t back);
/* The folder, or NULL. */
const char *keep_dir(const struct app *a);

#endif
