/* name_flags.c: classifies slice names for captures and replays of graphs. */
#include "load/replay/name_flags.h"

#include "base/satmath.h"

static bool is_word(uint8_t c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '_' || c >= 0x80;
}

bool capture_name_read(struct text name, int64_t *size)
{
    static const char prefix[] = "capture_";
    uint32_t at = sizeof prefix - 1, mode;

    if (name.len < at || memcmp(name.bytes, prefix, at) != 0)
        return false;
    *size = 0;
    for (; at < name.len && name.bytes[at] >= '0' && name.bytes[at] <= '9'; at++)
        if (!append_digit(size, name.bytes[at]))
            *size = INT64_MAX;
    if (at == sizeof prefix - 1 || at == name.len || name.bytes[at] != '_')
        return false;
    for (mode = ++at; at < name.len && is_word((uint8_t)name.bytes[at]); at++)
        ;
    return at > mode && at == name.len;
}

static uint8_t flags_of(struct text name)
{
    uint8_t flags = NAME_KNOWN;
    int64_t size;

    if (text_has(name, "StreamBeginCapture"))
        flags |= NAME_BEGIN;
    if (text_has(name, "StreamEndCapture"))
        flags |= NAME_END;
    if (text_has(name, "GraphLaunch"))
        flags |= NAME_REPLAY;
    if (text_has(name, "Memcpy"))
        flags |= NAME_MEMCPY;
    else if (text_has(name, "Memset"))
        flags |= NAME_MEMSET;
    else if (text_has(name, "Launch") && !(flags & NAME_REPLAY) && !text_has(name, "HostFunc"))
        flags |= NAME_KERNEL;
    if (capture_name_read(name, &size))
        flags |= NAME_CAPTURE;
    return flags;
}

uint8_t name_flags_of(name_flags *flags, const struct trace_log *log, strid name)
{
    const struct profile *p = builder_profile(log->builder);

    if (name >= flags->n)
        vec_resize_zero(flags, p->strings.n);
    if (!flags->data[name])
        flags->data[name] = flags_of(intern_string(&p->strings, name));
    return flags->data[name];
}
