/* ask_jobs.h: what the ask_*.c files share: one kind of question, one kind of
 * answer, each with the fields that some of them need. */
#ifndef TFPROF_TUI_ASK_JOBS_H
#define TFPROF_TUI_ASK_JOBS_H

#include "session/summary.h"
#include "tui/app.h"
#include "tui/panes/groups.h"

/* Goes to the worker, which owns it. */
struct ask_job {
    struct query *query; /* NULL: nothing is loaded yet */
    const struct profile *profile;
    struct spec spec;
    struct words files;             /* to load */
    struct session *session;        /* to close */
    struct session *compared;       /* likewise */
    struct groups *groups;          /* made before, with a reference; NULL: none */
    bool has_consumers;             /* these are there already */
    struct load_progress *progress; /* of loading; may be NULL */
    int64_t (*now_us)(void);
    const struct option *option; /* that is tried */
    char *value;
    struct tree *tree; /* with a reference: of what is seen */
    struct tree *seen[VIEW_COUNT]; /* of the profile that gives way; with references */
    char *file;        /* that is written */
};

/* Comes back from it; what `take` does not move out is freed. */
struct answer {
    void (*take)(struct app *a, struct answer *answer);
    struct err err;
    struct session *session;
    bool is_part; /* the session: more is read after it */
    struct rowmap maps[VIEW_COUNT]; /* from the trees of the profile that gives way */
    struct rowmap rows;             /* to those of the one compared with */
    struct groups *groups;
    struct consumers consumers;
    struct gaps gaps;
    uint32_t *before; /* matches of the search */
    struct summary *summary;
    struct result *result;
    int64_t took_us;
    struct preview *preview;
    char *file; /* that was written; NULL: it was not */
    struct advice *advice;
};

/* A question about `wanted`. */
struct ask_job *ask_job_new(struct app *a);
/* A question about what is seen. */
struct ask_job *ask_job_of_seen(struct app *a);
/* An empty answer that TAKE understands. */
struct answer *answer_new(void (*take)(struct app *a, struct answer *answer));
/* Runs RUN, which returns a struct answer, on JOB; whatever else was asked or
 * waited is dropped. */
void ask_submit(struct app *a, void *(*run)(void *arg, struct cancel_mark cancel),
                struct ask_job *job);
/* The same for what is read beside that. */
void ask_submit_reading(struct app *a, void *(*run)(void *arg, struct cancel_mark cancel),
                        struct ask_job *job);
/* Makes what is seen what is wanted. */
void ask_want_seen(struct app *a);

void preview_free(struct preview *p); /* NULL is fine */

/* Begins to read what the graph alone does not have. */
void ask_load_rest(struct app *a);
/* Sends the preview, the search, the summary, the details' figures, the comparison, or the advice that
 * waits. */
void ask_submit_search(struct app *a);
void ask_submit_summary(struct app *a);
void ask_submit_figures(struct app *a);
void ask_submit_preview(struct app *a);
void ask_submit_compare(struct app *a);
void ask_submit_advice(struct app *a);

#endif
