/* signals.h: termination signals. */
#pragma once

#include <signal.h>

/* The termination signals: HUP INT QUIT TERM. */
enum { N_END_SIGNALS = 4 };
extern const int end_signals[N_END_SIGNALS];

/* Ends the process with SIGNAL_NUMBER and its default action, even if it is handled or blocked. */
void signal_die(int signal_number);
