/* first_options.h: what the screen shows of a profile where the user said nothing. */
#ifndef TFPROF_SESSION_FIRST_OPTIONS_H
#define TFPROF_SESSION_FIRST_OPTIONS_H

#include "model/profile.h"
#include "opt/options.h"
#include "session/words.h"

/* The metrics that have a figure for any node of P (bits of field_set).  Operations that are
 * not counted yet are taken to be there when the graph says what its nodes compute.  One look
 * at all nodes where a metric has none: not for the screen's thread. */
field_set first_figures(const struct profile *p);

/* Sets -select, -order_by and -max_depth in O, each where SAID does not name it, for a profile
 * with the metrics FIGURES: the time of runs, else parameters, and operations; largest first;
 * all levels.  With RUNS_COME a run is still being read, whose time will be there. */
void first_options(struct options *o, const struct words *said, field_set figures,
                   bool runs_come);

/* True for the options that first_options() sets. */
bool option_is_first(const struct option *opt);

#endif
