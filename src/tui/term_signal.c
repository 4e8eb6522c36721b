/* term_signal.c: signals as events, and the terminal given back when the
 * program dies.
 *
 * A signal handler has no argument to find its data by, so this file holds
 * one static record: the only changing static data of the screen. */
#include "tui/term_signal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/xalloc.h"
#include "tui/term.h"

static const int taken_signals[] = {SIGWINCH, SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGCONT};
static const int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

enum {
    N_TAKEN = sizeof taken_signals / sizeof *taken_signals,
    N_CRASH = sizeof crash_signals / sizeof *crash_signals,
    ALT_STACK_BYTES = 64 << 10,
};

/* ---- signals as events */

bool term_signals_init(struct term_signals *s)
{
    sigset_t taken, blocked;

    sigemptyset(&taken);
    for (int i = 0; i < N_TAKEN; i++)
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

void term_reraise(int signal_number)
{
    sigset_t one;

    signal(signal_number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(signal_number);
}

/* ---- dying in order */

static struct {
    volatile sig_atomic_t armed;
    struct term_rescue rescue;
    struct sigaction before[N_CRASH];
    stack_t stack_before;
    void *stack;
} state;

static void write_all(int fd, const char *bytes, size_t len)
{
    while (len) {
        ssize_t n = write(fd, bytes, len);

        if (n <= 0)
            return;
        bytes += n;
        len -= (size_t)n;
    }
}

/* Only calls what is safe in a signal handler. */
static void give_back(void)
{
    const struct term_rescue *r = &state.rescue;
    char bytes[512];
    ssize_t n;

    if (!state.armed)
        return;
    state.armed = 0;
    write_all(r->tty_fd, r->restore, r->n_restore);
    tcsetattr(r->tty_fd, TCSANOW, &r->modes);
    if (r->stderr_fd < 0)
        return;
    dup2(r->stderr_fd, STDERR_FILENO);
    lseek(r->stray_fd, 0, SEEK_SET);
    while ((n = read(r->stray_fd, bytes, sizeof bytes)) > 0)
        write_all(STDERR_FILENO, bytes, (size_t)n);
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
    stack_t stack = {.ss_size = ALT_STACK_BYTES};

    if (state.armed)
        return;
    state.rescue = *rescue;
    state.armed = 1;
    state.stack = xmalloc(ALT_STACK_BYTES);
    stack.ss_sp = state.stack;
    sigaltstack(&stack, &state.stack_before);
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < N_CRASH; i++)
        sigaction(crash_signals[i], &action, &state.before[i]);
    xalloc_set_oom_hook(give_back);
}

void term_rescue_disarm(void)
{
    if (!state.armed)
        return;
    state.armed = 0;
    xalloc_set_oom_hook(NULL);
    for (int i = 0; i < N_CRASH; i++)
        sigaction(crash_signals[i], &state.before[i], NULL);
    sigaltstack(&state.stack_before, NULL);
    free(state.stack);
    state.stack = NULL;
}
