/* json_scalar.c: converts JSON strings and numbers. */
#include <string.h>

#include "load/trace/json_in.h"

/* ---- strings */

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The number of four hex digits at AT, or -1. */
static int32_t hex_4(const uint8_t *at, const uint8_t *end)
{
    int32_t code = 0;

    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = hex_digit(at[i]);

        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

static void add_utf8(struct strbuf *sb, uint32_t code)
{
    if (code < 0x80) {
        sb_addc(sb, (char)code);
    } else if (code < 0x800) {
        sb_addc(sb, (char)(0xc0 | code >> 6));
        sb_addc(sb, (char)(0x80 | (code & 0x3f)));
    } else if (code < 0x10000) {
        sb_addc(sb, (char)(0xe0 | code >> 12));
        sb_addc(sb, (char)(0x80 | (code >> 6 & 0x3f)));
        sb_addc(sb, (char)(0x80 | (code & 0x3f)));
    } else {
        sb_addc(sb, (char)(0xf0 | code >> 18));
        sb_addc(sb, (char)(0x80 | (code >> 12 & 0x3f)));
        sb_addc(sb, (char)(0x80 | (code >> 6 & 0x3f)));
        sb_addc(sb, (char)(0x80 | (code & 0x3f)));
    }
}

/* Appends the character of a \u escape with digits at AT.  Returns the end of the escape, NULL if
 * there are no digits. */
static const uint8_t *add_unicode(struct strbuf *sb, const uint8_t *at, const uint8_t *end)
{
    enum { REPLACEMENT = 0xfffd };
    int32_t code = hex_4(at, end), low;

    if (code < 0)
        return NULL;
    at += 4;
    if (code >= 0xd800 && code < 0xdc00) {
        low = end - at >= 6 && at[0] == '\\' && at[1] == 'u' ? hex_4(at + 2, end) : -1;
        if (low >= 0xdc00 && low < 0xe000) {
            add_utf8(sb, 0x10000u + ((uint32_t)(code - 0xd800) << 10) + (uint32_t)(low - 0xdc00));
            return at + 6;
        }
    }
    add_utf8(sb, code >= 0xd800 && code < 0xe000 ? REPLACEMENT : (uint32_t)code);
    return at;
}

void json_unescape(struct strbuf *sb, struct json_value string)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const uint8_t *at = string.at, *end = at + string.len;

    while (at < end) {
        const uint8_t *backslash = memchr(at, '\\', (size_t)(end - at));
        const char *escape;

        sb_add(sb, (const char *)at, (size_t)((backslash ? backslash : end) - at));
        if (!backslash)
            return;
        at = backslash + 1;
        if (at < end && *at == 'u') {
            const uint8_t *behind = add_unicode(sb, at + 1, end);

            if (behind) {
                at = behind;
                continue;
            }
        }
        escape = at < end && *at ? strchr(escapes, *at) : NULL;
        sb_addc(sb, escape ? meant[escape - escapes] : '\\');
        at += escape != NULL;
    }
}

/* ---- numbers */

/* The digits of a number, without the decimal point. */
enum { DIGITS_MAX = 40 };

struct digits {
    uint8_t digit[DIGITS_MAX];
    unsigned n;    /* significant digits only */
    int64_t point; /* digits before the decimal point */
    bool negative;
};

static void add_digit(struct digits *d, uint8_t digit, bool before_point)
{
    if (d->n == 0 && digit == 0) { /* leading zero */
        d->point -= !before_point;
        return;
    }
    d->point += before_point;
    if (d->n < DIGITS_MAX)
        d->digit[d->n++] = digit;
}

static bool read_exponent(const uint8_t *at, const uint8_t *end, int64_t *exponent)
{
    enum { EXPONENT_MAX = 100000 };
    bool negative = false;

    *exponent = 0;
    if (at < end && (*at == '+' || *at == '-'))
        negative = *at++ == '-';
    if (at == end)
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        if (*exponent < EXPONENT_MAX)
            *exponent = *exponent * 10 + (*at - '0');
    }
    *exponent = negative ? -*exponent : *exponent;
    return true;
}

/* [-]DIGITS[.[-]DIGITS][e[+-]DIGITS]; some writers print a minus before the fraction too. */
static bool read_digits(struct json_value value, struct digits *d)
{
    const uint8_t *at = value.at, *end = at + value.len;
    bool some = false, point = false;
    int64_t exponent = 0;

    *d = (struct digits){.n = 0};
    if (at < end && *at == '-') {
        d->negative = true;
        at++;
    }
    for (; at < end; at++) {
        if (*at >= '0' && *at <= '9') {
            some = true;
            add_digit(d, (uint8_t)(*at - '0'), !point);
        } else if (*at == '.' && !point) {
            point = true;
            if (end - at > 1 && at[1] == '-' && d->negative)
                at++;
        } else {
            break;
        }
    }
    if (at < end && (*at | 0x20) == 'e' && some) {
        if (!read_exponent(at + 1, end, &exponent))
            return false;
        at = end;
    }
    d->point += exponent;
    return some && at == end;
}

/* Fast path for digits with a point that are all significant and fit in 64 bits. */
static bool read_plain(struct json_value value, unsigned shift, int64_t *number)
{
    enum { PLAIN_DIGITS_MAX = 19 };
    const uint8_t *at = value.at, *end = at + value.len;
    uint64_t sum = 0;
    unsigned n = 0, behind = 0;
    bool point = false;

    if (value.len == 0 || value.len > PLAIN_DIGITS_MAX + 1 || *at == '.')
        return false;
    for (; at < end; at++) {
        if (*at >= '0' && *at <= '9') {
            sum = sum * 10 + (uint64_t)(*at - '0');
            behind += point;
            n++;
        } else if (*at == '.' && !point) {
            point = true;
        } else {
            return false;
        }
    }
    if (behind > shift || n + shift - behind > PLAIN_DIGITS_MAX)
        return false;
    for (; behind < shift; behind++)
        sum *= 10;
    *number = (int64_t)sum;
    return sum <= INT64_MAX;
}

bool json_decimal(struct json_value value, unsigned shift, int64_t *number)
{
    enum { PLACES_MAX = 20 };
    struct digits d;
    uint64_t sum = 0;
    int64_t places;

    if (value.type != JSON_STRING && value.type != JSON_WORD)
        return false;
    if (shift <= 3 && read_plain(value, shift, number))
        return true;
    if (!read_digits(value, &d))
        return false;
    places = d.point + shift; /* number of digits to keep */
    *number = 0;
    if (d.n == 0 || places < 0)
        return true;
    if (places > PLACES_MAX)
        return false;
    for (int64_t i = 0; i < places; i++) {
        const uint64_t digit = i < d.n ? d.digit[i] : 0;

        if (sum > (UINT64_MAX - digit) / 10)
            return false;
        sum = sum * 10 + digit;
    }
    sum += places < d.n && d.digit[places] >= 5;
    if (sum > INT64_MAX)
        return false;
    *number = d.negative ? -(int64_t)sum : (int64_t)sum;
    return true;
}

bool json_integer(struct json_value value, int64_t *number)
{
    return value.type != JSON_ABSENT && !memchr(value.at, '.', value.len) &&
           json_decimal(value, 0, number);
}
