/* task_note.c: finding the row that a note is on. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

struct note_job {
    struct tree *tree; /* of what is seen, with a reference */
    enum view_id view;
    char *path;
    row_id row;
};

/* Once the view is seen that the row is in. */
static bool note_can_start(const struct app *a)
{
    return a->result && a->result->view_id == a->notes.goal_view &&
           !task_is_open(a, TASK_RESULT);
}

static void *note_start(struct app *a)
{
    struct note_job *job;

    if (!a->notes.goal)
        return NULL;
    job = xcalloc(1, sizeof *job);
    job->tree = tree_ref((struct tree *)(uintptr_t)a->result->tree);
    job->view = a->notes.goal_view;
    job->path = xstrdup(a->notes.goal);
    return job;
}

static void note_run(void *arg, struct cancel_mark cancel)
{
    struct note_job *job = arg;

    job->row = row_note_row(job->tree, job->view, job->path, cancel);
}

static void note_apply(struct app *a, void *arg)
{
    struct note_job *job = arg;

    if (!a->result || a->result->tree != job->tree) { /* it changed meanwhile */
        task_want(a, TASK_NOTE);
        return;
    }
    if (job->row == ROW_NONE)
        app_say(a, ROLE_NOTE, "%s is not in this view, as it is now", job->path);
    else if (!app_go(a, job->row))
        app_say(a, ROLE_NOTE, "%s is not shown (x says why): this is what it lies under",
                job->path);
}

static void note_free(void *arg)
{
    struct note_job *job = arg;

    tree_unref(job->tree);
    free(job->path);
    free(job);
}

const struct task note_task = {.lane = LANE_QUERY,
                               .user_waits = true,
                               .can_start = note_can_start,
                               .start = note_start,
                               .run = note_run,
                               .apply = note_apply,
                               .free = note_free};

void note_go(struct app *a, const struct row_note *note)
{
    free(a->notes.goal);
    a->notes.goal = xstrdup(note->path);
    a->notes.goal_view = note->view;
    if (note->view != a->wanted.view)
        app_change(a, note->view, &a->wanted.options);
    task_want(a, TASK_NOTE);
}
