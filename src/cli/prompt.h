/* prompt.h: lines typed at a terminal, with history and completion.  The only
 * part that knows libedit. */
#ifndef TFPROF_CLI_PROMPT_H
#define TFPROF_CLI_PROMPT_H

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct prompt;

/* P gives names for completion.  The history is kept in the state folder, one
 * with the screen's, unless NO_STATE; troubles with it are NOTES. */
struct prompt *prompt_new(const struct profile *p, bool no_state, struct notes *notes);
/* The next line without its end, valid until the next call; NULL at the end
 * of input.  From the prompt on ^C asks for the end of the work that holds
 * *CANCEL; a line that is being typed it discards. */
const char *prompt_line(struct prompt *pr, struct cancel_mark *cancel, struct notes *notes);
void prompt_free(struct prompt *pr);

#endif
