/* keys_list.h: the keys of the screen as text. */
#pragma once

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends a line for each action with its default keys. WORD selects actions by key ("]", "<ret>")
 * or else by name or help in either case; NULL: all, under headlines. False if none matches. */
bool keys_list(struct strbuf *sb, const char *word);
