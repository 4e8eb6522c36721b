/* search_form.h: rewrites a regex that matches whole texts as an unanchored search.
 *
 * ".*X.*" matches a whole text if and only if X is found in it. PCRE2 searches for the first bytes
 * of X with vector instructions, but matches ".*" by backtracking byte by byte from the end of the
 * text: the search takes at most a third of the time. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct search_form {
    struct strbuf regex;       /* regex to search for */
    bool open_start, open_end; /* ".*" preceded, followed it */
    /* Maximum length of a match without trailing digits, which limits how far from the end of the
     * text it can begin; 0: unknown. */
    size_t max_len;
    bool may_end_in_digits;
    /* True if the regex is a literal followed by digits at the end of the text: exactly one digit,
     * or any number with `repeats`. Such a search needs no engine. */
    bool is_tail;
    size_t literal_len; /* length of the literal at the beginning of `regex` */
    uint16_t digits;    /* set of digits that may follow, one bit each */
    bool repeats;
};

/* Computes the search form of REGEX (LEN bytes), which PCRE2 has accepted. Returns false if no
 * alternative begins or ends with ".*", or if an element is not supported by regex_skip_element().
 * Regex and search form are equivalent for plain texts (prefilter.h) only. Free F with
 * search_form_done() in either case. */
bool search_form_init(struct search_form *f, const char *regex, size_t len);
void search_form_done(struct search_form *f);

/* True if the end of TEXT matches F, for which is_tail holds. TEXT need not be plain. */
bool search_form_ends(const struct search_form *f, const char *text, size_t len);

/* Returns the byte of TEXT (plain) from which to search. */
size_t search_form_start(const struct search_form *f, const char *text, size_t len);
