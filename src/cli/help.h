/* help.h: help texts, printed from the tables. */
#ifndef TFPROF_CLI_HELP_H
#define TFPROF_CLI_HELP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/context.h"

/* Appends the help about TOPIC: a command, option, field, output, preset, glossary term or "keys"
 * of SCREEN (NULL: no screen), or any word in their help texts.  NULL prints the overview.  False
 * with ERR (usage) when nothing matches. */
bool help_text(struct strbuf *sb, const char *topic, const struct screen *screen,
               struct err *err);

#endif
