/* target_screen.c: the screen in memory with any saved state, keys, pastes, clicks and sizes: it
 * draws within its canvas, and exits.  The bytes are the lines of a state file, a NUL, and input
 * from the terminal; in it ESC [ 8 ; ROWS ; COLUMNS t is a resize. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fixtures/term_mem.h"
#include "session/state.h"
#include "targets.h"
#include "tui/app.h"
#include "term/term_input.h"

enum { MAX_EVENTS = 200, MAX_SIZE = 200 };

static const char *profile_path(void)
{
    static char path[512];
    const char *top = getenv("top_srcdir");

    snprintf(path, sizeof path, "%s/tests/golden/models/edge/traces.pb.gz", top ? top : ".");
    return path;
}

static void cursor_is_inside(struct term *t, const char *state, void *arg)
{
    const struct canvas *c = term_mem_canvas(t);

    (void)state;
    (void)arg;
    FUZZ_REQUIRE(c->rows == 0 || (c->cursor_row >= 0 && c->cursor_row < c->rows));
    FUZZ_REQUIRE(c->cols == 0 || (c->cursor_col >= 0 && c->cursor_col < c->cols));
}

/* Parses "ESC[8;R;Ct" at the start of BYTES; returns its length, 0: none. */
static size_t new_size(const uint8_t *bytes, size_t size, int *rows, int *cols)
{
    char text[16];
    int n = 0;

    snprintf(text, sizeof text, "%.*s", (int)(size < sizeof text ? size : sizeof text),
             (const char *)bytes);
    if (sscanf(text, "\033[8;%3d;%3dt%n", rows, cols, &n) != 2 || n == 0)
        return 0;
    return *rows > 0 && *cols > 0 && *rows <= MAX_SIZE && *cols <= MAX_SIZE ? (size_t)n : 0;
}

static void send(struct term *t, const uint8_t *bytes, size_t size)
{
    struct key_decoder in = {0};
    struct term_event ev;
    size_t n_events = 0;

    for (size_t i = 0; i < size && n_events < MAX_EVENTS;) {
        int rows, cols;
        const size_t n = new_size(bytes + i, size - i, &rows, &cols);

        if (n)
            term_mem_push(t, (struct term_event){.kind = EVENT_RESIZE, .rows = rows, .cols = cols});
        else
            input_byte(&in, bytes[i]);
        i += n ? n : 1;
        for (; input_next(&in, &ev); n_events++) {
            term_mem_push(t, ev);
            term_mem_push(t, (struct term_event){.kind = EVENT_TEST_SYNC});
        }
    }
    input_pause(&in);
    while (input_next(&in, &ev))
        term_mem_push(t, ev);
    input_done(&in);
}

static void remember(const char *lines, size_t len)
{
    const char *path = profile_path();
    char dir[512];
    struct strbuf name = {0};
    struct notes notes = {0};

    snprintf(dir, sizeof dir, "%s/tfprof", fuzz_folder());
    setenv("XDG_STATE_HOME", fuzz_folder(), 1);
    unsetenv("TMUX");
    state_name(&name, &path, 1);
    state_save(dir, sb_text(&name), lines, len, &notes);
    FUZZ_REQUIRE(notes.n == 0);
    sb_done(&name);
}

void target_screen(const uint8_t *bytes, size_t size)
{
    const uint8_t *keys = memchr(bytes, '\0', size);
    const size_t n_lines = keys ? (size_t)(keys - bytes) : size;
    const char *const args[] = {profile_path(), NULL};
    struct command_line cl;
    struct err err = {0};
    struct worker *w = worker_new(&err);
    struct term *t;
    struct app *a;

    FUZZ_REQUIRE(w && command_line_parse(&cl, 1, args, AT_PROGRAM, NULL, &err));
    setenv("TFPROF_CLOCK", "fake", 1);
    remember((const char *)bytes, n_lines);
    t = term_mem_new(24, 80, worker_fd(w));
    term_mem_on_sync(t, cursor_is_inside, NULL);
    a = app_new(&cl, t, w);
    term_mem_push(t, (struct term_event){.kind = EVENT_TEST_SYNC});
    send(t, bytes + n_lines, size - n_lines);
    term_mem_push(t, (struct term_event){.kind = EVENT_TEST_SYNC});
    app_run(a);
    app_free(a);
    command_line_done(&cl);
}
