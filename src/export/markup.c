/* markup.c: escapes text for HTML, XML and Markdown. */
#include "export/markup.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
    if (strchr("-+", text[i])) /* "-5" is a number */
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
