/* regexes.h: a list of regexes that must match a whole name.
 *
 * Syntax and lists as in semantics.md section 3: items separated by commas
 * (a backslash makes a comma part of a regex), empty items dropped, quotes
 * around the whole list stripped; every match is a full match. */
#ifndef TFPROF_BASE_REGEXES_H
#define TFPROF_BASE_REGEXES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"

struct regexes;

/* Compiles LIST (NUL-terminated).  NULL and ERR (usage, "#2, column 7: missing
 * ] in 'a[12_'"; its place is the byte of LIST; the caller puts the option's name before
 * it) when an item does not compile.  Free with regexes_free(). */
struct regexes *regexes_new(const char *list, struct err *err);
void regexes_free(struct regexes *r); /* NULL is fine */

/* Number of items; 0 for an empty list. */
size_t regexes_count(const struct regexes *r);
/* The text of item I (NUL-terminated, as it was compiled). */
const char *regexes_item(const struct regexes *r, size_t i);
/* True for exactly ".*": a wildcard that callers need not evaluate. */
bool regexes_is_wildcard(const struct regexes *r);

/* Index of the first item that matches all of TEXT, -1 for none.  Safe from
 * several threads at once.  A text that is too much work for an item is one
 * that the item does not match, see regexes_undecided(). */
int regexes_match(const struct regexes *r, const char *text, size_t len);
/* The same for item I alone. */
bool regexes_match_item(const struct regexes *r, size_t i, const char *text, size_t len);
/* MATCHES[I] becomes 1 when some item matches all of TEXTS[I], else 0: faster
 * than one text after the other. */
void regexes_match_many(const struct regexes *r, const struct text *texts, size_t n,
                        uint8_t *matches);
/* True when whatever NARROW matches is matched by WIDE too; false when that
 * cannot be told.  A filter that got longer need only look at what matched. */
bool regexes_implies(const struct regexes *narrow, const struct regexes *wide);

/* A regex may take time without end to find that it does not match.  Each text
 * has a limit, and all texts of a list together have another: when that is
 * reached, after some 60 ms, the list has given up and matches nothing from then
 * on.  Which lists do depends on the texts alone, not on time or on threads; but
 * which texts were matched before does, so such answers are worth nothing. */
bool regexes_gave_up(const struct regexes *r);
/* How many times an item and a text were too much work so far. */
size_t regexes_undecided(const struct regexes *r);
/* Adds the note that texts were too much work for the list of OPTION ("-x"): those
 * that were, or all N_TEXTS when it gave up.  No note when there were none. */
void regexes_note_undecided(const struct regexes *r, const char *option, size_t n_texts,
                            struct notes *notes);

/* Calls FN for every item of LIST in order, with the item's text as it is
 * compiled (commas unescaped; valid during the call), its byte offset in LIST
 * and ARG. */
void regexes_split(const char *list,
                   void (*fn)(const char *item, size_t len, size_t offset, void *arg), void *arg);

/* Appends ITEM, as regexes_split() gives it, to LIST. */
void regexes_append(struct strbuf *list, const char *item, size_t len);

/* Appends NAME with all that is special to a regex or a list escaped: the
 * item that matches just this name. */
void regexes_quote(struct strbuf *sb, const char *name, size_t len);

#endif
