/* signals.h: signals that end the program. */
#ifndef TFPROF_BASE_SYSTEM_SIGNALS_H
#define TFPROF_BASE_SYSTEM_SIGNALS_H

#include <signal.h>

/* What somebody sends to end the program: HUP INT QUIT TERM. */
enum { N_END_SIGNALS = 4 };
extern const int end_signals[N_END_SIGNALS];

/* Ends the process by SIGNAL_NUMBER as if nobody had handled or blocked it. */
void signal_die(int signal_number);

#endif
