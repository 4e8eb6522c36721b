/* pipeline.c: decodes batches on all cores and joins them in file order. */
#include "load/bytes/pipeline.h"

#include <stdlib.h>

#include "base/system/thread.h"
#include "base/xalloc.h"

enum { SLOTS_PER_THREAD = 3, MAX_SLOTS = THREADS_MAX * SLOTS_PER_THREAD };

enum slot_state { SLOT_FREE, SLOT_FRAMED, SLOT_IN_WORK, SLOT_DECODED };

/* A ring of batches: `first` is the oldest one that is not joined, `next` the one to frame; both
 * only increase. */
struct run {
    const struct pipeline *p;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* signalled when a slot changes its state, and at the end */
    void *batches[MAX_SLOTS];
    enum slot_state states[MAX_SLOTS];
    size_t n_slots;
    size_t first, next;
    bool framed_all; /* there are no more messages */
    bool ended;
};

unsigned pipeline_threads_for(size_t input_bytes)
{
    enum { PARALLEL_FROM_BYTES = 4 << 20 };

    return input_bytes < PARALLEL_FROM_BYTES ? 1 : thread_count();
}

/* The oldest framed slot, or n_slots; needs the lock. */
static size_t find_framed(const struct run *r)
{
    for (size_t i = r->first; i < r->next; i++)
        if (r->states[i % r->n_slots] == SLOT_FRAMED)
            return i % r->n_slots;
    return r->n_slots;
}

/* Decodes slot S; releases the lock meanwhile. */
static void decode_slot(struct run *r, size_t s)
{
    r->states[s] = SLOT_IN_WORK;
    pthread_mutex_unlock(&r->lock);
    r->p->decode(r->p->context, r->batches[s]);
    pthread_mutex_lock(&r->lock);
    r->states[s] = SLOT_DECODED;
    pthread_cond_broadcast(&r->changed);
}

static void *work(void *argument)
{
    struct run *r = argument;

    pthread_mutex_lock(&r->lock);
    while (!r->ended) {
        size_t s = find_framed(r);

        if (s < r->n_slots)
            decode_slot(r, s);
        else
            pthread_cond_wait(&r->changed, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

/* Puts the next messages into BATCH; false when there are none. */
static bool frame(struct run *r, void *batch)
{
    size_t bytes = 0;

    if (!r->framed_all)
        r->p->batch_clear(batch);
    while (!r->framed_all && bytes < PIPELINE_BATCH_BYTES) {
        const size_t added = r->p->add_next(r->p->context, batch);

        r->framed_all = added == 0;
        bytes += added;
    }
    return bytes > 0;
}

/* Frames batches into all free slots. */
static void fill(struct run *r)
{
    while (r->next - r->first < r->n_slots) {
        size_t s = r->next % r->n_slots;

        if (!frame(r, r->batches[s]))
            return;
        pthread_mutex_lock(&r->lock);
        r->states[s] = SLOT_FRAMED;
        r->next++;
        pthread_cond_broadcast(&r->changed);
        pthread_mutex_unlock(&r->lock);
    }
}

/* Waits for the oldest batch, and decodes batches that no other thread has taken. */
static void await_first(struct run *r)
{
    size_t s = r->first % r->n_slots;

    pthread_mutex_lock(&r->lock);
    while (r->states[s] != SLOT_DECODED) {
        size_t framed = find_framed(r);

        if (framed < r->n_slots)
            decode_slot(r, framed);
        else
            pthread_cond_wait(&r->changed, &r->lock);
    }
    pthread_mutex_unlock(&r->lock);
}

static bool join_all(struct run *r, struct err *err)
{
    for (;;) {
        size_t s = r->first % r->n_slots;

        fill(r);
        if (r->first == r->next)
            return true;
        await_first(r);
        if (!r->p->join(r->p->context, r->batches[s], err))
            return false;
        pthread_mutex_lock(&r->lock);
        r->states[s] = SLOT_FREE;
        r->first++;
        pthread_mutex_unlock(&r->lock);
    }
}

/* False with ERR when messages ended early. */
static bool end_result(struct err *end_err, bool done, struct err *err)
{
    if (!end_err || end_err->kind == ERR_NONE)
        return done;
    if (done)
        *err = *end_err;
    else
        err_done(end_err);
    *end_err = (struct err){0};
    return false;
}

bool pipeline_run(const struct pipeline *p, struct err *err)
{
    struct run r = {.p = p};
    pthread_t threads[THREADS_MAX];
    unsigned n_others = 0;
    bool done;

    r.n_slots = p->n_threads > 1 ? (size_t)p->n_threads * SLOTS_PER_THREAD : 1;
    pthread_mutex_init(&r.lock, NULL);
    pthread_cond_init(&r.changed, NULL);
    for (size_t s = 0; s < r.n_slots; s++)
        r.batches[s] = xcalloc(1, p->batch_bytes);
    /* Works with any number of threads. */
    while (n_others + 1 < p->n_threads &&
           thread_start(&threads[n_others], "decode", work, &r) == 0)
        n_others++;
    done = join_all(&r, err);
    pthread_mutex_lock(&r.lock);
    r.ended = true;
    pthread_cond_broadcast(&r.changed);
    pthread_mutex_unlock(&r.lock);
    for (unsigned i = 0; i < n_others; i++)
        pthread_join(threads[i], NULL);
    for (size_t s = 0; s < r.n_slots; s++) {
        p->batch_done(r.batches[s]);
        free(r.batches[s]);
    }
    pthread_cond_destroy(&r.changed);
    pthread_mutex_destroy(&r.lock);
    return end_result(p->end_err, done, err);
}
