/* dfa.h: matching whole texts of ASCII at a step a byte.
 *
 * A regex that holds nothing but bytes, classes, groups, alternatives and
 * repetitions is turned into a table, which costs a name a fifth of what the
 * regex engine takes, however the regex is written. */
#ifndef TFPROF_BASE_DFA_H
#define TFPROF_BASE_DFA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/glob.h"
#include "base/text.h"

struct dfa;

/* The table of REGEX (LEN bytes), which pcre2 has accepted; NULL when it needs
 * the engine or a large table.  Free with dfa_free(). */
struct dfa *dfa_new(const char *regex, size_t len);
void dfa_free(struct dfa *d); /* NULL is fine */

/* Whether the regex matches all of TEXT; GLOB_MAYBE when bytes beyond ASCII
 * decide.  Any thread. */
enum glob_answer dfa_match(const struct dfa *d, const char *text, size_t len);

/* How many texts are matched side by side: a step has to wait for the one
 * before it, but not for those of other texts. */
enum { DFA_LANES = 4 };
/* False when texts are soon decided, and side by side brings nothing. */
bool dfa_has_lanes(const struct dfa *d);
/* ANSWERS[I] as dfa_match() gives it for TEXTS[I]. */
void dfa_match_lanes(const struct dfa *d, const struct text texts[DFA_LANES],
                     enum glob_answer answers[DFA_LANES]);

#endif
