/* options_editor.h: all options with their help. One is edited at a time, with a preview of its
 * effect. */
#ifndef TFPROF_TUI_OPTIONS_EDITOR_H
#define TFPROF_TUI_OPTIONS_EDITOR_H

struct app;

/* Opens the editor at the selected option; with EDIT, opens its line. */
void options_editor_open(struct app *a, int edit);
/* Rows that it needs at the bottom of the panes; 0 if it is closed. */
int options_editor_rows(const struct app *a);

#endif
