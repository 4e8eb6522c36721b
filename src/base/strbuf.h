/* strbuf.h: text that grows. */
#ifndef TFPROF_BASE_STRBUF_H
#define TFPROF_BASE_STRBUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* data is NUL-terminated once anything was added (sb_text() always is) and
 * may hold further NULs; len counts the bytes before the last one.  A zeroed
 * strbuf is empty and ready. */
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
/* Room for COUNT bytes behind the text, which the caller fills and then adds
 * to len (the NUL behind them comes with the next call that adds). */
char *sb_reserve(struct strbuf *sb, size_t count);
/* A whole number in decimal; much faster than a format. */
void sb_add_int(struct strbuf *sb, int64_t n);
/* COUNT times the byte C. */
void sb_pad(struct strbuf *sb, char c, size_t count);
/* The text so far, "" when nothing was added; valid until the next call. */
const char *sb_text(const struct strbuf *sb);
/* Cuts the text to LEN bytes (at most what is there). */
void sb_truncate(struct strbuf *sb, size_t len);
/* Forgets what stands behind the first LEN bytes (LEN <= sb->len). */
void sb_cut(struct strbuf *sb, size_t len);
/* Forgets the text, keeps the memory. */
void sb_clear(struct strbuf *sb);
/* The text as heap memory that the caller frees; SB is empty afterwards. */
char *sb_take(struct strbuf *sb);
void sb_done(struct strbuf *sb);

#endif
