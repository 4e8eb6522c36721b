/* canonical.c: strips prefixes, suffixes and numbers that frameworks add to names. */
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

static bool is_decoration(const char *part, uint32_t len)
{
    return len > 5 && (memcmp(part, "jit(", 4) == 0) && part[len - 1] == ')';
}

void canonical_add(struct strbuf *sb, struct text name)
{
    bool first = true;

    for (uint32_t at = 0; at <= name.len;) {
        const char *part = name.bytes + at;
        const char *slash = memchr(part, '/', name.len - at);
        const uint32_t len = slash ? (uint32_t)(slash - part) : name.len - at;

        at += len + 1;
        if (is_decoration(part, len))
            continue;
        if (!first)
            sb_addc(sb, '/');
        sb_add(sb, part, kept_len(part, len));
        first = false;
    }
}

/* Digits from *AT on, without leading zeros; advances *AT past them. */
static struct text number_at(struct text t, uint32_t *at)
{
    uint32_t from = *at;

    while (*at < t.len && is_digit(t.bytes[*at]))
        ++*at;
    while (from + 1 < *at && t.bytes[from] == '0')
        from++;
    return (struct text){t.bytes + from, *at - from};
}

static int number_order(struct text a, struct text b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return memcmp(a.bytes, b.bytes, a.len);
}

int canonical_order(struct text a, struct text b)
{
    uint32_t i = 0, k = 0;

    while (i < a.len && k < b.len) {
        if (is_digit(a.bytes[i]) && is_digit(b.bytes[k])) {
            const int order = number_order(number_at(a, &i), number_at(b, &k));

            if (order)
                return order;
        } else if (a.bytes[i] != b.bytes[k]) {
            return (unsigned char)a.bytes[i] < (unsigned char)b.bytes[k] ? -1 : 1;
        } else {
            i++;
            k++;
        }
    }
    return (i < a.len) - (k < b.len);
}
