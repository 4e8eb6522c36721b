/* json_text.c: quotes JSON strings. */
#include "export/json_text.h"

#include <stdbool.h>

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
