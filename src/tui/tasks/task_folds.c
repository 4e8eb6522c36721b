/* task_folds.c: folds over the whole tree in the background. */
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"

struct folds_job {
    struct fold_wish wish;
    struct result *result; /* the displayed result, shared */
    struct folds *from;    /* with a reference */
    bool is_done;          /* everything is open or folded already */
    struct row_counts counts; /* counts with the new folds */
};

void folds_request(struct app *a, struct fold_wish wish)
{
    a->nav.fold_wish = wish;
    a->nav.fold_wish.tree = a->doc.result->tree;
    task_request(a, TASK_FOLDS);
}

static bool folds_start(struct app *a, void *arg)
{
    struct folds_job *job = arg;

    if (a->nav.fold_wish.tree != a->doc.result->tree) /* another tree is displayed */
        return false;
    job->wish = a->nav.fold_wish;
    job->result = result_share(a->doc.result);
    job->from = folds_ref(app_view(a)->folds);
    return true;
}

/* Computes the level one step deeper or less deep. False if there is none. */
static bool next_level(const struct folds_job *job, bool open, uint32_t *level)
{
    struct row_counts counts;

    row_counts_make(&counts, job->result, job->from);
    *level = row_counts_level(&counts, job->result, !open) + open;
    row_counts_done(&counts);
    return *level > 0; /* UINT32_MAX + 1 if nothing is folded */
}

static void folds_run(void *arg, struct cancel_mark cancel UNUSED)
{
    struct folds_job *job = arg;
    const struct fold_wish *wish = &job->wish;
    const struct tree *t = job->result->tree;
    struct folds *f = folds_copy(job->from);
    uint32_t level = wish->level;

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

/* True when the counted rows and folds are still displayed. */
static bool folds_are_same(const struct app *a, const void *arg)
{
    const struct folds_job *job = arg;

    return a->doc.result->why == job->result->why &&
        a->nav.views[a->doc.result->view_id].folds == job->from;
}

static void folds_apply(struct app *a, void *arg)
{
    struct folds_job *job = arg;

    if (job->is_done)
        app_print(a, ROLE_DIM, "everything is %s", job->wish.open ? "open" : "folded");
    else
        app_set_folds(a, folds_ref(job->counts.folds), &job->counts);
}

static void folds_done(void *arg)
{
    struct folds_job *job = arg;

    row_counts_done(&job->counts);
    folds_unref(job->from);
    result_free(job->result);
}

const struct task folds_task = {.queue = QUEUE_QUERY, .user_waits = true, .resumes = true,
                                .can_start = task_has_result,
                                .depends = DEPENDS_ON_PROFILE | DEPENDS_ON_TREE,
                                .is_same = folds_are_same, .job_bytes = sizeof(struct folds_job),
                                .start = folds_start, .run = folds_run, .apply = folds_apply,
                                .done = folds_done};
