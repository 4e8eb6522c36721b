/* listed_runs.h: the runs of a log folder that were listed last. */
#ifndef TFPROF_TUI_LISTED_RUNS_H
#define TFPROF_TUI_LISTED_RUNS_H

#include "load/runs.h"

/* The last list; zeroed: none. */
struct listed_runs {
    char *folder; /* heap */
    struct log_runs runs;
    size_t n_counted; /* number of runs, from the first, whose steps are counted or cannot be */
    bool is_old;      /* it must be read again */
};

void listed_runs_done(struct listed_runs *listed);

#endif
