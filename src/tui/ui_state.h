/* ui_state.h: saved state of a profile's screen: view and options, open rows, letter marks,
 * history of prompts. */
#pragma once

#include "session/command_line.h"
#include "tui/rows/folds.h"

struct app;
struct ui_state;

/* NULL if CL has --no-state. */
struct ui_state *ui_state_new(const struct command_line *cl);
void ui_state_free(struct ui_state *k);
/* Restores marks when a profile is loaded, and view and options if the command line has none. */
void ui_state_restore(struct app *a);
/* True when rows of VIEW were open. */
bool ui_state_has_folds(const struct app *a, enum view_id view);
/* Opens the saved open rows of VIEW when its tree is first displayed. */
void ui_state_open_folds(struct app *a, enum view_id view, const struct tree *t, struct folds *folds);
/* Reads the notes of the profile and replaces the present ones. */
void ui_state_restore_notes(struct app *a);
/* Writes the notes at once. False with a note. */
bool ui_state_save_notes(const struct app *a, struct notes *notes);
/* Restores marks of nodes that the graph alone did not have. */
void ui_state_restore_marks(struct app *a);
void ui_state_save(struct app *a);
/* Restores the layout of the panes, for all profiles. */
void ui_state_restore_panes(struct app *a);
/* Saves the state of FILE from now on. */
void ui_state_switch_file(struct app *a, const char *file);
/* Adds LINE to the history. */
void ui_state_remember(struct app *a, const char *line);
/* The line BACK entries ago (1: the last one); NULL if there is none. */
const char *ui_state_history(struct app *a, size_t back);
/* The folder of saved state, or NULL. */
const char *ui_state_dir(const struct app *a);
