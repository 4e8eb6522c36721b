/* task_note.c: finds the row of a note. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct note_job {
    struct tree *tree; /* of the displayed result, with a reference */
    enum view_id view;
    char *path;
    row_id row;
};

/* True when the view of the note is displayed. */
static bool note_can_start(const struct app *a)
{
    return a->doc.result && a->doc.result->view_id == a->doc.notes.goal_view &&
           !task_is_open(a, TASK_RESULT);
}

static bool note_start(struct app *a, void *arg)
{
    struct note_job *job = arg;

    if (!a->doc.notes.goal)
        return false;
    job->tree = tree_ref((struct tree *)(uintptr_t)a->doc.result->tree);
    job->view = a->doc.notes.goal_view;
    job->path = xstrdup(a->doc.notes.goal);
    return true;
}

static void note_run(void *arg, struct cancel_mark cancel)
{
    struct note_job *job = arg;

    job->row = row_note_row(job->tree, job->view, job->path, cancel);
}

static bool note_is_same(const struct app *a, const void *arg)
{
    const struct note_job *job = arg;

    return job->view == a->doc.notes.goal_view && strcmp(job->path, a->doc.notes.goal) == 0;
}

static void note_apply(struct app *a, void *arg)
{
    struct note_job *job = arg;

    if (job->row == ROW_NONE)
        app_print(a, ROLE_NOTE, "%s is no longer in this view", job->path);
    else if (!app_go(a, job->row))
        app_print(a, ROLE_NOTE, "%s is not shown (x explains why): this is its nearest displayed ancestor",
                  job->path);
}

static void note_done(void *arg)
{
    struct note_job *job = arg;

    tree_unref(job->tree);
    free(job->path);
}

const struct task note_task = {.queue = QUEUE_QUERY, .user_waits = true, .resumes = true,
                               .can_start = note_can_start,
                               .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_TREE,
                               .is_same = note_is_same, .job_bytes = sizeof(struct note_job),
                               .start = note_start, .run = note_run, .apply = note_apply,
                               .done = note_done};

void note_go(struct app *a, const struct row_note *note)
{
    free(a->doc.notes.goal);
    a->doc.notes.goal = xstrdup(note->path);
    a->doc.notes.goal_view = note->view;
    if (note->view != a->doc.requested.view)
        app_change(a, note->view, &a->doc.requested.options);
    task_request(a, TASK_NOTE);
}
