/* task_jobs.h: the records of all tasks, and common parts of jobs. */
#pragma once

#include "activity/table.h"
#include "tui/app.h"
#include "tui/tasks/tasks.h"

#define DECLARE(id, record) extern const struct task record;
TASK_LIST(DECLARE)
#undef DECLARE

/* A query of a job. */
struct query_request {
    struct query *query; /* NULL: nothing is loaded yet */
    const struct profile *profile;
    const struct profile *now, *base; /* of a comparison, as loaded; BASE is NULL without one */
    const struct comparison *comparison; /* NULL: of steps, or none */
    struct spec spec;
};

/* The request for a table about Q, valid as long as Q. */
struct table_request query_request_of_table(const struct query_request *q, struct cancel_mark cancel);
/* Runs the query; see query_run(). */
struct result *query_request_run(const struct query_request *q, struct cancel_mark cancel, struct err *err);

/* For `can_start`: true when a result is displayed. */
bool task_has_result(const struct app *a);
