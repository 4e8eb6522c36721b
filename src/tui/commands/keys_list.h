/* keys_list.h: the keys of the screen as text. */
#ifndef TFPROF_TUI_COMMANDS_KEYS_LIST_H
#define TFPROF_TUI_COMMANDS_KEYS_LIST_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends a line for each action, with the keys it has unless tfprofrc binds others: of those with
 * key WORD ("]", "<ret>"), else of those whose name or help has WORD, in any case; NULL: of all,
 * under their headlines.  False when there is none. */
bool keys_list(struct strbuf *sb, const char *word);

#endif
