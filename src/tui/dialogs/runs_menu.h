/* runs_menu.h: the runs of a log folder as a list, of which Enter opens one. */
#ifndef TFPROF_TUI_RUNS_MENU_H
#define TFPROF_TUI_RUNS_MENU_H

#include "load/runs.h"

struct app;

/* The list that was seen last; zeroed: none. */
struct runs_seen {
    char *folder; /* heap */
    struct log_runs runs;
    size_t n_counted; /* the first ones, whose steps have been counted or cannot be */
    bool is_old;      /* it is to be made again */
};

/* Shows the RUNS (taken) of FOLDER. */
void runs_menu_show(struct app *a, const char *folder, struct log_runs *runs);
/* Shows the runs of the log folder that was listed last, else of the one around what is seen, as
 * they are known; how they are now is found out beside the screen. */
void runs_menu_open(struct app *a);
/* Takes RUNS, where they are not those known, as those there are now. */
void runs_menu_renew(struct app *a, struct log_runs *runs);
/* Takes N_STEPS, which were counted, as those of the next run, and shows them. */
void runs_menu_counted(struct app *a, int64_t n_steps);
/* True while the list is on the screen. */
bool runs_menu_is_open(const struct app *a);
void runs_seen_done(struct runs_seen *seen);

#endif
