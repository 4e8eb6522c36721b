/* task_folds.c: folding as far as the whole tree, which grows with it, beside the screen. */
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/tasks/task_jobs.h"

struct folds_job {
    struct fold_wish wish;
    struct result *result; /* what is seen, shared */
    struct folds *from;    /* with a reference */
    bool is_done;          /* nothing is left to open, or to fold */
    struct row_counts counts; /* with the new folds */
};

void folds_want(struct app *a, struct fold_wish wish)
{
    a->fold_wish = wish;
    a->fold_wish.tree = a->result->tree;
    task_want(a, TASK_FOLDS);
}

static void *folds_start(struct app *a)
{
    struct folds_job *job;

    if (a->fold_wish.tree != a->result->tree) /* another view came first */
        return NULL;
    job = xcalloc(1, sizeof *job);
    job->wish = a->fold_wish;
    job->result = result_share(a->result);
    job->from = folds_ref(app_view(a)->folds);
    return job;
}

/* The level that one more or one fewer ends in; false when there is none. */
static bool next_level(const struct folds_job *job, bool open, uint32_t *level)
{
    struct row_counts counts;

    row_counts_make(&counts, job->result, job->from);
    *level = open ? row_counts_highest_folded(&counts, job->result) + 1
                  : row_counts_deepest_open(&counts, job->result);
    row_counts_done(&counts);
    return *level > 0; /* without any the highest one is UINT32_MAX */
}

static void folds_run(void *arg, struct cancel_mark cancel)
{
    struct folds_job *job = arg;
    const struct fold_wish *wish = &job->wish;
    const struct tree *t = job->result->tree;
    struct folds *f = folds_copy(job->from);
    uint32_t level = wish->level;

    (void)cancel;
    switch (wish->kind) {
    case FOLD_WISH_EVERYTHING:
        folds_set_range(f, 0, t->n_rows, wish->open);
        folds_set(f, 0, true);
        break;
    case FOLD_WISH_BELOW:
        folds_set_range(f, wish->row, t->end[wish->row], wish->open);
        break;
    case FOLD_WISH_NEXT:
        job->is_done = !next_level(job, wish->open, &level);
        /* fall through */
    case FOLD_WISH_LEVEL:
        folds_set_level(f, job->result, level);
        break;
    }
    row_counts_make(&job->counts, job->result, f);
    folds_unref(f);
}

static void folds_apply(struct app *a, void *arg)
{
    struct folds_job *job = arg;

    if (job->is_done)
        app_say(a, ROLE_DIM, "everything is %s", job->wish.open ? "open" : "folded");
    else if (a->result->why == job->result->why && app_view(a)->folds == job->from)
        app_set_folds(a, folds_ref(job->counts.folds), &job->counts);
    else
        task_want(a, TASK_FOLDS); /* of what is seen now */
}

static void folds_free_job(void *arg)
{
    struct folds_job *job = arg;

    row_counts_done(&job->counts);
    folds_unref(job->from);
    result_free(job->result);
    free(job);
}

const struct task folds_task = {.lane = LANE_QUERY,
                                .user_waits = true,
                                .resumes = true,
                                .can_start = task_has_result,
                                .start = folds_start,
                                .run = folds_run,
                                .apply = folds_apply,
                                .free = folds_free_job};
