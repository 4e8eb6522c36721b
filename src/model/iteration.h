/* iteration.h: scheduler iterations of an LLM server, from annotations in a trace. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"

/* Kind of requests in an iteration: context only, both, generation only, none. */
enum iteration_phase { PHASE_PREFILL, PHASE_MIXED, PHASE_DECODE, PHASE_IDLE, PHASE_COUNT };

/* "decode": static text. */
const char *iteration_phase_name(enum iteration_phase phase);

/* Requests of one kind and their tokens.  sq: query tokens of a request, sk: its key/value tokens. */
struct iteration_side {
    int64_t requests, tokens;
    int64_t sk, sqsq, sqsk; /* sums over requests; valid if the counts have sums */
};

struct iteration_counts {
    struct iteration_side context, generation;
    int64_t padded_size; /* of the batch; -1: not stated */
    bool has_sums;
};

enum iteration_phase iteration_phase_of(const struct iteration_counts *counts);

/* Key/value tokens; INT64_MIN: not known. */
int64_t iteration_kv_tokens(const struct iteration_counts *counts);

struct iteration {
    int64_t start_ns, end_ns;
    int64_t number;     /* from 1 on within a rank */
    int64_t step;       /* INT64_MIN: the iteration is not a step */
    int64_t batch_size; /* batch size of the replayed graph; INT64_MIN: no replay */
    int64_t span_ns, busy_ns, accelerator_ns, placed_ns; /* device work launched by the iteration */
    strid name;
    uint32_t n_replays;
    struct iteration_counts counts;
};

/* True if OP is the full name of an attention operator over a key/value cache. *FIRST: index of its
 * query input; key and value follow. */
bool attention_inputs(struct text op, unsigned *first);
