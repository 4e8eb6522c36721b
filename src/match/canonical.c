/* canonical.c: strips case, decorations and numbers from components of names. */
#include "match/canonical.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static uint32_t without_suffix(const char *part, uint32_t len, const char *suffix)
{
    const uint32_t n = (uint32_t)strlen(suffix);

    return len > n && memcmp(part + len - n, suffix, n) == 0 ? len - n : len;
}

/* Length of the part of a component that is kept. */
static uint32_t kept_len(const char *part, uint32_t len)
{
    uint32_t before;

    do {
        before = len;
        len = without_suffix(part, len, ".kd");
        len = without_suffix(part, len, ".clone");
        while (len > 1 && is_digit(part[len - 1]))
            len--;
        if (len < before && len > 1 && (part[len - 1] == '_' || part[len - 1] == '.'))
            len--;
    } while (len < before);
    return len;
}

static bool is_separator(char ch)
{
    return ch == '_' || ch == '-' || ch == '.' || ch == ' ';
}

/* Number that the digits at the end of the kept bytes and behind make; NUMBER_NONE: no digits. */
static uint32_t trailing_number(struct text part, uint32_t kept)
{
    uint64_t number = 0;
    bool any = false;

    for (uint32_t i = kept; i < part.len && i < kept + 11; i++)
        if (is_digit(part.bytes[i])) {
            number = number * 10 + (uint64_t)(part.bytes[i] - '0');
            any = true;
        } else if (any) {
            break;
        }
    return !any ? CANONICAL_NO_NUMBER : number < CANONICAL_NO_NUMBER ? (uint32_t)number : CANONICAL_NO_NUMBER - 1;
}

uint32_t canonical_component(struct strbuf *sb, struct text part)
{
    const uint32_t kept = kept_len(part.bytes, part.len);

    for (uint32_t i = 0; i < kept; i++) {
        const char ch = part.bytes[i];

        if (!is_separator(ch))
            sb_addc(sb, ch >= 'A' && ch <= 'Z' ? (char)(ch - 'A' + 'a') : ch);
    }
    return trailing_number(part, kept);
}
