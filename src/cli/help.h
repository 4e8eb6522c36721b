/* help.h: help texts, printed from the tables. */
#ifndef TFPROF_CLI_HELP_H
#define TFPROF_CLI_HELP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/context.h"

/* Appends the help about TOPIC: a command, option, field, output or preset, "keys" of SCREEN (NULL:
 * there is none), or a word in the help of any of them; NULL: the overview.  False with ERR
 * (usage) when there is none. */
bool help_text(struct strbuf *sb, const char *topic, const struct screen *screen,
               struct err *err);

#endif
