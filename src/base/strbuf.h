/* strbuf.h: growable strings. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* data is NUL-terminated once anything was added (sb_text() always is) and may contain NULs. len
 * excludes the terminator. A zeroed strbuf is empty. */
struct strbuf {
    char *data;
    size_t len;
    size_t capacity;
};

void sb_add(struct strbuf *sb, const void *bytes, size_t len);
void sb_addc(struct strbuf *sb, char c);
void sb_adds(struct strbuf *sb, const char *text);
void sb_addf(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
void sb_vaddf(struct strbuf *sb, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
/* Reserves COUNT bytes after the text and returns them. The caller fills them and adds their number
 * to len; the next call that appends writes the terminator. */
char *sb_reserve(struct strbuf *sb, size_t count);
/* Appends N in decimal. Much faster than sb_addf(). */
void sb_add_int(struct strbuf *sb, int64_t n);
/* Appends COUNT times the byte C. */
void sb_pad(struct strbuf *sb, char c, size_t count);
/* Returns the text, "" if nothing was added. Valid until the next call. */
const char *sb_text(const struct strbuf *sb);
/* Truncates the text to LEN bytes (LEN <= sb->len). */
void sb_truncate(struct strbuf *sb, size_t len);
/* Empties the text and keeps the memory. */
void sb_clear(struct strbuf *sb);
/* Returns the text as heap memory that the caller frees. SB is empty afterwards. */
char *sb_take(struct strbuf *sb);
void sb_done(struct strbuf *sb);
