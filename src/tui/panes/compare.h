/* compare.h: the view beside that of another step or another profile. */
#ifndef TFPROF_TUI_COMPARE_H
#define TFPROF_TUI_COMPARE_H

#include "session/session.h"
#include "tui/panes/rowmap.h"

struct app;

/* A zeroed struct: nothing is compared. */
struct compare {
    bool on;
    char *name;              /* "step 2", "old.pb": what with */
    int64_t step;            /* of this profile; of another one the step seen */
    struct session *session; /* the other profile, NULL: this one */
    struct words files;      /* of it, until it is loaded */
    struct result *base;     /* the same view of it; NULL: not there yet */
    struct rowmap rows;      /* from the result's to its */
    const struct result *made_for;
};

/* Compares with STEP of the same profile. */
void compare_step(struct app *a, int64_t step);
/* Compares with the profile in FILES, words as on the command line. */
void compare_files(struct app *a, const char *files);
void compare_stop(struct app *a);
/* Forgets the rows compared with, which are made again for what is seen. */
void compare_forget(struct compare *c);

/* Appends the difference of ROW's total (in a list: own figure) to the base:
 * "+1.20ms", "new" when the base has no such row.  Only when it is there. */
void compare_cell(const struct app *a, row_id row, enum metric_id m, struct strbuf *sb);
/* True when the differences are those of the result seen. */
bool compare_is_seen(const struct app *a);
void compare_done(struct compare *c);

#endif
