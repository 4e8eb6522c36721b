/* term_signal.h: delivers signals as events, and restores the terminal after a crash. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* The screen's signals (WINCH HUP INT TERM QUIT TSTP CONT) are blocked and read from a descriptor:
 * none is lost between a check and a wait, and none interrupts drawing. */
struct term_signals {
    int fd;          /* to be polled together with the terminal */
    sigset_t before; /* original signal mask */
};

/* Removes the signal handlers that newterm() has installed: signals are read from the
 * descriptor. */
void term_signals_drop_handlers(void);
/* Returns false if no descriptor is available. */
bool term_signals_init(struct term_signals *s);
void term_signals_done(struct term_signals *s);
/* Returns the next pending signal, 0 if there is none. */
int term_signals_next(struct term_signals *s);
/* Discards pending signals from keys (^C, ^\, ^Z) that were meant for another program on the
 * terminal. Termination signals are kept. */
void term_signals_forget_keys(struct term_signals *s);
/* Brackets writes, which may block if the terminal is stopped or very slow. Inside, the termination
 * signals (HUP, INT, TERM, QUIT) are unblocked: if the write does not finish within PATIENCE after
 * one, the terminal is restored as far as possible and the process ends by that signal. Otherwise
 * term_signals_next() returns it. */
void term_signals_begin_write(struct term_signals *s);
void term_signals_end_write(struct term_signals *s);
/* Stops the job as ^Z does in a shell. Returns when it is continued. */
void term_signals_stop_job(void);

/* Data for a crash handler that restores the terminal. */
struct term_rescue {
    int tty_fd;
    struct termios modes;  /* original terminal modes */
    char restore[256];     /* escape sequences that leave the screen's modes */
    size_t n_restore;
    int stderr_fd;  /* the original standard error; -1: not captured */
    int captured_fd;   /* captured standard error; -1: none */
};

/* Until it is disarmed, the terminal is restored before the program dies: by SEGV BUS FPE ILL SYS
 * TRAP ABRT XCPU XFSZ USR1 USR2 in any thread, when memory is out, or when a library ends the
 * process. RESCUE is copied; arming again replaces it. */
void term_rescue_arm(const struct term_rescue *rescue);
/* Restores the terminal at once: after a crash, or when it seems to be gone. Async-signal-safe. */
void term_rescue_now(void);
void term_rescue_disarm(void);
