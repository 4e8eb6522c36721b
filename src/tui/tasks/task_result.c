/* task_result.c: aggregating what is wanted. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/replace_session.h"
#include "tui/ui_state.h"
#include "tui/tasks/task_jobs.h"
#include "view/build/twins.h"

/* "loaded: 3 steps, OpLogProto": what came beside the first N_SEEN files. */
static void say_loaded(struct app *a, size_t n_seen)
{
    const struct profile *p = a->session->profile;
    struct strbuf text = {0};

    if (p->n_steps)
        sb_addf(&text, "%u step%s", p->n_steps, p->n_steps == 1 ? "" : "s");
    for (size_t i = n_seen; i < p->n_files; i++) {
        const char *format = p->files[i].format;
        const int len = (int)strcspn(format, ",");

        if (strncmp(format, "RunMetadata", (size_t)len) != 0) /* the steps */
            sb_addf(&text, "%s%.*s", text.len ? ", " : "", len, format);
    }
    app_say(a, ROLE_TEXT, "loaded: %s", text.len ? sb_text(&text) : "all files");
    sb_done(&text);
}

struct result_job {
    struct question question;
    /* The trees seen, with references: of a profile that gives way, else that of the view
     * alone, whose lines or twins an option folds; NULL: none. */
    struct tree *seen[VIEW_COUNT];
    struct rowmap maps[VIEW_COUNT]; /* from these to the new ones */
    bool is_incoming;               /* it is about a profile that comes */
    struct folds *folds;            /* of the tree seen, with a reference; NULL: to be made, or not known */
    const uint8_t *counted_why;     /* what rows are counted for, with these folds; NULL: nothing */
    bool is_first;                  /* the view has not been seen */
    struct row_counts counts;       /* of the result with the folds; may be none */
    bool later; /* operations are selected, but made with the details */
    bool by_step; /* figures by step are, likewise */
    int64_t (*now_us)(void);
    struct result *result; /* NULL: it failed */
    int64_t took_us;       /* negative: not known */
    struct err err;
};

static bool result_lets_finish(const struct app *a)
{
    return a->result_us > QUICK_US || (a->result && a->incoming);
}

/* True when the operations are but a column: to count them takes longer than all else, so
 * that the first rows are drawn without. */
static bool can_do_without_counts(const struct app *a, const struct question *q)
{
    const struct options *o = &q->spec.options;
    const struct result *r = a->result;

    if (!field_in(o->select, METRIC_FLOAT_OPS) || o->bind || o->min[METRIC_FLOAT_OPS] > 0 ||
        figure_primary(o) == METRIC_FLOAT_OPS)
        return false;
    return !r || r->profile != q->profile || !r->total[METRIC_FLOAT_OPS];
}

/* What the rows of the answer are counted with. */
static void take_folds(struct result_job *job, const struct app *a)
{
    const enum view_id view = a->wanted.view;
    const struct view_seen *seen = &a->views[view];
    struct folds *folds = undo_coming_folds(a, view);

    if (a->incoming || view >= VIEW_ADVISE)
        return;
    job->is_first = !seen->tree && !ui_state_has_folds(a, view);
    if (!folds)
        folds = seen->folds;
    job->folds = folds ? folds_ref(folds) : NULL;
    if (rows_result(seen->rows) && folds == seen->folds)
        job->counted_why = rows_result(seen->rows)->why;
}

static void *result_start(struct app *a)
{
    struct result_job *job;

    if (!a->session)
        return NULL;
    a->comes_kept = !a->incoming && app_has_kept(a);
    if (a->comes_kept) {
        task_supersede(a, TASK_RESULT);
        a->is_drawn = false;
        return NULL;
    }
    job = xcalloc(1, sizeof *job);
    question_init(&job->question, a);
    job->now_us = a->now_us;
    if (a->incoming) { /* the question goes to the profile with all files */
        job->question.query = a->incoming->query;
        job->question.profile = a->incoming->profile;
        job->is_incoming = true;
        for (int v = 0; v < VIEW_COUNT; v++)
            job->seen[v] = a->views[v].tree ? tree_ref(a->views[v].tree) : NULL;
    } else if (a->loader.is_part &&
               !profile_has_step(job->question.profile, job->question.spec.options.step)) {
        job->question.spec.options.step = -1; /* it is still being read */
    }
    if (!a->incoming && a->wanted.view < VIEW_ADVISE && a->views[a->wanted.view].tree)
        job->seen[a->wanted.view] = tree_ref(a->views[a->wanted.view].tree);
    take_folds(job, a);
    job->later = can_do_without_counts(a, &job->question);
    job->by_step = field_in(job->question.spec.options.select, FIELD_BY_STEP);
    job->question.spec.options.select &= ~FIELD_BIT(FIELD_BY_STEP);
    if (job->later)
        job->question.spec.options.select &= ~FIELD_BIT(METRIC_FLOAT_OPS);
    return job;
}

/* Where the rows of the trees seen are in those of the new profile. */
static void map_rows(struct result_job *job, struct cancel_mark cancel)
{
    for (int v = 0; v < VIEW_ADVISE && job->result; v++) {
        struct result *r = job->result;

        if (!job->seen[v])
            continue;
        if (r->view_id != (enum view_id)v)
            r = query_run(job->question.query, (enum view_id)v, &job->question.spec.options,
                          cancel, &job->err);
        if (r)
            rowmap_make(&job->maps[v], job->seen[v], (struct tree *)(uintptr_t)r->tree);
        if (r != job->result)
            result_free(r);
        if (!r) { /* all or nothing */
            result_free(job->result);
            job->result = NULL;
        }
    }
}

/* Where the rows seen are, when other lines or twins are folded now. */
static void map_folded(struct result_job *job)
{
    const enum view_id view = job->question.spec.view;
    struct tree *from = job->seen[view];
    struct tree *to = job->result ? (struct tree *)(uintptr_t)job->result->tree : NULL;

    if (!from || !to || from == to)
        return;
    if (twins_are_of_one_tree(from, to))
        rowmap_make_twins(&job->maps[view], from, to);
    else if (view == VIEW_CODE)
        rowmap_make_code(&job->maps[view], from, to);
}

/* Counts the rows to be seen: the screen's thread does nothing that grows with the profile. */
static void count_rows(struct result_job *job)
{
    struct result *r = job->result;
    const bool is_of_seen = r && r->tree == job->seen[job->question.spec.view];

    if (r && job->is_first) {
        job->folds = folds_new(r->tree->n_rows);
        folds_open_chain(job->folds, r, 0);
    }
    if (r && job->folds && (job->is_first || (is_of_seen && r->why != job->counted_why)))
        row_counts_make(&job->counts, r, job->folds);
}

static void result_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    const int64_t begin = job->now_us ? job->now_us() : 0;

    job->result = question_run(&job->question, cancel, &job->err);
    job->took_us = job->now_us ? job->now_us() - begin : -1;
    if (job->is_incoming)
        map_rows(job, cancel);
    else
        map_folded(job);
    count_rows(job);
    if (job->later && job->result) /* what it answers, once the rest is there */
        job->result->options.select |= FIELD_BIT(METRIC_FLOAT_OPS);
    if (job->by_step && job->result) /* likewise: a pass over all nodes for each step */
        job->result->options.select |= FIELD_BIT(FIELD_BY_STEP);
}

/* Shows R of the profile with all files. */
static void show_incoming(struct app *a, struct result *r, const struct rowmap *maps)
{
    const size_t n_seen = a->session->profile->n_files;
    const uint32_t n_nodes = a->session->profile->n_nodes;
    const struct profile *p = a->incoming->profile;

    if (a->loader.other.n) {
        ui_state_save(a);
        ui_state_of_other(a, a->loader.other.items[0]);
    }
    replace_session(a, maps, r);
    if (a->loader.is_reload || a->loader.other.n)
        app_say(a, ROLE_TEXT, "read%s: %" PRIu32 " nodes, %" PRIu32 " step%s",
                a->loader.is_reload ? " again" : "", p->n_nodes, p->n_steps,
                p->n_steps == 1 ? "" : "s");
    else if (a->loader.is_again)
        app_say(a, ROLE_TEXT, "%" PRIu32 " nodes %s",
                p->n_nodes < n_nodes ? n_nodes - p->n_nodes : p->n_nodes - n_nodes,
                p->n_nodes < n_nodes ? "fewer" : "more");
    else
        say_loaded(a, n_seen);
    a->loader.is_again = a->loader.is_reload = false;
    words_done(&a->loader.other);
}

/* Shows R of the profile that is seen. */
static void show_result(struct app *a, struct result *r, const struct rowmap *maps,
                        struct row_counts *counts)
{
    const struct rowmap *folded = &maps[r->view_id];
    struct view_seen *seen = &a->views[r->view_id];

    if (folded->from && folded->from == seen->tree) {
        if (a->result && a->result->tree == seen->tree)
            seen->cursor = app_row(a);
        rowmap_apply(folded, &seen->tree, &seen->folds, &seen->cursor);
        places_remap_rows(&a->places, maps);
        place_remap(&a->goal, maps);
        search_remap(&a->search, maps);
        rows_clear(seen->rows);
    }
    app_show_result(a, r, counts);
}

static void result_apply(struct app *a, void *arg)
{
    struct result_job *job = arg;
    struct result *r = job->result;

    job->result = NULL;
    if (r) {
        a->result_us = job->took_us;
        if (a->incoming && r->profile == a->incoming->profile)
            show_incoming(a, r, job->maps);
        else
            show_result(a, r, job->maps, &job->counts);
        if (!load_check(r->profile, &job->err))
            app_say_err(a, &job->err);
    } else if (job->err.kind != ERR_CANCELLED) {
        app_say_err(a, &job->err);
        want_seen(a);
        if (a->incoming && a->wanted.options.step >= 0) { /* a step that did not come */
            a->wanted.options.step = -1;
            task_want(a, TASK_RESULT);
        }
    }
}

static void result_free_job(void *arg)
{
    struct result_job *job = arg;

    question_done(&job->question);
    folds_unref(job->folds);
    row_counts_done(&job->counts);
    for (int v = 0; v < VIEW_COUNT; v++) {
        tree_unref(job->seen[v]);
        rowmap_done(&job->maps[v]);
    }
    result_free(job->result);
    err_done(&job->err);
    free(job);
}

const struct task result_task = {.lane = LANE_QUERY,
                                 .user_waits = true,
                                 .resumes = true,
                                 .lets_finish = result_lets_finish,
                                 .start = result_start,
                                 .run = result_run,
                                 .apply = result_apply,
                                 .free = result_free_job};
