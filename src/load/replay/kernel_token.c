/* kernel_token.c: normalises and qualifies names of kernels, and classifies names of slices
 * (formats-trace.md section 11). */
#include "load/replay/kernel_token.h"

#include "base/strbuf.h"

#define ANONYMOUS "(anonymous namespace)"

/* Removes the suffix END from TEXT; false if it lacks it. */
static bool strip_suffix(struct text *text, const char *end)
{
    const size_t n = strlen(end);

    if (text->len < n || memcmp(text->bytes + text->len - n, end, n) != 0)
        return false;
    text->len -= (uint32_t)n;
    return true;
}

/* Removes the suffix " [clone ...]" from TEXT. */
static bool strip_clone(struct text *text)
{
    static const char mark[] = " [clone ";
    uint32_t at = text->len;

    if (!text->len || text->bytes[text->len - 1] != ']')
        return false;
    while (at && !text_begins((struct text){text->bytes + at - 1, text->len - at + 1}, mark))
        if (text->bytes[--at] == '[' && at + 1 < text->len && text->bytes[at + 1] != 'c')
            return false;
    text->len = at ? at - 1 : text->len;
    return at > 0;
}

/* NAME without the suffixes " [clone ...]" and ".kd". */
static struct text kernel_name_normal(struct text name)
{
    while (strip_clone(&name))
        ;
    if (!strip_suffix(&name, " (.kd)"))
        strip_suffix(&name, ".kd");
    return name;
}

/* ---- qualified names */

/* Parses a length-prefixed name such as "6kernel" at *AT; false if there is none. */
static bool take_source_name(const char **at, const char *end, struct text *name)
{
    uint64_t len = 0;
    const char *digits = *at;

    for (; *at < end && **at >= '0' && **at <= '9' && len < UINT32_MAX; ++*at)
        len = len * 10 + (uint64_t)(**at - '0');
    if (*at == digits || !len || len > (uint64_t)(end - *at))
        return false;
    *name = (struct text){*at, (uint32_t)len};
    *at += len;
    return true;
}

/* The names in _ZN2at6native6kernelE..., joined by "::". */
static void qualify_mangled(struct strbuf *sb, struct text mangled)
{
    const char *at = mangled.bytes + 2, *end = mangled.bytes + mangled.len;
    const bool is_nested = at < end && *at == 'N';
    struct text name;

    at += is_nested;
    do {
        while (at < end && (*at == 'L' || *at == 'K' || *at == 'V'))
            at++;
        if (!take_source_name(&at, end, &name))
            break;
        sb_adds(sb, sb->len ? "::" : "");
        if (text_begins(name, "_GLOBAL__N"))
            sb_adds(sb, ANONYMOUS);
        else
            sb_add(sb, name.bytes, name.len);
    } while (is_nested);
}

/* "at::native::kernel" for "void at::native::kernel<int>(int)". */
static struct text qualify_plain(struct text name)
{
    const uint32_t n = sizeof ANONYMOUS - 1;
    uint32_t begin = 0, at = 0;

    while (at < name.len && name.bytes[at] != '<') {
        if (text_begins((struct text){name.bytes + at, name.len - at}, ANONYMOUS)) {
            at += n;
            continue;
        }
        if (name.bytes[at] == '(')
            break;
        if (name.bytes[at++] == ' ')
            begin = at;
    }
    return (struct text){name.bytes + begin, at - begin};
}

struct kernel_token kernel_token_of(struct intern *names, struct text name, enum work_class work_class)
{
    const struct text normal = kernel_name_normal(name);
    struct kernel_token token = {.work_class = (uint8_t)work_class};
    struct strbuf sb = {0};

    token.name = intern_put(names, normal.bytes, normal.len);
    token.is_mangled = text_begins(normal, "_Z");
    if (token.is_mangled) {
        qualify_mangled(&sb, normal);
    } else {
        const struct text plain = qualify_plain(normal);

        sb_add(&sb, plain.bytes, plain.len);
    }
    token.qualified = intern_put(names, sb_text(&sb), sb.len);
    sb_done(&sb);
    return token;
}
