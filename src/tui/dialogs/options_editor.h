/* options_editor.h: all options with their help; one at a time is edited,
 * with its effect shown before it is taken. */
#ifndef TFPROF_TUI_OPTIONS_EDITOR_H
#define TFPROF_TUI_OPTIONS_EDITOR_H

struct app;

/* Opens the editor at the option under the cursor; EDIT: with its line
 * open. */
void options_editor_open(struct app *a, int edit);
/* Rows it wants at the bottom of the panes; 0 when it is not open. */
int options_editor_rows(const struct app *a);

#endif
