/* task_memory.c: the picture of memory in use is computed beside the screen. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"

struct memory_job {
    const struct profile *profile;
    struct memory_question question;
    struct memory_source *kept; /* of the picture on the screen, which may go meanwhile */
    struct memory_picture *picture;
};

static bool memory_is_due(const struct app *a)
{
    struct memory_question question;

    return memory_pane_wants(a, &question);
}

static void *memory_start(struct app *a)
{
    struct memory_job *job = xcalloc(1, sizeof *job);

    job->profile = a->result->profile;
    if (!memory_pane_wants(a, &job->question)) {
        free(job);
        return NULL;
    }
    if (a->memory.picture)
        job->kept = memory_source_ref(a->memory.picture->source);
    return job;
}

static void memory_run(void *arg, struct cancel_mark cancel)
{
    struct memory_job *job = arg;

    job->picture = memory_picture_new(job->profile, &job->question, job->kept, cancel);
}

static void memory_apply(struct app *a, void *arg)
{
    struct memory_job *job = arg;

    if (job->picture && job->profile == a->result->profile) {
        memory_pane_take(a, job->picture);
        job->picture = NULL;
    }
}

static void memory_free_job(void *arg)
{
    struct memory_job *job = arg;

    memory_picture_free(job->picture);
    memory_source_unref(job->kept);
    free(job);
}

const struct task memory_task = {.lane = LANE_QUERY,
                                 .user_waits = true,
                                 .is_due = memory_is_due,
                                 .can_start = task_has_result,
                                 .start = memory_start,
                                 .run = memory_run,
                                 .apply = memory_apply,
                                 .free = memory_free_job};
