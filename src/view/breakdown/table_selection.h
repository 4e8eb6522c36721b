/* table_selection.h: the events that a table is about, by its options. */
#pragma once

#include "activity/selection.h"
#include "activity/table.h"

/* Sets WANTED to what -step, -rank, -device_regexes and -time_range select; the average of steps, which
 * has no events of its own, is all of them.  False with ERR: a step or rank that is not there,
 * cancelled. */
bool table_wants(struct selection_request *wanted, const struct table_request *request,
                 struct err *err);
/* Opens SEL with that.  SEL needs selection_done() unless this is false with ERR: a bad
 * regex, a step or rank that is not there, cancelled. */
bool table_select(struct selection *sel, const struct table_request *request, struct err *err);
