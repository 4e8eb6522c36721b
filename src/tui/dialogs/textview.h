/* textview.h: lines to read and scroll through, some to follow. */
#ifndef TFPROF_TUI_TEXTVIEW_H
#define TFPROF_TUI_TEXTVIEW_H

#include "tui/panes/lines.h"
#include "tui/dialogs/overlay.h"

/* Opens a text; LINES (emptied) go to it.  With SELECTS a line is under the
 * cursor and Enter follows its link; else the text scrolls. */
void textview_open(struct app *a, const char *title, struct lines *lines, bool selects);

/* The lines of the text that was opened with this TITLE (the same pointer), to
 * be written again; NULL when it is closed. */
struct lines *textview_lines(struct app *a, const char *title);

/* Puts the cursor on LINE of the text that was just opened with this TITLE. */
void textview_point(struct app *a, const char *title, size_t line);

/* Follows a link: goes to a node, edits a source line, runs an action. */
void link_follow(struct app *a, struct link link);

#endif
