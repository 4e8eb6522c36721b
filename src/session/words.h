/* words.h: splits lines into words, and quotes words for a shell. */
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

/* Splits LINE at blanks. 'x' is literal, "x" supports the escape \", and $'x' the escapes \n \t \\ \'
 * and \xNN. Outside of quotes a backslash escapes a blank, a quote or a #, and is otherwise
 * literal, so that regexes need no quotes. A # at the start of a word begins a comment. False with
 * ERR (usage) if a closing quote is missing. */
bool words_split(const char *line, struct words *w, struct err *err);
void words_add(struct words *w, const char *text);
void words_done(struct words *w);

/* Appends the last, incomplete word of LINE[0..LEN) to WORD without its quotes, which may be open.
 * Returns the byte offset of its start (LEN: the word is empty). */
size_t words_last(const char *line, size_t len, struct strbuf *word);

/* Appends TEXT quoted as one word for a shell: unquoted if no character is special, else in single
 * quotes, or as $'...' with \xNN if it has bytes that utf8_escape_at() escapes. */
void words_quote(struct strbuf *sb, const char *text);
