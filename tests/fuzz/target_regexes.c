/* target_regexes.c: lists of regexes: any text is compiled or rejected; a quoted name matches
 * itself; a list implied by another one matches what that matches.  The bytes are two lists and a
 * name, each terminated by a newline. */
#include "base/regex/regexes.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "targets.h"

enum { LONGEST_NAME = 200 };

static struct regexes *compiled_or_refused(const char *list)
{
    struct err err = {0};
    struct regexes *r = regexes_new(list, &err);

    FUZZ_REQUIRE(r ? err.kind == ERR_NONE : err.kind == ERR_USAGE);
    if (!r)
        FUZZ_REQUIRE(*err_text(&err) && !strchr(err_text(&err), '\n'));
    err_done(&err);
    return r;
}

static void name_matches_itself(const char *name, size_t len)
{
    struct strbuf list = {0};
    struct regexes *r;

    regexes_quote(&list, name, len);
    if (len && !memchr(name, '\0', len)) {
        r = compiled_or_refused(sb_text(&list));
        FUZZ_REQUIRE(r && regexes_count(r) == 1 && regexes_match(r, name, len) == 0);
        regexes_free(r);
    }
    sb_done(&list);
}

static void lists_agree(const struct regexes *one, const struct regexes *two, const char *name,
                        size_t len)
{
    const int item = regexes_match(one, name, len), other = regexes_match(two, name, len);

    FUZZ_REQUIRE(item >= -1 && item < (int)regexes_count(one));
    FUZZ_REQUIRE(item < 0 || regexes_undecided(one) || regexes_match_item(one, (size_t)item, name, len));
    if (regexes_implies(one, two) && !regexes_undecided(one) && !regexes_undecided(two))
        FUZZ_REQUIRE(item < 0 || other >= 0);
}

void target_regexes(const uint8_t *bytes, size_t size)
{
    char *text = xmemdupz(bytes, size), *two = memchr(text, '\n', size), *name;
    struct regexes *a, *b;
    size_t len;

    if (two)
        *two++ = '\0';
    name = two ? memchr(two, '\n', size - (size_t)(two - text)) : NULL;
    if (name)
        *name++ = '\0';
    len = name ? size - (size_t)(name - text) : 0;
    if (len > LONGEST_NAME)
        len = LONGEST_NAME;
    a = compiled_or_refused(text);
    b = compiled_or_refused(two ? two : "");
    if (a && b)
        lists_agree(a, b, name ? name : "", len);
    if (name)
        name_matches_itself(name, len);
    regexes_free(a);
    regexes_free(b);
    free(text);
}
