/* summary_text.h: what was read, and what is in it. */
#ifndef TFPROF_TUI_SUMMARY_TEXT_H
#define TFPROF_TUI_SUMMARY_TEXT_H

#include "tui/app.h"

struct summary;

/* Opens the page; what it says follows. */
void summary_open(struct app *a);
/* Puts S on the page, if it is (still) open. */
void summary_show(struct app *a, const struct summary *s);
/* The profile is another one: the page, if it is open, is written again. */
void summary_renew(struct app *a);

#endif
