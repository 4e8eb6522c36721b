/* term_tty.c: the terminal device. */
#include "term/term_tty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "term/terminfo.h"

static const char mouse_on[] = "\033[?1000h\033[?1006h";
static const char mouse_off[] = "\033[?1006l\033[?1000l";
static const char paste_on[] = "\033[?2004h";
static const char paste_off[] = "\033[?2004l";

static int test_fd_of_environment(void)
{
    const char *text = getenv("TFPROF_TEST_FD");
    int fd = text ? atoi(text) : -1;

    if (fd < 3 || fcntl(fd, F_SETFD, FD_CLOEXEC) < 0)
        return -1;
    return fd;
}

int tty_device(void)
{
    return open("/dev/tty", O_RDWR | O_CLOEXEC);
}

bool tty_open(struct tty *t, struct err *err)
{
    int in = isatty(STDIN_FILENO) ? dup(STDIN_FILENO) : tty_device();
    int out = isatty(STDOUT_FILENO) ? dup(STDOUT_FILENO) : -1;

    *t = (struct tty){.test_fd = test_fd_of_environment(), .mouse = true};
    if (in >= 0)
        t->in = fdopen(in, "r");
    if (out >= 0)
        t->out = fdopen(out, "w");
    if ((in >= 0 && !t->in) || (out >= 0 && !t->out))
        xalloc_fail();
    if (!t->out)
        return err_set(err, ERR_USAGE, "the full screen needs a terminal as standard output");
    if (!t->in)
        return err_set(err, ERR_USAGE, "there is no terminal to read keys from");
    fcntl(in, F_SETFD, FD_CLOEXEC);
    fcntl(out, F_SETFD, FD_CLOEXEC);
    return true;
}

void tty_close(struct tty *t)
{
    if (t->in)
        fclose(t->in);
    if (t->out)
        fclose(t->out);
    t->in = NULL;
    t->out = NULL;
}

void tty_write(struct tty *t, const char *bytes, size_t len)
{
    while (len && !t->gone) {
        ssize_t n = write(fileno(t->out), bytes, len);

        if (n < 0 && (errno == EINTR || errno == EAGAIN)) {
            poll(&(struct pollfd){fileno(t->out), POLLOUT, 0}, 1, -1);
            continue;
        }
        if (n <= 0) {
            t->gone = true;
            return;
        }
        bytes += n;
        len -= (size_t)n;
    }
}

bool tty_is_gone(const struct tty *t)
{
    struct pollfd out = {.fd = fileno(t->out)};

    return t->gone || (poll(&out, 1, 0) > 0 && (out.revents & (POLLHUP | POLLERR | POLLNVAL)));
}

static void write_text(struct tty *t, const char *text)
{
    tty_write(t, text, strlen(text));
}

void tty_modes_on(struct tty *t)
{
    if (!t->private_modes)
        return;
    write_text(t, paste_on);
    if (t->mouse)
        write_text(t, mouse_on);
}

void tty_add_modes_off(const struct tty *t, struct strbuf *sb)
{
    if (!t->private_modes)
        return;
    sb_adds(sb, mouse_off);
    sb_adds(sb, paste_off);
}

void tty_modes_off(struct tty *t)
{
    struct strbuf sb = {0};

    tty_add_modes_off(t, &sb);
    tty_write(t, sb_text(&sb), sb.len);
    sb_done(&sb);
}

void tty_set_mouse(struct tty *t, bool on, bool now)
{
    t->mouse = on;
    if (now && t->private_modes)
        write_text(t, on ? mouse_on : mouse_off);
}

int64_t tty_now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool tty_ask_background(struct tty *t)
{
    const char *term = getenv("TERM");

    if (!t->private_modes || !isatty(STDIN_FILENO) || !term ||
        !environment_answers_background(term))
        return false;
    t->asked_ms = tty_now_ms();
    write_text(t, "\033]11;?\033\\");
    return !t->gone;
}

bool tty_await_answer(const struct tty *t)
{
    enum { ANSWER_MS = 100 };
    const int64_t left_ms = t->asked_ms + ANSWER_MS - tty_now_ms();

    return !t->gone && left_ms > 0 &&
           poll(&(struct pollfd){fileno(t->in), POLLIN, 0}, 1, (int)left_ms) > 0;
}

bool tty_size(const struct tty *t, int *rows, int *cols)
{
    struct winsize size;

    if (ioctl(fileno(t->out), TIOCGWINSZ, &size) < 0 || !size.ws_row || !size.ws_col)
        return false;
    *rows = size.ws_row;
    *cols = size.ws_col;
    return true;
}

void tty_sync(struct tty *t, const char *state)
{
    struct strbuf sb = {0};

    if (t->test_fd < 0)
        return;
    t->n_syncs++;
    /* The mark is also written to the screen's own stream: when it arrives, all output before it
     * has arrived, which a second channel cannot guarantee. */
    sb_addf(&sb, "\033]7777;sync %u\033\\", t->n_syncs);
    tty_write(t, sb_text(&sb), sb.len);
    sb_clear(&sb);
    sb_addf(&sb, "sync %u %s\n", t->n_syncs, state);
    if (write(t->test_fd, sb_text(&sb), sb.len) < 0)
        t->gone = true;
    sb_done(&sb);
}
