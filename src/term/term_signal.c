/* term_signal.c: delivers signals as events, and restores the terminal after a crash.
 *
 * Signal handlers have no argument, so this file has one static record: the only mutable static
 * data of the screen. */
#include "term/term_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/macros.h"
#include "base/system/signals.h"
#include "base/xalloc.h"
#include "term/stderr_capture.h"

static const int taken_signals[] = {SIGWINCH, SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT};
/* Signals that end a program without a handler. The first ones are raised by an instruction and end
 * it even if they are ignored. */
static const int crash_signals[] = {SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGSYS, SIGTRAP,
                                    SIGABRT, SIGXCPU, SIGXFSZ, SIGUSR1, SIGUSR2};

enum {
    N_TAKEN = sizeof taken_signals / sizeof *taken_signals,
    N_CRASH = sizeof crash_signals / sizeof *crash_signals,
    N_OF_INSTRUCTIONS = 6, /* number of the first ones in crash_signals */
    ALT_STACK_BYTES = 64 << 10,
    PATIENCE_S = 1,
    /* time limit for a terminal that accepts no output, and for a thread that does not respond */
    LAST_WORDS_MS = 100,
    HOLD_SIGNAL = SIGURG, /* ignored by default, so a stray one has no effect */
};

/* ---- state for a crash */

/* Several threads may crash at the same time, but only one restores the terminal. */
enum { DISARMED, ARMED, GIVING_BACK };

static struct {
    atomic_int stage;
    pthread_t screen;    /* the drawing thread */
    atomic_bool is_held; /* the drawing thread is stopped */
    struct term_rescue rescue;
    struct sigaction before[N_CRASH], before_hold;
    bool is_set[N_CRASH]; /* our handler is installed; a later one may call it */
    stack_t stack_before;
    void *stack;
    struct xalloc_hook no_memory;
    bool at_exit;                  /* term_rescue_now() is registered with atexit() */
    volatile sig_atomic_t end_asked; /* signal that arrived during a write, else 0 */
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

/* Stops the drawing thread when another thread has crashed, so that it does not draw after the
 * terminal is restored. The process is about to end. */
static void on_hold(int signal_number UNUSED)
{
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

void term_rescue_now(void)
{
    const struct term_rescue *r = &state.rescue;
    int flags, armed = ARMED;

    if (!atomic_compare_exchange_strong(&state.stage, &armed, GIVING_BACK)) {
        /* Another thread may be restoring it; the second one ends the process. */
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
        stderr_capture_replay(r->stderr_fd, r->captured_fd);
    atomic_store(&state.stage, DISARMED);
}

/* ---- termination while the terminal accepts no output */

static void on_end_asked(int signal_number)
{
    state.end_asked = signal_number;
    alarm(PATIENCE_S);
}

static void on_end_timeout(int signal_number UNUSED)
{
    if (!state.end_asked)
        return;
    term_rescue_now();
    signal_die(state.end_asked);
}

/* True for a signal that was ignored at the start (nohup): it must stay ignored, but blocking it
 * would make it pending. */
static bool is_ignored(int signal_number)
{
    struct sigaction now;

    return sigaction(signal_number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* The signals stay blocked until term_signals_begin_write(). */
static void set_end_handlers(void)
{
    struct sigaction asked = {.sa_handler = on_end_asked, .sa_flags = SA_RESTART};
    struct sigaction lost = {.sa_handler = on_end_timeout, .sa_flags = SA_RESTART};

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

/* Changes the mask of the signals that term_signals_end_write() reads. */
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
    raise(state.end_asked); /* blocked: stays pending for term_signals_next() */
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
    sigaddset(&blocked, SIGPIPE); /* the reader of a pipe may exit early */
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
    /* Blocked: they stay pending for the next call. */
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

static void restore_without_memory(void *arg UNUSED)
{
    term_rescue_now();
}

static void on_crash(int signal_number, siginfo_t *info, void *context UNUSED)
{
    term_rescue_now();
    for (int i = 0; i < N_CRASH; i++)
        if (crash_signals[i] == signal_number)
            sigaction(signal_number, &state.before[i], NULL);
    /* A fault recurs on return, and the previous handler receives it; a signal sent by a process
     * must be raised again. */
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
    /* ncurses ends the process itself if it is out of memory. */
    state.at_exit = state.at_exit || atexit(term_rescue_now) == 0;
    stack.ss_sp = state.stack;
    sigaltstack(&stack, &state.stack_before);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_CRASH; i++)
        if (!state.is_set[i] && (i < N_OF_INSTRUCTIONS || !is_ignored(crash_signals[i])))
            state.is_set[i] = sigaction(crash_signals[i], &action, &state.before[i]) == 0;
    state.no_memory = (struct xalloc_hook){.run = restore_without_memory};
    xalloc_hook_add(&state.no_memory);
}

/* A handler that was set after ours (load/bytes/mapping.c, for lost pages) calls ours and stays
 * installed, because its mappings still exist. */
static void remove_handler(int i)
{
    struct sigaction now;

    if (sigaction(crash_signals[i], NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO) ||
        now.sa_sigaction != on_crash)
        return;
    sigaction(crash_signals[i], &state.before[i], NULL);
    state.is_set[i] = false;
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
