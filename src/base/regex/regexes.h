/* regexes.h: lists of regexes that must match a whole name.
 *
 * Syntax as in semantics.md section 3: items are separated by commas (a backslash makes a comma
 * part of a regex), empty items are dropped, quotes around the whole list are removed. Every match
 * is a full match. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "base/text.h"

struct regexes;

/* Compiles LIST (NUL-terminated). If an item does not compile, returns NULL and sets ERR (usage,
 * "#2, column 7: missing ] in 'a[12_'"; its position is a byte of LIST; the caller prepends the
 * name of the option). Free with regexes_free(). */
struct regexes *regexes_new(const char *list, struct err *err);
void regexes_free(struct regexes *r); /* NULL is fine */

/* Returns the number of items, 0 for an empty list. */
size_t regexes_count(const struct regexes *r);
/* Returns the text of item I (NUL-terminated, unescaped). */
const char *regexes_item(const struct regexes *r, size_t i);
/* True if the list is exactly ".*", which callers need not evaluate. */
bool regexes_is_wildcard(const struct regexes *r);

/* Returns the index of the first item that matches all of TEXT, or -1. Thread-safe. An item does
 * not match a text that would take too much work; see regexes_undecided(). */
int regexes_match(const struct regexes *r, const char *text, size_t len);
/* Like regexes_match(), for item I alone. */
bool regexes_match_item(const struct regexes *r, size_t i, const char *text, size_t len);
/* Sets *AT and *N to the part of TEXT that is group 1 of item I; false if the item does not match or
 * has no such group. */
bool regexes_group(const struct regexes *r, size_t i, const char *text, size_t len, size_t *at,
                   size_t *n);
/* Sets MATCHES[I] to 1 if some item matches all of TEXTS[I], else to 0. Faster than separate
 * calls. */
void regexes_match_many(const struct regexes *r, const struct text *texts, size_t n,
                        uint8_t *matches);
/* True if every text that NARROW matches is matched by WIDE; false if that is not known. If so, a
 * filter that was narrowed needs to look at the previous matches only. */
bool regexes_implies(const struct regexes *narrow, const struct regexes *wide);

/* True if the list has exceeded its work limit. Backtracking can take exponential time, so the work
 * per text is limited, and so is the sum over all texts of a list (about 60 ms). After that the
 * list matches nothing. Whether the limit is exceeded depends on the texts alone, not on time or
 * threads; but which texts were matched before it depends on their order, so the caller must
 * discard these answers. */
bool regexes_gave_up(const struct regexes *r);
/* Number of matches that were given up for their cost. */
size_t regexes_undecided(const struct regexes *r);
/* True when all answers so far are valid: neither the list nor a match gave up. */
bool regexes_is_decided(const struct regexes *r);
/* Adds a note on texts that were too expensive for the list of OPTION ("-x"): the undecided ones,
 * or all N_TEXTS when the list gave up.  No note when there were none. */
void regexes_note_undecided(const struct regexes *r, const char *option, size_t n_texts,
                            struct notes *notes);

/* Calls FN for each item of LIST in order, with the unescaped text of the item (valid during the
 * call), its byte offset in LIST, and ARG. */
void regexes_split(const char *list,
                   void (*fn)(const char *item, size_t len, size_t offset, void *arg), void *arg);

/* Appends ITEM, as passed by regexes_split(), to LIST. */
void regexes_append(struct strbuf *list, const char *item, size_t len);

/* Appends NAME with all characters escaped that are special in a regex or a list: the result
 * matches exactly this name. */
void regexes_quote(struct strbuf *sb, const char *name, size_t len);
