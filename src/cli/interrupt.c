/* interrupt.c: ^C ends the command that runs at the prompt, not the program. */
#include "cli/cli.h"

#include <signal.h>
#include <stddef.h>

/* Global because the signal handler needs it. */
static struct cancel token;
static atomic_bool is_asked;

static void on_interrupt(int number)
{
    if (atomic_exchange(&is_asked, true)) {
        signal(number, SIG_DFL);
        raise(number);
    }
    cancel_ask(&token);
}

struct cancel_mark interrupt_begin(void)
{
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = SA_RESTART}, before;

    atomic_store(&is_asked, false);
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGINT, &action, NULL);
    return cancel_mark_now(&token);
}

void interrupt_end(void)
{
    struct sigaction before;

    if (sigaction(SIGINT, NULL, &before) == 0 && before.sa_handler == on_interrupt)
        signal(SIGINT, SIG_DFL);
}
