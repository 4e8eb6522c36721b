/* loop.c: the event loop: keys, pastes, signals, and results of the worker. */
#include <assert.h>
#include <poll.h>
#include <string.h>

#include "term/keyname.h"
#include "term/theme.h"
#include "tui/action.h"
#include "tui/app.h"
#include "tui/commands/cmd.h"
#include "tui/dialogs/options_editor.h"
#include "tui/dialogs/overlay.h"
#include "tui/keymap.h"
#include "tui/tables/table_pane.h"
#include "tui/tasks/loading.h"
#include "tui/tasks/tasks.h"
#include "tui/ui_state.h"

enum { PROGRESS_MS = 100, IDLE_MS = 100, EVENTS_A_FRAME = 64, WAIT_MS = 40, AHEAD_MAX = 256 };

/* Passes a key without an action to the edited line. */
static void type_key(struct app *a, uint32_t key)
{
    struct overlay *o = a->ui.top;
    struct lineedit *edit = o && o->ops->edit ? o->ops->edit(o) : NULL;

    if (o && o->ops->key && o->ops->key(o, a, key))
        return;
    if (edit && key >= ' ' && key < TK_BASE && key != 0x7f) {
        lineedit_type(edit, key);
        if (o->ops->edited)
            o->ops->edited(o, a);
    } else if (!edit && key != TK_ESC) {
        struct strbuf label = {0};

        key_label(&label, key);
        app_print(a, ROLE_DIM, "%s is not bound here: ? lists the keys", sb_text(&label));
        sb_done(&label);
    }
}

/* True for actions that need no profile and must not wait for one. */
static bool is_urgent(const struct app *a, const struct action *action)
{
    if (!action)
        return false;
    return action->urgency == URGENT || (action->urgency == URGENT_FIRST && !a->ui.input.ahead.n);
}

/* True for actions on the rows of a table. */
static bool is_about_rows(const struct action *action)
{
    void (*const runs[])(struct app *a, int arg) = {cmd_move, cmd_open, cmd_sort_step, cmd_reverse,
                                                    cmd_sort_menu, cmd_search, cmd_filter};

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        if (action->run == runs[i])
            return true;
    return false;
}

/* Returns what ACTION waits for (static text), so that its key and later ones are held; NULL: it
 * acts now. */
static const char *waits_for(const struct app *a, const struct action *action)
{
    if (a->ui.top || a->ui.input.replays || is_urgent(a, action))
        return NULL;
    if (!a->doc.result)
        return task_is_open(a, TASK_LOAD) ? "the profile is read" : NULL;
    if (table_pane_is_awaited(a) && (a->ui.input.ahead.n || (action && is_about_rows(action))))
        return "the table is computed";
    return NULL;
}

/* Holds KEY if it must wait. False if it acts now; keys held for a table are then dropped. */
static bool defer_key(struct app *a, const struct action *action, uint32_t key)
{
    const char *until = waits_for(a, action);

    if (!until) {
        if (a->doc.result && !a->ui.input.replays)
            a->ui.input.ahead.n = 0;
        return false;
    }
    if (a->ui.input.ahead.n < AHEAD_MAX)
        vec_push(&a->ui.input.ahead, key);
    app_print(a, ROLE_DIM, "%zu key%s held until %s", a->ui.input.ahead.n,
              a->ui.input.ahead.n == 1 ? "" : "s", until);
    return true;
}

/* Runs the action of KEY. */
static void press_key(struct app *a, uint32_t key)
{
    const unsigned context = app_context(a);
    const bool was_interrupted = a->ui.input.interrupted;
    const struct action *action;

    key = key_normal(key);
    sb_clear(&a->ui.message.text);
    a->ui.input.last_click_row = -1;
    action = keymap_find(a->ui.keymap, context, 0, key);
    if (defer_key(a, action, key))
        return;
    if (action)
        action_run(a, action);
    else if (keymap_is_prefix(a->ui.keymap, context, key))
        prefix_open(a, key);
    else
        type_key(a, key);
    if (was_interrupted && !(action && action->run == cmd_interrupt))
        a->ui.input.interrupted = false;
}

static void paste(struct app *a, const char *text, size_t len)
{
    struct overlay *o = a->ui.top;
    struct lineedit *edit = o && o->ops->edit ? o->ops->edit(o) : NULL;

    if (!edit) {
        app_print(a, ROLE_NOTE, "text can be pasted only into a prompt: press : or / first");
        return;
    }
    lineedit_insert(edit, text, len);
    if (o->ops->edited)
        o->ops->edited(o, a);
}

/* Sets the theme for a light or dark background, at the start only: colours do not change later. */
static void set_background_theme(struct app *a, bool is_light)
{
    enum { ANSWER_US = 100000 };

    if (!a->ui.theme_is_guess || (a->ui.now_us && a->ui.now_us() - a->ui.asked_us > ANSWER_US))
        return;
    a->ui.theme = theme_find(is_light ? "light" : "dark");
    a->ui.term->ops->set_theme(a->ui.term, a->ui.theme);
}

static void end_by_signal(struct app *a, int signal)
{
    a->ui.signal = signal;
    a->ui.status = 128 + signal;
    a->ui.quit = true;
}

/* True when the display is out of date and will soon be up to date. */
static bool display_is_stale(const struct app *a)
{
    if (a->ui.top || a->doc.incoming)
        return false;
    return (task_runs(a, TASK_RESULT) && a->doc.result_us < QUICK_US) || task_runs(a, TASK_FOLDS) ||
           task_runs(a, TASK_NOTE) || a->nav.search.then;
}

/* Displays a cached result that is due and starts the tasks that waited for it. */
static void show_kept(struct app *a)
{
    if (!a->doc.kept_is_due)
        return;
    app_show_cached(a);
    tasks_start(a);
}

/* Waits briefly for a pending result, because keys typed ahead refer to it. */
static void wait_for_results(struct app *a)
{
    struct pollfd news = {.fd = worker_fd(a->doc.worker), .events = POLLIN};

    show_kept(a);
    while (display_is_stale(a) && tasks_are_running(a) &&
           poll(&news, 1, a->ui.now_us ? WAIT_MS : -1) > 0) {
        tasks_apply_results(a);
        show_kept(a);
    }
}

/* Replays held keys after the profile is loaded or a table computed. Stops at a key that waits for
 * a table. */
static void replay_held_keys(struct app *a)
{
    struct ui_input *input = &a->ui.input;
    size_t n = 0;

    if (!a->doc.result || !input->ahead.n)
        return;
    input->replays = true;
    while (n < input->ahead.n && !a->ui.quit && !table_pane_is_awaited(a)) {
        a->ui.is_drawn = false;
        wait_for_results(a);
        press_key(a, input->ahead.data[n++]);
    }
    input->replays = false;
    input->ahead.n -= n;
    memmove(input->ahead.data, input->ahead.data + n, input->ahead.n * sizeof *input->ahead.data);
}

static void handle(struct app *a, const struct term_event *ev)
{
    if (ev->kind != EVENT_WAKE && ev->kind != EVENT_TEST_SYNC)
        a->ui.is_drawn = false;
    if (ev->kind == EVENT_KEY || ev->kind == EVENT_MOUSE) {
        a->ui.input.idle = false;
        wait_for_results(a);
        replay_held_keys(a);
    }
    switch (ev->kind) {
    case EVENT_KEY:
        press_key(a, ev->key);
        load_watch_files(a);
        break;
    case EVENT_MOUSE:
        mouse_event(a, ev);
        break;
    case EVENT_PASTE:
        paste(a, ev->text, ev->len);
        break;
    case EVENT_BACKGROUND:
        set_background_theme(a, ev->is_light);
        break;
    case EVENT_WAKE:
        tasks_apply_results(a);
        replay_held_keys(a);
        break;
    case EVENT_TEST_SYNC:
        a->ui.input.sync_wanted = true;
        a->ui.input.sync_early = ev->early;
        tasks_apply_results(a); /* starts idle tasks, since the test waits for them */
        replay_held_keys(a);
        break;
    case EVENT_SIGNAL:
        end_by_signal(a, ev->signal);
        break;
    case EVENT_GONE:
        a->ui.quit = true;
        break;
    case EVENT_NONE: /* no key came for a while */
        a->ui.input.idle = true;
        tasks_apply_results(a);
        replay_held_keys(a);
        break;
    case EVENT_RESIZE: /* the next drawing uses the new size */
        break;
    }
}

/* Answers a test when the screen shows the effect of all keys. */
static void answer_sync(struct app *a)
{
    struct strbuf command = {0};

    if (!a->ui.input.sync_wanted)
        return;
    if (a->ui.input.sync_early ? load_is_open(a) || tasks_are_awaited(a) : tasks_are_busy(a)) {
        assert(tasks_are_running(a)); /* otherwise no event would wake the screen */
        return;
    }
    a->ui.input.sync_wanted = false;
    app_command(a, &command);
    a->ui.term->ops->sync(a->ui.term, sb_text(&command));
    sb_done(&command);
}

/* Timeout for the next event, in milliseconds; -1: none. */
static int poll_timeout_ms(const struct app *a)
{
    if (tasks_are_deferred(a))
        return IDLE_MS;
    return task_is_open(a, TASK_LOAD) ? PROGRESS_MS : -1;
}

void app_run(struct app *a)
{
    while (!a->ui.quit) {
        struct term_event ev;

        show_kept(a);
        if (!a->ui.is_drawn) {
            app_draw(a);
            a->ui.term->ops->show(a->ui.term, &a->ui.canvas);
            tasks_start(a); /* pictures need the size of the layout */
            show_kept(a);
        }
        a->ui.is_drawn = true;
        answer_sync(a);
        ev = a->ui.term->ops->next(a->ui.term, poll_timeout_ms(a));
        handle(a, &ev);
        /* Handles pending events before the next drawing. */
        for (int i = 0; i < EVENTS_A_FRAME && !a->ui.quit && ev.kind != EVENT_TEST_SYNC; i++) {
            ev = a->ui.term->ops->next(a->ui.term, 0);
            if (ev.kind == EVENT_NONE)
                break;
            handle(a, &ev);
        }
    }
    ui_state_save(a);
}
