/* text.h: a borrowed byte string with a length. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Not NUL-terminated. */
struct text {
    const char *bytes;
    uint32_t len;
};

static inline struct text text_from(const char *text)
{
    return (struct text){text, (uint32_t)strlen(text)};
}

/* Returns the length of the common prefix of A and B. */
static inline uint32_t text_common(struct text a, struct text b)
{
    const uint32_t min = a.len < b.len ? a.len : b.len;
    uint32_t n = 0;

    while (min - n >= 8 && memcmp(a.bytes + n, b.bytes + n, 8) == 0)
        n += 8;
    while (n < min && a.bytes[n] == b.bytes[n])
        n++;
    return n;
}

static inline bool text_is(struct text t, const char *word)
{
    return t.len == strlen(word) && memcmp(t.bytes, word, t.len) == 0;
}

static inline bool text_equals(struct text a, struct text b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.bytes, b.bytes, a.len) == 0);
}

static inline bool text_begins(struct text t, const char *prefix)
{
    const size_t len = strlen(prefix);

    return t.len >= len && memcmp(t.bytes, prefix, len) == 0;
}

static inline bool text_ends(struct text t, const char *suffix)
{
    const size_t len = strlen(suffix);

    return t.len >= len && memcmp(t.bytes + t.len - len, suffix, len) == 0;
}

static inline bool text_has(struct text t, const char *part)
{
    return memmem(t.bytes, t.len, part, strlen(part)) != NULL;
}

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* A-Z or a-z. */
static inline bool is_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool is_alphanumeric(int c)
{
    return is_digit(c) || is_letter(c);
}

/* Letters of ASCII, digits, underscore. */
static inline bool is_word_char(int c)
{
    return is_alphanumeric(c) || c == '_';
}

static inline bool is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Bytewise order; a prefix sorts first. */
static inline int bytes_compare(const void *a, size_t a_len, const void *b, size_t b_len)
{
    const size_t min = a_len < b_len ? a_len : b_len;
    const int order = min ? memcmp(a, b, min) : 0;

    return order ? order : (a_len > b_len) - (a_len < b_len);
}

static inline int text_compare(struct text a, struct text b)
{
    return bytes_compare(a.bytes, a.len, b.bytes, b.len);
}
