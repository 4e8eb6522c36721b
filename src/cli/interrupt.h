/* interrupt.h: ^C ends the command that runs at the prompt, not the program. */
#ifndef TFPROF_CLI_INTERRUPT_H
#define TFPROF_CLI_INTERRUPT_H

#include "base/cancel.h"

/* Until interrupt_end(), the first ^C (SIGINT) cancels the work that holds the returned mark; the
 * second one ends the program.  An ignored SIGINT stays ignored. */
struct cancel_mark interrupt_begin(void);
/* Restores the default: ^C ends the program. */
void interrupt_end(void);

#endif
