/* pty.c: runs a program on a pseudo-terminal and reads its screen with libvterm. */
#include "golden.h"
#include "pty.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/vec.h"
#include "base/xalloc.h"
#include "fixtures/canvas_dump.h"
#include "fixtures/patience.h"
#include "pty_child.h"
#include "term/canvas.h"
#include "term/keyname.h"
#include "term/term.h"
#include "term/theme.h"

static const char sync_key[] = "\033[99~", early_key[] = "\033[97~";

/* ---- the emulated screen */

static int on_prop(VTermProp prop, VTermValue *value, void *user)
{
    struct pty *p = user;

    if (prop == VTERM_PROP_ALTSCREEN)
        p->alt_screen = value->boolean;
    else if (prop == VTERM_PROP_MOUSE)
        p->mouse = value->number;
    return 1;
}

static const VTermScreenCallbacks screen_callbacks = {.settermprop = on_prop};

static void open_screen(struct pty *p)
{
    p->vt = vterm_new(p->rows, p->cols);
    vterm_set_utf8(p->vt, 1);
    p->screen = vterm_obtain_screen(p->vt);
    p->cursor_visible = true;
    vterm_screen_set_callbacks(p->screen, &screen_callbacks, p);
    vterm_screen_enable_altscreen(p->screen, 1);
    vterm_screen_reset(p->screen, 1);
}

static int color_index(const VTermColor *color, bool is_default)
{
    if (is_default)
        return -1;
    return VTERM_COLOR_IS_INDEXED(color) ? color->indexed.idx : -2;
}

/* The role whose style the cell has; the first one if several look the same. */
static enum role role_of(const struct pty *p, const VTermScreenCell *cell)
{
    const struct theme *theme = theme_find("dark");
    int fg = color_index(&cell->fg, VTERM_COLOR_IS_DEFAULT_FG(&cell->fg));
    int bg = color_index(&cell->bg, VTERM_COLOR_IS_DEFAULT_BG(&cell->bg));
    unsigned attrs = (cell->attrs.bold ? STYLE_BOLD : 0u) |
                     (cell->attrs.underline ? STYLE_UNDERLINE : 0u) |
                     (cell->attrs.reverse ? STYLE_REVERSE : 0u);

    for (int role = 0; role < ROLE_COUNT; role++) {
        struct style s = theme_style(theme, (enum role)role, p->colors);

        if (s.fg == fg && s.bg == bg && (s.attrs & ~(unsigned)STYLE_DIM) == attrs)
            return (enum role)role;
    }
    return ROLE_TEXT;
}

static void read_cell(struct pty *p, int row, int col, struct cell *out)
{
    VTermScreenCell cell;
    VTermPos pos = {row, col};

    vterm_screen_get_cell(p->screen, pos, &cell);
    *out = (struct cell){.base = ' ', .width = 1, .role = (uint8_t)role_of(p, &cell)};
    if (cell.chars[0] == (uint32_t)-1) {
        out->base = 0;
        out->width = 0;
        return;
    }
    if (cell.chars[0])
        out->base = cell.chars[0];
    out->width = (uint8_t)cell.width;
    for (int i = 0; i < CELL_COMBINING && cell.chars[i]; i++)
        out->combining[i] = cell.chars[i + 1];
}

static void read_screen(struct pty *p)
{
    VTermPos cursor;

    canvas_resize(&p->canvas, p->rows, p->cols);
    for (int row = 0; row < p->rows; row++)
        for (int col = 0; col < p->cols; col++)
            read_cell(p, row, col, &p->canvas.cells[row * p->cols + col]);
    vterm_state_get_cursorpos(vterm_obtain_state(p->vt), &cursor);
    p->canvas.cursor_row = cursor.row;
    p->canvas.cursor_col = cursor.col;
    p->canvas.cursor_visible = p->cursor_visible;
}

/* ---- reading the program's output */

/* Tracks modes that libvterm does not report, or reports wrongly: it treats the cursor's visibility
 * as part of what ESC 7 saves. */
static void track_modes(struct pty *p)
{
    const struct {
        const char *on;
        bool *value;
    } modes[] = {{"\033[?2004h", &p->paste}, {"\033[?25h", &p->cursor_visible}};

    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        const size_t len = strlen(modes[m].on);

        for (size_t i = 0; i + len <= p->raw.len; i++)
            if (!memcmp(p->raw.data + i, modes[m].on, len - 1))
                *modes[m].value = p->raw.data[i + len - 1] == 'h';
    }
}

/* Drops what was read, after it was passed on; the program may have ended meanwhile. */
static void forget_output(struct pty *p)
{
    track_modes(p);
    sb_clear(&p->raw);
}

/* Appends what can be read now to SB; false at the end of the stream. */
static bool read_some(int fd, struct strbuf *sb)
{
    char bytes[16384];
    ssize_t n = read(fd, bytes, sizeof bytes);

    if (n > 0)
        sb_add(sb, bytes, (size_t)n);
    return n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR));
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Passes raw bytes from FROM on to the emulator. */
static void feed(struct pty *p, size_t from)
{
    struct strbuf sb = {0};

    unrepeat(&p->unrepeat, sb_text(&p->raw) + from, p->raw.len - from, &sb);
    vterm_input_write(p->vt, sb_text(&sb), sb.len);
    sb_done(&sb);
}

/* Passes only the changes of private modes among the first LEN raw bytes to the emulator. */
static void feed_modes(struct pty *p, size_t len)
{
    for (size_t i = 0; i + 2 < len; i++) {
        const char *at = p->raw.data + i;
        size_t n = 3;

        if (memcmp(at, "\033[?", 3) != 0)
            continue;
        while (i + n < len && at[n] < '@')
            n++;
        if (i + n < len)
            vterm_input_write(p->vt, at, n + 1);
    }
}

/* After a resize, drops what the program drew before it knew the new size (libvterm 0.1 cannot
 * handle it).  The repaint begins with cursor home and clear. */
static void end_resize(struct pty *p)
{
    static const char home[] = "\033[H\033[";
    size_t from = 0;

    if (!p->resizing)
        return;
    p->resizing = false;
    for (size_t i = 0; i + sizeof home < p->raw.len; i++)
        if (!memcmp(p->raw.data + i, home, sizeof home - 1) &&
            (p->raw.data[i + sizeof home - 1] == 'J' || p->raw.data[i + sizeof home] == 'J'))
            from = i;
    vterm_set_size(p->vt, p->rows, p->cols);
    feed_modes(p, from);
    feed(p, from);
}

/* Waits for input on any open descriptor and reads it. */
static void take_output(struct pty *p)
{
    int *fds[] = {&p->master, &p->sync_fd, &p->errors_fd};
    struct strbuf *bufs[] = {&p->raw, &p->sync_line, &p->errors};
    struct pollfd polls[3];

    for (int i = 0; i < 3; i++)
        polls[i] = (struct pollfd){.fd = *fds[i], .events = POLLIN};
    if (p->master_ended)
        polls[0].fd = -1;
    if (poll(polls, 3, PATIENCE_MS) == 0)
        fail_msg("no answer from the program within %d ms", PATIENCE_MS);
    for (int i = 0; i < 3; i++) {
        size_t before = bufs[i]->len;

        if (!polls[i].revents)
            continue;
        if (read_some(*fds[i], bufs[i]))
            ;
        else if (i == 0)
            p->master_ended = true; /* still open, because it gives access to the line discipline */
        else
            close_fd(fds[i]);
        if (i == 0 && !p->resizing)
            feed(p, before);
    }
}

/* True when sync N was answered, both on the descriptor and by the mark in the screen output. */
static bool answered(struct pty *p)
{
    char word[32], mark[32];
    const char *line;

    snprintf(word, sizeof word, "sync %u ", p->n_syncs);
    snprintf(mark, sizeof mark, "7777;sync %u\033", p->n_syncs);
    line = strstr(sb_text(&p->sync_line), word);
    if (!line || !strchr(line, '\n') || !p->raw.len ||
        !memmem(p->raw.data, p->raw.len, mark, strlen(mark)))
        return false;
    sb_clear(&p->state);
    sb_add(&p->state, line + strlen(word), strcspn(line + strlen(word), "\n"));
    sb_clear(&p->sync_line);
    return true;
}

static bool sync_with(struct pty *p, const char *key)
{
    p->n_syncs++;
    if (!p->resizing)
        forget_output(p);
    pty_bytes(p, key, strlen(key));
    while (!answered(p)) {
        if (p->master_ended || p->sync_fd < 0) {
            pty_wait_end(p);
            return false;
        }
        take_output(p);
    }
    end_resize(p);
    track_modes(p);
    read_screen(p);
    return true;
}

bool pty_sync(struct pty *p)
{
    return sync_with(p, sync_key);
}

bool pty_sync_early(struct pty *p)
{
    return sync_with(p, early_key);
}

void pty_wait_text(struct pty *p, const char *text)
{
    while (!p->master_ended &&
           (!p->raw.len || !memmem(p->raw.data, p->raw.len, text, strlen(text))))
        take_output(p);
}

void pty_wait_shows(struct pty *p, const char *text)
{
    for (read_screen(p); !pty_shows(p, text); read_screen(p)) {
        if (p->master_ended)
            fail_msg("the program ended before it showed: %s", text);
        take_output(p);
    }
}

void pty_wait_end(struct pty *p)
{
    if (p->ended)
        return;
    while (!p->master_ended || p->errors_fd >= 0)
        take_output(p);
    end_resize(p);
    track_modes(p);
    waitpid(p->pid, &p->status, 0);
    p->ended = true;
    read_screen(p);
}

void pty_wait_end_unread(struct pty *p)
{
    struct pollfd program = {.fd = (int)syscall(SYS_pidfd_open, p->pid, 0), .events = POLLIN};

    assert_true(program.fd >= 0);
    if (poll(&program, 1, PATIENCE_MS) == 0)
        fail_msg("the program waits for its terminal");
    close(program.fd);
    pty_wait_end(p);
}

/* ---- sending keys */

/* The number of LEN bytes to write at once.  A sequence is not split: its rest might arrive so late
 * that its ESC would be read as a key. */
static size_t part_bytes(const char *bytes, size_t len)
{
    enum { MAX = 512, LONGEST_SEQUENCE = 32 };
    size_t n = MAX;

    if (len <= MAX)
        return len;
    while (n > MAX - LONGEST_SEQUENCE && bytes[n] != '\033')
        n--;
    return bytes[n] == '\033' ? n : MAX;
}

void pty_bytes(struct pty *p, const char *bytes, size_t len)
{
    while (len && !p->master_ended) {
        struct pollfd poll_fd = {.fd = p->master, .events = POLLIN | POLLOUT};
        ssize_t n;

        if (poll(&poll_fd, 1, PATIENCE_MS) == 0)
            fail_msg("the program does not read its keys");
        /* Reads output while writing, so that neither side blocks on a full terminal buffer. */
        if (poll_fd.revents & POLLIN)
            take_output(p);
        if (!(poll_fd.revents & POLLOUT)) {
            if (poll_fd.revents & (POLLHUP | POLLERR))
                return;
            continue;
        }
        n = write(p->master, bytes, part_bytes(bytes, len));
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return;
        bytes += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

/* The sequence that xterm sends for a special key. */
static void encode_special(struct strbuf *sb, uint32_t key)
{
    static const char *const codes[] = {
        [TK_UP - TK_BASE] = "1A",    [TK_DOWN - TK_BASE] = "1B",   [TK_RIGHT - TK_BASE] = "1C",
        [TK_LEFT - TK_BASE] = "1D",  [TK_HOME - TK_BASE] = "1H",   [TK_END - TK_BASE] = "1F",
        [TK_PAGE_UP - TK_BASE] = "5~", [TK_PAGE_DOWN - TK_BASE] = "6~",
        [TK_INSERT - TK_BASE] = "2~", [TK_DELETE - TK_BASE] = "3~",
        [TK_BACKTAB - TK_BASE] = "1Z", [TK_F1 - TK_BASE] = "11~",  [TK_F2 - TK_BASE] = "12~",
        [TK_F3 - TK_BASE] = "13~",   [TK_F4 - TK_BASE] = "14~",    [TK_F5 - TK_BASE] = "15~",
        [TK_F6 - TK_BASE] = "17~",   [TK_F7 - TK_BASE] = "18~",    [TK_F8 - TK_BASE] = "19~",
        [TK_F9 - TK_BASE] = "20~",   [TK_F10 - TK_BASE] = "21~",   [TK_F11 - TK_BASE] = "23~",
        [TK_F12 - TK_BASE] = "24~",
    };
    uint32_t base = key & ~(uint32_t)TK_MODIFIERS;
    const char *code = codes[base - TK_BASE];
    int modifiers = 1 + (key & TK_SHIFT ? 1 : 0) + (key & TK_ALT ? 2 : 0) + (key & TK_CTRL ? 4 : 0);

    sb_addf(sb, "\033[%.*s", (int)strlen(code) - 1, code);
    if (modifiers > 1)
        sb_addf(sb, ";%d", modifiers);
    sb_addc(sb, code[strlen(code) - 1]);
}

static void encode_key(struct strbuf *sb, uint32_t key)
{
    uint32_t base = key & ~(uint32_t)TK_MODIFIERS;

    if (key == TK_ESC) {
        sb_adds(sb, "\033[98~"); /* cannot be combined with the next key as Alt */
        return;
    }
    if (key & TK_ALT && base < TK_UP) {
        sb_addc(sb, '\033');
        key &= ~(uint32_t)TK_ALT;
    }
    if (base == TK_ENTER)
        sb_addc(sb, '\r');
    else if (base == TK_TAB)
        sb_addc(sb, '\t');
    else if (base == TK_BACKSPACE)
        sb_addc(sb, 0x7f);
    else if (base >= TK_BASE)
        encode_special(sb, key);
    else if (key & TK_CTRL)
        sb_addc(sb, (char)(base & 0x1f));
    else
        key_name(sb, key); /* a character is its own name */
}

void pty_keys(struct pty *p, const char *macro)
{
    struct strbuf sb = {0};
    size_t len = strlen(macro);

    while (len) {
        uint32_t key;
        size_t bytes = key_parse(macro, len, &key);

        if (!bytes)
            fail_msg("not a key: %s", macro);
        if (key == ' ' || key == '<' || key == '>')
            sb_addc(&sb, (char)key);
        else
            encode_key(&sb, key);
        macro += bytes;
        len -= bytes;
    }
    pty_bytes(p, sb_text(&sb), sb.len);
    sb_done(&sb);
}

void pty_type(struct pty *p, const char *macro)
{
    pty_keys(p, macro);
    if (!pty_sync(p))
        fail_msg("the program ended at: %s", macro);
}

void pty_resize(struct pty *p, int rows, int cols)
{
    struct winsize size = {.ws_row = (unsigned short)rows, .ws_col = (unsigned short)cols};

    if (!p->resizing)
        forget_output(p);
    p->resizing = true;
    p->rows = rows;
    p->cols = cols;
    ioctl(p->master, TIOCSWINSZ, &size);
}

void pty_kill(struct pty *p, int signal)
{
    kill(p->pid, signal);
}

void pty_hang_up(struct pty *p)
{
    close_fd(&p->master);
    p->master_ended = true;
    pty_wait_end(p);
}

static void wait_shell(struct pty *p, char want)
{
    struct pollfd poll_fd = {.fd = p->shell_fd, .events = POLLIN};
    char got = 0;

    for (;;) {
        /* The program may have to write before it can stop. */
        struct pollfd both[] = {poll_fd, {.fd = p->master, .events = POLLIN}};

        if (poll(both, 2, PATIENCE_MS) == 0)
            fail_msg("the job did not stop");
        if (both[1].revents)
            take_output(p);
        else if (read(p->shell_fd, &got, 1) == 1)
            break;
    }
    assert_int_equal(got, want);
}

void pty_wait_stop(struct pty *p)
{
    wait_shell(p, PTY_SHELL_STOPPED);
    track_modes(p);
    read_screen(p);
}

void pty_continue(struct pty *p)
{
    const char go = PTY_SHELL_CONTINUE;

    assert_int_equal(write(p->shell_fd, &go, 1), 1);
}

void pty_check_suspend(struct pty *p, int rows, int cols)
{
    pty_keys(p, "<c-z>");
    pty_wait_stop(p);
    pty_assert_restored(p);
    pty_resize(p, rows, cols);
    pty_continue(p);
    assert_true(pty_sync(p));
    assert_true(p->alt_screen && p->mouse && p->paste);
}

/* ---- start and end */

struct pty *pty_start(const struct pty_setup *setup)
{
    struct pty *p = xcalloc(1, sizeof *p);
    struct pty_ends ends;

    p->rows = setup->rows ? setup->rows : 24;
    p->cols = setup->cols ? setup->cols : 80;
    p->colors = setup->colors ? setup->colors : 256;
    p->own_home = !setup->home;
    p->home = setup->home ? xstrdup(setup->home) : pty_make_home();
    canvas_init(&p->canvas);
    open_screen(p);
    pty_spawn(setup, p->home, p->rows, p->cols, &ends);
    p->pid = ends.pid;
    p->master = ends.master;
    p->sync_fd = ends.sync_fd;
    p->errors_fd = ends.errors_fd;
    p->shell_fd = ends.shell_fd;
    p->modes_before = ends.modes;
    if (!setup->unsynced)
        pty_sync(p);
    return p;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

void pty_free(struct pty *p)
{
    if (!p->ended) {
        kill(p->pid, SIGKILL);
        waitpid(p->pid, &p->status, 0);
    }
    close_fd(&p->master);
    close_fd(&p->sync_fd);
    close_fd(&p->errors_fd);
    close_fd(&p->shell_fd);
    if (p->own_home)
        nftw(p->home, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(p->home);
    vterm_free(p->vt);
    canvas_done(&p->canvas);
    sb_done(&p->raw);
    sb_done(&p->errors);
    sb_done(&p->sync_line);
    sb_done(&p->state);
    free(p);
}

/* ---- looking */

const char *pty_row(struct pty *p, int row)
{
    sb_clear(&p->sync_line);
    canvas_dump_row(&p->sync_line, &p->canvas, row);
    return sb_text(&p->sync_line);
}

bool pty_shows(struct pty *p, const char *text)
{
    for (int row = 0; row < p->canvas.rows; row++)
        if (strstr(pty_row(p, row), text))
            return true;
    return false;
}

char *pty_dump(struct pty *p)
{
    struct strbuf sb = {0};
    struct strbuf modes = {0};

    sb_addf(&modes, "%s%s%s", p->alt_screen ? "alt" : "main", p->mouse ? " mouse" : "",
            p->paste ? " paste" : "");
    canvas_dump(&sb, &p->canvas, sb_text(&modes));
    sb_done(&modes);
    return sb_take(&sb);
}

void pty_assert_restored(struct pty *p)
{
    struct termios now;

    assert_false(p->alt_screen);
    assert_true(p->cursor_visible);
    assert_int_equal(p->mouse, VTERM_PROP_MOUSE_NONE);
    assert_false(p->paste);
    if (p->master >= 0) {
        assert_int_equal(tcgetattr(p->master, &now), 0);
        assert_int_equal(now.c_lflag, p->modes_before.c_lflag);
        assert_int_equal(now.c_iflag, p->modes_before.c_iflag);
        assert_int_equal(now.c_oflag, p->modes_before.c_oflag);
    }
}

void pty_assert_golden(struct pty *p, const char *name)
{
    char *got = pty_dump(p);

    golden_assert(name, got, p->cols);
    free(got);
}
