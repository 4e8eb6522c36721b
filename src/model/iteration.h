/* iteration.h: iterations of the scheduler of an LLM server, as annotations of a trace mark them. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/text.h"

/* By the requests of an iteration: of context only, of both, of generation only, none. */
enum iteration_phase { PHASE_PREFILL, PHASE_MIXED, PHASE_DECODE, PHASE_IDLE, PHASE_COUNT };

/* "decode": static text. */
const char *iteration_phase_name(enum iteration_phase phase);

/* Requests of one kind and their tokens.  sq: query tokens of a request, sk: its key/value tokens. */
struct iteration_side {
    int64_t requests, tokens;
    int64_t sk, sqsq, sqsk; /* sums over requests; valid when the counts have sums */
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
    int64_t step;       /* INT64_MIN: steps are marked otherwise */
    int64_t batch_size; /* of the graph that is wanted; INT64_MIN: no replay */
    int64_t span_ns, busy_ns, accelerator_ns, placed_ns; /* of the work that it launched */
    strid name;
    uint32_t n_replays;
    struct iteration_counts counts;
};

/* True for OP, the whole name of an operator that computes attention over a key/value cache; *FIRST is the
 * index of its query among its inputs, before key and value. */
bool attention_inputs(struct text op, unsigned *first);
