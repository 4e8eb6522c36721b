/* renames.h: rules of a user for names of the base: REGEX=TEMPLATE. */
#ifndef TFPROF_MATCH_RENAMES_H
#define TFPROF_MATCH_RENAMES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"

struct renames;

/* LIST: rules separated by commas, as in lists of regexes.  What REGEX matches anywhere in a name
 * becomes TEMPLATE, in which $1 is what its first group matched.  NULL with ERR (usage). */
struct renames *renames_new(const char *list, struct err *err);
void renames_free(struct renames *r); /* NULL is fine */
/* Makes TO what the first rule that matches makes of NAME; false when none does, or when names were
 * too much work so far. */
bool renames_apply(struct renames *r, struct text name, struct strbuf *to);

#endif
