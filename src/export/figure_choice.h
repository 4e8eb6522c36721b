/* figure_choice.h: the one figure that a picture is made of. */
#ifndef TFPROF_EXPORT_FIGURE_CHOICE_H
#define TFPROF_EXPORT_FIGURE_CHOICE_H

#include "view/query.h"

/* The metric of outputs that show one figure: the only one selected.  -1 with
 * ERR (usage, what would work) when none or several are. */
int figure_choice(const char *output, const struct result *r, struct err *err);
/* The metric to size or colour by when several may be selected: the one that
 * orders the rows if it is selected, else the first column; -1 for none. */
int figure_main(const struct result *r);
/* The same for OUTPUT, which draws it; -1 with ERR (usage, what would work) when there is none, or
 * no step that it was measured in. */
int figure_to_draw(const char *output, const struct result *r, struct err *err);

/* PART of WHOLE, 0 to 1; 0 when that makes no sense. */
double figure_share(int64_t part, int64_t whole);

#endif
