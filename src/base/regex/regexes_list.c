/* regexes_list.c: splits lists of regexes, and quotes names. */
#include <string.h>

#include "base/regex/regexes.h"

static bool is_quote(char c)
{
    return c == '\'' || c == '"';
}

void regexes_split(const char *list,
                   void (*fn)(const char *item, size_t len, size_t offset, void *arg), void *arg)
{
    size_t start = 0;
    size_t end = strlen(list);
    struct strbuf item = {0};

    while (start < end && is_quote(list[start]))
        start++;
    while (end > start && is_quote(list[end - 1]))
        end--;
    while (start < end) {
        size_t i = start;

        sb_clear(&item);
        for (; i < end && list[i] != ','; i++) {
            if (list[i] == '\\' && i + 1 < end) {
                i++;
                if (list[i] != ',')
                    sb_addc(&item, '\\');
            }
            sb_addc(&item, list[i]);
        }
        if (item.len)
            fn(item.data, item.len, start, arg);
        start = i + 1;
    }
    sb_done(&item);
}

void regexes_append(struct strbuf *list, const char *item, size_t len)
{
    sb_adds(list, list->len ? "," : "");
    for (size_t i = 0; i < len; i++) {
        if (item[i] == ',')
            sb_addc(list, '\\');
        sb_addc(list, item[i]);
    }
}

void regexes_quote(struct strbuf *sb, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)name[i];

        /* Control bytes and quotes could be lost on a command line. */
        if (c < 0x20 || c == 0x7f || is_quote((char)c) || c == ',') {
            sb_addf(sb, "\\x%02X", c);
            continue;
        }
        if (strchr("\\^$.[]|()?*+{}", c))
            sb_addc(sb, '\\');
        sb_addc(sb, (char)c);
    }
}
