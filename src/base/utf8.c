/* utf8.c: decodes UTF-8, and escapes bytes that are unsafe to print. */
#include "base/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
    static const uint32_t min[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    size_t need;
    uint32_t c = p[0];

    if (c < 0x80) {
        *code = c;
        return 1;
    }
    if (c < 0xc2 || c > 0xf4)
        return 0;
    need = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (len < need)
        return 0;
    c &= 0xffu >> (need + 1);
    for (size_t i = 1; i < need; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (c < min[need] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return need;
}

static bool is_bidi_control(uint32_t code)
{
    return code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

size_t utf8_escape_at(const char *text, size_t len, char out[UTF8_ESCAPE_BYTES], size_t *n_out)
{
    static const char digits[] = "0123456789abcdef";
    const unsigned char byte = (unsigned char)text[0];
    uint32_t code;
    const size_t n = utf8_decode(text, len, &code);
    size_t at = 0;

    if (n && is_bidi_control(code)) {
        memcpy(out, "\\u{", 3);
        at = 3;
        for (int shift = code > 0xfff ? 12 : 8; shift >= 0; shift -= 4)
            out[at++] = digits[code >> shift & 15];
        out[at++] = '}';
        *n_out = at;
        return n;
    }
    if (n && code >= 0x20 && (code < 0x7f || code > 0x9f))
        return 0;
    /* A C1 control is a character of two bytes, neither of which is valid UTF-8 alone. */
    out[at++] = '\\';
    out[at++] = 'x';
    out[at++] = digits[byte >> 4];
    out[at++] = digits[byte & 15];
    *n_out = at;
    return 1;
}

size_t utf8_plain_run(const char *text, size_t len)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word;
    size_t n = 0;

    /* The high bit of a byte becomes set if it was set, or if the byte is below 0x20 or is 0x7f. */
    for (; len - n >= 8; n += 8) {
        memcpy(&word, text + n, 8);
        if (((word - ones * 0x20) | (word + ones) | word) & ones * 0x80)
            break;
    }
    while (n < len && (unsigned char)(text[n] - 0x20) < 0x5f)
        n++;
    return n;
}

void utf8_escape(struct strbuf *sb, const char *text, size_t len)
{
    char escape[UTF8_ESCAPE_BYTES];

    while (len) {
        size_t n = utf8_plain_run(text, len), n_escape;
        uint32_t code;

        if (n) {
            sb_add(sb, text, n);
        } else if ((n = utf8_escape_at(text, len, escape, &n_escape)) != 0) {
            sb_add(sb, escape, n_escape);
        } else {
            n = utf8_decode(text, len, &code);
            sb_add(sb, text, n);
        }
        text += n;
        len -= n;
    }
}

bool utf8_is_plain(const char *text, size_t len)
{
    char escape[UTF8_ESCAPE_BYTES];
    size_t n_escape;
    uint32_t code;

    while (len) {
        size_t n = utf8_plain_run(text, len);

        if (!n && utf8_escape_at(text, len, escape, &n_escape))
            return false;
        if (!n)
            n = utf8_decode(text, len, &code);
        text += n;
        len -= n;
    }
    return true;
}

void utf8_repair(struct strbuf *sb, const char *text, size_t len)
{
    while (len) {
        uint32_t code;
        size_t n = utf8_decode(text, len, &code);

        if (n) {
            sb_add(sb, text, n);
        } else {
            sb_adds(sb, "\xef\xbf\xbd");
            n = 1;
        }
        text += n;
        len -= n;
    }
}

size_t utf8_put(uint8_t *out, uint32_t code)
{
    if (code < 0x80) {
        out[0] = (uint8_t)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (uint8_t)(0xc0 | code >> 6);
        out[1] = (uint8_t)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (uint8_t)(0xe0 | code >> 12);
        out[1] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | code >> 18);
    out[1] = (uint8_t)(0x80 | (code >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (code >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (code & 0x3f));
    return 4;
}

void utf8_encode(struct strbuf *sb, uint32_t code)
{
    uint8_t bytes[4];

    sb_add(sb, bytes, utf8_put(bytes, code));
}
