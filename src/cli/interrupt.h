/* interrupt.h: ^C ends the command that runs at the prompt, not the program. */
#ifndef TFPROF_CLI_INTERRUPT_H
#define TFPROF_CLI_INTERRUPT_H

#include "base/cancel.h"

/* From here on the first ^C (SIGINT) asks for the end of the work that holds the mark; another one
 * ends the program, should the first have no effect.  An ignored SIGINT stays ignored. */
struct cancel_mark interrupt_begin(void);
/* ^C ends the program again. */
void interrupt_end(void);

#endif
