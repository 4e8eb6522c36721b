/* signals.c: termination signals. */
#include "base/system/signals.h"

#include <pthread.h>
#include <stddef.h>

const int end_signals[N_END_SIGNALS] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};

void signal_die(int signal_number)
{
    sigset_t one;

    signal(signal_number, SIG_DFL);
    sigemptyset(&one);
    sigaddset(&one, signal_number);
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    raise(signal_number);
}
