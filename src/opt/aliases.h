/* aliases.h: retired names of commands, actions and key contexts, which stay valid. */
#pragma once

enum alias_kind { ALIAS_COMMAND, ALIAS_ACTION, ALIAS_CONTEXT };

/* The current name of NAME, a retired name of KIND; NAME itself when it is not retired. */
const char *alias_resolve(enum alias_kind kind, const char *name);

struct strbuf; /* base/strbuf.h */

/* Appends LIST, regexes of row names, with retired row names replaced; returns the new name of the
 * first one, or NULL if there was none. */
const char *alias_rows(struct strbuf *sb, const char *list);
