/* probe.c: a minimal program on the real terminal: it shows the last event.  The pty tests use it
 * to test src/term without the application.
 *
 *     q quit   ! leave and come back   ^Z suspend   W write to standard error
 *     m mouse off   y send bytes   S B F I A crash with SEGV BUS FPE ILL ABRT
 *     N write to a page without access   O run out of memory   w keep a worker busy for a moment
 *     D draw without end    P truncate a mapped file while the terminal is suspended */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/system/signals.h"
#include "base/strbuf.h"
#include "base/xalloc.h"
#include "fixtures/canvas_dump.h"
#include "load/bytes/mapping.h"
#include "term/keyname.h"
#include "term/term.h"
#include "term/theme.h"
#include "tui/worker.h"

struct probe {
    struct term *term;
    struct worker *worker;
    struct canvas canvas;
    struct strbuf last; /* description of the last event */
    unsigned n_events, lost;
    int wakes;
    bool sync_due, quit;
    int signal;
};

static void draw(struct probe *p)
{
    struct area a;

    canvas_resize(&p->canvas, p->term->rows, p->term->cols);
    a = area_all(&p->canvas);
    area_printf(a, 0, 0, ROLE_TITLE, "size %dx%d colors %d utf8 %d", p->term->cols, p->term->rows,
                p->term->colors, p->term->utf8);
    area_put(a, 1, 0, sb_text(&p->last), p->last.len, ROLE_CURSOR);
    area_puts(a, 2, 0, "\xe2\x96\xb8 \xe4\xb8\xad\xe6\x96\x87 e\xcc\x81 \x1b[31m\xff end", ROLE_TEXT);
    area_printf(a, 3, 0, ROLE_NOTE, "stray %zu wakes %d", p->term->stderr_lines, p->wakes);
    area_fill(a, 4, 0, a.cols, 0x2500, ROLE_FRAME);
    for (int role = 0; role < ROLE_COUNT; role++)
        area_fill(a, 5, role, 1, (uint32_t)role_letter((enum role)role), (enum role)role);
    if (p->lost)
        area_printf(a, 6, 0, ROLE_NOTE, "lost %u", p->lost);
    area_cursor(a, 1, (int)p->last.len, p->n_events % 2 == 1);
    p->term->ops->show(p->term, &p->canvas);
}

static void *spin(void *arg, struct cancel_mark cancel)
{
    (void)cancel;
    for (volatile long i = 0; i < 30000000; i = i + 1)
        ;
    return arg;
}

/* A fault of the hardware, not a signal sent by kill(). */
static void write_to_read_only_page(void)
{
    char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page != MAP_FAILED)
        *(volatile char *)page = 1;
}

/* Draws until the process is killed, in practice. */
static void draw_without_end(struct probe *p)
{
    for (int i = 0; i < 5000; i++) {
        p->term->ops->redraw(p->term);
        draw(p);
    }
}

/* Prints how many pages were lost, so the program must survive it. */
static void cut_a_mapped_file(struct probe *p)
{
    const size_t len = 1 << 16;
    const int fd = memfd_create("cut", MFD_CLOEXEC);
    const uint8_t *bytes = fd >= 0 && ftruncate(fd, (off_t)len) == 0 ? mapping_new(fd, len) : NULL;

    if (!bytes)
        return;
    p->term->ops->leave(p->term);
    p->term->ops->enter(p->term);
    if (ftruncate(fd, 0) == 0 && *(const volatile uint8_t *)(bytes + len - 1) == 0)
        p->lost += mapping_lost_pages(bytes);
    mapping_free(bytes, len);
    close(fd);
}

static void on_key(struct probe *p, uint32_t key)
{
    static const struct {
        char key;
        int signal;
    } crashes[] = {{'S', SIGSEGV}, {'B', SIGBUS}, {'F', SIGFPE}, {'I', SIGILL}, {'A', SIGABRT}};
    const struct term_ops *ops = p->term->ops;

    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        if ((uint32_t)crashes[i].key == key)
            raise(crashes[i].signal);
    if (key == 'q') {
        p->quit = true;
    } else if (key == '!') {
        ops->leave(p->term);
        fputs("away\n", stderr);
        ops->enter(p->term);
    } else if (key == (TK_CTRL | 'z')) {
        ops->suspend(p->term);
    } else if (key == 'W') {
        fputs("a stray line\n", stderr);
    } else if (key == 'm') {
        ops->set_mouse(p->term, false);
    } else if (key == 'y') {
        ops->raw_write(p->term, "\033]52;c;aGk=\a", 12);
    } else if (key == 'N') {
        write_to_read_only_page();
    } else if (key == 'O') {
        free(xreallocarray(NULL, SIZE_MAX, 16));
    } else if (key == 'D') {
        draw_without_end(p);
    } else if (key == 'P') {
        cut_a_mapped_file(p);
    } else if (key == 'w') {
        worker_submit(p->worker, QUEUE_QUERY, (struct job){.run = spin, .arg = p});
    }
}

static void name_event(struct probe *p, const struct term_event *ev)
{
    static const char *const mouse_names[] = {"press",      "release",    "wheel up",
                                              "wheel down", "wheel left", "wheel right"};

    sb_clear(&p->last);
    switch (ev->kind) {
    case EVENT_KEY:
        sb_adds(&p->last, "key ");
        key_name(&p->last, ev->key);
        break;
    case EVENT_MOUSE:
        sb_addf(&p->last, "mouse %s %d at %d,%d", mouse_names[ev->mouse.kind], ev->mouse.button,
                ev->mouse.row, ev->mouse.col);
        break;
    case EVENT_PASTE:
        sb_addf(&p->last, "paste %zu ", ev->len);
        sb_add(&p->last, ev->text, ev->len < 40 ? ev->len : 40);
        break;
    case EVENT_RESIZE:
        sb_addf(&p->last, "resize %dx%d", ev->cols, ev->rows);
        break;
    default:
        break;
    }
}

static void on_event(struct probe *p, const struct term_event *ev)
{
    struct job_done done;

    if (ev->kind == EVENT_TEST_SYNC) {
        p->sync_due = true;
        return;
    }
    if (ev->kind == EVENT_WAKE) {
        p->wakes += worker_take(p->worker, &done);
        return;
    }
    if (ev->kind == EVENT_NONE)
        return;
    p->n_events++;
    p->quit = ev->kind == EVENT_GONE || ev->kind == EVENT_SIGNAL;
    p->signal = ev->kind == EVENT_SIGNAL ? ev->signal : 0;
    name_event(p, ev);
    if (ev->kind == EVENT_KEY)
        on_key(p, ev->key);
}

int main(void)
{
    struct probe p = {0};
    struct err err = {0};

    p.worker = worker_new(&err);
    if (p.worker)
        p.term = term_curses_new(theme_find("dark"), worker_fd(p.worker), &err);
    if (!p.term) {
        fprintf(stderr, "probe: %s\n", err_text(&err));
        worker_free(p.worker);
        err_done(&err);
        return err_status(ERR_USAGE);
    }
    canvas_init(&p.canvas);
    sb_adds(&p.last, "start");
    while (!p.quit) {
        struct term_event ev;

        draw(&p);
        if (p.sync_due && !worker_busy(p.worker, QUEUE_QUERY)) {
            p.sync_due = false;
            p.term->ops->sync(p.term, sb_text(&p.last));
        }
        ev = p.term->ops->next(p.term, -1);
        on_event(&p, &ev);
    }
    p.term->ops->free(p.term);
    worker_free(p.worker);
    canvas_done(&p.canvas);
    sb_done(&p.last);
    if (p.signal)
        signal_die(p.signal);
    return 0;
}
