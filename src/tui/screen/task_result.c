/* task_result.c: runs the requested query. */
#include <inttypes.h>
#include <string.h>

#include "tui/panes/picture.h"
#include "tui/places.h"
#include "tui/screen/replace_session.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"
#include "tui/undo.h"
#include "view/build/repeats.h"

/* Reports "loaded: 3 steps, OpLogProto" for the files read after the first N_SEEN. */
static void show_loaded(struct app *a, size_t n_seen)
{
    const struct profile *p = a->doc.session->profile;
    struct strbuf text = {0};

    if (p->n_steps)
        sb_addf(&text, "%u step%s", p->n_steps, p->n_steps == 1 ? "" : "s");
    for (size_t i = n_seen; i < p->n_files; i++) {
        const char *format = p->files[i].format;
        const int len = (int)strcspn(format, ",");

        if (strncmp(format, "RunMetadata", (size_t)len) != 0) /* already counted as steps */
            sb_addf(&text, "%s%.*s", text.len ? ", " : "", len, format);
    }
    app_print(a, ROLE_TEXT, "loaded: %s", text.len ? sb_text(&text) : "all files");
    sb_done(&text);
}

struct result_job {
    struct query_request request;
    /* Displayed trees (references): all if the profile is replaced, or that of the view if an
     * option folds other frames or layers; NULL: none. */
    struct tree *displayed[VIEW_COUNT];
    struct rowmap maps[VIEW_COUNT]; /* from these trees to the new ones */
    bool is_incoming;               /* the query runs on the incoming profile */
    struct folds *folds;            /* folds of the displayed tree (a reference); NULL: unknown */
    /* result.why of the rows that are counted with these folds; NULL: none */
    const uint8_t *counted_why;
    bool is_first;                  /* the view has not been displayed yet */
    struct row_counts counts;       /* counts of the result's rows with the folds; may be empty */
    bool later; /* FLOPs are counted later, with the details */
    bool by_step; /* figures by step are computed later as well */
    int64_t (*now_us)(void);
    struct result *result; /* NULL: failed */
    int64_t took_us;       /* negative: unknown */
    struct err err;
};

static bool result_keeps_running(const struct app *a)
{
    return a->doc.result_us > QUICK_US || (a->doc.result && a->doc.incoming);
}

/* True when FLOPs are only a column. Counting them is slow, so the first rows are drawn without
 * them. */
static bool counts_can_follow(const struct app *a, const struct query_request *q)
{
    const struct options *o = &q->spec.options;
    const struct result *r = a->doc.result;

    if (!field_in(o->select, METRIC_FLOAT_OPS) || o->bind || o->min[METRIC_FLOAT_OPS] > 0 ||
        figure_primary(o) == METRIC_FLOAT_OPS)
        return false;
    return !r || r->profile != q->profile || !r->total[METRIC_FLOAT_OPS];
}

/* Copies the folds into JOB, which counts the rows that they leave visible. */
static void take_folds(struct result_job *job, const struct app *a)
{
    const enum view_id view = a->doc.requested.view;
    const struct view_state *state = &a->nav.views[view];
    struct folds *folds = undo_pending_folds(a, view);

    if (a->doc.incoming || view >= VIEW_ADVISE)
        return;
    job->is_first = !state->tree && !ui_state_has_folds(a, view);
    if (!folds)
        folds = state->folds;
    job->folds = folds ? folds_ref(folds) : NULL;
    if (rows_result(state->rows) && folds == state->folds)
        job->counted_why = rows_result(state->rows)->why;
}

static bool result_start(struct app *a, void *arg)
{
    struct result_job *job = arg;

    if (!a->doc.session)
        return false;
    a->doc.kept_is_due = !a->doc.incoming && app_has_cached(a);
    if (a->doc.kept_is_due) {
        task_cancel_queue(a, TASK_RESULT);
        a->ui.is_drawn = false;
        return false;
    }
    job->now_us = a->ui.now_us;
    if (a->doc.incoming) { /* runs on the profile with all files */
        job->request.query = a->doc.incoming->query;
        job->request.profile = a->doc.incoming->profile;
        job->is_incoming = true;
        for (int v = 0; v < VIEW_COUNT; v++)
            job->displayed[v] = a->nav.views[v].tree ? tree_ref(a->nav.views[v].tree) : NULL;
    } else if (a->doc.loader.is_part &&
               !profile_has_step(job->request.profile, job->request.spec.options.step)) {
        job->request.spec.options.step = -1; /* the step is still being read */
    }
    if (!a->doc.incoming && a->doc.requested.view < VIEW_ADVISE &&
        a->nav.views[a->doc.requested.view].tree)
        job->displayed[a->doc.requested.view] = tree_ref(a->nav.views[a->doc.requested.view].tree);
    take_folds(job, a);
    job->later = counts_can_follow(a, &job->request);
    job->by_step = field_in(job->request.spec.options.select, FIELD_BY_STEP);
    job->request.spec.options.select &= ~FIELD_BIT(FIELD_BY_STEP);
    if (job->later)
        job->request.spec.options.select &= ~FIELD_BIT(METRIC_FLOAT_OPS);
    return true;
}

/* Maps the rows of all displayed trees to the new profile. */
static void map_rows(struct result_job *job, struct cancel_mark cancel)
{
    for (int v = 0; v < VIEW_ADVISE && job->result; v++) {
        struct result *r = job->result;

        if (!job->displayed[v])
            continue;
        if (r->view_id != (enum view_id)v)
            r = query_run(job->request.query, (enum view_id)v, &job->request.spec.options,
                          cancel, &job->err);
        if (r)
            rowmap_make(&job->maps[v], job->displayed[v], (struct tree *)(uintptr_t)r->tree);
        if (r != job->result)
            result_free(r);
        if (!r) { /* the maps must be complete */
            result_free(job->result);
            job->result = NULL;
        }
    }
}

/* Maps the displayed rows if other frames or layers are folded. */
static void map_folded(struct result_job *job)
{
    const enum view_id view = job->request.spec.view;
    struct tree *from = job->displayed[view];
    struct tree *to = job->result ? (struct tree *)(uintptr_t)job->result->tree : NULL;

    if (!from || !to || from == to)
        return;
    if (repeats_share_tree(from, to))
        rowmap_make_repeats(&job->maps[view], from, to);
    else if (view == VIEW_CODE)
        rowmap_make_code(&job->maps[view], from, to);
}

/* Counts the visible rows here: the screen's thread does nothing linear in the profile. */
static void count_rows(struct result_job *job)
{
    struct result *r = job->result;
    const bool is_of_displayed = r && r->tree == job->displayed[job->request.spec.view];

    if (r && job->is_first) {
        job->folds = folds_new(r->tree->n_rows);
        folds_open_first(job->folds, r, figure_primary(&r->options));
    }
    if (r && job->folds && (job->is_first || (is_of_displayed && r->why != job->counted_why)))
        row_counts_make(&job->counts, r, job->folds);
}

static void result_run(void *arg, struct cancel_mark cancel)
{
    struct result_job *job = arg;
    const int64_t begin = job->now_us ? job->now_us() : 0;

    job->result = query_request_run(&job->request, cancel, &job->err);
    job->took_us = job->now_us ? job->now_us() - begin : -1;
    if (job->is_incoming)
        map_rows(job, cancel);
    else
        map_folded(job);
    count_rows(job);
    if (job->later && job->result) /* counts follow with the details */
        job->result->options.select |= FIELD_BIT(METRIC_FLOAT_OPS);
    if (job->by_step && job->result) /* figures by step follow too: they take a pass over all
                                      * nodes per step */
        job->result->options.select |= FIELD_BIT(FIELD_BY_STEP);
}

/* Displays R of the incoming profile. */
static void show_incoming(struct app *a, struct result *r, const struct rowmap *maps)
{
    const size_t n_seen = a->doc.session->profile->n_files;
    const uint32_t n_nodes = a->doc.session->profile->n_nodes;
    const struct profile *p = a->doc.incoming->profile;

    if (a->doc.loader.other.n) {
        ui_state_save(a);
        ui_state_switch_file(a, a->doc.loader.other.items[0]);
    }
    replace_session(a, maps, r);
    if (a->doc.loader.is_reload || a->doc.loader.other.n)
        app_print(a, ROLE_TEXT, "read%s: %" PRIu32 " nodes, %" PRIu32 " step%s",
                  a->doc.loader.is_reload ? " again" : "", p->n_nodes, p->n_steps,
                  p->n_steps == 1 ? "" : "s");
    else if (a->doc.loader.is_again)
        app_print(a, ROLE_TEXT, "%" PRIu32 " nodes %s",
                  p->n_nodes < n_nodes ? n_nodes - p->n_nodes : p->n_nodes - n_nodes,
                  p->n_nodes < n_nodes ? "fewer" : "more");
    else
        show_loaded(a, n_seen);
    a->doc.loader.is_again = a->doc.loader.is_reload = false;
    words_done(&a->doc.loader.other);
}

/* Reports once how many kernels of graph replays were assigned. */
static void show_graphs(struct app *a, const struct profile *p)
{
    struct graph_totals totals;

    if (a->doc.result || !p->graphs)
        return;
    totals = graph_totals_of(p->graphs);
    if (totals.n_joined)
        app_print(a, ROLE_TEXT, "graphs: %" PRIu64 " of %" PRIu64 " kernels placed", totals.n_placed,
                  totals.n_works);
}

/* Opens the memory chart for a profile that contains only memory data. */
static void open_memory(struct app *a)
{
    const struct profile *p = a->doc.session->profile;

    if (p->memory && !p->n_recorders && !p->programs && !p->sample_files.n && !a->ui.picture) {
        a->ui.memory.by = GROUPING_CODE;
        cmd_picture(a, PICTURE_MEMORY);
    }
}

/* Displays R of the displayed profile. */
static void show_result(struct app *a, struct result *r, const struct rowmap *maps,
                        struct row_counts *counts)
{
    const struct rowmap *folded = &maps[r->view_id];
    struct view_state *state = &a->nav.views[r->view_id];

    show_graphs(a, r->profile);
    if (!a->doc.result)
        open_memory(a);
    if (folded->from && folded->from == state->tree) {
        if (a->doc.result && a->doc.result->tree == state->tree)
            state->cursor = app_row(a);
        rowmap_apply(folded, &state->tree, &state->folds, &state->cursor);
        places_remap_rows(&a->nav.places, maps);
        place_remap(&a->nav.goal, maps);
        search_remap(&a->nav.search, maps);
        rows_clear(state->rows);
    }
    app_show_result(a, r, counts);
}

/* Uses first options, because the options name a step or node that the incoming profile lacks. */
static void try_first_options(struct app *a)
{
    struct options first;

    options_copy(&first, &a->doc.requested.options);
    load_first_options(a, &first);
    if (options_equal(&first, &a->doc.requested.options))
        load_discard(a);
    else
        app_try(a, a->doc.requested.view, &first);
    options_done(&first);
}

static void result_apply(struct app *a, void *arg)
{
    struct result_job *job = arg;
    struct result *r = job->result;

    job->result = NULL;
    if (r) {
        a->doc.result_us = job->took_us;
        if (a->doc.incoming && r->profile == a->doc.incoming->profile)
            show_incoming(a, r, job->maps);
        else
            show_result(a, r, job->maps, &job->counts);
        if (!load_check(r->profile, &job->err))
            app_print_err(a, &job->err);
    } else if (job->err.kind != ERR_CANCELLED) {
        app_print_err(a, &job->err);
        request_reset(a);
        if (a->doc.incoming)
            try_first_options(a);
    }
}

static void result_done(void *arg)
{
    struct result_job *job = arg;

    folds_unref(job->folds);
    row_counts_done(&job->counts);
    for (int v = 0; v < VIEW_COUNT; v++) {
        tree_unref(job->displayed[v]);
        rowmap_done(&job->maps[v]);
    }
    result_free(job->result);
    err_done(&job->err);
}

const struct task result_task = {.queue = QUEUE_QUERY, .user_waits = true, .resumes = true,
                                 .keeps_running = result_keeps_running, .depends = DEPENDS_ON_PROFILE,
                                 .job_bytes = sizeof(struct result_job), .query = QUERY_REQUESTED,
                                 .start = result_start, .run = result_run, .apply = result_apply,
                                 .done = result_done};
