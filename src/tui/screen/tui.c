/* tui.c: runs the screen from start to end. */
#include "tui/screen/tui.h"

#include <stdlib.h>

#include "session/config.h"
#include "term/theme.h"
#include "tui/app.h"
#include "tui/keymap.h"

/* Handles a line of tfprofrc for the screen: `bind`, `theme`. */
static bool config_word(const struct words *words, void *arg, struct err *err)
{
    struct app *a = arg;

    if (words->n && strcmp(words->items[0], "bind") == 0)
        return keymap_bind_words(a->ui.keymap, words->items + 1, words->n - 1, err);
    if (words->n == 2 && strcmp(words->items[0], "theme") == 0) {
        const struct theme *theme = theme_find(words->items[1]);

        if (!theme)
            return err_set(err, ERR_USAGE, "unknown theme '%s'", words->items[1]);
        a->ui.theme = theme;
        a->ui.theme_is_guess = false;
        a->ui.term->ops->set_theme(a->ui.term, theme);
        return true;
    }
    return err_set(err, ERR_USAGE, "unknown: '%s'", words->n ? words->items[0] : "");
}

static void read_config(struct app *a)
{
    struct notes notes = {0};
    struct options scratch; /* `set` lines were read with the arguments */

    options_init(&scratch);
    config_read(&scratch, NULL, config_word, a, &notes);
    app_print_notes(a, &notes);
    options_done(&scratch);
}

static int finish(struct app *a, int *signal_number, struct err *err)
{
    const int status = a->ui.status;

    *err = a->doc.failure;
    *signal_number = a->ui.signal;
    memset(&a->doc.failure, 0, sizeof a->doc.failure);
    app_free(a);
    return status;
}

int tui_main(struct command_line *cl, int *signal_number, struct err *err)
{
    const struct theme *theme = theme_guess(getenv("COLORFGBG"));
    struct worker *w = worker_new(err);
    struct term *t = w ? term_curses_new(theme, worker_fd(w), err) : NULL;
    struct app *a;

    if (!t) {
        worker_free(w);
        return err_status(err->kind);
    }
    if (cl->ascii)
        t->utf8 = false;
    a = app_new(cl, t, w);
    if (!cl->no_config)
        read_config(a);
    if (a->ui.theme_is_guess) {
        a->ui.asked_us = a->ui.now_us ? a->ui.now_us() : 0;
        t->ops->ask_background(t);
    }
    app_run(a);
    return finish(a, signal_number, err);
}
