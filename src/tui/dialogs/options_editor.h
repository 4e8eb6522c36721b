/* options_editor.h: dialogs: the editor of all options, which previews the effect of the one that is
 * edited; export, keys, the external editor. */
#pragma once

#include "tui/app.h"

/* Opens the editor at the selected option; with EDIT, opens its line. */
void options_editor_open(struct app *a, int edit);
/* Rows that it needs at the bottom of the panes; 0 if it is closed. */
int options_editor_rows(const struct app *a);

/* Sets the selected option to its default. */
void option_reset_selected(struct app *a, int arg);

/* Exports the displayed rows, or more, to a file. */
void export_dialog_open(struct app *a, int arg);

/* Adds the most used keys of CONTEXT, a pane, and the signs of rows, on one page. */
void help_page(struct app *a, struct lines *l, unsigned context);
/* Adds all keys of CONTEXT by group. Each line is a link that runs its action. */
void help_lines(struct app *a, struct lines *l, unsigned context);

/* Opens the file of FRAME at its line. */
void editor_open(struct app *a, const struct frame *frame);

/* Shows the keys that may follow KEY. The next key chooses one. */
void prefix_open(struct app *a, uint32_t key);
/* Waits for a letter a-z and calls FN with it. Any other key cancels. */
void letter_open(struct app *a, const char *title, void (*fn)(struct app *a, int letter));
