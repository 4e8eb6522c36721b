/* text_lexer.c: tokens of the protobuf text format in mapped bytes. */
#include "load/text/text_lexer.h"

#include <string.h>

#include "base/utf8.h"

enum { IS_SPACE = 1, IS_NAME_START = 2, IS_NAME = 4, IS_DIGIT = 8, IS_STRING_END = 16 };

/* Classes of bytes; STRING_END marks the bytes at which a run inside quotes stops. */
static const uint8_t byte_class[256] = {
    [' '] = IS_SPACE,
    ['\t'] = IS_SPACE,
    ['\v'] = IS_SPACE,
    ['\f'] = IS_SPACE,
    ['\r'] = IS_SPACE,
    ['\n'] = IS_SPACE | IS_STRING_END,
    ['"'] = IS_STRING_END,
    ['\''] = IS_STRING_END,
    ['\\'] = IS_STRING_END,
    ['\0'] = IS_STRING_END,
    ['_'] = IS_NAME_START | IS_NAME,
    ['0' ... '9'] = IS_DIGIT | IS_NAME,
    ['a' ... 'z'] = IS_NAME_START | IS_NAME,
    ['A' ... 'Z'] = IS_NAME_START | IS_NAME,
};

static inline bool is_a(uint8_t byte, uint8_t what)
{
    return byte_class[byte] & what;
}

static int hex_digit(uint8_t byte)
{
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'f')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'F')
        return byte - 'A' + 10;
    return -1;
}

static void set_bad(struct text_lexer *lx, const uint8_t *where, const char *problem)
{
    lx->token = (struct text_token){.kind = TOKEN_BAD, .begin = where};
    lx->problem = problem;
    lx->at = where; /* all further calls return the same token */
}

static const uint8_t *skip_blanks(const uint8_t *at, const uint8_t *end)
{
    for (;;) {
        while (at < end && is_a(*at, IS_SPACE))
            at++;
        if (at == end || *at != '#')
            return at;
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return end;
    }
}

static void lex_string(struct text_lexer *lx)
{
    const uint8_t quote = *lx->at;
    const uint8_t *begin = lx->at + 1;
    const uint8_t *at = begin;
    bool has_escapes = false;

    for (;;) {
        while (at < lx->end && !is_a(*at, IS_STRING_END))
            at++;
        if (at == lx->end || *at == '\n') {
            set_bad(lx, lx->at, "a string without its closing quote");
            return;
        }
        if (*at == '\0') {
            set_bad(lx, at, "a NUL byte in a string");
            return;
        }
        if (*at == quote)
            break;
        if (*at == '\\') {
            has_escapes = true;
            /* An escaped quote or backslash is text; other bytes are scanned as usual. */
            if (lx->end - at > 1 && (at[1] == '\\' || at[1] == '"' || at[1] == '\''))
                at++;
        }
        at++;
    }
    lx->token = (struct text_token){
        .kind = TOKEN_STRING, .has_escapes = has_escapes, .begin = begin, .len = (size_t)(at - begin)};
    lx->at = at + 1;
}

static const uint8_t *skip_digits(const uint8_t *at, const uint8_t *end)
{
    while (at < end && is_a(*at, IS_DIGIT))
        at++;
    return at;
}

/* The end of an integer with a prefix, 0x... or 0...; NULL with an error. */
static const uint8_t *lex_prefixed(struct text_lexer *lx)
{
    const uint8_t *at = lx->at + 1;

    if (*at == 'x' || *at == 'X') {
        const uint8_t *digits = ++at;

        while (at < lx->end && hex_digit(*at) >= 0)
            at++;
        if (at == digits) {
            set_bad(lx, lx->at, "0x without hexadecimal digits");
            return NULL;
        }
        return at;
    }
    while (at < lx->end && *at >= '0' && *at <= '7')
        at++;
    if (at < lx->end && (is_a(*at, IS_DIGIT) || *at == '.')) {
        set_bad(lx, lx->at, "a number with a leading 0 is octal and has only digits 0 to 7");
        return NULL;
    }
    return at;
}

/* The end of a decimal number; sets *IS_FLOAT for floats.  NULL with an error. */
static const uint8_t *lex_decimal(struct text_lexer *lx, bool *is_float)
{
    const uint8_t *at = skip_digits(lx->at, lx->end);

    if (at < lx->end && *at == '.') {
        *is_float = true;
        at = skip_digits(at + 1, lx->end);
    }
    if (at < lx->end && (*at == 'e' || *at == 'E')) {
        const uint8_t *digits = at + 1;

        *is_float = true;
        if (digits < lx->end && (*digits == '+' || *digits == '-'))
            digits++;
        at = skip_digits(digits, lx->end);
        if (at == digits) {
            set_bad(lx, lx->at, "an exponent without digits");
            return NULL;
        }
    }
    if (at < lx->end && (*at == 'f' || *at == 'F')) {
        *is_float = true;
        at++;
    }
    return at;
}

static void lex_number(struct text_lexer *lx)
{
    bool is_float = false;
    const uint8_t *begin = lx->at;
    const uint8_t *at;

    if (*begin == '0' && lx->end - begin > 1 &&
        (begin[1] == 'x' || begin[1] == 'X' || is_a(begin[1], IS_DIGIT)))
        at = lex_prefixed(lx);
    else
        at = lex_decimal(lx, &is_float);
    if (!at)
        return;
    if (at < lx->end && is_a(*at, IS_NAME)) {
        set_bad(lx, at, "a number runs into a name");
        return;
    }
    lx->token = (struct text_token){
        .kind = is_float ? TOKEN_FLOAT : TOKEN_INT, .begin = begin, .len = (size_t)(at - begin)};
    lx->at = at;
}

void text_lexer_next(struct text_lexer *lx)
{
    const uint8_t *at;

    if (lx->token.kind == TOKEN_BAD)
        return;
    at = lx->at = skip_blanks(lx->at, lx->end);
    if (at == lx->end) {
        lx->token = (struct text_token){.kind = TOKEN_END, .begin = at};
        return;
    }
    if (is_a(*at, IS_NAME_START)) {
        while (at < lx->end && is_a(*at, IS_NAME))
            at++;
        lx->token = (struct text_token){
            .kind = TOKEN_NAME, .begin = lx->at, .len = (size_t)(at - lx->at)};
        lx->at = at;
    } else if (is_a(*at, IS_DIGIT) ||
               (*at == '.' && lx->end - at > 1 && is_a(at[1], IS_DIGIT))) {
        lex_number(lx);
    } else if (*at == '"' || *at == '\'') {
        lex_string(lx);
    } else if (*at < ' ' || *at == 0x7f) {
        set_bad(lx, at, *at ? "a control character: this is not a text file"
                            : "a NUL byte: this is not a text file");
    } else {
        lx->token = (struct text_token){.kind = TOKEN_PUNCT, .begin = at, .len = 1};
        lx->at = at + 1;
    }
}

void text_lexer_init(struct text_lexer *lx, const uint8_t *text, size_t size)
{
    static const char mark[] = "\xef\xbb\xbf";
    static const char debug[] = "goo.gle/debug";

    *lx = (struct text_lexer){.at = text, .end = text + size};
    if (size >= sizeof mark - 1 && memcmp(text, mark, sizeof mark - 1) == 0)
        lx->at += sizeof mark - 1;
    if ((size_t)(lx->end - lx->at) >= sizeof debug - 1 &&
        memcmp(lx->at, debug, sizeof debug - 1) == 0) {
        lx->at = memchr(lx->at, '\n', (size_t)(lx->end - lx->at));
        if (!lx->at)
            lx->at = lx->end;
    }
    text_lexer_next(lx);
}

/* ---- values */

/* Reads up to MAX digits of base 1 << SHIFT at *AT; returns their number. */
static size_t read_digits(const uint8_t **at, const uint8_t *end, size_t max, unsigned shift,
                          uint32_t *value)
{
    size_t n = 0;

    *value = 0;
    while (n < max && *at < end) {
        int digit = hex_digit(**at);

        if (digit < 0 || digit >> shift)
            break;
        *value = *value << shift | (uint32_t)digit;
        (*at)++;
        n++;
    }
    return n;
}

/* Decodes \\uXXXX, with \\uYYYY after a high surrogate, or \\UXXXXXXXX; *AT is after the letter.  0
 * when it is malformed. */
static size_t unescape_code(const uint8_t **at, const uint8_t *end, size_t digits, uint8_t *out)
{
    uint32_t code, low;

    if (read_digits(at, end, digits, 4, &code) != digits)
        return 0;
    if (code >= 0xd800 && code < 0xdc00 && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u') {
        const uint8_t *next = *at + 2;

        if (read_digits(&next, end, 4, 4, &low) == 4 && low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            *at = next;
        }
    }
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    return utf8_put(out, code);
}

/* Decodes one escape; *AT is after the backslash.  0 when it is malformed. */
static size_t unescape_one(const uint8_t **at, const uint8_t *end, uint8_t *out)
{
    static const uint8_t simple[256] = {
        ['a'] = 7,     ['b'] = 8,      ['f'] = 12,    ['n'] = 10,  ['r'] = 13,  ['t'] = 9,
        ['v'] = 11,    ['\\'] = '\\', ['\''] = '\'', ['"'] = '"', ['?'] = '?',
    };
    uint32_t value;
    uint8_t letter;

    if (*at == end)
        return 0;
    letter = **at;
    if (letter >= '0' && letter <= '7') {
        read_digits(at, end, 3, 3, &value);
        out[0] = (uint8_t)value;
        return value <= 0xff;
    }
    (*at)++;
    if (letter == 'x' || letter == 'X') {
        if (!read_digits(at, end, 2, 4, &value))
            return 0;
        out[0] = (uint8_t)value;
        return 1;
    }
    if (letter == 'u' || letter == 'U')
        return unescape_code(at, end, letter == 'u' ? 4 : 8, out);
    out[0] = simple[letter];
    return out[0] != 0;
}

size_t text_unescape(const uint8_t *raw, size_t len, uint8_t *out, size_t *bad)
{
    const uint8_t *at = raw;
    const uint8_t *end = raw + len;
    uint8_t *to = out;

    while (at < end) {
        const uint8_t *stop = memchr(at, '\\', (size_t)(end - at));
        size_t run = (size_t)((stop ? stop : end) - at);
        size_t n;

        memcpy(to, at, run);
        to += run;
        at += run;
        /* escapes often follow each other: \000\000\200 */
        while (at < end && *at == '\\') {
            const uint8_t *escape = at++;

            n = unescape_one(&at, end, to);
            if (!n) {
                *bad = (size_t)(escape - raw);
                return SIZE_MAX;
            }
            to += n;
        }
    }
    return (size_t)(to - out);
}

bool text_int_value(const struct text_token *t, uint64_t *value)
{
    const uint8_t *at = t->begin;
    const uint8_t *end = at + t->len;
    uint64_t base = 10;

    if (t->len > 1 && *at == '0') {
        base = at[1] == 'x' || at[1] == 'X' ? 16 : 8;
        at += base == 16 ? 2 : 1;
    }
    for (*value = 0; at < end; at++) {
        uint64_t digit = (uint64_t)hex_digit(*at);

        if (__builtin_mul_overflow(*value, base, value) ||
            __builtin_add_overflow(*value, digit, value))
            return false;
    }
    return true;
}

void text_position(const uint8_t *text, size_t offset, uint64_t *line, uint64_t *column)
{
    const uint8_t *at = text;
    const uint8_t *end = text + offset;
    const uint8_t *newline;

    *line = 1;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        at = newline + 1;
        (*line)++;
    }
    *column = (uint64_t)(end - at) + 1;
}
