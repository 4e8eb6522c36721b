/* loop.c: the event loop: keys, pastes, signals, and news of the worker. */
#include <poll.h>

#include "tui/commands/cmd.h"
#include "tui/commands/action.h"
#include "tui/app.h"
#include "tui/ui_state.h"
#include "tui/commands/keymap.h"
#include "term/keyname.h"
#include "term/theme.h"
#include "tui/commands/mouse.h"
#include "tui/dialogs/prefix.h"

enum { PROGRESS_MS = 100, IDLE_MS = 100, EVENTS_A_FRAME = 64, WAIT_MS = 40, AHEAD_MAX = 256 };

/* Gives a key that no action took to what is being typed. */
static void type_key(struct app *a, uint32_t key)
{
    struct overlay *o = a->top;
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
        app_say(a, ROLE_DIM, "%s is bound to nothing here: ? lists the keys", sb_text(&label));
        sb_done(&label);
    }
}

/* What makes sense without a profile, and without waiting for one. */
static bool is_urgent(const struct app *a, const struct action *action)
{
    if (!action)
        return false;
    return action->urgency == URGENT || (action->urgency == URGENT_FIRST && !a->ahead.n);
}

/* True for a key that waits until the profile is there. */
static bool hold_key(struct app *a, const struct action *action, uint32_t key)
{
    if (a->result || a->top || !task_is_open(a, TASK_LOAD) || is_urgent(a, action))
        return false;
    if (a->ahead.n < AHEAD_MAX)
        vec_push(&a->ahead, key);
    app_say(a, ROLE_DIM, "%zu key%s held until the profile is read", a->ahead.n,
            a->ahead.n == 1 ? "" : "s");
    return true;
}

/* Runs what KEY is bound to. */
static void press_key(struct app *a, uint32_t key)
{
    const unsigned context = app_context(a);
    const bool was_interrupted = a->interrupted;
    const struct action *action;

    key = key_normal(key);
    sb_clear(&a->message.text);
    a->last_click_row = -1;
    action = keymap_find(a->keymap, context, 0, key);
    if (hold_key(a, action, key))
        return;
    if (action)
        action_run(a, action);
    else if (keymap_is_prefix(a->keymap, context, key))
        prefix_open(a, key);
    else
        type_key(a, key);
    if (was_interrupted && !(action && action->run == cmd_interrupt))
        a->interrupted = false;
}

static void paste(struct app *a, const char *text, size_t len)
{
    struct overlay *o = a->top;
    struct lineedit *edit = o && o->ops->edit ? o->ops->edit(o) : NULL;

    if (!edit) {
        app_say(a, ROLE_NOTE, "a paste is taken in a prompt only: try : or / first");
        return;
    }
    lineedit_insert(edit, text, len);
    if (o->ops->edited)
        o->ops->edited(o, a);
}

/* Takes the theme for a background that is light or dark: at the start only, colours do not
 * change under somebody's hands. */
static void suit_theme(struct app *a, bool is_light)
{
    enum { ANSWER_US = 100000 };

    if (!a->theme_is_guess || (a->now_us && a->now_us() - a->asked_us > ANSWER_US))
        return;
    a->theme = theme_find(is_light ? "light" : "dark");
    a->term->ops->set_theme(a->term, a->theme);
}

static void end_by_signal(struct app *a, int signal)
{
    a->signal = signal;
    a->status = 128 + signal;
    a->quit = true;
}

/* True when what is seen is not what the keys so far asked for, but soon will. */
static bool is_behind(const struct app *a)
{
    if (a->top || a->incoming)
        return false;
    return (task_runs(a, TASK_RESULT) && a->result_us < QUICK_US) || task_runs(a, TASK_FOLDS) ||
           task_runs(a, TASK_NOTE) || a->search.then;
}

/* Keys typed ahead mean what the keys before them will show: a quick answer
 * is waited for, shorter than a person notices. */
static void catch_up(struct app *a)
{
    struct pollfd news = {.fd = worker_fd(a->worker), .events = POLLIN};

    app_show_kept(a);
    while (is_behind(a) &&
           poll(&news, 1, a->now_us ? WAIT_MS : -1) > 0)
        tasks_take(a);
}

/* Plays what was typed while the profile was read. */
static void play_held(struct app *a)
{
    if (!a->result)
        return;
    for (size_t i = 0; i < a->ahead.n && !a->quit; i++) {
        a->is_drawn = false;
        catch_up(a);
        press_key(a, a->ahead.data[i]);
    }
    a->ahead.n = 0;
}

static void handle(struct app *a, const struct term_event *ev)
{
    if (ev->kind != EVENT_WAKE && ev->kind != EVENT_SYNC)
        a->is_drawn = false;
    if (ev->kind == EVENT_KEY || ev->kind == EVENT_MOUSE) {
        a->idle = false;
        catch_up(a);
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
        suit_theme(a, ev->is_light);
        break;
    case EVENT_WAKE:
        tasks_take(a);
        play_held(a);
        break;
    case EVENT_SYNC:
        a->sync_wanted = true;
        a->sync_early = ev->early;
        tasks_take(a); /* what rests begins, when it is waited for */
        break;
    case EVENT_SIGNAL:
        end_by_signal(a, ev->signal);
        break;
    case EVENT_GONE:
        a->quit = true;
        break;
    case EVENT_NONE: /* nobody types */
        a->idle = true;
        tasks_take(a);
        break;
    case EVENT_RESIZE: /* the next drawing takes the new size */
        break;
    }
}

/* Answers a test once the screen is what its keys asked for. */
static void answer_sync(struct app *a)
{
    struct strbuf command = {0};

    if (!a->sync_wanted || (a->sync_early ? load_is_open(a) || tasks_are_awaited(a) : tasks_are_busy(a)))
        return;
    a->sync_wanted = false;
    app_command(a, &command);
    a->term->ops->sync(a->term, sb_text(&command));
    sb_done(&command);
}

/* How long the next event is waited for. */
static int patience_ms(const struct app *a)
{
    if (tasks_rest(a))
        return IDLE_MS;
    return task_is_open(a, TASK_LOAD) ? PROGRESS_MS : -1;
}

void app_run(struct app *a)
{
    while (!a->quit) {
        struct term_event ev;

        app_show_kept(a);
        if (!a->is_drawn) {
            app_draw(a);
            a->term->ops->show(a->term, &a->canvas);
            tasks_start(a); /* a picture of the size that the layout has now */
        }
        a->is_drawn = true;
        answer_sync(a);
        ev = a->term->ops->next(a->term, patience_ms(a));
        handle(a, &ev);
        /* What was typed ahead is taken before the next drawing. */
        for (int i = 0; i < EVENTS_A_FRAME && !a->quit && ev.kind != EVENT_SYNC; i++) {
            ev = a->term->ops->next(a->term, 0);
            if (ev.kind == EVENT_NONE)
                break;
            handle(a, &ev);
        }
    }
    ui_state_save(a);
}
