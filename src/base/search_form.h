/* search_form.h: a regex of whole texts as one that is searched for.
 *
 * ".*X.*" matches all of a text just when X is found in it.  PCRE2 looks for the
 * first bytes of X many bytes at a time, but matches ".*" from the far end of the
 * text, byte by byte: searching takes a third of the time or less. */
#ifndef TFPROF_BASE_SEARCH_FORM_H
#define TFPROF_BASE_SEARCH_FORM_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"

struct search_form {
    struct strbuf regex;       /* what is searched for */
    bool open_start, open_end; /* ".*" stood before and behind it */
    /* What is found has at most this many bytes, digits at its end apart, so that
     * it does not begin further from the end of the text; 0: not known. */
    size_t max_len;
    bool may_end_in_digits;
    /* Where all that is searched for is some bytes and then digits, one or with `repeats` any
     * number of them, at the end of the text: no engine is needed. */
    bool is_tail;
    size_t literal_len; /* the bytes, the first ones of `regex` */
    uint16_t digits;    /* a bit for each that may follow */
    bool repeats;
};

/* Finds the search form of REGEX (LEN bytes), which PCRE2 has accepted.  False
 * when all its alternatives neither begin nor end with ".*", or it holds what
 * regex_skip_element() does not pass.  Regex and form agree on texts that are
 * plain (prefilter.h) alone.  F is freed with search_form_done() either way. */
bool search_form_init(struct search_form *f, const char *regex, size_t len);
void search_form_done(struct search_form *f);

/* Whether the end of TEXT, which need not be plain, is what F, which is_tail, searches for. */
bool search_form_ends(const struct search_form *f, const char *text, size_t len);

/* Where in TEXT, which is plain, the search may begin. */
size_t search_form_start(const struct search_form *f, const char *text, size_t len);

#endif
