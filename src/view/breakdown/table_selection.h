/* table_selection.h: selects the events of a table by its options. */
#pragma once

#include "activity/selection.h"
#include "activity/table.h"

/* Sets WANTED to the selection of -step, -rank, -device_regexes and -time_range. The average over
 * steps selects all of them. False with ERR: no such step or rank, or cancelled. */
bool table_get_selection(struct selection_request *wanted, const struct table_request *request,
                 struct err *err);
/* Opens SEL with this selection. False with ERR: invalid regex, no such step or rank, or cancelled;
 * otherwise free with selection_done(). */
bool table_select(struct selection *sel, const struct table_request *request, struct err *err);
