/* spans.h: parts of texts in an input. */
#pragma once

#include <string.h>

#include "load/loader.h"

/* S without its first N bytes. */
static inline struct span span_skip(struct span s, size_t n)
{
    return (struct span){s.bytes + n, s.len - n};
}

/* S from the first WORD on; bytes NULL if there is none. */
static inline struct span span_find(struct span s, const char *word)
{
    const uint8_t *at = s.len ? memmem(s.bytes, s.len, word, strlen(word)) : NULL;

    return at ? span_skip(s, (size_t)(at - s.bytes)) : (struct span){NULL, 0};
}

/* S up to END, which points into it. */
static inline struct span span_until(struct span s, const uint8_t *end)
{
    return (struct span){s.bytes, (size_t)(end - s.bytes)};
}

/* S without blanks and tabs at either end. */
static inline struct span span_trim(struct span s)
{
    while (s.len && (*s.bytes == ' ' || *s.bytes == '\t'))
        s = span_skip(s, 1);
    while (s.len && (s.bytes[s.len - 1] == ' ' || s.bytes[s.len - 1] == '\t'))
        s.len--;
    return s;
}

/* True when S has no control characters. */
static inline bool span_is_printable(struct span s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.bytes[i] < 0x20 || s.bytes[i] == 0x7f)
            return false;
    return true;
}

/* Removes the first line of *TEXT; *LINE is without its end.  False at the end of the text. */
static inline bool span_line(struct span *text, struct span *line)
{
    const uint8_t *end = text->len ? memchr(text->bytes, '\n', text->len) : NULL;

    if (!text->len)
        return false;
    *line = span_until(*text, end ? end : text->bytes + text->len);
    *text = span_skip(*text, line->len + (end != NULL));
    if (line->len && line->bytes[line->len - 1] == '\r')
        line->len--;
    return true;
}

/* The decimal number at the start of S; -1 if there is none or it exceeds MAX. */
static inline int64_t span_number(struct span s, int64_t max)
{
    int64_t n = 0;
    size_t i = 0;

    for (; i < s.len && s.bytes[i] >= '0' && s.bytes[i] <= '9'; i++) {
        if (n > (max - (s.bytes[i] - '0')) / 10)
            return -1;
        n = n * 10 + (s.bytes[i] - '0');
    }
    return i ? n : -1;
}
