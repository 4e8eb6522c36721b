/* regex_reader.h: stepping over the elements of a regex, for those who look for
 * parts that they understand. */
#ifndef TFPROF_BASE_REGEX_READER_H
#define TFPROF_BASE_REGEX_READER_H

#include <stdbool.h>
#include <stddef.h>

/* Where a regex that PCRE2 has accepted is being read. */
struct regex_reader {
    const char *at, *end;
    int depth; /* groups that are open */
};

/* True when WHAT is next. */
bool regex_starts_with(const struct regex_reader *r, const char *what);
/* Moves behind the next element: a character, an escape (of "\x41" the first two
 * bytes), a class, a quantifier, or a parenthesis, which opens or closes a group.
 * R is not at its end.  False for what may change the meaning of other elements
 * or refer to the whole regex: options, verbs, recursion, quoting, "\G". */
bool regex_skip_element(struct regex_reader *r);
/* Moves behind the group whose parenthesis is next. */
bool regex_skip_group(struct regex_reader *r);

#endif
