/* pipeline.h: decodes batches on all cores and joins them in file order.  One thread at a time frames
 * messages into batches, which is cheap; all threads decode them, and the caller joins decoded ones
 * in order.  The result does not depend on the number of threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct pipeline {
    unsigned n_threads; /* including the caller; 1: no others */
    void *context;
    size_t batch_bytes; /* size of a batch, which is zeroed initially */
    /* Caller's thread: frees the contents of BATCH. */
    void (*batch_done)(void *batch);
    /* Empties BATCH and keeps its memory. */
    void (*batch_clear)(void *batch);
    /* Adds the next message to BATCH and returns its pipeline_cost_bytes(), which limits a batch to
     * PIPELINE_BATCH_BYTES; 0: no more messages. */
    size_t (*add_next)(void *context, void *batch);
    /* Only the caller calls these two, while it does not join; false: any thread at any time. */
    bool caller_frames;
    /* NULL, or the error that ended the messages; the run fails with it after all is joined.  Owned
     * by the caller, empty after the run. */
    struct err *end_err;
    /* Any thread: decodes the added messages.  Errors are stored in BATCH. */
    void (*decode)(const void *context, void *batch);
    /* Caller's thread, in order; false with ERR ends the run. */
    bool (*join)(void *context, void *batch, struct err *err);
};

/* Bytes of the file in a batch: enough to make thread switches cheap, few enough to stay in a
 * cache. */
enum { PIPELINE_BATCH_BYTES = 256 << 10 };

/* The share of a message in a batch, including memory for empty messages. */
static inline size_t pipeline_cost_bytes(size_t message_bytes)
{
    enum { EMPTY_BYTES = 32 };

    return message_bytes + EMPTY_BYTES;
}

bool pipeline_run(const struct pipeline *p, struct err *err);

/* Threads for an input of INPUT_BYTES: one for a small input, else thread_count(). */
unsigned pipeline_threads_for(size_t input_bytes);
