/* thread.c: the one way to start a thread, and how many there are to be. */
#include "base/system/thread.h"

#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/xalloc.h"

enum { FAULT_STACK_BYTES = 32 << 10 };

/* Taken by the first thread alone.  Never all signals: the handlers of faults
 * (a page that was lost, a crash with the terminal in our hands) would not run
 * in a thread that blocks them, and the program would die as it is. */
static const int asking_signals[] = {SIGHUP,  SIGINT,   SIGQUIT, SIGTERM, SIGTSTP,
                                     SIGCONT, SIGWINCH, SIGALRM, SIGPIPE};

struct beginning {
    const char *name;
    void *(*run)(void *);
    void *arg;
};

/* The stack for faults is the outer end of the thread's own, which one that
 * overflows at the other end does not reach. */
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
