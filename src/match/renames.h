/* renames.h: rename rules of the user for names of the baseline: REGEX=TEMPLATE. */
#pragma once

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"

struct renames;

/* LIST: rules separated by commas, as in lists of regexes. The part of a name that REGEX matches is
 * replaced by TEMPLATE, in which $1 is the first group. NULL with ERR (usage). */
struct renames *renames_new(const char *list, struct err *err);
void renames_free(struct renames *r); /* accepts NULL */
/* Sets TO to NAME with all rules applied in turn. False when no rule matches, or when the regex
 * work limit was exceeded too often. */
bool renames_apply(struct renames *r, struct text name, struct strbuf *to);
/* Counts a pair for each rule of the last renames_apply(). TYPES_DIFFER: the types differ. */
void renames_count_pair(struct renames *r, bool types_differ);
/* Resets counts and regex work. */
void renames_restart(struct renames *r);
/* Adds a note with the number of pairs per rule, and one if regexes gave up. R may be NULL. */
void renames_note(const struct renames *r, struct notes *notes);
