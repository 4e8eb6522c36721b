/* print.h: short texts to standard output. */
#ifndef TFPROF_CLI_PRINT_H
#define TFPROF_CLI_PRINT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/context.h"

/* These return false with ERR (input) when standard output cannot be written. */
bool print_text(const struct strbuf *text, struct err *err);
/* Prints the help about TOPIC (help.h); ERR (usage) when there is none. */
bool print_help(const char *topic, const struct screen *screen, struct err *err);
/* Prints the release and the state ON of the sandbox. */
bool print_version(const struct sandbox *on, struct err *err);

#endif
