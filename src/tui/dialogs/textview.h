/* textview.h: a scrolled text, some of whose lines are links. */
#pragma once

#include "tui/dialogs/overlay.h"
#include "tui/lines.h"

/* Opens a text with LINES (consumed). With SELECTS a line is selected and Enter follows its
 * link; else the text scrolls. */
void textview_open(struct app *a, const char *title, struct lines *lines, bool selects);

/* The lines of the open text with this TITLE (same pointer), to be rewritten; NULL if closed. */
struct lines *textview_lines(struct app *a, const char *title);

/* Selects LINE of the open text with this TITLE. */
void textview_point(struct app *a, const char *title, size_t line);

/* Follows LINK: goes to a node, edits a source line, or runs an action. */
void link_follow(struct app *a, struct link link);
