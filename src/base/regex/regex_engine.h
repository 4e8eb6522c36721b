/* regex_engine.h: compiles regexes with PCRE2, and matches them within a work limit. Only
 * regex_engine.c uses PCRE2. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/text.h"

enum regex_flags {
    REGEX_BYTES = 1,      /* texts are bytes, not UTF-8 */
    REGEX_OPEN_START = 2, /* a match may begin anywhere in the text */
    REGEX_OPEN_END = 4,   /* a match may end anywhere in the text */
};

/* A compiled regex. A zeroed engine has none. */
struct regex_engine {
    void *code;
    bool has_jit;
};

/* State that a thread needs for matching; works with any engine. */
struct regex_matcher;

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_TOO_MUCH };

/* Compiles REGEX (LEN bytes). Returns false on a syntax error, appends the reason to REASON and
 * stores its byte offset in *AT. Free with regex_engine_done(). */
bool regex_engine_init(struct regex_engine *e, const char *regex, size_t len, unsigned flags,
                       struct strbuf *reason, size_t *at);
void regex_engine_done(struct regex_engine *e);

struct regex_matcher *regex_matcher_new(void);
void regex_matcher_free(struct regex_matcher *m); /* NULL is fine */

/* Matches E against TEXT from byte START on. Returns TOO_MUCH if the match took more than LIMIT
 * backtracking steps; with REGEX_OPEN_START the limit holds per start position. A step takes one or
 * two nanoseconds, plus half a nanosecond for each byte that it reads ahead (as "(?=.*a)" does). */
enum regex_answer regex_engine_match(const struct regex_engine *e, const struct text *text,
                                     size_t start, uint32_t limit, struct regex_matcher *m);
/* Sets *AT and *LEN to what group 1 matched in M's last match; false if nothing. */
bool regex_matcher_group(const struct regex_matcher *m, size_t *at, size_t *len);

/* Maximum length of a name made by a replacement. */
enum { REPLACED_MAX_BYTES = 1 << 20 };

/* Sets TO to TEXT with the first match of E replaced by TEMPLATE, in which $N is group N; TO is
 * empty without a match, and if PCRE2 rejects TEMPLATE. */
enum regex_answer regex_engine_replace(const struct regex_engine *e, const struct text *text,
                                       const char *template, uint32_t limit,
                                       struct regex_matcher *m, struct strbuf *to);
