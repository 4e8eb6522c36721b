/* script.c: runs the application on the in-memory terminal. */
#include "script.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixtures/canvas_dump.h"
#include "fixtures/term_mem.h"
#include "golden.h"
#include "term/canvas.h"
#include "tui/keymap.h"
#include "tui/panes/compare.h"

struct run {
    const struct script *script;
    struct app *app;
    struct term *term;
    size_t step; /* the step whose keys were sent; steps begin after loading */
    bool loaded;
};

static void send_step(struct run *r)
{
    const struct script_step *s;

    if (r->step == r->script->n_steps) {
        /* When no events are left the terminal is hung up and the program ends. */
        if (r->script->ends_with)
            assert_true(term_mem_push_keys(r->term, r->script->ends_with));
        return;
    }
    s = &r->script->steps[r->step];
    if (s->rows) {
        r->term->rows = s->rows;
        r->term->cols = s->cols;
        term_mem_push(r->term,
                      (struct term_event){.kind = EVENT_RESIZE, .rows = s->rows, .cols = s->cols});
    }
    if (s->keys)
        assert_true(term_mem_push_keys(r->term, s->keys));
    if (s->paste)
        term_mem_push(r->term,
                      (struct term_event){.kind = EVENT_PASTE, .text = s->paste, .len = strlen(s->paste)});
    for (size_t i = 0; i < sizeof s->clicks / sizeof *s->clicks && s->clicks[i].col; i++) {
        struct term_event ev = {.kind = EVENT_MOUSE,
                           .mouse = {MOUSE_PRESS, 1, s->clicks[i].row, s->clicks[i].col}};

        term_mem_push(r->term, ev);
        ev.mouse.kind = MOUSE_RELEASE;
        term_mem_push(r->term, ev);
    }
    term_mem_push(r->term, (struct term_event){.kind = EVENT_TEST_SYNC});
}

static void assert_ascii(const struct canvas *c)
{
    for (int row = 0; row < c->rows; row++) {
        char *line = script_row(c, row);

        for (const char *at = line; at && *at; at++)
            if ((unsigned char)*at >= 0x80)
                fail_msg("row %d is not ASCII: %s", row, line);
        free(line);
    }
}

static void on_sync(struct term *t, const char *state, void *arg)
{
    struct run *r = arg;
    const struct canvas *c = term_mem_canvas(t);

    assert_in_range(c->cursor_row, 0, c->rows - 1);
    assert_in_range(c->cursor_col, 0, c->cols - 1);
    if (r->script->ascii)
        assert_ascii(c);
    if (!r->loaded) {
        r->loaded = true;
    } else {
        const struct script_step *s = &r->script->steps[r->step];

        if (s->golden) {
            struct strbuf dump = {0};

            canvas_dump(&dump, c, NULL);
            golden_assert(s->golden, sb_text(&dump), c->cols);
            sb_done(&dump);
        }
        golden_shows(c, s->shows, sizeof s->shows / sizeof *s->shows);
        if (s->check)
            s->check(r->app, c, state);
        r->step++;
    }
    send_step(r);
}

int script_run(const struct script *script)
{
    struct err err = {0};
    struct command_line cl;
    struct worker *w;
    struct run r = {.script = script};
    int status, argc = 0;

    setenv("TFPROF_CLOCK", "fake", 0);
    assert_int_equal(chdir(getenv("top_srcdir") ? getenv("top_srcdir") : "."), 0);
    while (script->args[argc])
        argc++;
    assert_true(command_line_parse(&cl, argc, script->args, AT_PROGRAM, NULL, &err));
    cl.no_state = !script->keeps_state;
    w = worker_new(&err);
    assert_non_null(w);
    r.term = term_mem_new(script->rows, script->cols, worker_fd(w));
    r.term->utf8 = !script->ascii;
    term_mem_on_sync(r.term, on_sync, &r);
    r.app = app_new(&cl, r.term, w);
    if (script->types_ahead)
        assert_true(term_mem_push_keys(r.term, script->types_ahead));
    term_mem_push(r.term, (struct term_event){.kind = EVENT_TEST_SYNC});
    app_run(r.app);
    assert_int_equal(r.loaded, !script->never_loads);
    assert_int_equal(r.step, script->n_steps);
    status = r.app->ui.status;
    app_free(r.app);
    command_line_done(&cl);
    return status;
}

unsigned script_nothing_differs(const struct app *a)
{
    unsigned n_compared = 0;

    assert_non_null(a->doc.result->sides);
    for (row_id row = 0; row < a->doc.result->tree->n_rows; row++)
        for (enum metric_id m = 0; m < METRIC_COUNT; m++) {
            struct strbuf text = {0};

            if (!a->doc.result->total[m] || !a->doc.result->base_total[m])
                continue;
            compare_cell(a->doc.result, row, m, &text);
            if (sb_text(&text)[0] != '0')
                fail_msg("row %u: %s", row, sb_text(&text));
            sb_done(&text);
            n_compared++;
        }
    return n_compared;
}

const char *script_folder_make(const char *variable)
{
    char folder[] = "/tmp/tfprof-screen-XXXXXX";

    assert_non_null(mkdtemp(folder));
    setenv(variable, folder, 1);
    return getenv(variable);
}

void script_folder_remove(const char *variable)
{
    char command[64];

    snprintf(command, sizeof command, "rm -r %s", getenv(variable));
    assert_int_equal(system(command), 0);
    unsetenv(variable);
}

void script_cursor_is_on(const struct app *a, const char *name)
{
    const struct text at = tree_text(a->doc.result->tree, app_row(a));

    if (at.len != strlen(name) || memcmp(at.bytes, name, at.len) != 0)
        fail_msg("the cursor is on %.*s, not on %s", (int)at.len, at.bytes, name);
}

char *script_row(const struct canvas *c, int row)
{
    struct strbuf sb = {0};

    canvas_dump_row(&sb, c, row);
    return sb_take(&sb);
}

bool script_shows(const struct canvas *c, const char *text)
{
    bool found = false;

    for (int row = 0; row < c->rows && !found; row++) {
        char *line = script_row(c, row);

        found = line && strstr(line, text);
        free(line);
    }
    return found;
}
