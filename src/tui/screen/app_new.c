/* app_new.c: creates and frees the state of the screen. */
#include <stdlib.h>
#include <time.h>

#include "activity/verdict.h"
#include "base/xalloc.h"
#include "term/theme.h"
#include "tui/app.h"
#include "tui/dialogs/overlay.h"
#include "tui/dialogs/runs_menu.h"
#include "tui/keymap.h"
#include "tui/panes/picture.h"
#include "tui/places.h"
#include "tui/rows/groups.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/preview.h"
#include "tui/ui_state.h"
#include "tui/undo.h"

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

    a->ui.term = t;
    a->doc.worker = w;
    a->doc.secure = cl->secure;
    a->doc.no_config = cl->no_config;
    a->ui.now_us = clock && strcmp(clock, "fake") == 0 ? NULL : clock_us;
    a->nav.anchor = NODE_NONE;
    a->ui.mouse_on = true;
    a->ui.theme = theme_guess(getenv("COLORFGBG"));
    a->ui.theme_is_guess = true;
    a->ui.input.last_click_row = -1;
    a->ui.input.pressed_col = -1;
    a->ui.memory.at = MEMORY_AT_FAILURE;
    a->ui.memory.allocator = SIZE_MAX;
    a->ui.memory.by = GROUPING_SCOPE;
    a->ui.memory.since = -1;
    a->doc.requested.view = VIEW_SCOPE;
    options_copy(&a->doc.requested.options, &cl->options);
    for (size_t i = 0; i < cl->files.n; i++)
        words_add(&a->doc.files, cl->files.items[i]);
    a->ui.keymap = xcalloc(1, sizeof *a->ui.keymap);
    keymap_init(a->ui.keymap);
    canvas_init(&a->ui.canvas);
    for (int v = 0; v < VIEW_COUNT; v++)
        a->nav.views[v].rows = rows_new();
    a->nav.rows = a->nav.views[VIEW_SCOPE].rows;
    a->ui.ui_state = ui_state_new(cl);
    ui_state_restore_panes(a);
    load_begin(a, cl);
    return a;
}

static void free_views(struct app *a)
{
    for (int v = 0; v < VIEW_COUNT; v++) {
        tree_unref(a->nav.views[v].tree);
        folds_unref(a->nav.views[v].folds);
        rows_free(a->nav.views[v].rows);
        result_free(a->nav.views[v].kept);
    }
}

void app_free(struct app *a)
{
    if (!a)
        return;
    while (a->ui.top)
        overlay_remove(a, a->ui.top);
    ui_state_free(a->ui.ui_state);
    worker_free(a->doc.worker);
    trial_done(&a->doc.trial);
    load_done(&a->doc.loader);
    listed_runs_done(&a->doc.listed_runs);
    undo_done(&a->nav.undo);
    places_done(&a->nav.places);
    screen_notes_done(&a->doc.notes);
    free(a->doc.renames_typed);
    search_done(&a->nav.search);
    lines_done(&a->ui.details.lines);
    pictures_forget(&a->ui);
    free(a->ui.table.rules);
    verdict_free(a->doc.verdict);
    advice_free(a->doc.advice);
    consumers_done(&a->doc.consumers);
    uncounted_done(&a->doc.uncounted);
    groups_unref(a->doc.groups);
    result_free(a->doc.result);
    free_views(a);
    session_close(a->doc.session);
    session_close(a->doc.incoming);
    options_done(&a->doc.requested.options);
    words_done(&a->doc.files);
    keymap_done(a->ui.keymap);
    free(a->ui.keymap);
    EACH(vec_done, &a->ui.hits, &a->ui.input.ahead);
    EACH(sb_done, &a->ui.message.text, &a->doc.hidden, &a->doc.was_hidden);
    source_text_done(&a->doc.source);
    hidden_frames_done(&a->doc.hidden_frames);
    canvas_done(&a->ui.canvas);
    err_done(&a->doc.failure);
    a->ui.term->ops->free(a->ui.term);
    free(a);
}
