/* regex_engine.c: compiles regexes with PCRE2, and matches them within a work limit. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex/regex_engine.h"

#include <pcre2.h>
#include <stdlib.h>

#include "base/xalloc.h"

/* Memory limit of the interpreter per match. */
enum { HEAP_LIMIT_KIB = 4096 };

struct regex_matcher {
    pcre2_match_data *data;
    pcre2_match_context *limits;
    uint32_t limit; /* match limit that is set in LIMITS */
    int rc;         /* of the last match */
};

bool regex_engine_init(struct regex_engine *e, const char *regex, size_t len, unsigned flags,
                       struct strbuf *reason, size_t *at)
{
    const uint32_t options = (flags & REGEX_BYTES ? 0 : PCRE2_UTF | PCRE2_MATCH_INVALID_UTF) |
                             (flags & REGEX_OPEN_START ? 0 : PCRE2_ANCHORED) |
                             (flags & REGEX_OPEN_END ? 0 : PCRE2_ENDANCHORED);
    PCRE2_UCHAR message[160];
    int code;

    e->code = pcre2_compile((PCRE2_SPTR)regex, len, options, &code, at, NULL);
    if (e->code) {
        /* Without the JIT (not built in, or no executable memory) the slower interpreter is
         * used. */
        e->has_jit = pcre2_jit_compile(e->code, PCRE2_JIT_COMPLETE) == 0;
        return true;
    }
    if (code == PCRE2_ERROR_HEAP_FAILED)
        xalloc_fail();
    pcre2_get_error_message(code, message, sizeof message);
    sb_adds(reason, (const char *)message);
    return false;
}

void regex_engine_done(struct regex_engine *e)
{
    pcre2_code_free(e->code);
    e->code = NULL;
}

struct regex_matcher *regex_matcher_new(void)
{
    struct regex_matcher *m = xcalloc(1, sizeof *m);

    m->data = pcre2_match_data_create(2, NULL);
    m->limits = pcre2_match_context_create(NULL);
    if (!m->data || !m->limits)
        xalloc_fail();
    pcre2_set_heap_limit(m->limits, HEAP_LIMIT_KIB);
    return m;
}

void regex_matcher_free(struct regex_matcher *m)
{
    if (!m)
        return;
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->limits);
    free(m);
}

enum regex_answer regex_engine_replace(const struct regex_engine *e, const struct text *text,
                                       const char *template, uint32_t limit,
                                       struct regex_matcher *m, struct strbuf *to)
{
    PCRE2_SIZE room = text->len + 256, len;
    int rc;

    m->limit = limit;
    pcre2_set_match_limit(m->limits, limit);
    do {
        PCRE2_UCHAR *replaced = xreallocarray(NULL, room, 1);

        len = room;
        sb_clear(to);
        rc = pcre2_substitute(e->code, (PCRE2_SPTR)text->bytes, text->len, 0,
                              PCRE2_SUBSTITUTE_OVERFLOW_LENGTH | PCRE2_SUBSTITUTE_UNSET_EMPTY, NULL,
                              m->limits, (PCRE2_SPTR)template, PCRE2_ZERO_TERMINATED, replaced, &len);
        if (rc > 0)
            sb_add(to, (const char *)replaced, len);
        free(replaced);
        room = len;
    } while (rc == PCRE2_ERROR_NOMEMORY && room <= REPLACED_MAX_BYTES);
    return rc > 0 ? REGEX_YES : rc == 0 || rc == PCRE2_ERROR_NOMATCH ? REGEX_NO : REGEX_TOO_MUCH;
}

enum regex_answer regex_engine_match(const struct regex_engine *e, const struct text *text,
                                     size_t start, uint32_t limit, struct regex_matcher *m)
{
    int rc = PCRE2_ERROR_JIT_STACKLIMIT;

    if (m->limit != limit)
        pcre2_set_match_limit(m->limits, limit);
    m->limit = limit;
    /* The direct call skips checks that cost as much as a short match. */
    if (e->has_jit)
        rc = pcre2_jit_match(e->code, (PCRE2_SPTR)text->bytes, text->len, start, 0, m->data,
                             m->limits);
    if (rc == PCRE2_ERROR_JIT_STACKLIMIT)
        rc = pcre2_match(e->code, (PCRE2_SPTR)text->bytes, text->len, start, PCRE2_NO_JIT,
                         m->data, m->limits);
    if (rc == PCRE2_ERROR_NOMEMORY)
        xalloc_fail();
    m->rc = rc;
    if (rc == PCRE2_ERROR_NOMATCH)
        return REGEX_NO;
    return rc >= 0 ? REGEX_YES : REGEX_TOO_MUCH;
}

bool regex_matcher_group(const struct regex_matcher *m, size_t *at, size_t *len)
{
    const PCRE2_SIZE *group = pcre2_get_ovector_pointer(m->data) + 2;

    /* 1: the regex has no groups that matched; 0: more than there is room for */
    if (m->rc < 0 || m->rc == 1 || group[0] == PCRE2_UNSET)
        return false;
    *at = group[0];
    *len = group[1] - group[0];
    return true;
}
