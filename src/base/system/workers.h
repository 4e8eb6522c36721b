/* workers.h: thread pool that processes the elements of a range in parallel. */
#pragma once

#include <stddef.h>

struct workers;

/* Processes elements FROM to TO - 1. Called concurrently, with disjoint ranges. */
typedef void workers_fn(void *arg, size_t from, size_t to);

/* Creates a pool of N_THREADS including the caller of workers_run(), at most eight; 0 means
 * thread_count(). If no thread can be started, the caller does all the work. */
struct workers *workers_new(unsigned n_threads);
void workers_free(struct workers *w); /* NULL is fine */

/* Calls FN for ranges of at most CHUNK elements that cover 0 to N - 1, and returns when all are
 * done. A single chunk runs on the calling thread. Only one thread may call this at a time. W may
 * be NULL: everything runs on the calling thread. */
void workers_run(struct workers *w, size_t n, size_t chunk, workers_fn *fn, void *arg);
