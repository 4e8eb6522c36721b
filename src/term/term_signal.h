/* term_signal.h: signals as events, and the terminal given back when the
 * program dies. */
#ifndef TFPROF_TUI_TERM_SIGNAL_H
#define TFPROF_TUI_TERM_SIGNAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

/* The signals that the screen takes (WINCH HUP INT TERM QUIT TSTP CONT) are
 * blocked and read from a descriptor: none can get lost between a look at the
 * queue and going to sleep, and none interrupts drawing. */
struct term_signals {
    int fd;          /* poll it beside the terminal */
    sigset_t before; /* mask to go back to */
};

/* Hands the signals that newterm() has taken back: ours come by descriptor. */
void term_signals_drop_handlers(void);
/* False when the system gives no descriptor. */
bool term_signals_init(struct term_signals *s);
void term_signals_done(struct term_signals *s);
/* The next signal that came, 0: none. */
int term_signals_next(struct term_signals *s);
/* Forgets keys that arrived as signals (^C, ^\, ^Z) for another program that
 * had the terminal; what asks for an end is kept. */
void term_signals_forget_keys(struct term_signals *s);
/* Between these two the program may wait for a terminal that takes nothing: a
 * stopped or very slow one.  What asks for an end (HUP, INT, TERM, QUIT) is let
 * through then: when the writing is not over PATIENCE later, the terminal is
 * given back as far as it takes anything and the process ends by that signal.
 * Otherwise the signal is there for term_signals_next(). */
void term_signals_begin_write(struct term_signals *s);
void term_signals_end_write(struct term_signals *s);
/* Stops the whole job as ^Z at a shell does; returns once it goes on. */
void term_signals_stop_job(void);

/* What has to happen when the program crashes while it has the terminal. */
struct term_rescue {
    int tty_fd;
    struct termios modes;  /* as they were before */
    char restore[256];     /* leaves the screen's modes */
    size_t n_restore;
    int stderr_fd;  /* the real standard error; -1: it was not diverted */
    int captured_fd;   /* what was written to it meanwhile; -1: nothing */
};

/* From here to the disarming, SEGV BUS FPE ILL SYS TRAP ABRT XCPU XFSZ USR1 USR2
 * in any thread and running out of memory give the terminal back before the
 * program dies of them, and so does a library that ends the process.
 * RESCUE is copied; armed again, the newer one counts. */
void term_rescue_arm(const struct term_rescue *rescue);
/* The same for a terminal that seems to be gone: whatever it still takes. */
void term_rescue_now(void);
void term_rescue_disarm(void);

#endif
