/* markup.c: text within HTML and XML. */
#include "export/markup.h"

void markup_add(struct strbuf *sb, const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
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
