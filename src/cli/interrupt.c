/* interrupt.c: ^C ends the command that runs at the prompt, not the program; -time_limit ends any
 * command. */
#include "cli/cli.h"

#include <signal.h>
#include <stddef.h>
#include <unistd.h>

/* Global because the signal handler needs it. */
static struct cancel token;
static atomic_bool is_asked, is_late;

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

static void on_alarm(int number UNUSED)
{
    atomic_store(&is_late, true);
    cancel_ask(&token);
}

struct cancel_mark time_limit_begin(int64_t seconds)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};

    sigemptyset(&action.sa_mask);
    if (seconds > 0 && sigaction(SIGALRM, &action, NULL) == 0)
        alarm((unsigned)seconds);
    return cancel_mark_now(&token);
}

bool time_limit_passed(void)
{
    return atomic_load(&is_late);
}
