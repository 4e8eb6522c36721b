/* escape.c: text in JSON strings, markup and csv fields. */
#include "export/sinks/escape.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

static void add_escaped(struct strbuf *sb, uint32_t code)
{
    static const struct {
        char c;
        const char *escape;
    } shorts[] = {{'"', "\\\""}, {'\\', "\\\\"}, {'\b', "\\b"}, {'\f', "\\f"},
                  {'\n', "\\n"}, {'\r', "\\r"},  {'\t', "\\t"}};

    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        if (code == (unsigned char)shorts[i].c) {
            sb_adds(sb, shorts[i].escape);
            return;
        }
    }
    if (code > 0xffff) {
        code -= 0x10000;
        sb_addf(sb, "\\u%04x", 0xd800 + (unsigned)(code >> 10));
        code = 0xdc00 + (code & 0x3ff);
    }
    sb_addf(sb, "\\u%04x", (unsigned)code);
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void json_add_string(struct strbuf *sb, const char *text, size_t len)
{
    sb_addc(sb, '"');
    while (len) {
        size_t n = 0;
        uint32_t code = 0xfffd;

        while (n < len && is_plain((unsigned char)text[n]))
            n++;
        if (n) {
            sb_add(sb, text, n);
        } else {
            n = utf8_decode(text, len, &code);
            if (!n) {
                n = 1;
                code = 0xfffd;
            }
            add_escaped(sb, code);
        }
        text += n;
        len -= n;
    }
    sb_addc(sb, '"');
}

void json_add_head(struct strbuf *sb, const char *view, const char *units, uint64_t returned,
                   uint64_t total)
{
    sb_addf(sb, "{\"tfprof\":2,\"view\":\"%s\",\"units\":{%s},\"returned\":%" PRIu64 ",\"total\":%" PRIu64
            ",\"truncated\":%s",
            view, units, returned, total, returned < total ? "true" : "false");
}

/* ---- escapes text for HTML, XML and Markdown */

const char markup_page_head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    "style-src 'unsafe-inline'\">\n<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    ":root{color-scheme:light dark}\n"
    "body{font:14px/1.5 system-ui,sans-serif;margin:1rem}\n";

/* True when TEXT, of LEN bytes, begins with U+FFFE or U+FFFF, which XML excludes. */
static bool is_noncharacter(const char *text, size_t len)
{
    return len >= 3 && memcmp(text, "\xef\xbf", 2) == 0 && (uint8_t)text[2] >= 0xbe;
}

void markup_add(struct strbuf *sb, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (is_noncharacter(text + i, len - i)) {
            sb_adds(sb, "\xef\xbf\xbd");
            i += 2;
            continue;
        }
        switch (text[i]) {
        case '&':
            sb_adds(sb, "&amp;");
            break;
        case '<':
            sb_adds(sb, "&lt;");
            break;
        case '>':
            sb_adds(sb, "&gt;");
            break;
        case '"':
            sb_adds(sb, "&quot;");
            break;
        case '\'':
            sb_adds(sb, "&#39;");
            break;
        default:
            sb_addc(sb, text[i]);
        }
    }
}

/* True when TEXT[I] would start a list or a heading, or underline one. */
static bool begins_block(const char *text, size_t len, size_t i)
{
    const char next = i + 1 < len ? text[i + 1] : ' ';

    if (strchr("=#>", text[i]))
        return i == 0;
    if (strchr("-+", text[i])) /* "-5" stays a number */
        return i == 0 && (next == ' ' || next == text[i]);
    return strchr(".)", text[i]) && i > 0 && next == ' ' && strspn(text, "0123456789") == i;
}

void markdown_add(struct strbuf *sb, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (text[i] && (strchr("|*_`<[\\&~", text[i]) || begins_block(text, len, i)))
            sb_addc(sb, '\\');
        sb_addc(sb, text[i]);
    }
}

void escaped_add(struct strbuf *sb, const char *text, size_t len,
                 void (*add)(struct strbuf *sb, const char *text, size_t len))
{
    struct strbuf plain = {0};

    utf8_escape(&plain, text, len);
    add(sb, sb_text(&plain), plain.len);
    sb_done(&plain);
}

/* ---- csv */

/* True when spreadsheets may treat the cell as a formula; some skip leading blanks, and some accept
 * full-width characters. */
static bool is_formula(const struct strbuf *cell)
{
    static const char *const signs[] = {"=", "+", "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b",
                                        "\xef\xbc\x8d", "\xef\xbc\xa0"};
    const char *text = sb_text(cell);

    while (*text == ' ')
        text++;
    if (!strchr("=+-@\xef", *text))
        return false; /* most cells */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(text, signs[i], strlen(signs[i])) == 0)
            return true;
    return false;
}

void csv_add_text(struct strbuf *sb, const struct strbuf *cell, bool quotes)
{
    const char *at = sb_text(cell);
    const char *const end = at + cell->len;

    sb_adds(sb, quotes ? "\"" : "");
    sb_adds(sb, is_formula(cell) ? "'" : "");
    for (const char *quote; quotes && at < end && (quote = memchr(at, '"', (size_t)(end - at)));
         at = quote + 1) {
        sb_add(sb, at, (size_t)(quote + 1 - at));
        sb_addc(sb, '"');
    }
    if (at < end)
        sb_add(sb, at, (size_t)(end - at));
    sb_adds(sb, quotes ? "\"" : "");
}
