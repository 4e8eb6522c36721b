/* summary_text.h: the summary page. */
#ifndef TFPROF_TUI_SUMMARY_TEXT_H
#define TFPROF_TUI_SUMMARY_TEXT_H

#include "tui/app.h"

struct summary;

/* Opens the page. A task fills it. */
void summary_open(struct app *a);
/* Shows S on the page if it is still open. */
void summary_show(struct app *a, const struct summary *s);
/* Rewrites the page, if it is open, for another profile. */
void summary_renew(struct app *a);

#endif
