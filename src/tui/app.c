/* app.c: what is seen, and the changes every action is made of. */
#include "tui/app.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "base/xalloc.h"
#include "term/theme.h"
#include "tui/commands/cmd.h"
#include "tui/panes/groups.h"
#include "tui/panes/user_code.h"
#include "tui/ui_state.h"
#include "tui/commands/keymap.h"

static int64_t clock_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

struct app *app_new(const struct command_line *cl, struct term *t, struct worker *w)
{
    const char *clock = getenv("TFPROF_CLOCK");
    struct app *a = xcalloc(1, sizeof *a);

    a->term = t;
    a->worker = w;
    a->secure = cl->secure;
    a->no_config = cl->no_config;
    a->now_us = clock && strcmp(clock, "fake") == 0 ? NULL : clock_us;
    a->anchor = NODE_NONE;
    a->mouse_on = true;
    a->theme = theme_guess(getenv("COLORFGBG"));
    a->theme_is_guess = true;
    a->last_click_row = -1;
    a->memory.at = MEMORY_AT_PEAK;
    a->memory.curve = SIZE_MAX;
    a->wanted.view = VIEW_SCOPE;
    options_copy(&a->wanted.options, &cl->options);
    for (size_t i = 0; i < cl->files.n; i++)
        words_add(&a->files, cl->files.items[i]);
    a->keymap = xcalloc(1, sizeof *a->keymap);
    keymap_init(a->keymap);
    canvas_init(&a->canvas);
    for (int v = 0; v < VIEW_COUNT; v++)
        a->views[v].rows = rows_new();
    a->rows = a->views[VIEW_SCOPE].rows;
    a->ui_state = ui_state_new(cl);
    ui_state_restore_panes(a);
    load_begin(a, cl);
    return a;
}

static void free_views(struct app *a)
{
    for (int v = 0; v < VIEW_COUNT; v++) {
        tree_unref(a->views[v].tree);
        folds_unref(a->views[v].folds);
        rows_free(a->views[v].rows);
        result_free(a->views[v].kept);
    }
}

void app_free(struct app *a)
{
    if (!a)
        return;
    while (a->top)
        overlay_pop(a);
    ui_state_free(a->ui_state);
    worker_free(a->worker);
    trial_done(&a->trial);
    load_done(&a->loader);
    runs_seen_done(&a->runs_seen);
    undo_done(&a->undo);
    places_done(&a->places);
    screen_notes_done(&a->notes);
    free(a->renames_typed);
    search_done(&a->search);
    lines_done(&a->details.lines);
    icicle_pane_done(&a->icicle);
    memory_pane_forget(&a->memory);
    lanes_pane_forget(&a->lanes);
    roofline_pane_forget(&a->roofline);
    advice_free(a->advice);
    consumers_done(&a->consumers);
    uncounted_done(&a->uncounted);
    groups_unref(a->groups);
    result_free(a->result);
    free_views(a);
    session_close(a->session);
    session_close(a->incoming);
    options_done(&a->wanted.options);
    words_done(&a->files);
    keymap_done(a->keymap);
    free(a->keymap);
    vec_done(&a->hits);
    vec_done(&a->ahead);
    sb_done(&a->message.text);
    sb_done(&a->hidden);
    sb_done(&a->was_hidden);
    source_text_done(&a->source);
    hidden_frames_done(&a->hidden_frames);
    canvas_done(&a->canvas);
    err_done(&a->failure);
    a->term->ops->free(a->term);
    free(a);
}

void app_say(struct app *a, enum role role, const char *format, ...)
{
    va_list args;

    a->is_drawn = false;
    sb_clear(&a->message.text);
    a->message.role = role;
    va_start(args, format);
    sb_vaddf(&a->message.text, format, args);
    va_end(args);
}

void app_say_err(struct app *a, struct err *err)
{
    app_say(a, ROLE_ERROR, "E: %s", err_text(err));
    err_done(err);
}

/* ---- what is seen */

struct view_seen *app_view(struct app *a)
{
    return &a->views[a->result ? a->result->view_id : a->wanted.view];
}

row_id app_row(const struct app *a)
{
    return a->cursor < rows_count(a->rows) ? rows_at(a->rows, a->cursor).row : 0;
}

node_id app_node_of(struct app *a, row_id row)
{
    const struct tree *t = a->result->tree;

    if (!row)
        return NODE_NONE;
    if (a->anchor != NODE_NONE && t->row_of_node[a->anchor] == row)
        return a->anchor;
    if (figures_are_seen(a))
        return groups_costliest(a->groups, row);
    /* Until the costliest is known, the first one. */
    return t->member_begin[row] < t->member_begin[t->end[row]]
               ? profile_whole(t->profile, t->members[t->member_begin[row]])
               : NODE_NONE;
}

/* The first row from ROW upwards that is displayed. */
static row_id displayed(const struct result *r, row_id row)
{
    while (row && r->why[row] != WHY_SHOWN)
        row = result_parent(r, row);
    return row;
}

/* Rebuilds the visible rows, which MADE may have counted, with the cursor on ROW. */
static void rebuild_rows(struct app *a, row_id row, struct row_counts *made)
{
    struct view_seen *seen = app_view(a);
    size_t at;

    rows_build(a->rows, a->result, seen->folds, a->reverse, made);
    at = rows_find(a->rows, row);
    a->cursor = at == SIZE_MAX ? 0 : at;
    seen->cursor = app_row(a);
}

/* app_go() without forgetting which node views are teleported to; with
 * REMEMBER what it opens is a step of undo. */
static bool go_to(struct app *a, row_id row, bool remember)
{
    struct view_seen *seen = app_view(a);
    const row_id there = displayed(a->result, row);
    struct folds *folds;

    rows_build(a->rows, a->result, seen->folds, a->reverse, NULL); /* as a search left them */
    if (rows_find(a->rows, there) == SIZE_MAX) {
        if (remember)
            undo_remember(a);
        folds = folds_copy(seen->folds);
        folds_reveal(folds, a->result, there);
        folds_unref(seen->folds);
        seen->folds = folds;
    }
    rebuild_rows(a, there, NULL);
    a->jumped = true;
    return there == row;
}

bool app_go(struct app *a, row_id row)
{
    a->anchor = NODE_NONE;
    return go_to(a, row, true);
}

bool app_peek(struct app *a, row_id row)
{
    a->anchor = NODE_NONE;
    return go_to(a, row, false);
}

void app_go_node(struct app *a, node_id node)
{
    const struct tree *t = a->result->tree;
    const row_id row = node < a->result->profile->n_nodes ? t->row_of_node[node] : ROW_NONE;
    const strid name = a->result->profile->name[node];

    places_jump(a);
    if (row == ROW_NONE)
        app_say(a, ROLE_NOTE, "%s has no row in the %s view",
                profile_text(a->result->profile, name), view_names[a->result->view_id]);
    else if (!app_go(a, row))
        app_say(a, ROLE_NOTE, "%s is not shown (x says why): this is what it lies under",
                profile_text(a->result->profile, name));
    a->anchor = node;
}

void app_set_folds(struct app *a, struct folds *f, struct row_counts *counts)
{
    struct view_seen *seen = app_view(a);
    const row_id row = app_row(a);
    row_id visible = row;

    undo_remember(a);
    folds_unref(seen->folds);
    seen->folds = f;
    for (row_id up = a->result->shown_parent[row]; up != ROW_NONE && row;
         up = a->result->shown_parent[up])
        if (!folds_is_open(f, up))
            visible = up; /* the cursor moves to what closed over it */
    rebuild_rows(a, visible, counts);
}

/* The folds of a view that is seen for the first time: those of COUNTS, else new ones. */
static struct folds *first_folds(struct app *a, struct result *r, const struct row_counts *counts)
{
    struct folds *folds;

    if (counts && counts->tree == r->tree)
        return folds_ref(counts->folds);
    folds = folds_new(r->tree->n_rows);
    folds_open_chain(folds, r, 0);
    ui_state_open_folds(a, r->view_id, r->tree, folds);
    return folds;
}

/* Folds and cursor of the view whose result arrived. */
static row_id settle_view(struct app *a, struct result *r, const struct row_counts *counts)
{
    struct view_seen *seen = &a->views[r->view_id];
    struct tree *tree = tree_ref((struct tree *)(uintptr_t)r->tree);

    if (!seen->tree) {
        seen->folds = first_folds(a, r, counts);
    } else if (seen->tree != tree) {
        struct folds *folds = folds_remap(seen->folds, seen->tree, tree);

        folds_unref(seen->folds);
        seen->folds = folds;
    }
    tree_unref(seen->tree);
    seen->tree = tree;
    if (seen->cursor >= tree->n_rows)
        seen->cursor = 0;
    return seen->cursor;
}

/* Where the cursor goes in another view: to the row of the same node. */
static row_id teleport(struct app *a, const struct result *r, row_id fallback)
{
    const row_id row = a->anchor == NODE_NONE ? ROW_NONE
                       : r->view_id == VIEW_CODE
                           ? user_code_row(r->tree, a->anchor, a->goes_to_frame)
                           : r->tree->row_of_node[a->anchor];

    /* A group that the node belongs to is where one came from: stay there. */
    if (row == ROW_NONE || (fallback && row >= fallback && row < r->tree->end[fallback]))
        return fallback;
    return row;
}

static bool has_note(const struct result *r, const char *line)
{
    for (size_t i = 0; i < r->notes.n; i++)
        if (strcmp(r->notes.lines[i], line) == 0)
            return true;
    return false;
}

/* Says the last note of R that the result before it, OLD, did not have. */
static void say_new_note(struct app *a, const struct result *old, const struct result *r)
{
    for (size_t i = r->notes.n; i-- > 0;)
        if (!old || !has_note(old, r->notes.lines[i])) {
            app_say(a, ROLE_NOTE, "%s", r->notes.lines[i]);
            return;
        }
}

/* True when R answers what O asks. */
static bool answers(const struct result *r, const struct options *o)
{
    struct options asked;
    bool same = true;

    options_copy(&asked, &r->options);
    asked.step = r->asked_step;
    asked.diff_step = r->asked_diff_step;
    for (size_t i = 0; i < option_table_n && same; i++)
        same = option_equal(&asked, o, &option_table[i]);
    options_done(&asked);
    return same;
}

static void forget_kept(struct view_seen *seen)
{
    rows_clear(seen->rows);
    result_free(seen->kept);
    seen->kept = NULL;
}

void app_show_result(struct app *a, struct result *r, struct row_counts *counts)
{
    struct view_seen *seen = &a->views[r->view_id];
    struct result *old = a->result;
    const bool other_view = old && old->view_id != r->view_id;
    struct result *superseded = old;
    row_id row;

    if (old && rows_result(a->rows) == old)
        app_view(a)->cursor = app_row(a);
    if (other_view) {
        superseded = seen->kept == r ? NULL : seen->kept;
        seen->kept = NULL;
        a->views[old->view_id].kept = old;
    }
    a->result = r;
    a->rows = seen->rows;
    hidden_frames_done(&a->hidden_frames);
    hidden_frames_init(&a->hidden_frames, r->profile, r->options.hide_frames);
    source_text_forget(&a->source);
    row = settle_view(a, r, counts);
    if (undo_restore_pending(a)) {
        row = app_view(a)->cursor;
    } else if (a->goal.set && a->goal.view == r->view_id) {
        row = place_row(a->goal, r->tree);
        a->anchor = NODE_NONE;
    } else if (other_view) {
        row = teleport(a, r, row);
    }
    a->goal.set = false;
    a->goes_to_frame = NULL;
    rebuild_rows(a, 0, counts);
    if (a->goes_to_hottest) {
        a->anchor = NODE_NONE;
        go_to(a, hottest_leaf(a, 0), false);
    } else if (row && row < r->tree->n_rows && !go_to(a, row, false) && other_view) {
        app_say(a, ROLE_NOTE, "the selected node is not shown here: x says why");
    }
    a->goes_to_hottest = false;
    pane_tree_count_hidden(a);
    a->dim_tree = false;
    a->details.result = NULL;
    icicle_pane_forget(&a->icicle);
    roofline_pane_renew(&a->roofline);
    a->figures_made_for = NULL;
    if (!uncounted_fit(&a->uncounted, r))
        uncounted_done(&a->uncounted);
    search_forget(&a->search);
    a->tasks.wanted[TASK_SEARCH] = a->search.regexes != NULL;
    say_new_note(a, old, r);
    result_free(superseded);
    for (int v = 0; v < VIEW_COUNT; v++) /* the figures of another step are large */
        if (a->views[v].kept && !answers(a->views[v].kept, &a->wanted.options))
            forget_kept(&a->views[v]);
}

bool app_has_kept(const struct app *a)
{
    const struct result *kept = a->views[a->wanted.view].kept;

    return kept && answers(kept, &a->wanted.options);
}

void app_show_kept(struct app *a)
{
    if (!a->comes_kept)
        return;
    a->comes_kept = false;
    if (!app_has_kept(a)) { /* another profile came */
        task_want(a, TASK_RESULT);
        return;
    }
    a->result_us = a->now_us ? 0 : -1;
    app_show_result(a, a->views[a->wanted.view].kept, NULL);
}

void app_forget_kept(struct app *a)
{
    for (int v = 0; v < VIEW_COUNT; v++)
        forget_kept(&a->views[v]);
}

/* ---- changes */

void app_try(struct app *a, enum view_id view, const struct options *options)
{
    const bool pairs_change = a->session && a->session->comparison &&
                              strcmp(a->wanted.options.unmatch, options->unmatch) != 0;

    if (pairs_change && load_is_open(a)) { /* with the pairs that were asked for before */
        app_say(a, ROLE_NOTE, "the files are still being read");
        undo_abandon(a);
        return;
    }
    if (a->result && view != a->wanted.view && a->anchor == NODE_NONE)
        a->anchor = app_node_of(a, app_row(a));
    if (options != &a->wanted.options) {
        struct options copy;

        options_copy(&copy, options);
        options_done(&a->wanted.options);
        a->wanted.options = copy;
    }
    a->wanted.view = view;
    if (pairs_change)
        load_again(a, &a->wanted.options);
    else
        task_want(a, TASK_RESULT);
}

void app_change(struct app *a, enum view_id view, const struct options *options)
{
    undo_remember(a);
    app_try(a, view, options);
}

bool app_set(struct app *a, const char *option, const char *value)
{
    struct options changed;
    struct err err = {0};
    const bool ok = (options_copy(&changed, &a->wanted.options),
                     command_line_set(&changed, option_find(option), value, &err));

    if (ok)
        app_change(a, a->wanted.view, &changed);
    else
        app_say_err(a, &err);
    options_done(&changed);
    return ok;
}

void app_command(const struct app *a, struct strbuf *sb)
{
    struct session before = {.files = a->files};

    session_print_command(sb, a->session ? a->session : &before, a->wanted.view,
                          &a->wanted.options);
}

unsigned app_context(const struct app *a)
{
    return a->top ? a->top->ops->context : pane_of(a, a->focus)->context;
}
