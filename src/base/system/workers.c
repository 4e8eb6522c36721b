/* workers.c: thread pool that processes the elements of a range in parallel. */
#include "base/system/workers.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/system/thread.h"
#include "base/xalloc.h"

enum { MAX_THREADS = 8 };

/* The current range. All threads take elements from next. */
struct job {
    workers_fn *fn;
    void *arg;
    size_t n, chunk;
    atomic_size_t next;
};

struct workers {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t threads[MAX_THREADS];
    unsigned n_threads; /* started threads, without the caller */
    unsigned n_busy;    /* threads at work on the current job */
    unsigned long round; /* number of the current job; each thread runs a job once */
    bool stop;
    struct job job;
};

static void work(struct job *job)
{
    for (;;) {
        size_t from = atomic_fetch_add(&job->next, job->chunk);

        if (from >= job->n)
            return;
        job->fn(job->arg, from, job->n - from < job->chunk ? job->n : from + job->chunk);
    }
}

static void *run_thread(void *arg)
{
    struct workers *w = arg;
    unsigned long seen = 0;

    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->stop && w->round == seen)
            pthread_cond_wait(&w->wake, &w->lock);
        if (w->stop)
            break;
        seen = w->round;
        pthread_mutex_unlock(&w->lock);
        work(&w->job);
        pthread_mutex_lock(&w->lock);
        if (--w->n_busy == 0)
            pthread_cond_signal(&w->done);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct workers *workers_new(unsigned n_threads)
{
    struct workers *w = xcalloc(1, sizeof *w);

    if (n_threads == 0)
        n_threads = thread_count();
    if (n_threads > MAX_THREADS)
        n_threads = MAX_THREADS;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wake, NULL);
    pthread_cond_init(&w->done, NULL);
    while (w->n_threads + 1 < n_threads &&
           thread_start(&w->threads[w->n_threads], "share", run_thread, w) == 0)
        w->n_threads++;
    return w;
}

void workers_free(struct workers *w)
{
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->stop = true;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    for (unsigned i = 0; i < w->n_threads; i++)
        pthread_join(w->threads[i], NULL);
    pthread_cond_destroy(&w->wake);
    pthread_cond_destroy(&w->done);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void workers_run(struct workers *w, size_t n, size_t chunk, workers_fn *fn, void *arg)
{
    assert(chunk > 0);
    if (!w || n <= chunk || w->n_threads == 0) {
        for (size_t from = 0; from < n; from += chunk)
            fn(arg, from, n - from < chunk ? n : from + chunk);
        return;
    }
    pthread_mutex_lock(&w->lock);
    w->job.fn = fn;
    w->job.arg = arg;
    w->job.n = n;
    w->job.chunk = chunk;
    atomic_store(&w->job.next, 0);
    w->n_busy = w->n_threads;
    w->round++;
    pthread_cond_broadcast(&w->wake);
    pthread_mutex_unlock(&w->lock);
    work(&w->job);
    pthread_mutex_lock(&w->lock);
    while (w->n_busy)
        pthread_cond_wait(&w->done, &w->lock);
    pthread_mutex_unlock(&w->lock);
}
