/* verdict_text.h: the words of a verdict; private to activity. */
#ifndef TFPROF_ACTIVITY_VERDICT_TEXT_H
#define TFPROF_ACTIVITY_VERDICT_TEXT_H

#include "activity/verdict.h"

/* Sets name, percent, who, text and evidence of V, whose class, value and sums are set; SEL is at the
 * store that V is of. */
void verdict_add_words(struct verdict *v, const struct selection *sel);

#endif
