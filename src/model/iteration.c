/* iteration.c: phases of iterations. */
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
