/* aliases.h: retired names of commands, actions and key contexts, which stay valid. */
#ifndef TFPROF_OPT_ALIASES_H
#define TFPROF_OPT_ALIASES_H

enum alias_kind { ALIAS_COMMAND, ALIAS_ACTION, ALIAS_CONTEXT };

/* The present name of what NAME, a name of KIND, was called in earlier releases; else NAME. */
const char *alias_resolve(enum alias_kind kind, const char *name);

#endif
