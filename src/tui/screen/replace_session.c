/* replace_session.c: replaces the displayed profile. */
#include "activity/verdict.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/xalloc.h"
#include "tui/panes/pane.h"
#include "tui/panes/picture.h"
#include "tui/places.h"
#include "tui/rows/groups.h"
#include "tui/screen/replace_session.h"
#include "tui/tasks/preview.h"
#include "tui/tasks/task_jobs.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"
#include "tui/undo.h"

struct close_job {
    struct session *session;
};

static void remap_view(struct view_state *state, const struct rowmap *m)
{
    if (!state->tree)
        return;
    if (state->tree->n_rows == 1) { /* it had no rows */
        tree_unref(state->tree);
        folds_unref(state->folds);
        state->tree = NULL;
        state->folds = NULL;
        state->cursor = 0;
        state->top = 0;
        return;
    }
    rowmap_apply(m, &state->tree, &state->folds, &state->cursor);
}

/* Frees the session in the background. */
static void close_run(void *arg, struct cancel_mark cancel UNUSED)
{
    struct close_job *job = arg;

    session_close(job->session);
    job->session = NULL;
}

static void close_done(void *arg)
{
    session_close(((struct close_job *)arg)->session); /* the task did not run */
}

const struct task close_task = {
    .queue = QUEUE_READ, .job_bytes = sizeof(struct close_job), .run = close_run, .done = close_done};

void session_close_later(struct app *a, struct session *s)
{
    struct close_job *job = task_new_job(a, TASK_CLOSE);

    job->session = s;
    task_begin(a, TASK_CLOSE, job);
}

/* The same node in the incoming profile. */
static node_id node_in_incoming(const struct app *a, node_id node)
{
    const struct profile *p = a->doc.session->profile;

    if (node == NODE_NONE)
        return NODE_NONE;
    return profile_find(a->doc.incoming->profile, profile_text(p, p->name[node]),
                        intern_len(&p->strings, p->name[node]));
}

static void renumber_place(const struct app *a, struct place *place)
{
    if (place->set)
        place->node = node_in_incoming(a, place->node);
}

/* Nodes of a rewritten file may have other numbers. */
static void renumber_places(struct app *a)
{
    struct places *p = &a->nav.places;

    for (size_t i = 0; i < p->jumps.n; i++)
        renumber_place(a, &p->jumps.data[i].place);
    for (size_t i = 0; i < p->marked.n; i++)
        renumber_place(a, &p->marked.data[i]);
    for (int i = 0; i < PLACE_LETTERS; i++)
        renumber_place(a, &p->letters[i]);
    renumber_place(a, &a->nav.goal);
}

void replace_session(struct app *a, const struct rowmap *maps, struct result *result)
{
    struct session *old = a->doc.session;

    if (a->doc.result)
        app_view(a)->cursor = app_row(a);
    for (int v = 0; v < VIEW_COUNT; v++)
        remap_view(&a->nav.views[v], &maps[v]);
    undo_remap(&a->nav.undo, maps);
    for (size_t i = 0; i < option_table_n; i++) /* undo does not change what is loaded */
        if (option_table[i].stages == STAGE_LOAD && /* except pairs, which keys separate and join */
            option_table[i].offset != offsetof(struct options, unmatch))
            undo_set_option(&a->nav.undo, &option_table[i], &a->doc.requested.options);
    a->nav.anchor = node_in_incoming(a, a->nav.anchor);
    renumber_places(a);
    places_remap(&a->nav.places, maps);
    place_remap(&a->nav.goal, maps);
    a->nav.goes_to_frame = NULL; /* it belongs to the old profile */
    search_remap(&a->nav.search, maps);
    app_drop_cached(a);
    consumers_done(&a->doc.consumers);
    groups_unref(a->doc.groups);
    a->doc.groups = NULL;
    lines_clear(&a->ui.details.lines);
    verdict_free(a->doc.verdict);
    a->doc.verdict = NULL;
    advice_free(a->doc.advice);
    a->doc.advice = NULL;
    pictures_forget(&a->ui);
    preview_free(a->doc.trial.preview);
    a->doc.trial.preview = NULL;
    a->doc.session = a->doc.incoming;
    a->doc.incoming = NULL;
    a->doc.generation.profile++;
    a->doc.loader.is_part = false;
    ui_state_restore_marks(a);
    app_show_result(a, result, NULL);
    summary_renew(a);
    session_close_later(a, old);
}
