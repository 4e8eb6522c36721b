/* thread.c: starts threads, and determines their number. */
#include "base/system/thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { FAULT_STACK_BYTES = 32 << 10 };

/* Signals that only the first thread receives. Faults (SIGBUS, SIGSEGV, ...) must not be blocked:
 * their handlers, which restore the terminal, would not run in this thread. */
static const int asking_signals[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGTSTP,
                                     SIGCONT, SIGWINCH, SIGALRM, SIGPIPE};

struct beginning {
    const char *name;
    void *(*run)(void *);
    void *arg;
};

/* The alternate signal stack is at the far end of the thread's own stack, which an overflow does
 * not reach. */
static void *begin(void *arg)
{
    const struct beginning b = *(struct beginning *)arg;
    unsigned char stack[FAULT_STACK_BYTES];
    const stack_t faults = {.ss_sp = stack, .ss_size = sizeof stack};
    stack_t before;
    void *result;

    free(arg);
    sigaltstack(&faults, &before);
    pthread_setname_np(pthread_self(), b.name);
    result = b.run(b.arg);
    sigaltstack(&before, NULL);
    return result;
}

unsigned thread_count(void)
{
    const char *wanted = getenv("TFPROF_THREADS");
    const long n = wanted ? strtol(wanted, NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : n > THREADS_MAX ? THREADS_MAX : (unsigned)n;
}

int thread_start(pthread_t *thread, const char *name, void *(*run)(void *), void *arg)
{
    struct beginning *b = xmalloc(sizeof *b);
    sigset_t asking, before;
    int failed;

    *b = (struct beginning){name, run, arg};
    sigemptyset(&asking);
    for (size_t i = 0; i < sizeof asking_signals / sizeof *asking_signals; i++)
        sigaddset(&asking, asking_signals[i]);
    pthread_sigmask(SIG_BLOCK, &asking, &before);
    failed = pthread_create(thread, NULL, begin, b);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (failed)
        free(b);
    return failed;
}
