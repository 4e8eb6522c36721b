/* regex_engine.h: one regex compiled by PCRE2, and matches within a limit of work.
 * The only file that knows PCRE2 is regex_engine.c. */
#ifndef TFPROF_BASE_REGEX_ENGINE_H
#define TFPROF_BASE_REGEX_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/text.h"

enum regex_flags {
    REGEX_BYTES = 1,      /* texts are bytes, not UTF-8 */
    REGEX_OPEN_START = 2, /* a match need not begin where the text does */
    REGEX_OPEN_END = 4,   /* nor end where it does */
};

/* A zeroed engine is none. */
struct regex_engine {
    void *code;
    bool has_jit;
};

/* What a thread needs to match; any engine. */
struct regex_matcher;

enum regex_answer { REGEX_NO, REGEX_YES, REGEX_TOO_MUCH };

/* Compiles REGEX (LEN bytes).  False when it is wrong: appends why to REASON and
 * sets *AT to the byte where.  Free with regex_engine_done(). */
bool regex_engine_init(struct regex_engine *e, const char *regex, size_t len, unsigned flags,
                       struct strbuf *reason, size_t *at);
void regex_engine_done(struct regex_engine *e);

struct regex_matcher *regex_matcher_new(void);
void regex_matcher_free(struct regex_matcher *m); /* NULL is fine */

/* Whether E matches TEXT from byte START on.  TOO_MUCH: that took more than
 * LIMIT steps back from what did not match; with REGEX_OPEN_START from any one
 * byte of the text.  A step costs a nanosecond or two, but one that reads on
 * through the text (by "(?=.*a)") half a nanosecond a byte. */
enum regex_answer regex_engine_match(const struct regex_engine *e, const struct text *text,
                                     size_t start, uint32_t limit, struct regex_matcher *m);
/* Makes TO what TEXT is with the first match of E replaced by TEMPLATE, in which $N is group N; TO is
 * empty where nothing matches.  A template that PCRE2 does not understand matches nothing. */
enum regex_answer regex_engine_replace(const struct regex_engine *e, const struct text *text,
                                       const char *template, uint32_t limit,
                                       struct regex_matcher *m, struct strbuf *to);

#endif
