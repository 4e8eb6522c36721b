/* prompt.h: lines typed at a terminal, with history and completion.  The only module that uses
 * libedit. */
#ifndef TFPROF_CLI_PROMPT_H
#define TFPROF_CLI_PROMPT_H

#include "base/cancel.h"
#include "base/err.h"
#include "model/profile.h"

struct prompt;

/* P provides names for completion.  The history is shared with the screen and saved in the state
 * folder, unless NO_STATE; problems with it become NOTES. */
struct prompt *prompt_new(const struct profile *p, bool no_state, struct notes *notes);
/* The next line without its newline, valid until the next call; NULL at the end of input.  From
 * here on ^C cancels the work that holds *CANCEL; at the prompt it discards the typed line. */
const char *prompt_line(struct prompt *pr, struct cancel_mark *cancel, struct notes *notes);
void prompt_free(struct prompt *pr);

#endif
