/* event_names.c: parses names of host events (formats-xplane.md section 4). */
#include "load/xplane/event_names.h"

#include <string.h>

#include "base/text.h"

static struct span from(struct span text, size_t at)
{
    return (struct span){text.bytes + at, text.len - at};
}

static struct span prefix_of(struct span text, size_t len)
{
    return (struct span){text.bytes, len};
}

/* Offset of the first C in TEXT; the length of TEXT if there is none. */
static size_t find(struct span text, char c)
{
    const uint8_t *at = text.len ? memchr(text.bytes, c, text.len) : NULL;

    return at ? (size_t)(at - text.bytes) : text.len;
}

/* ---- pairs within names */

struct span event_name_trim(struct span text, struct event_pairs *pairs)
{
    const uint8_t *hash;

    pairs->left = prefix_of(text, 0);
    while (text.len && text.bytes[text.len - 1] == ' ')
        text.len--;
    if (text.len < 2 || text.bytes[text.len - 1] != '#')
        return text;
    hash = memrchr(text.bytes, '#', text.len - 1);
    if (!hash)
        return text;
    pairs->left = (struct span){hash + 1, (size_t)(text.bytes + text.len - 1 - (hash + 1))};
    return prefix_of(text, (size_t)(hash - text.bytes));
}

bool event_pairs_next(struct event_pairs *pairs, struct span *key, struct span *value)
{
    while (pairs->left.len) {
        const size_t end = find(pairs->left, ',');
        const struct span pair = prefix_of(pairs->left, end);
        const size_t equals = find(pair, '=');

        pairs->left = from(pairs->left, end < pairs->left.len ? end + 1 : end);
        if (equals == 0 || equals + 1 >= pair.len)
            continue;
        *key = prefix_of(pair, equals);
        *value = from(pair, equals + 1);
        return true;
    }
    return false;
}

/* ---- ops */

static bool is_lower(uint8_t c)
{
    return c >= 'a' && c <= 'z';
}

static bool is_upper(uint8_t c)
{
    return c >= 'A' && c <= 'Z';
}

/* [A-Za-z0-9.][A-Za-z0-9_./>-]* */
static bool is_op_name(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        const uint8_t c = s.bytes[i];

        if (!is_lower(c) && !is_upper(c) && !is_digit(c) && c != '.' &&
            !(i && (c == '_' || c == '/' || c == '>' || c == '-')))
            return false;
    }
    return s.len > 0;
}

/* [A-Z_][A-Za-z0-9_]* */
static bool is_op_type(struct span s)
{
    for (size_t i = 0; i < s.len; i++) {
        const uint8_t c = s.bytes[i];

        if (c != '_' && !is_upper(c) && !(i && (is_lower(c) || is_digit(c))))
            return false;
    }
    return s.len > 0;
}

/* The length of [a-z_][a-z0-9_]* if S is that, optionally followed by [...]; else 0. */
static size_t primitive_len(struct span s)
{
    size_t n = 0;

    while (n < s.len && (is_lower(s.bytes[n]) || s.bytes[n] == '_' || (n && is_digit(s.bytes[n]))))
        n++;
    return n == s.len || (n && s.bytes[n] == '[' && s.bytes[s.len - 1] == ']') ? n : 0;
}

/* The last component of a path without its numeric suffix: add of a/b/add_12. */
static struct span type_of_name(struct span name)
{
    const uint8_t *slash = name.len ? memrchr(name.bytes, '/', name.len) : NULL;
    struct span last = slash ? from(name, (size_t)(slash + 1 - name.bytes)) : name;
    size_t n = last.len;

    while (n && is_digit(last.bytes[n - 1]))
        n--;
    if (n > 1 && n < last.len && last.bytes[n - 1] == '_')
        last.len = n - 1;
    return last;
}

static struct event_name op_of(struct span name, struct span type)
{
    return (struct event_name){EVENT_NAME_OP, name, type};
}

struct event_name event_name_parse(struct span text)
{
    const size_t colon = find(text, ':');
    const struct span left = prefix_of(text, colon);
    struct span type;
    size_t len;

    if (text.len && text.bytes[0] == '$')
        return (struct event_name){.kind = EVENT_NAME_PYTHON};
    if (colon == text.len)
        return (struct event_name){.kind = EVENT_NAME_OTHER};
    if (span_is(left, "Iterator"))
        return (struct event_name){EVENT_NAME_PIPELINE, text, prefix_of(text, 0)};
    type = from(text, colon + 1);
    if (is_op_name(left) && is_op_type(type))
        return op_of(left, type);
    if (!type.len && left.len)
        type = type_of_name(left);
    else if (!type.len)
        return (struct event_name){.kind = EVENT_NAME_OTHER};
    len = primitive_len(type);
    if (len || colon + 1 == text.len)
        return op_of(left, len ? prefix_of(type, len) : type);
    return (struct event_name){.kind = EVENT_NAME_OTHER};
}

/* ---- calls */

/* Matches "...Executable::ExecuteHelper..." and "...Executable::Execute (jit_f)", but neither "[0]
 * ..." (the share of one device) nor "...::ExecutePrepare" (a part of the call). */
static bool executes(struct span text)
{
    static const char execute[] = "Executable::Execute";
    const uint8_t *end = text.bytes + text.len;
    const uint8_t *at = text.len ? memmem(text.bytes, text.len, execute, sizeof execute - 1) : NULL;

    if (!at || *text.bytes == '[')
        return false;
    at += sizeof execute - 1;
    return at == end || *at == ' ' || (end - at >= 6 && memcmp(at, "Helper", 6) == 0);
}

enum event_call event_name_call(struct span text, enum event_name_kind kind)
{
    /* True for calls of PJRT clients, XLA's compilers, TensorFlow and JAX.  Excludes Python calls
     * and ops, since function names may contain such words. */
    static const char *const compiles[] = {"::Compile", "XlaCompile", "backend_compile",
                                           "RunBackend"};

    if (span_begins(text, "PjitFunction("))
        return EVENT_CALL_DISPATCH;
    if (executes(text))
        return EVENT_CALL_EXECUTES;
    for (size_t i = 0; i < sizeof compiles / sizeof *compiles; i++)
        if (kind == EVENT_NAME_OTHER && text.len &&
            memmem(text.bytes, text.len, compiles[i], strlen(compiles[i])))
            return EVENT_CALL_COMPILE;
    return EVENT_CALL_OTHER;
}

/* ---- Python */

struct python_frame event_name_frame(struct span text)
{
    struct python_frame frame = {.line = -1};
    const struct span call = text.len ? from(text, 1) : text;
    const size_t blank = find(call, ' ');
    const struct span place = prefix_of(call, blank);
    const uint8_t *colon = place.len ? memrchr(place.bytes, ':', place.len) : NULL;
    int64_t line = 0;

    frame.function = from(call, blank < call.len ? blank + 1 : blank);
    frame.file = place;
    if (!colon)
        return frame;
    for (const uint8_t *at = colon + 1; at < place.bytes + place.len; at++)
        if (!is_digit(*at) || !append_digit(&line, (char)*at) || line > INT32_MAX)
            return frame;
    if (colon + 1 == place.bytes + place.len)
        return frame;
    frame.file = prefix_of(place, (size_t)(colon - place.bytes));
    frame.line = (int32_t)line;
    return frame;
}
