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
/* Replaces TO by NAME with all rules applied, each to the result of the one before. False when no
 * rule matches, or when the work limit was exceeded too often. */
bool renames_apply(struct renames *r, struct text name, struct strbuf *to);
/* Counts a pair for each rule that the last renames_apply() applied. TYPES_DIFFER: of two types. */
void renames_count_pair(struct renames *r, bool types_differ);
/* Forgets counts and work. */
void renames_restart(struct renames *r);
/* Adds a note for each rule with its pairs, and one when names were too much work; R may be NULL. */
void renames_note(const struct renames *r, struct notes *notes);
