/* words.h: a typed line as words, and words as a line that a shell reads
 * back. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* All heap memory, owned; free with words_done(). */
struct words {
    char **items;
    size_t n;
    size_t capacity;
};

/* Splits LINE at blanks.  'x' keeps everything, "x" all but \" and $'x'
 * knows \n \t \\ \' and \xNN; outside of quotes a backslash protects a blank,
 * a quote or a # and else stays, so that regexes can be typed as they are.  A
 * # that begins a word begins a comment.  False with ERR (usage) at a quote
 * that is not closed. */
bool words_split(const char *line, struct words *w, struct err *err);
void words_add(struct words *w, const char *text);
void words_done(struct words *w);

/* The word being typed at the end of LINE[0..LEN): appends it to WORD without
 * its quotes and returns the byte offset where it begins (LEN when a new one
 * starts).  Quotes may still be open. */
size_t words_last(const char *line, size_t len, struct strbuf *word);

/* Appends TEXT as one word for a shell: bare when no character is special,
 * else in single quotes; $'...' with \xNN when it holds what may not be shown as
 * it is (utf8_escape_at()), so that the line can be printed and pasted. */
void words_quote(struct strbuf *sb, const char *text);
