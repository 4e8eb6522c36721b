/* strbuf.c: growable strings. */
#include "base/strbuf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/xalloc.h"

static void reserve(struct strbuf *sb, size_t more)
{
    size_t need = more > SIZE_MAX - sb->len - 1 ? SIZE_MAX : sb->len + more + 1;

    if (need > sb->capacity)
        sb->data = vec_grow(sb->data, &sb->capacity, need, 1);
}

char *sb_reserve(struct strbuf *sb, size_t count)
{
    reserve(sb, count);
    return sb->data + sb->len;
}

void sb_add(struct strbuf *sb, const void *bytes, size_t len)
{
    reserve(sb, len);
    if (len)
        memcpy(sb->data + sb->len, bytes, len);
    sb->len += len;
    sb->data[sb->len] = '\0';
}

void sb_addc(struct strbuf *sb, char c)
{
    reserve(sb, 1);
    sb->data[sb->len++] = c;
    sb->data[sb->len] = '\0';
}

void sb_adds(struct strbuf *sb, const char *text)
{
    sb_add(sb, text, strlen(text));
}

void sb_vaddf(struct strbuf *sb, const char *format, va_list args)
{
    va_list again;
    int len;

    va_copy(again, args);
    len = vsnprintf(NULL, 0, format, args);
    if (len > 0) {
        reserve(sb, (size_t)len);
        vsnprintf(sb->data + sb->len, (size_t)len + 1, format, again);
        sb->len += (size_t)len;
    }
    va_end(again);
}

void sb_addf(struct strbuf *sb, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    sb_vaddf(sb, format, args);
    va_end(args);
}

void sb_add_int(struct strbuf *sb, int64_t n)
{
    char digits[20];
    size_t at = sizeof digits;
    uint64_t left = n < 0 ? -(uint64_t)n : (uint64_t)n;

    do
        digits[--at] = (char)('0' + left % 10);
    while (left /= 10);
    if (n < 0)
        digits[--at] = '-';
    sb_add(sb, digits + at, sizeof digits - at);
}

void sb_pad(struct strbuf *sb, char c, size_t count)
{
    reserve(sb, count);
    memset(sb->data + sb->len, c, count);
    sb->len += count;
    sb->data[sb->len] = '\0';
}

const char *sb_text(const struct strbuf *sb)
{
    return sb->data ? sb->data : "";
}

void sb_truncate(struct strbuf *sb, size_t len)
{
    sb->len = len;
    if (sb->data)
        sb->data[len] = '\0';
}

void sb_clear(struct strbuf *sb)
{
    sb_truncate(sb, 0);
}

char *sb_take(struct strbuf *sb)
{
    char *text = sb->data ? sb->data : xstrdup("");

    memset(sb, 0, sizeof *sb);
    return text;
}

void sb_done(struct strbuf *sb)
{
    free(sb->data);
    memset(sb, 0, sizeof *sb);
}
