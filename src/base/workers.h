/* workers.h: a few threads that share out the elements of a range. */
#ifndef TFPROF_BASE_WORKERS_H
#define TFPROF_BASE_WORKERS_H

#include <stddef.h>

struct workers;

/* What is done to elements FROM to TO - 1; called from several threads at
 * once, never with overlapping ranges. */
typedef void workers_fn(void *arg, size_t from, size_t to);

/* N_THREADS in all, the caller of workers_run() included, at most eight; 0: thread_count().
 * Threads wait idle; where none can be started the caller does all the work. */
struct workers *workers_new(unsigned n_threads);
void workers_free(struct workers *w); /* NULL is fine */

/* Calls FN for ranges of at most CHUNK elements that cover 0 to N - 1, and
 * returns when all are done.  A range of one chunk stays on this thread.  One
 * caller at a time; W may be NULL: this thread alone. */
void workers_run(struct workers *w, size_t n, size_t chunk, workers_fn *fn, void *arg);

#endif
