/* regex_reader.c: stepping over the elements of a regex. */
#include "base/regex/regex_reader.h"

#include <string.h>

bool regex_starts_with(const struct regex_reader *r, const char *what)
{
    const size_t len = strlen(what);

    return (size_t)(r->end - r->at) >= len && memcmp(r->at, what, len) == 0;
}

/* The next character is a backslash. */
static bool skip_escape(struct regex_reader *r)
{
    if (r->end - r->at < 2 || strchr("QEgcG", r->at[1]))
        return false;
    r->at += 2;
    return true;
}

/* The next character is '['. A ']' directly after "[" or "[^" is a member of the class. */
static bool skip_class(struct regex_reader *r)
{
    r->at++;
    if (regex_starts_with(r, "^"))
        r->at++;
    if (regex_starts_with(r, "]"))
        r->at++;
    while (r->at < r->end && *r->at != ']') {
        if (*r->at == '[') /* possibly [:alpha:] */
            return false;
        if (*r->at != '\\')
            r->at++;
        else if (!skip_escape(r))
            return false;
    }
    if (r->at >= r->end)
        return false;
    r->at++;
    return true;
}

/* The next character is a parenthesis. */
static bool open_group(struct regex_reader *r)
{
    static const char *const known[] = {"(?:", "(?=", "(?!", "(?<=", "(?<!", "(?>"};

    r->depth++;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (regex_starts_with(r, known[i])) {
            r->at += strlen(known[i]);
            return true;
        }
    r->at++;
    return !regex_starts_with(r, "?") && !regex_starts_with(r, "*");
}

bool regex_skip_element(struct regex_reader *r)
{
    switch (*r->at) {
    case '\\':
        return skip_escape(r);
    case '[':
        return skip_class(r);
    case '(':
        return open_group(r);
    case ')':
        r->depth--;
        break;
    default:
        break;
    }
    r->at++;
    return true;
}

bool regex_skip_group(struct regex_reader *r)
{
    const int depth = r->depth;

    do {
        if (r->at == r->end || !regex_skip_element(r))
            return false;
    } while (r->depth > depth);
    return true;
}
