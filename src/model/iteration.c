/* iteration.c: phases of iterations, and their attention operators. */
#include "model/iteration.h"

#include "base/satmath.h"

const char *iteration_phase_name(enum iteration_phase phase)
{
    static const char *const names[PHASE_COUNT] = {
        [PHASE_PREFILL] = "prefill",
        [PHASE_MIXED] = "mixed",
        [PHASE_DECODE] = "decode",
        [PHASE_IDLE] = "idle",
    };

    return names[phase];
}

enum iteration_phase iteration_phase_of(const struct iteration_counts *counts)
{
    if (counts->context.requests)
        return counts->generation.requests ? PHASE_MIXED : PHASE_PREFILL;
    return counts->generation.requests ? PHASE_DECODE : PHASE_IDLE;
}

int64_t iteration_kv_tokens(const struct iteration_counts *counts)
{
    return counts->has_sums ? clamp_add(counts->context.sk, counts->generation.sk) : INT64_MIN;
}

/* ---- attention */

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

bool attention_inputs(struct text op, unsigned *first)
{
    static const char ragged[] = "sglang_profiler::attention_paged_attention_ragged";

    if (!op.len || (op.bytes[0] != 'v' && op.bytes[0] != 's'))
        return false;
    *first = 0;
    if (text_is(op, "vllm::unified_attention") || text_is(op, "vllm::unified_attention_with_output"))
        return true;
    *first = 2;
    return text_is(op, ragged) || (drop_number(&op) && text_is(op, ragged));
}
