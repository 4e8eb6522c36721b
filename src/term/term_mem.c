/* term_mem.c: a terminal in memory, for tests: scripted events in, the last
 * canvas out. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "term/glyph.h"
#include "term/keyname.h"
#include "term/term.h"

/* How long an unanswered sync may wait for a worker before the test fails. */
enum { SYNC_CAP_MS = 300000 };

struct term_mem {
    struct term term; /* first: ops get a pointer to it */
    struct canvas shown;
    VEC(struct term_event) queue; /* texts owned */
    size_t next;             /* first event not yet given */
    int wake_fd;
    bool sync_open; /* an EVENT_SYNC waits for its answer */
    void (*on_sync)(struct term *t, const char *state, void *arg);
    void *on_sync_arg;
    struct strbuf raw;
};

static struct term_mem *mem_of(struct term *t)
{
    return (struct term_mem *)t;
}

static void mem_show(struct term *t, const struct canvas *c)
{
    struct term_mem *m = mem_of(t);

    canvas_copy(&m->shown, c);
    if (!t->utf8)
        glyph_ascii_canvas(&m->shown);
}

static struct term_event wait_for_worker(struct term_mem *m, int timeout_ms)
{
    struct pollfd pfd = {.fd = m->wake_fd, .events = POLLIN};
    int wait_ms = timeout_ms < 0 || timeout_ms > SYNC_CAP_MS ? SYNC_CAP_MS : timeout_ms;

    if (poll(&pfd, 1, wait_ms) > 0)
        return (struct term_event){.kind = EVENT_WAKE};
    return (struct term_event){.kind = wait_ms == timeout_ms ? EVENT_NONE : EVENT_GONE};
}

static struct term_event mem_next(struct term *t, int timeout_ms)
{
    struct term_mem *m = mem_of(t);
    struct term_event ev;

    if (m->sync_open)
        return wait_for_worker(m, timeout_ms);
    if (m->next == m->queue.n)
        return (struct term_event){.kind = EVENT_GONE};
    ev = m->queue.data[m->next++];
    m->sync_open = ev.kind == EVENT_SYNC;
    if (ev.kind == EVENT_RESIZE && ev.rows > 0 && ev.cols > 0) {
        t->rows = ev.rows;
        t->cols = ev.cols;
    }
    return ev;
}

static void mem_sync(struct term *t, const char *state)
{
    struct term_mem *m = mem_of(t);

    m->sync_open = false;
    if (m->on_sync)
        m->on_sync(t, state, m->on_sync_arg);
}

/* What a memory has no use for: it is never left and has no modes. */
static void mem_nothing(struct term *t)
{
    (void)t;
}

static void mem_set_theme(struct term *t, const struct theme *theme)
{
    (void)t;
    (void)theme;
}

static void mem_set_mouse(struct term *t, bool on)
{
    (void)t;
    (void)on;
}

static void mem_raw_write(struct term *t, const char *bytes, size_t len)
{
    sb_add(&mem_of(t)->raw, bytes, len);
}

static void mem_free(struct term *t)
{
    struct term_mem *m = mem_of(t);

    for (size_t i = 0; i < m->queue.n; i++)
        free((char *)m->queue.data[i].text);
    vec_done(&m->queue);
    canvas_done(&m->shown);
    sb_done(&m->raw);
    free(m);
}

static const struct term_ops mem_ops = {
    .show = mem_show,
    .next = mem_next,
    .leave = mem_nothing,
    .enter = mem_nothing,
    .suspend = mem_nothing,
    .redraw = mem_nothing,
    .sync = mem_sync,
    .set_theme = mem_set_theme,
    .ask_background = mem_nothing,
    .set_mouse = mem_set_mouse,
    .raw_write = mem_raw_write,
    .free = mem_free,
};

struct term *term_mem_new(int rows, int cols, int wake_fd)
{
    struct term_mem *m = xcalloc(1, sizeof *m);

    m->term = (struct term){.ops = &mem_ops, .rows = rows, .cols = cols, .utf8 = true, .colors = 256};
    m->wake_fd = wake_fd;
    canvas_init(&m->shown);
    return &m->term;
}

void term_mem_push(struct term *t, struct term_event ev)
{
    struct term_mem *m = mem_of(t);

    if (ev.text)
        ev.text = xmemdupz(ev.text, ev.len);
    vec_push(&m->queue, ev);
}

bool term_mem_push_keys(struct term *t, const char *macro)
{
    size_t len = strlen(macro);

    while (len) {
        struct term_event ev = {.kind = EVENT_KEY};
        size_t bytes = key_parse(macro, len, &ev.key);

        if (!bytes)
            return false;
        term_mem_push(t, ev);
        macro += bytes;
        len -= bytes;
    }
    return true;
}

const struct canvas *term_mem_canvas(const struct term *t)
{
    return &((const struct term_mem *)t)->shown;
}

void term_mem_on_sync(struct term *t, void (*fn)(struct term *t, const char *state, void *arg),
                      void *arg)
{
    mem_of(t)->on_sync = fn;
    mem_of(t)->on_sync_arg = arg;
}

const char *term_mem_raw(const struct term *t, size_t *len)
{
    const struct strbuf *raw = &((const struct term_mem *)t)->raw;

    *len = raw->len;
    return sb_text(raw);
}
