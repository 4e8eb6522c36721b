/* utf8.c: decoding UTF-8 and making any bytes safe to print. */
#include "base/utf8.h"

#include <string.h>

size_t utf8_decode(const char *text, size_t len, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
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
    if (c < least[need] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return need;
}

/* Length of the printable character at TEXT, 0 when its first byte has to be
 * escaped. */
static size_t printable(const char *text, size_t len)
{
    uint32_t code;
    size_t n = utf8_decode(text, len, &code);

    if (n && (code < 0x20 || (code >= 0x7f && code <= 0x9f)))
        return 0;
    return n;
}

/* Bytes at the start of TEXT that are printable ASCII: nearly all of them in
 * nearly all names. */
static size_t plain_run(const char *text, size_t len)
{
    const uint64_t ones = 0x0101010101010101u;
    uint64_t word;
    size_t n = 0;

    /* A high bit is set by a byte below 0x20, by 0x7f, or has been set. */
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
    while (len) {
        size_t n = plain_run(text, len);
        uint32_t code;

        if (!n)
            n = printable(text, len);
        if (n) {
            sb_add(sb, text, n);
        } else {
            /* A C1 control is one character of two bytes: escape both. */
            size_t bytes = utf8_decode(text, len, &code);

            n = bytes ? bytes : 1;
            for (size_t i = 0; i < n; i++)
                sb_addf(sb, "\\x%02x", (unsigned char)text[i]);
        }
        text += n;
        len -= n;
    }
}

int utf8_is_plain(const char *text, size_t len)
{
    while (len) {
        size_t n = printable(text, len);

        if (!n)
            return 0;
        text += n;
        len -= n;
    }
    return 1;
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
