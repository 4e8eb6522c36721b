/* ui_state.h: what is kept of a profile's screen until the next time: view and
 * options, open rows, letter marks, and the history of prompts. */
#ifndef TFPROF_TUI_UI_STATE_H
#define TFPROF_TUI_UI_STATE_H

#include "session/command_line.h"
#include "tui/panes/folds.h"

struct app;
struct ui_state;

/* NULL when CL says --no-state. */
struct ui_state *ui_state_new(const struct command_line *cl);
void ui_state_free(struct ui_state *k);
/* Once a profile is there: sets marks, and view and options when none were
 * given on the command line. */
void ui_state_restore(struct app *a);
/* True when the next one has something to open. */
bool ui_state_has_folds(const struct app *a, enum view_id view);
/* Opens what was open in VIEW the last time, when its tree is first seen. */
void ui_state_open_folds(struct app *a, enum view_id view, const struct tree *t, struct folds *folds);
/* Reads the notes of the profile; those there were are forgotten. */
void ui_state_restore_notes(struct app *a);
/* Writes them at once; false with a note. */
bool ui_state_save_notes(const struct app *a, struct notes *notes);
/* Sets the marks of nodes that the graph alone did not have. */
void ui_state_restore_marks(struct app *a);
void ui_state_save(struct app *a);
/* Arranges the panes as they were the last time, whatever the profile. */
void ui_state_restore_panes(struct app *a);
/* What is saved from now on is of FILE. */
void ui_state_of_other(struct app *a, const char *file);
/* Adds a line to the history. */
void ui_state_remember(struct app *a, const char *line);
/* The line BACK steps ago (1: the last one); NULL when there is none. */
const char *ui_state_history(struct app *a, size_t back);
/* The folder, or NULL. */
const char *ui_state_dir(const struct app *a);

#endif
