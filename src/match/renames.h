/* renames.h: rename rules of the user for names of the baseline: REGEX=TEMPLATE. */
#ifndef TFPROF_MATCH_RENAMES_H
#define TFPROF_MATCH_RENAMES_H

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"

struct renames;

/* LIST: rules separated by commas, as in lists of regexes. The part of a name that REGEX matches is
 * replaced by TEMPLATE, in which $1 is the first group. NULL with ERR (usage). */
struct renames *renames_new(const char *list, struct err *err);
void renames_free(struct renames *r); /* accepts NULL */
/* Replaces TO by the result of the first rule that matches NAME. False when no rule matches, or
 * when the work limit was exceeded too often. */
bool renames_apply(struct renames *r, struct text name, struct strbuf *to);
/* Adds a note when names were too much work; R may be NULL. */
void renames_note_undecided(const struct renames *r, struct notes *notes);

#endif
