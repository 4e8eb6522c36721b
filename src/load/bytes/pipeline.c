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
    bool framing;    /* a thread frames; without the lock */
    bool framed_all; /* there are no more messages */
    bool ended;
};

unsigned pipeline_threads_for(size_t input_bytes)
{
    enum { PARALLEL_FROM_BYTES = 4 << 20 };

    return input_bytes < PARALLEL_FROM_BYTES ? 1 : thread_count();
}

/* The oldest framed slot, or n_slots. This and the functions below need the lock, and release it
 * while they call functions of the pipeline. */
static size_t find_framed(const struct run *r)
{
    for (size_t i = r->first; i < r->next; i++)
        if (r->states[i % r->n_slots] == SLOT_FRAMED)
            return i % r->n_slots;
    return r->n_slots;
}

static void set_state(struct run *r, size_t s, enum slot_state state)
{
    r->states[s] = state;
    pthread_cond_broadcast(&r->changed);
}

static void decode_slot(struct run *r, size_t s)
{
    r->states[s] = SLOT_IN_WORK;
    pthread_mutex_unlock(&r->lock);
    r->p->decode(r->p->context, r->batches[s]);
    pthread_mutex_lock(&r->lock);
    set_state(r, s, SLOT_DECODED);
}

/* Puts the next messages into BATCH; true when there are no more. *BYTES: their size. */
static bool frame(const struct pipeline *p, void *batch, size_t *bytes)
{
    size_t added = 1;

    p->batch_clear(batch);
    for (*bytes = 0; added && *bytes < PIPELINE_BATCH_BYTES; *bytes += added)
        added = p->add_next(p->context, batch);
    return added == 0;
}

/* Frames a batch into the next slot if that is free; false when it is not, another thread frames, or
 * there are no more messages. The thread decodes a batch that it could frame, which its cache now
 * has; if only the caller frames, the others decode. */
static bool frame_slot(struct run *r)
{
    const size_t s = r->next % r->n_slots;
    size_t bytes;
    bool is_last;

    if (r->framing || r->framed_all || r->next - r->first == r->n_slots)
        return false;
    r->framing = true;
    pthread_mutex_unlock(&r->lock);
    is_last = frame(r->p, r->batches[s], &bytes);
    pthread_mutex_lock(&r->lock);
    r->framing = false;
    r->framed_all = is_last;
    r->next += bytes > 0;
    set_state(r, s, bytes ? SLOT_FRAMED : SLOT_FREE);
    if (bytes && !r->p->caller_frames)
        decode_slot(r, s);
    return true;
}

static bool decode_framed(struct run *r)
{
    const size_t s = find_framed(r);

    if (s < r->n_slots)
        decode_slot(r, s);
    return s < r->n_slots;
}

static void *work(void *argument)
{
    struct run *r = argument;

    pthread_mutex_lock(&r->lock);
    while (!r->ended)
        if (!decode_framed(r) && !(!r->p->caller_frames && frame_slot(r)))
            pthread_cond_wait(&r->changed, &r->lock);
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

static bool join_slot(struct run *r, size_t s, struct err *err)
{
    bool done;

    pthread_mutex_unlock(&r->lock);
    done = r->p->join(r->p->context, r->batches[s], err);
    pthread_mutex_lock(&r->lock);
    r->first++;
    set_state(r, s, SLOT_FREE);
    return done;
}

/* Joins the oldest batch whenever it is decoded, and meanwhile frames and decodes. */
static bool join_all(struct run *r, struct err *err)
{
    while (r->first < r->next || r->framing || !r->framed_all) {
        const size_t s = r->first % r->n_slots;

        if (r->p->caller_frames && frame_slot(r))
            continue;
        if (r->first < r->next && r->states[s] == SLOT_DECODED) {
            if (!join_slot(r, s, err))
                return false;
        } else if (!decode_framed(r) && !frame_slot(r)) {
            pthread_cond_wait(&r->changed, &r->lock);
        }
    }
    return true;
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
    pthread_mutex_lock(&r.lock);
    done = join_all(&r, err);
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
