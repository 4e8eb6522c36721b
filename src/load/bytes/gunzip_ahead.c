/* gunzip_ahead.c: inflates later members of gzip data on other threads. */
#include "load/bytes/gunzip_ahead.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/system/thread.h"
#include "base/xalloc.h"
#include "load/bytes/inflater.h"

enum { RUN_MIN_BYTES = 8 << 20, LOOK_BYTES = 1 << 20, HEADER_BYTES = 10 };

/* Members from the offset `begin` on, inflated by one thread until it stops. */
struct run {
    size_t begin;
    struct inflater *inflater;
    byte_vec bytes;        /* data and capacity are fixed */
    atomic_bool is_wanted; /* its thread shall stop */
    bool has_stopped;
};

struct gunzip_ahead {
    const unsigned char *packed;
    size_t len, stride_bytes;
    unsigned char *room; /* memory of all runs */
    size_t room_bytes;
    unsigned n_threads;
    pthread_t threads[THREADS_MAX];
    pthread_mutex_t lock; /* guards the following, but not runs that have not stopped */
    pthread_cond_t changed;
    bool ended;
    size_t look_at; /* the next run begins at this offset or later */
    /* A ring in the order of the file: `first` is the oldest run, `next` the one to start; both only
     * increase. */
    struct run runs[THREADS_MAX];
    size_t n_runs, first, next;
};

/* The offset in [FROM, TO) of the first bytes that look like a header: method, flags, level and system
 * have values that programs write, because other data rarely do.  TO if there are none. */
static size_t find_header(const struct gunzip_ahead *a, size_t from, size_t to)
{
    for (size_t at = from; at < to; at++) {
        const unsigned char *h = memchr(a->packed + at, 0x1f, to - at);

        if (!h)
            return to;
        at = (size_t)(h - a->packed);
        if (a->len - at >= HEADER_BYTES && gunzip_wanted(h, HEADER_BYTES) && h[2] == Z_DEFLATED &&
            h[3] < 32 && (h[8] == 0 || h[8] == 2 || h[8] == 4) && (h[9] <= 13 || h[9] == 255))
            return at;
    }
    return to;
}

/* Inflates until the run is wanted, is full, or reaches the next one. */
static void inflate_run(const struct gunzip_ahead *a, struct run *r)
{
    struct inflater *i = r->inflater;
    const unsigned char *begin = a->packed + r->begin;

    inflater_set(i, begin);
    r->bytes.n = 0;
    while (!atomic_load(&r->is_wanted) && inflater_goes_on(i) &&
           r->bytes.capacity - r->bytes.n >= INFLATER_PART_BYTES &&
           !(i->status == Z_STREAM_END && (size_t)(i->z.next_in - begin) >= a->stride_bytes))
        inflater_part(i, &r->bytes, INFLATER_PART_BYTES);
}

/* Looks for a header in the next bytes, and inflates from there on.  Has the lock but while it inflates. */
static void look_ahead(struct gunzip_ahead *a)
{
    const size_t to = a->len - a->look_at < LOOK_BYTES ? a->len : a->look_at + LOOK_BYTES;
    const size_t begin = find_header(a, a->look_at, to);
    struct run *r = &a->runs[a->next % a->n_runs];

    a->look_at = begin < to ? begin + a->stride_bytes : to;
    if (begin == to)
        return;
    r->begin = begin;
    r->has_stopped = false;
    atomic_store(&r->is_wanted, false);
    a->next++;
    pthread_mutex_unlock(&a->lock);
    inflate_run(a, r);
    pthread_mutex_lock(&a->lock);
    r->has_stopped = true;
    pthread_cond_broadcast(&a->changed);
}

static void *work(void *argument)
{
    struct gunzip_ahead *a = argument;

    pthread_mutex_lock(&a->lock);
    while (!a->ended) {
        if (a->look_at < a->len && a->next - a->first < a->n_runs)
            look_ahead(a);
        else
            pthread_cond_wait(&a->changed, &a->lock);
        pthread_mutex_unlock(&a->lock); /* others may have it, while this thread only looks */
        pthread_mutex_lock(&a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Stops the oldest run if it began before the offset TO; NULL if there is none. */
static struct run *stop_oldest(struct gunzip_ahead *a, size_t to)
{
    struct run *r = &a->runs[a->first % a->n_runs];

    if (a->first == a->next || r->begin >= to)
        return NULL;
    atomic_store(&r->is_wanted, true);
    while (!r->has_stopped)
        pthread_cond_wait(&a->changed, &a->lock);
    return r;
}

static void free_oldest(struct gunzip_ahead *a)
{
    a->first++;
    pthread_cond_broadcast(&a->changed);
}

/* Moves what R inflated to *I and OUT; false if OUT may become full. All parts are whole ones, as if
 * inflated by one thread. */
static bool move_run(struct run *r, struct inflater **i, byte_vec *out)
{
    struct inflater *before = *i;

    if (out->capacity - out->n < r->bytes.n + INFLATER_PART_BYTES)
        return false;
    memcpy(out->data + out->n, r->bytes.data, r->bytes.n);
    out->n += r->bytes.n;
    *i = r->inflater;
    r->inflater = before;
    return true;
}

bool gunzip_ahead_take(struct gunzip_ahead *a, struct inflater **i, byte_vec *out)
{
    const size_t at = (size_t)((*i)->z.next_in - a->packed);
    bool taken = false;
    struct run *r;

    pthread_mutex_lock(&a->lock);
    while (stop_oldest(a, at)) { /* no member began there; nor may it elsewhere */
        free_oldest(a);
        a->look_at = a->len;
    }
    r = stop_oldest(a, at + 1);
    if (r) {
        pthread_mutex_unlock(&a->lock);
        taken = move_run(r, i, out);
        pthread_mutex_lock(&a->lock);
        free_oldest(a);
    } else if (a->look_at < at + a->stride_bytes) {
        a->look_at = at + a->stride_bytes;
    }
    pthread_mutex_unlock(&a->lock);
    return taken;
}

/* Memory and inflaters; false when there is no memory. */
static bool make_runs(struct gunzip_ahead *a)
{
    const size_t share = a->len / a->n_runs, run_bytes = share < RUN_MIN_BYTES ? RUN_MIN_BYTES : share;

    a->room_bytes = a->n_runs * run_bytes;
    a->room = inflater_reserve(a->room_bytes);
    for (size_t k = 0; a->room && k < a->n_runs; k++) {
        a->runs[k].inflater = inflater_new(a->packed, a->len);
        a->runs[k].bytes.data = a->room + k * run_bytes;
        a->runs[k].bytes.capacity = run_bytes;
    }
    return a->room != NULL;
}

struct gunzip_ahead *gunzip_ahead_new(const unsigned char *packed, size_t len, unsigned n_threads,
                                      size_t stride_bytes)
{
    const size_t n_wanted = len / stride_bytes < n_threads ? len / stride_bytes : n_threads - 1;
    struct gunzip_ahead *a;

    if (n_wanted == 0)
        return NULL;
    a = xcalloc(1, sizeof *a);
    *a = (struct gunzip_ahead){.packed = packed, .len = len, .stride_bytes = stride_bytes,
                               .look_at = stride_bytes, .n_runs = n_wanted + 1};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    if (make_runs(a))
        while (a->n_threads < n_wanted &&
               thread_start(&a->threads[a->n_threads], "unpack", work, a) == 0)
            a->n_threads++;
    if (a->n_threads)
        return a;
    gunzip_ahead_free(a);
    return NULL;
}

void gunzip_ahead_free(struct gunzip_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->ended = true;
    for (; stop_oldest(a, a->len); free_oldest(a))
        ;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    for (unsigned t = 0; t < a->n_threads; t++)
        pthread_join(a->threads[t], NULL);
    for (size_t k = 0; a->room && k < a->n_runs; k++)
        inflater_free(a->runs[k].inflater);
    if (a->room)
        munmap(a->room, a->room_bytes);
    pthread_cond_destroy(&a->changed);
    pthread_mutex_destroy(&a->lock);
    free(a);
}
