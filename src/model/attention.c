/* attention.c: names of operators that compute attention over a key/value cache. */
#include "model/attention.h"

static bool drop_number(struct text *text)
{
    uint32_t n = text->len;

    while (n && text->bytes[n - 1] >= '0' && text->bytes[n - 1] <= '9')
        n--;
    if (n == text->len || !n || text->bytes[n - 1] != '_')
        return false;
    text->len = n - 1;
    return true;
}

static bool is_named(struct text op, const char *name)
{
    return op.len == strlen(name) && memcmp(op.bytes, name, op.len) == 0;
}

bool attention_inputs(struct text op, unsigned *first)
{
    static const char ragged[] = "sglang_profiler::attention_paged_attention_ragged";

    if (!op.len || (op.bytes[0] != 'v' && op.bytes[0] != 's'))
        return false;
    *first = 0;
    if (is_named(op, "vllm::unified_attention") || is_named(op, "vllm::unified_attention_with_output"))
        return true;
    *first = 2;
    return is_named(op, ragged) || (drop_number(&op) && is_named(op, ragged));
}
