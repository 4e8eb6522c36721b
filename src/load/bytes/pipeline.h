/* pipeline.h: decoding on all cores, joining in the order of the file.
 *
 * The calling thread cuts the input into batches of messages (framing is cheap) and
 * joins the decoded ones in order; other threads decode in between, and so does the
 * caller when the next batch is not ready.  What is joined does not depend on
 * the number of threads. */
#ifndef TFPROF_LOAD_PIPELINE_H
#define TFPROF_LOAD_PIPELINE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct pipeline {
    unsigned n_threads; /* all together, 1: no others */
    void *context;
    size_t batch_bytes; /* size of a batch, which begins as zeros */
    /* Caller's thread: frees what BATCH owns. */
    void (*batch_done)(void *batch);
    /* Caller's thread: empties BATCH but keeps its memory. */
    void (*batch_clear)(void *batch);
    /* Caller's thread: adds the next message to BATCH and returns its pipeline_cost_bytes(), so
     * that a batch ends with PIPELINE_BATCH_BYTES; 0: there is none left. */
    size_t (*add_next)(void *context, void *batch);
    /* NULL, or why there is none left: ends the run with this error once all is joined.  Owned by
     * the caller, empty after the run. */
    struct err *end_err;
    /* Any thread: decodes what was added.  Errors are kept in BATCH. */
    void (*decode)(const void *context, void *batch);
    /* Caller's thread, in order; false with ERR ends the run. */
    bool (*join)(void *context, void *batch, struct err *err);
};

/* A batch holds so much of the file: enough to make a switch of threads cheap,
 * little enough to stay in a cache. */
enum { PIPELINE_BATCH_BYTES = 256 << 10 };

/* What a message of so many bytes is of a batch: one that is empty takes memory, too. */
static inline size_t pipeline_cost_bytes(size_t message_bytes)
{
    enum { EMPTY_BYTES = 32 };

    return message_bytes + EMPTY_BYTES;
}

bool pipeline_run(const struct pipeline *p, struct err *err);

/* Threads to use for an input of so many bytes: one for a small one, else
 * thread_count(). */
unsigned pipeline_threads_for(size_t input_bytes);

#endif
