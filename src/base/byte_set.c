/* byte_set.c: reads the bytes and classes of a regex, as pcre2 understands
 * them. */
#include "base/byte_set.h"

#include <stddef.h>
#include <string.h>

static void add_range(struct byte_set *s, unsigned char from, unsigned char to)
{
    for (unsigned c = from; c <= to; c++)
        s->words[c / 64] |= UINT64_C(1) << c % 64;
}

static void invert(struct byte_set *s)
{
    s->words[0] = ~s->words[0];
    s->words[1] = ~s->words[1];
}

/* What \d, \s, \w and their opposites stand for; false for another letter. */
static bool add_class(struct byte_set *s, char letter)
{
    struct byte_set set = {{0}};

    switch (letter | 0x20) {
    case 'd':
        add_range(&set, '0', '9');
        break;
    case 's':
        add_range(&set, '\t', '\r');
        add_range(&set, ' ', ' ');
        break;
    case 'w':
        add_range(&set, '0', '9');
        add_range(&set, 'A', 'Z');
        add_range(&set, 'a', 'z');
        add_range(&set, '_', '_');
        break;
    default:
        return false;
    }
    if (letter < 'a')
        invert(&set);
    s->words[0] |= set.words[0];
    s->words[1] |= set.words[1];
    return true;
}

static void fold_case(struct byte_set *s)
{
    for (unsigned char c = 'a'; c <= 'z'; c++) {
        const unsigned char upper = (unsigned char)(c - 'a' + 'A');

        if (byte_in(s, c) || byte_in(s, upper)) {
            add_range(s, c, c);
            add_range(s, upper, upper);
        }
    }
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int hex_value(char c)
{
    if (is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Behind "\x": two digits of ASCII. */
static bool read_hex(struct regex_reader *r, unsigned char *byte)
{
    int high, low;

    if (r->end - r->at < 2)
        return false;
    high = hex_value(r->at[0]);
    low = hex_value(r->at[1]);
    r->at += 2;
    if (high < 0 || high > 7 || low < 0)
        return false;
    *byte = (unsigned char)(high * 16 + low);
    return true;
}

/* Behind the backslash: one byte, or a class, which IS_CLASS says. */
static bool read_escape(struct regex_reader *r, struct byte_set *s, unsigned char *byte, bool *is_class)
{
    char c;

    *is_class = false;
    if (r->at == r->end)
        return false;
    c = *r->at++;
    if (c == 'x')
        return read_hex(r, byte);
    if (is_letter(c)) {
        *is_class = true;
        return add_class(s, c);
    }
    *byte = (unsigned char)c;
    return !is_digit(c) && *byte < 0x80 && c;
}

/* One element of a bracketed class. */
static bool read_class_byte(struct regex_reader *r, struct byte_set *s, unsigned char *byte,
                            bool *is_class)
{
    const char c = *r->at++;

    *is_class = false;
    if (c == '\\')
        return read_escape(r, s, byte, is_class);
    *byte = (unsigned char)c;
    return c != '[' && *byte < 0x80; /* perhaps [:alpha:] */
}

/* Behind the bracket. */
static bool read_class(struct regex_reader *r, struct byte_set *s)
{
    const bool inverted = r->at < r->end && *r->at == '^';
    const char *start;

    r->at += inverted;
    for (start = r->at; r->at < r->end && (*r->at != ']' || r->at == start);) {
        unsigned char from, to;
        bool is_class;

        if (!read_class_byte(r, s, &from, &is_class))
            return false;
        to = from;
        if (r->end - r->at > 1 && r->at[0] == '-' && r->at[1] != ']') {
            r->at++;
            if (is_class || !read_class_byte(r, s, &to, &is_class) || is_class || to < from)
                return false;
        }
        if (!is_class)
            add_range(s, from, to);
    }
    if (r->at == r->end)
        return false;
    r->at++;
    if (r->caseless)
        fold_case(s);
    if (inverted)
        invert(s);
    return true;
}

bool byte_set_read(struct byte_set *s, struct regex_reader *r)
{
    const char c = *r->at++;
    unsigned char byte = (unsigned char)c;
    bool is_class = false;

    if (c == '[')
        return read_class(r, s);
    if (c == '.') {
        add_range(s, '\n', '\n');
        invert(s);
        return true;
    }
    if (c == '\\') {
        if (!read_escape(r, s, &byte, &is_class))
            return false;
    } else if (strchr("^$*+?{()|", c) || byte >= 0x80) {
        return false;
    }
    if (!is_class)
        add_range(s, byte, byte);
    if (r->caseless && !is_class)
        fold_case(s);
    return true;
}
