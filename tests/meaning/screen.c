/* screen.c: a case on the in-memory screen: details of all rows, random keys. */
#include "meaning/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/random_keys.h"
#include "fixtures/term_mem.h"
#include "fuzz/scratch.h"
#include "tui/app.h"
#include "tui/panes/pane.h"

enum { MAX_ROWS = 60, DETAIL_COLS = 50 };

struct seen {
    struct app *app;
    bool taken; /* a result was displayed */
    /* last result whose details were computed */
    const struct result *result;
    enum view_id view;
};

static void look_at_details(struct app *a)
{
    struct lines lines = {0};

    for (row_id row = 0; row < a->doc.result->tree->n_rows && row < MAX_ROWS; row++) {
        details_fill(a, &lines, row, DETAIL_COLS);
        lines_clear(&lines);
    }
    lines_done(&lines);
}

/* Checks the cursor and fills the details of all rows once for each result. */
static void on_sync(struct term *t, const char *state, void *arg)
{
    const struct canvas *c = term_mem_canvas(t);
    struct seen *seen = arg;
    struct app *a = seen->app;

    (void)state;
    FUZZ_REQUIRE(c->rows == 0 || (c->cursor_row >= 0 && c->cursor_row < c->rows));
    FUZZ_REQUIRE(c->cols == 0 || (c->cursor_col >= 0 && c->cursor_col < c->cols));
    if (!a || !a->doc.result || !a->doc.result->tree)
        return;
    seen->taken = true;
    if (seen->result == a->doc.result && seen->view == a->doc.result->view_id)
        return;
    seen->result = a->doc.result;
    seen->view = a->doc.result->view_id;
    look_at_details(a);
}

static void sync(struct term *t)
{
    term_mem_push(t, (struct term_event){.kind = EVENT_TEST_SYNC});
}

static void press(struct term *t, const char *keys)
{
    FUZZ_REQUIRE(term_mem_push_keys(t, keys));
    sync(t);
}

/* An application on CL; no events are queued yet. */
static struct app *start(const struct command_line *cl, struct term **t)
{
    struct command_line own = *cl;
    struct err err = {0};
    struct worker *w = worker_new(&err);

    FUZZ_REQUIRE(w != NULL);
    setenv("TFPROF_CLOCK", "fake", 1);
    setenv("XDG_STATE_HOME", fuzz_folder(), 1);
    unsetenv("TMUX");
    own.no_state = true;
    *t = term_mem_new(24, 100, worker_fd(w));
    return app_new(&own, *t, w);
}

void screen_show_details(const struct command_line *cl)
{
    static const char *const keys[] = {"*", "2*", "3*", "4*", "5", "i", "<esc>1ggG?", "<esc>o"};
    struct seen seen = {0};
    struct term *t;

    seen.app = start(cl, &t);
    term_mem_on_sync(t, on_sync, &seen);
    sync(t);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        press(t, keys[i]);
    app_run(seen.app);
    app_free(seen.app);
}

/* ---- random events */

static void press_something(struct term *t, uint64_t *random)
{
    static const int sizes[][2] = {{24, 80}, {36, 120}, {5, 20}, {1, 1}, {50, 200}, {24, 100}, {3, 100}};
    static const char *const pastes[] = {"q", "scope -max_depth 3\n", "\033[A", "\xff\xfe", "", ".*n[0-9]", "2x3"};
    const uint32_t what = random_below(random, 100);
    const int *size = sizes[random_below(random, sizeof sizes / sizeof *sizes)];
    const char *paste = pastes[random_below(random, sizeof pastes / sizeof *pastes)];

    if (what < 3) {
        t->rows = size[0];
        t->cols = size[1];
        term_mem_push(t, (struct term_event){.kind = EVENT_RESIZE, .rows = size[0],
                                             .cols = size[1]});
    } else if (what < 5) {
        term_mem_push(t, (struct term_event){.kind = EVENT_PASTE, .text = paste,
                                             .len = strlen(paste)});
    } else if (what < 8) {
        struct term_event ev = {.kind = EVENT_MOUSE};

        ev.mouse.kind = random_below(random, 4) ? MOUSE_PRESS : MOUSE_RELEASE;
        ev.mouse.button = 1 + (int)random_below(random, 3);
        ev.mouse.row = (int)random_below(random, 40);
        ev.mouse.col = (int)random_below(random, 130);
        term_mem_push(t, ev);
    } else {
        struct strbuf key = {0};

        random_key(&key, random);
        /* Most sessions should not end early. */
        if (strchr("qQ", sb_text(&key)[0]) && random_below(random, 20))
            term_mem_push_keys(t, "<esc>");
        else
            FUZZ_REQUIRE(term_mem_push_keys(t, sb_text(&key)));
        sb_done(&key);
    }
}

bool screen_press_keys(const struct command_line *cl, uint64_t seed, unsigned n_keys)
{
    uint64_t random = seed;
    struct seen seen = {0};
    struct term *t;

    seen.app = start(cl, &t);
    term_mem_on_sync(t, on_sync, &seen);
    if (random_below(&random, 4))
        sync(t); /* otherwise the keys are typed ahead */
    for (unsigned i = 0; i < n_keys; i++) {
        press_something(t, &random);
        /* Some events come while a worker is busy. */
        if (random_below(&random, 3) == 0)
            sync(t);
    }
    sync(t);
    app_run(seen.app);
    app_free(seen.app);
    return seen.taken;
}
