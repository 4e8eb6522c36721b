/* term_curses.c: a real terminal, by means of ncurses. The only file that includes <ncurses.h>.
 *
 * ncurses supports many terminal types, stores the contents of the screen and sends differences. Signals
 * (term_signal.c), key sequences (term_input.c), mouse and paste are handled here: the handlers of
 * ncurses lose resizes, its mouse support ends at column 223, and it does not support bracketed
 * paste. */
#include <langinfo.h>
#include <ncurses.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>

#include "base/strbuf.h"
#include "base/system/user_locale.h"
#include "base/xalloc.h"
#include "term/canvas.h"
#include "term/stderr_capture.h"
#include "term/term.h"
#include "term/term_input.h"
#include "term/term_signal.h"
#include "term/term_tty.h"
#include "term/terminfo.h"
#include "term/theme.h"

enum {
    MAX_BYTES_READ = 4096, /* per call, before signals and drawing are handled */
    EXTENDED_KEYS = 512,   /* number of key codes above KEY_MAX that a terminfo entry may define */
};

static const struct {
    int code;
    uint32_t key;
} curses_keys[] = {
    {KEY_UP, TK_UP},          {KEY_DOWN, TK_DOWN},       {KEY_LEFT, TK_LEFT},
    {KEY_RIGHT, TK_RIGHT},    {KEY_HOME, TK_HOME},       {KEY_END, TK_END},
    {KEY_FIND, TK_HOME},      {KEY_SELECT, TK_END},      {KEY_A1, TK_HOME},
    {KEY_C1, TK_END},         {KEY_A3, TK_PAGE_UP},      {KEY_C3, TK_PAGE_DOWN},
    {KEY_PPAGE, TK_PAGE_UP},  {KEY_NPAGE, TK_PAGE_DOWN}, {KEY_IC, TK_INSERT},
    {KEY_DC, TK_DELETE},      {KEY_BACKSPACE, TK_BACKSPACE}, {KEY_ENTER, TK_ENTER},
    {KEY_BTAB, TK_BACKTAB},   {KEY_SLEFT, TK_SHIFT | TK_LEFT}, {KEY_SRIGHT, TK_SHIFT | TK_RIGHT},
    {KEY_SF, TK_SHIFT | TK_DOWN}, {KEY_SR, TK_SHIFT | TK_UP}, {KEY_SHOME, TK_SHIFT | TK_HOME},
    {KEY_SEND, TK_SHIFT | TK_END}, {KEY_SDC, TK_SHIFT | TK_DELETE},
    {KEY_F(1), TK_F1},        {KEY_F(2), TK_F2},         {KEY_F(3), TK_F3},
    {KEY_F(4), TK_F4},        {KEY_F(5), TK_F5},         {KEY_F(6), TK_F6},
    {KEY_F(7), TK_F7},        {KEY_F(8), TK_F8},         {KEY_F(9), TK_F9},
    {KEY_F(10), TK_F10},      {KEY_F(11), TK_F11},       {KEY_F(12), TK_F12},
};

struct term_curses {
    struct term term; /* must be first: ops receive a pointer to it */
    const struct theme *theme;
    struct tty tty;
    SCREEN *screen;
    WINDOW *keys; /* a pad: reading from it does not refresh the screen */
    struct term_signals signals;
    struct stderr_capture capture;
    struct term_rescue rescue;
    struct key_decoder input;
    struct canvas shown; /* last contents passed to ncurses */
    struct canvas ascii; /* copy with ASCII replacements, unless utf8 */
    cchar_t *line;       /* buffer for one row */
    attr_t attrs[ROLE_COUNT];
    int wake_fd;
    bool away;        /* the terminal is temporarily released */
    bool resize_due;  /* an EVENT_RESIZE is pending */
    bool repaint_due; /* the whole screen must be repainted */
    int64_t read_ms;  /* time of the last input byte */
    int curs;         /* last argument of curs_set(), -1: unknown */
};

static struct term_curses *curses_of(struct term *t)
{
    return (struct term_curses *)t;
}

/* ---- terminal modes of the screen */

/* Prepares everything that a crash handler needs. */
static void prepare_rescue(struct term_curses *tc)
{
    struct term_rescue *r = &tc->rescue;
    struct strbuf sb = {0};

    terminfo_add(&sb, "sgr0");
    terminfo_add(&sb, "op");
    terminfo_add(&sb, "rmkx");
    tty_add_modes_off(&tc->tty, &sb);
    terminfo_add(&sb, "cnorm");
    terminfo_add(&sb, "rmcup");
    r->n_restore = sb.len < sizeof r->restore ? sb.len : 0;
    memcpy(r->restore, sb_text(&sb), r->n_restore);
    sb_done(&sb);
}

static void acquire_terminal(struct term_curses *tc)
{
    stderr_capture_open(&tc->capture);
    tc->rescue.stderr_fd = tc->capture.real_fd;
    tc->rescue.captured_fd = tc->capture.memory_fd;
    term_rescue_arm(&tc->rescue);
    tty_modes_on(&tc->tty);
}

static void feed_code(struct term_curses *tc, int code)
{
    if (code <= 0xff) {
        input_byte(&tc->input, (unsigned char)code);
        return;
    }
    for (size_t i = 0; i < sizeof curses_keys / sizeof *curses_keys; i++)
        if (curses_keys[i].code == code)
            input_key(&tc->input, curses_keys[i].key);
}

/* Reads all available input. Returns false if there was none. */
static bool drain_keys(struct term_curses *tc)
{
    int n = 0, code = ERR;

    while (n < MAX_BYTES_READ && (code = wgetch(tc->keys)) != ERR) {
        feed_code(tc, code);
        n++;
    }
    if (code == ERR)
        input_pause(&tc->input);
    if (n > 0)
        tc->read_ms = tty_now_ms();
    return n > 0;
}

/* Waits for a pending reply of the terminal, which the next program would read as keys. */
static void await_answer(struct term_curses *tc)
{
    while (tc->input.awaits_background && tty_await_answer(&tc->tty))
        if (!drain_keys(tc))
            return;
}

static void release_terminal(struct term_curses *tc)
{
    await_answer(tc);
    term_signals_begin_write(&tc->signals);
    tty_modes_off(&tc->tty);
    if (tc->tty.gone)
        term_rescue_now();
    else
        endwin();
    term_signals_end_write(&tc->signals);
    /* endwin() restores the modes that newterm() has saved, but newterm() may have had no memory
     * for it. */
    tcsetattr(tc->rescue.tty_fd, TCSANOW, &tc->rescue.modes);
    term_rescue_disarm();
    stderr_capture_close(&tc->capture);
}

/* ---- size and repainting */

/* Forces a full repaint. */
static void force_repaint(struct term_curses *tc)
{
    canvas_resize(&tc->shown, tc->term.rows, tc->term.cols);
    for (int i = 0; i < tc->term.rows * tc->term.cols; i++)
        tc->shown.cells[i].base = UINT32_MAX;
    tc->repaint_due = true;
    tc->curs = -1;
}

static void update_size(struct term_curses *tc)
{
    int rows, cols;

    if (tty_size(&tc->tty, &rows, &cols))
        resizeterm(rows < CANVAS_MAX ? rows : CANVAS_MAX, cols < CANVAS_MAX ? cols : CANVAS_MAX);
    getmaxyx(stdscr, rows, cols);
    tc->term.rows = rows;
    tc->term.cols = cols;
    tc->line = xreallocarray(tc->line, (size_t)cols, sizeof *tc->line);
    force_repaint(tc);
}

/* ---- display */

static void apply_theme(struct term_curses *tc)
{
    for (int role = 0; role < ROLE_COUNT; role++) {
        struct style s = theme_style(tc->theme, (enum role)role, tc->term.colors);

        tc->attrs[role] = (s.attrs & STYLE_BOLD ? A_BOLD : 0) |
                          (s.attrs & STYLE_REVERSE ? A_REVERSE : 0) |
                          (s.attrs & STYLE_UNDERLINE ? A_UNDERLINE : 0) |
                          (s.attrs & STYLE_DIM ? A_DIM : 0);
        if (tc->term.colors)
            init_pair((short)(role + 1), s.fg, s.bg);
    }
}

static void set_theme(struct term *t, const struct theme *theme)
{
    curses_of(t)->theme = theme;
    apply_theme(curses_of(t));
    force_repaint(curses_of(t));
}

/* Initialises colours if the terminal has them and the user has not disabled them. */
static void start_colors(struct term_curses *tc)
{
    const char *refused = getenv("NO_COLOR");

    if ((refused && *refused) || !has_colors())
        return;
    start_color();
    /* Without default colours, text is white on black. */
    if (use_default_colors() == ERR)
        assume_default_colors(COLOR_WHITE, COLOR_BLACK);
    if (COLOR_PAIRS > ROLE_COUNT)
        tc->term.colors = COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
}

static void to_curses(const struct term_curses *tc, const struct cell *cell, cchar_t *out)
{
    short pair = (short)(tc->term.colors ? cell->role + 1 : 0);
    wchar_t text[CELL_COMBINING + 2] = {(wchar_t)cell->base};

    for (int i = 0; i < CELL_COMBINING; i++)
        text[i + 1] = (wchar_t)cell->combining[i];
    if (setcchar(out, text, tc->attrs[cell->role], pair, NULL) == ERR)
        setcchar(out, cell->width == 2 ? L"??" : L"?", tc->attrs[cell->role], pair, NULL);
}

/* Passes the changed part of a row to ncurses, extended to whole characters. */
static void show_row(struct term_curses *tc, const struct canvas *c, int row)
{
    const struct cell *cells = canvas_at(c, row, 0);
    struct cell *known = canvas_at(&tc->shown, row, 0);
    int from = 0, to = c->cols, n = 0;

    while (from < to && cell_equal(&cells[from], &known[from]))
        from++;
    while (to > from && cell_equal(&cells[to - 1], &known[to - 1]))
        to--;
    if (from == to)
        return;
    while (from > 0 && (cells[from].width == 0 || known[from].width == 0))
        from--;
    while (to < c->cols && (cells[to].width == 0 || known[to].width == 0))
        to++;
    for (int col = from; col < to; col++) {
        known[col] = cells[col];
        if (cells[col].width)
            to_curses(tc, &cells[col], &tc->line[n++]);
    }
    mvadd_wchnstr(row, from, tc->line, n);
}

static void show(struct term *t, const struct canvas *c)
{
    struct term_curses *tc = curses_of(t);

    if (tc->away || tc->tty.gone)
        return;
    /* The canvas was drawn before the latest resize. */
    if (c->rows != t->rows || c->cols != t->cols)
        return;
    if (!t->utf8) {
        canvas_copy(&tc->ascii, c);
        glyph_ascii_canvas(&tc->ascii);
        c = &tc->ascii;
    }
    if (tc->repaint_due)
        clearok(curscr, TRUE);
    tc->repaint_due = false;
    for (int row = 0; row < c->rows; row++)
        show_row(tc, c, row);
    if (tc->curs != (int)c->cursor_visible) {
        tc->curs = c->cursor_visible;
        curs_set(tc->curs);
    }
    /* Screen readers and braille displays follow the hardware cursor. */
    move(c->cursor_row, c->cursor_col);
    wnoutrefresh(stdscr);
    term_signals_begin_write(&tc->signals);
    doupdate();
    term_signals_end_write(&tc->signals);
    tc->tty.gone = tty_is_gone(&tc->tty);
}

static void redraw(struct term *t)
{
    update_size(curses_of(t));
}

/* ---- events */

/* Handles a signal. Returns true if it produced an event. */
static bool handle_signal(struct term_curses *tc, struct term_event *ev)
{
    int signal_number;

    while ((signal_number = term_signals_next(&tc->signals)) != 0) {
        switch (signal_number) {
        case SIGWINCH:
            update_size(tc);
            tc->resize_due = true;
            break;
        case SIGCONT:
            /* The job was stopped by another process, and the terminal modes may have changed. */
            reset_prog_mode();
            tty_modes_on(&tc->tty);
            update_size(tc);
            tc->resize_due = true;
            break;
        case SIGTSTP:
            *ev = (struct term_event){.kind = EVENT_KEY, .key = TK_CTRL | 'z'};
            return true;
        default:
            *ev = (struct term_event){.kind = EVENT_SIGNAL, .signal = signal_number};
            return true;
        }
    }
    return false;
}

/* Returns true with *EV if an event is available without waiting. Keys are read before signals are
 * checked, so that a key typed after a resize is handled with the new size; signals are delivered
 * first. */
static bool event_ready(struct term_curses *tc, struct term_event *ev)
{
    if (!input_ready(&tc->input))
        drain_keys(tc);
    if (handle_signal(tc, ev))
        return true;
    if (tc->resize_due) {
        tc->resize_due = false;
        *ev = (struct term_event){.kind = EVENT_RESIZE, .rows = tc->term.rows,
                                  .cols = tc->term.cols};
        return true;
    }
    return input_next(&tc->input, ev);
}

/* Remaining time to wait for the rest of an incomplete sequence, in ms, over all calls; -1: no
 * sequence is open. */
static int gap_left_ms(const struct term_curses *tc)
{
    const int gap_ms = input_gap_ms(&tc->input);
    const int64_t left_ms = tc->read_ms + gap_ms - tty_now_ms();

    return gap_ms < 0 ? -1 : left_ms < 0 ? 0 : (int)left_ms;
}

static struct term_event next(struct term *t, int timeout_ms)
{
    struct term_curses *tc = curses_of(t);
    struct pollfd fds[] = {
        {.fd = fileno(tc->tty.in), .events = POLLIN},
        {.fd = tc->signals.fd, .events = POLLIN},
        {.fd = tc->wake_fd, .events = POLLIN},
    };
    bool nothing_came = false; /* poll() reported input, but there was none */
    struct term_event ev;

    while (!tc->tty.gone) {
        int gap_ms;
        bool gap_first;

        t->stderr_lines = stderr_capture_lines(&tc->capture);
        if (event_ready(tc, &ev))
            return ev;
        gap_ms = gap_left_ms(tc);
        gap_first = gap_ms >= 0 && (timeout_ms < 0 || gap_ms <= timeout_ms);
        if (poll(fds, 3, gap_first ? gap_ms : timeout_ms) == 0) {
            if (!gap_first)
                return (struct term_event){.kind = EVENT_NONE};
            input_abandon(&tc->input);
        } else if (fds[0].revents) {
            /* Readable without data means end of file. */
            tc->tty.gone = !drain_keys(tc) && (nothing_came || !(fds[0].revents & POLLIN));
            nothing_came = true;
        } else if (!fds[1].revents && fds[2].revents) {
            return (struct term_event){.kind = EVENT_WAKE};
        }
    }
    return (struct term_event){.kind = EVENT_GONE};
}

/* ---- leaving and re-entering */

static void leave(struct term *t)
{
    struct term_curses *tc = curses_of(t);

    if (tc->away)
        return;
    tc->away = true;
    release_terminal(tc);
}

static void enter(struct term *t)
{
    struct term_curses *tc = curses_of(t);

    if (!tc->away)
        return;
    tc->away = false;
    if (tc->tty.gone)
        return;
    term_signals_forget_keys(&tc->signals);
    acquire_terminal(tc);
    reset_prog_mode();
    update_size(tc);
    clearok(curscr, TRUE);
    doupdate(); /* undoes endwin(): returns to full-screen mode */
    tc->resize_due = true;
}

static void suspend(struct term *t)
{
    leave(t);
    term_signals_stop_job();
    enter(t);
}

/* ---- other operations */

static void answer_sync(struct term *t, const char *state)
{
    tty_sync(&curses_of(t)->tty, state);
}

static void ask_background(struct term *t)
{
    struct term_curses *tc = curses_of(t);

    if (t->colors)
        tc->input.awaits_background = tty_ask_background(&tc->tty);
}

static void set_mouse(struct term *t, bool on)
{
    tty_set_mouse(&curses_of(t)->tty, on, !curses_of(t)->away);
}

static void raw_write(struct term *t, const char *bytes, size_t len)
{
    if (!curses_of(t)->away)
        tty_write(&curses_of(t)->tty, bytes, len);
}

static void term_curses_free(struct term *t)
{
    struct term_curses *tc = curses_of(t);

    if (tc->screen) {
        if (!tc->away)
            release_terminal(tc);
        delwin(tc->keys);
        delscreen(tc->screen);
        term_signals_done(&tc->signals);
    }
    tty_close(&tc->tty);
    input_done(&tc->input);
    EACH(canvas_done, &tc->shown, &tc->ascii);
    EACH(free, tc->line, tc);
}

static const struct term_ops curses_ops = {
    .show = show,
    .next = next,
    .leave = leave,
    .enter = enter,
    .suspend = suspend,
    .redraw = redraw,
    .sync = answer_sync,
    .set_theme = set_theme,
    .ask_background = ask_background,
    .set_mouse = set_mouse,
    .raw_write = raw_write,
    .free = term_curses_free,
};

/* ---- start */

/* True if the terminal can clear the screen and position the cursor. */
static bool can_draw(void)
{
    return terminfo_text("cup") && terminfo_text("clear");
}

static void set_locale(struct term_curses *tc, const char *term_name)
{
    user_locale_set();
    /* Fonts of the Linux console and of VT terminals lack triangles and most box characters. */
    tc->term.utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8") && strcmp(term_name, "linux") != 0 &&
                    strncmp(term_name, "vt", 2) != 0;
}

static void set_keys(struct term_curses *tc)
{
    tc->keys = newpad(1, 1);
    keypad(tc->keys, TRUE);
    nodelay(tc->keys, TRUE);
    meta(tc->keys, TRUE);
    if (environment_esc_delay_ms() >= 0)
        set_escdelay(environment_esc_delay_ms());
    /* Modified keys and mouse reports are delivered as raw bytes: term_input.c decodes them
     * independently of terminfo. */
    keyok(KEY_MOUSE, FALSE);
    for (int n = 13; n <= 63; n++)
        keyok(KEY_F(n), FALSE); /* F1 to F12 with modifiers */
    for (int code = KEY_MAX + 1; code <= KEY_MAX + EXTENDED_KEYS; code++)
        keyok(code, FALSE);
}

static void end_screen(struct term_curses *tc)
{
    endwin();
    delscreen(tc->screen);
    tc->screen = NULL;
}

/* newterm() changes the screen at once, so prepare its restoration first. */
static bool open_screen(struct term_curses *tc, const char *name, struct err *err)
{
    struct terminfo *info = terminfo_new(name, fileno(tc->tty.out));

    if (!info || !can_draw()) {
        terminfo_free(info);
        return err_set(err, ERR_USAGE,
                       "TERM=%s does not support the full screen; use a command such as "
                       "'tfprof scope FILE'",
                       name);
    }
    tc->tty.private_modes = !strncmp(terminfo_text("cup"), "\033[", 2);
    prepare_rescue(tc);
    term_rescue_arm(&tc->rescue);
    tc->screen = newterm(NULL, tc->tty.out, tc->tty.in);
    if (!tc->screen)
        xalloc_fail(); /* the only remaining cause */
    terminfo_free(info);
    term_signals_drop_handlers();
    return true;
}

static bool start_screen(struct term_curses *tc, struct err *err)
{
    const char *name = getenv("TERM");

    if (!name || !*name)
        return err_set(err, ERR_USAGE, "TERM is not set, but the full screen needs it; use a command "
                                       "such as 'tfprof scope FILE'");
    set_locale(tc, name);
    /* Exported sizes would prevent resizing. */
    unsetenv("LINES");
    unsetenv("COLUMNS");
    tc->rescue = (struct term_rescue){.tty_fd = fileno(tc->tty.out), .stderr_fd = -1, .captured_fd = -1};
    if (tcgetattr(tc->rescue.tty_fd, &tc->rescue.modes) < 0)
        return err_set(err, ERR_USAGE, "the full screen needs a terminal as standard output");
    if (!open_screen(tc, name, err))
        return false;
    if (term_signals_init(&tc->signals))
        return true;
    end_screen(tc);
    term_rescue_disarm();
    return err_set(err, ERR_INPUT, "no file descriptor is left for signals");
}

struct term *term_curses_new(const struct theme *theme, int wake_fd, struct err *err)
{
    struct term_curses *tc = xcalloc(1, sizeof *tc);

    tc->signals.fd = -1;
    tc->term.ops = &curses_ops;
    tc->theme = theme;
    tc->wake_fd = wake_fd;
    EACH(canvas_init, &tc->shown, &tc->ascii);
    if (!tty_open(&tc->tty, err) || !start_screen(tc, err)) {
        term_curses_free(&tc->term);
        return NULL;
    }
    tc->input.test_keys = tc->tty.test_fd >= 0;
    raw();
    noecho();
    nonl();
    typeahead(-1); /* do not interrupt drawing when input arrives */
    set_keys(tc);
    start_colors(tc);
    apply_theme(tc);
    acquire_terminal(tc);
    update_size(tc);
    return &tc->term;
}
