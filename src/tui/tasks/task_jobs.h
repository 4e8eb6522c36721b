/* task_jobs.h: the records of all tasks, and what the jobs of several begin with. */
#ifndef TFPROF_TUI_TASK_JOBS_H
#define TFPROF_TUI_TASK_JOBS_H

#include "tui/app.h"

#define DECLARE(id, record) extern const struct task record;
TASK_LIST(DECLARE)
#undef DECLARE

/* What a job asks of a profile. */
struct question {
    struct query *query; /* NULL: nothing is loaded yet */
    const struct profile *profile;
    struct spec spec;
};

/* About what is wanted. */
void question_init(struct question *q, const struct app *a);
/* About what is seen; there must be something. */
void question_of_seen(struct question *q, const struct app *a);
void question_done(struct question *q);
/* Runs the query; see query_run(). */
struct result *question_run(struct question *q, struct cancel_mark cancel, struct err *err);

/* For `can_start`. */
bool task_has_result(const struct app *a);

#endif
