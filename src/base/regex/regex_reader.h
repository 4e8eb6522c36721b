/* regex_reader.h: iterates over the elements of a regex, for code that analyses them. */
#pragma once

#include <stdbool.h>

/* Position in a regex that PCRE2 has accepted. */
struct regex_reader {
    const char *at, *end;
    int depth; /* number of open groups */
};

/* True if the rest of the regex begins with WHAT. */
bool regex_starts_with(const struct regex_reader *r, const char *what);
/* Skips the next element: a character, an escape (of "\x41" the first two bytes), a class, a
 * quantifier, or a parenthesis, which opens or closes a group. R must not be at its end. Returns
 * false for elements that change the meaning of others or refer to the whole regex: options, verbs,
 * recursion, quoting, "\G". */
bool regex_skip_element(struct regex_reader *r);
/* Skips a group. The next character is its opening parenthesis. */
bool regex_skip_group(struct regex_reader *r);
