/* term_signal.c: signals as events, and the terminal given back when the
 * program dies.
 *
 * A signal handler has no argument to find its data by, so this file holds
 * one static record: the only changing static data of the screen. */
#include "term/term_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/system/signals.h"
#include "base/xalloc.h"
#include "term/term.h"
#include "term/stderr_capture.h"

static const int taken_signals[] = {SIGWINCH, SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT};
/* What ends a program that does not expect it.  Those of an instruction, which
 * come first, end it even where they were ignored. */
static const int crash_signals[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGSYS, SIGTRAP,
                                    SIGABRT, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2};

enum {
    N_TAKEN = sizeof taken_signals / sizeof *taken_signals,
    N_CRASH = sizeof crash_signals / sizeof *crash_signals,
    N_OF_INSTRUCTIONS = 6, /* of crash_signals */
    ALT_STACK_BYTES = 64 << 10,
    PATIENCE_S = 1,
    LAST_WORDS_MS = 100, /* for a terminal that takes nothing, or a thread that does not answer */
    HOLD_SIGNAL = SIGURG, /* nobody minds one from elsewhere */
};

/* ---- dying in order */

/* Several threads may crash at once; one of them gives the terminal back. */
enum { DISARMED, ARMED, GIVING_BACK };

static struct {
    atomic_int stage;
    pthread_t screen;    /* the thread that draws */
    atomic_bool is_held; /* it draws no more */
    struct term_rescue rescue;
    struct sigaction before[N_CRASH], before_hold;
    bool is_set[N_CRASH]; /* our handler, maybe behind one that came later */
    stack_t stack_before;
    void *stack;
    struct xalloc_hook no_memory;
    bool at_exit;                  /* give_back() is called there */
    volatile sig_atomic_t end_asked; /* by this signal, while we write */
} state;

static void write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);

        if (n < 0 && errno == EAGAIN && poll(&(struct pollfd){fd, POLLOUT, 0}, 1, LAST_WORDS_MS) > 0)
            continue;
        if (n <= 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

/* In the thread that draws, when another one has crashed: what it drew now would
 * come behind what the terminal was given back with.  The process is about to end. */
static void on_hold(int signal_number)
{
    (void)signal_number;
    if (atomic_load(&state.stage) != GIVING_BACK)
        return;
    atomic_store(&state.is_held, true);
    for (;;)
        poll(NULL, 0, -1);
}

static void hold_screen(void)
{
    if (pthread_equal(pthread_self(), state.screen) ||
        pthread_kill(state.screen, HOLD_SIGNAL) != 0)
        return;
    for (int i = 0; i < LAST_WORDS_MS && !atomic_load(&state.is_held); i++)
        poll(NULL, 0, 1);
}

/* Only calls what is safe in a signal handler. */
static void give_back(void)
{
    const struct term_rescue *r = &state.rescue;
    int flags, armed = ARMED;

    if (!atomic_compare_exchange_strong(&state.stage, &armed, GIVING_BACK)) {
        /* Another thread may be at it: whoever comes second ends the process. */
        for (int i = 0; i < LAST_WORDS_MS && atomic_load(&state.stage) == GIVING_BACK; i++)
            poll(NULL, 0, 1);
        return;
    }
    hold_screen();
    flags = fcntl(r->tty_fd, F_GETFL);
    fcntl(r->tty_fd, F_SETFL, flags | O_NONBLOCK);
    write_all(r->tty_fd, r->restore, r->n_restore);
    fcntl(r->tty_fd, F_SETFL, flags);
    tcsetattr(r->tty_fd, TCSANOW, &r->modes);
    if (r->stderr_fd >= 0)
        stderr_capture_give_back(r->stderr_fd, r->captured_fd);
    atomic_store(&state.stage, DISARMED);
}

/* ---- an end asked for while a terminal takes nothing */

static void on_end_asked(int signal_number)
{
    state.end_asked = signal_number;
    alarm(PATIENCE_S);
}

static void on_patience_lost(int signal_number)
{
    (void)signal_number;
    if (!state.end_asked)
        return;
    give_back();
    signal_die(state.end_asked);
}

/* A signal that somebody had ignored for us (nohup) stays ignored; blocked, it
 * would not be. */
static bool is_ignored(int signal_number)
{
    struct sigaction now;

    return sigaction(signal_number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Our handlers wait for begin_write(): until then the signals are blocked. */
static void set_end_handlers(void)
{
    struct sigaction asked = {.sa_handler = on_end_asked, .sa_flags = SA_RESTART};
    struct sigaction lost = {.sa_handler = on_patience_lost, .sa_flags = SA_RESTART};

    sigemptyset(&asked.sa_mask);
    sigemptyset(&lost.sa_mask);
    for (int i = 0; i < N_END_SIGNALS; i++)
        if (!is_ignored(end_signals[i]))
            sigaction(end_signals[i], &asked, NULL);
    sigaction(SIGALRM, &lost, NULL);
}

static void unset_end_handlers(void)
{
    struct sigaction now;

    for (int i = 0; i < N_END_SIGNALS; i++)
        if (sigaction(end_signals[i], NULL, &now) == 0 && now.sa_handler == on_end_asked)
            signal(end_signals[i], SIG_DFL);
    signal(SIGALRM, SIG_DFL);
}

/* The signals that end_write() takes back. */
static void mask_end_signals(int how)
{
    sigset_t end;

    sigemptyset(&end);
    for (int i = 0; i < N_END_SIGNALS; i++)
        sigaddset(&end, end_signals[i]);
    sigaddset(&end, SIGALRM);
    pthread_sigmask(how, &end, NULL);
}

void term_signals_begin_write(struct term_signals *s)
{
    if (s->fd >= 0)
        mask_end_signals(SIG_UNBLOCK);
}

void term_signals_end_write(struct term_signals *s)
{
    if (s->fd < 0)
        return;
    mask_end_signals(SIG_BLOCK);
    if (!state.end_asked)
        return;
    alarm(0);
    raise(state.end_asked); /* blocked: it waits for the next look */
    state.end_asked = 0;
}

/* ---- signals as events */

void term_signals_drop_handlers(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGTSTP, SIGWINCH};

    struct sigaction now;

    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(signals[i], SIG_DFL);
}

bool term_signals_init(struct term_signals *s)
{
    sigset_t taken, blocked;

    set_end_handlers();
    sigemptyset(&taken);
    for (int i = 0; i < N_TAKEN; i++)
        if (!is_ignored(taken_signals[i]))
            sigaddset(&taken, taken_signals[i]);
    s->fd = signalfd(-1, &taken, SFD_CLOEXEC | SFD_NONBLOCK);
    if (s->fd < 0)
        return false;
    blocked = taken;
    sigaddset(&blocked, SIGPIPE); /* a command that we pipe to may end early */
    pthread_sigmask(SIG_BLOCK, &blocked, &s->before);
    return true;
}

void term_signals_done(struct term_signals *s)
{
    if (s->fd < 0)
        return;
    close(s->fd);
    s->fd = -1;
    unset_end_handlers();
    pthread_sigmask(SIG_SETMASK, &s->before, NULL);
}

int term_signals_next(struct term_signals *s)
{
    struct signalfd_siginfo info;

    if (read(s->fd, &info, sizeof info) != (ssize_t)sizeof info)
        return 0;
    return (int)info.ssi_signo;
}

void term_signals_forget_keys(struct term_signals *s)
{
    bool hung_up = false, end = false;
    int signal_number;

    while ((signal_number = term_signals_next(s)) != 0) {
        hung_up = hung_up || signal_number == SIGHUP;
        end = end || signal_number == SIGTERM;
    }
    /* Blocked: they wait for the next look. */
    if (hung_up)
        raise(SIGHUP);
    if (end)
        raise(SIGTERM);
}

void term_signals_stop_job(void)
{
    sigset_t stop, before;

    signal(SIGTSTP, SIG_DFL);
    sigemptyset(&stop);
    sigaddset(&stop, SIGTSTP);
    pthread_sigmask(SIG_UNBLOCK, &stop, &before);
    kill(0, SIGTSTP);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- handlers for a crash */

static void give_back_before_end(void *arg)
{
    (void)arg;
    give_back();
}

static void on_crash(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    give_back();
    for (int i = 0; i < N_CRASH; i++)
        if (crash_signals[i] == signal_number)
            sigaction(signal_number, &state.before[i], NULL);
    /* A fault comes again on return, to whoever handled it before us; one
     * that somebody sent has to be sent again. */
    if (info->si_code <= 0)
        raise(signal_number);
}

void term_rescue_arm(const struct term_rescue *rescue)
{
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    struct sigaction hold = {.sa_handler = on_hold, .sa_flags = SA_RESTART};
    stack_t stack = {.ss_size = ALT_STACK_BYTES};

    state.rescue = *rescue;
    if (state.stack)
        return;
    state.stack = xmalloc(ALT_STACK_BYTES);
    state.screen = pthread_self();
    sigemptyset(&hold.sa_mask);
    sigaction(HOLD_SIGNAL, &hold, &state.before_hold);
    atomic_store(&state.stage, ARMED);
    /* ncurses ends the process itself when it has no memory. */
    state.at_exit = state.at_exit || atexit(give_back) == 0;
    stack.ss_sp = state.stack;
    sigaltstack(&stack, &state.stack_before);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_CRASH; i++)
        if (!state.is_set[i] && (i < N_OF_INSTRUCTIONS || !is_ignored(crash_signals[i])))
            state.is_set[i] = sigaction(crash_signals[i], &action, &state.before[i]) == 0;
    state.no_memory = (struct xalloc_hook){.run = give_back_before_end};
    xalloc_hook_add(&state.no_memory);
}

/* Whoever set a handler after us (load/bytes/mapping.c for lost pages) passes on to
 * ours, and stays: what it watches over is still there. */
static void remove_handler(int i)
{
    struct sigaction now;

    if (sigaction(crash_signals[i], NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO) ||
        now.sa_sigaction != on_crash)
        return;
    sigaction(crash_signals[i], &state.before[i], NULL);
    state.is_set[i] = false;
}

void term_rescue_now(void)
{
    give_back();
}

void term_rescue_disarm(void)
{
    if (!state.stack)
        return;
    atomic_store(&state.stage, DISARMED);
    xalloc_hook_remove(&state.no_memory);
    for (int i = 0; i < N_CRASH; i++)
        remove_handler(i);
    sigaction(HOLD_SIGNAL, &state.before_hold, NULL);
    sigaltstack(&state.stack_before, NULL);
    free(state.stack);
    state.stack = NULL;
}
