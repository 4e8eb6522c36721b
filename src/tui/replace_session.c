/* replace_session.c: showing another profile in place of the one that is seen. */
#include "tui/replace_session.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "tui/ui_state.h"
#include "tui/panes/groups.h"
#include "tui/panes/summary_text.h"
#include "tui/tasks/task_jobs.h"

struct close_job {
    struct session *session;
};

static void remap_view(struct view_seen *seen, const struct rowmap *m)
{
    if (!seen->tree)
        return;
    if (seen->tree->n_rows == 1) { /* nothing was there to be seen */
        tree_unref(seen->tree);
        folds_unref(seen->folds);
        seen->tree = NULL;
        seen->folds = NULL;
        seen->cursor = 0;
        seen->top = 0;
        return;
    }
    rowmap_apply(m, &seen->tree, &seen->folds, &seen->cursor);
}

/* Frees the session beside the screen. */
static void close_run(void *arg, struct cancel_mark cancel)
{
    struct close_job *job = arg;

    (void)cancel;
    session_close(job->session);
    job->session = NULL;
}

static void close_apply(struct app *a, void *arg)
{
    (void)a;
    (void)arg;
}

static void close_free(void *arg)
{
    struct close_job *job = arg;

    session_close(job->session); /* it did not run */
    free(job);
}

const struct task close_task = {
    .lane = LANE_READ, .run = close_run, .apply = close_apply, .free = close_free};

static void close_beside(struct app *a, struct session *s)
{
    struct close_job *job = xcalloc(1, sizeof *job);

    job->session = s;
    task_begin(a, TASK_CLOSE, job);
}

/* The same node in the profile that comes. */
static node_id node_in_incoming(const struct app *a, node_id node)
{
    const struct profile *p = a->session->profile;

    if (node == NODE_NONE)
        return NODE_NONE;
    return profile_find(a->incoming->profile, profile_text(p, p->name[node]),
                        intern_len(&p->strings, p->name[node]));
}

static void renumber_place(const struct app *a, struct place *place)
{
    if (place->set)
        place->node = node_in_incoming(a, place->node);
}

/* A file that was written again may number its nodes otherwise. */
static void renumber_places(struct app *a)
{
    struct places *p = &a->places;

    for (size_t i = 0; i < p->jumps.n; i++)
        renumber_place(a, &p->jumps.data[i].place);
    for (size_t i = 0; i < p->marked.n; i++)
        renumber_place(a, &p->marked.data[i]);
    for (int i = 0; i < PLACE_LETTERS; i++)
        renumber_place(a, &p->letters[i]);
    renumber_place(a, &a->goal);
}

void replace_session(struct app *a, const struct rowmap *maps, struct result *result)
{
    struct session *old = a->session;

    if (a->result)
        app_view(a)->cursor = app_row(a);
    for (int v = 0; v < VIEW_COUNT; v++)
        remap_view(&a->views[v], &maps[v]);
    undo_remap(&a->undo, maps);
    for (size_t i = 0; i < option_table_n; i++) /* what is loaded stays whatever is undone */
        if (option_table[i].steps == STEP_LOAD && /* pairs are parted by a key, and joined again */
            option_table[i].offset != offsetof(struct options, unmatch))
            undo_set_option(&a->undo, &option_table[i], &a->wanted.options);
    a->anchor = node_in_incoming(a, a->anchor);
    renumber_places(a);
    places_remap(&a->places, maps);
    place_remap(&a->goal, maps);
    a->goes_to_frame = NULL; /* it was of the profile that goes */
    search_remap(&a->search, maps);
    app_forget_kept(a);
    consumers_done(&a->consumers);
    groups_unref(a->groups);
    a->groups = NULL;
    lines_clear(&a->details.lines);
    advice_free(a->advice);
    a->advice = NULL;
    memory_pane_forget(&a->memory);
    lanes_pane_forget(&a->lanes);
    roofline_pane_forget(&a->roofline);
    preview_free(a->trial.preview);
    a->trial.preview = NULL;
    a->session = a->incoming;
    a->incoming = NULL;
    a->loader.is_part = false;
    ui_state_restore_marks(a);
    app_show_result(a, result, NULL);
    summary_renew(a);
    close_beside(a, old);
}
