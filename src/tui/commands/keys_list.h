/* keys_list.h: the keys of the screen as text. */
#ifndef TFPROF_TUI_COMMANDS_KEYS_LIST_H
#define TFPROF_TUI_COMMANDS_KEYS_LIST_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends a line for each action whose name or help has WORD, in any case, with the keys it has
 * unless tfprofrc binds others; NULL: all actions, under their headlines.  False when there is none. */
bool keys_list(struct strbuf *sb, const char *word);

#endif
