/* snapshot_stream.c: replays events on another thread while the pickle is read.
 *
 * A long list of events is replayed while it grows, before it is known to be a trace.  At the end
 * the result is dropped if the list is no trace or an assumption was wrong. */
#include <pthread.h>
#include <stdlib.h>

#include "base/system/thread.h"
#include "base/xalloc.h"
#include "load/bytes/mapping.h"
#include "load/snapshot/snapshot.h"

enum { BATCH_EVENTS = 1024, BATCHES = 8, FIRST_ELEMENTS = 512, AHEAD = 4, EVENT_BYTES = 16 };

/* A list that may be a trace. */
struct stream {
    pickle_value list;
    uint32_t n_read; /* number of elements read, without released ones */
    uint32_t n_kept; /* n_read at the last pickle_keep() */
    bool is_trace;
    bool has_released; /* elements were read and released */
    struct replay replay;
};

struct batch {
    struct stream *stream;
    uint32_t n;
    struct snapshot_event events[BATCH_EVENTS];
};

struct snapshot_streams {
    struct snapshot_build *s;
    VEC(struct stream *) streams;
    struct idmap stream_of_list;
    size_t n_left; /* limit for elements read ahead */
    bool may_release;  /* the input can be read again */
    size_t n_stacks;   /* of s->stacks at the last pickle_keep() */
    struct batch *batches; /* heap, [BATCHES], a ring */
    pthread_t thread;
    bool is_running;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* Protected by `lock`. */
    uint32_t first, n; /* batches to replay, in the ring */
    bool is_over;
};

/* ---- the replay thread */

static void *replay_batches(void *context)
{
    struct snapshot_streams *x = context;

    pthread_mutex_lock(&x->lock);
    for (;;) {
        const struct batch *b = &x->batches[x->first];

        while (!x->n && !x->is_over)
            pthread_cond_wait(&x->changed, &x->lock);
        if (!x->n)
            break;
        pthread_mutex_unlock(&x->lock);
        for (uint32_t i = 0; i < b->n; i++) {
            if (i + AHEAD < b->n)
                idmap_prefetch(&b->stream->replay.at_address, (int64_t)b->events[i + AHEAD].address);
            replay_event(&b->stream->replay, &b->events[i]);
        }
        pthread_mutex_lock(&x->lock);
        x->first = (x->first + 1) % BATCHES;
        x->n--;
        pthread_cond_broadcast(&x->changed);
    }
    pthread_mutex_unlock(&x->lock);
    return NULL;
}

/* ---- the reading thread */

/* The next batch to fill; waits until one is free. */
static struct batch *empty_batch(struct snapshot_streams *x)
{
    struct batch *b;

    pthread_mutex_lock(&x->lock);
    while (x->n == BATCHES)
        pthread_cond_wait(&x->changed, &x->lock);
    b = &x->batches[(x->first + x->n) % BATCHES];
    pthread_mutex_unlock(&x->lock);
    b->n = 0;
    return b;
}

static void send(struct snapshot_streams *x)
{
    pthread_mutex_lock(&x->lock);
    x->n++;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
}

static void read_elements(struct snapshot_streams *x, struct stream *stream, uint32_t n)
{
    while (stream->n_read < n && x->n_left) {
        struct batch *b = empty_batch(x);

        b->stream = stream;
        for (; stream->n_read < n && x->n_left && b->n < BATCH_EVENTS; x->n_left--)
            b->n += read_event(&stream->replay.in, stream->list, stream->n_read++, &b->events[b->n]);
        send(x);
    }
}

/* Starts a stream for LIST; NULL when its first element is not an event with a time. */
static struct stream *begin_stream(struct snapshot_streams *x, pickle_value list)
{
    struct stream *stream = xcalloc(1, sizeof *stream);
    struct snapshot_event event;

    stream->list = list;
    stream->replay = (struct replay){.s = x->s, .in = {.s = x->s}, .a = {.frees = MEMORY_FREES_COMPLETED}};
    if (!read_event(&stream->replay.in, list, 0, &event) ||
        !pickle_time(&x->s->pickle, pickle_field(&x->s->pickle, KEY_TIME_US), &event.us)) {
        free(stream);
        return NULL;
    }
    stream->replay.in = (struct snapshot_reader){
        .s = x->s, .has_times = true, .first_us = event.us, .last_us = event.us};
    idmap_put(&x->stream_of_list, (int64_t)list, (uint32_t)x->streams.n, 0);
    vec_push(&x->streams, stream);
    return stream;
}

/* Releases the elements of STREAM that were read since the last call, if they are not needed again; the
 * list has N elements, and keeps the first part of them. */
static void release(struct snapshot_streams *x, struct stream *stream, uint32_t n)
{
    struct pickle *p = &x->s->pickle;

    if (stream->n_read == n && stream->n_kept && x->s->stacks.n == x->n_stacks &&
        pickle_release(p, stream->list, stream->n_kept)) {
        stream->has_released = true;
        stream->n_read = stream->n_kept;
    }
    stream->n_kept = stream->n_read;
    x->n_stacks = x->s->stacks.n;
    pickle_keep(p, stream->list);
}

void snapshot_stream_list(struct snapshot_streams *x, pickle_value list, uint32_t n_before)
{
    struct stream *stream = x->streams.n ? x->streams.data[x->streams.n - 1] : NULL;
    uint32_t n;

    pickle_elements(&x->s->pickle, list, &n);
    if (!stream || stream->list != list) {
        stream = !n_before && n >= FIRST_ELEMENTS ? begin_stream(x, list) : NULL;
        if (stream && !x->batches) {
            x->batches = xreallocarray(NULL, BATCHES, sizeof *x->batches);
            x->is_running = thread_start(&x->thread, "replay", replay_batches, x) == 0;
        }
    }
    if (stream && x->is_running) {
        read_elements(x, stream, n);
        if (x->may_release)
            release(x, stream, n);
    }
}

/* ---- the result */

struct snapshot_streams *snapshot_streams_new(struct snapshot_build *s)
{
    struct snapshot_streams *x = xcalloc(1, sizeof *x);

    x->s = s;
    x->may_release = mapping_has(s->l->input.bytes);
    x->n_left = s->l->input.len / EVENT_BYTES; /* events built from memo values take fewer bytes,
                                                * so this bounds read-ahead only */
    pthread_mutex_init(&x->lock, NULL);
    pthread_cond_init(&x->changed, NULL);
    return x;
}

void snapshot_streams_end(struct snapshot_streams *x)
{
    if (!x->is_running)
        return;
    pthread_mutex_lock(&x->lock);
    x->is_over = true;
    pthread_cond_broadcast(&x->changed);
    pthread_mutex_unlock(&x->lock);
    pthread_join(x->thread, NULL);
    x->is_running = false;
}

/* The stream of LIST; NULL if none, or if its result was moved. */
static struct stream *stream_of(const struct snapshot_streams *x, pickle_value list)
{
    const uint32_t at = idmap_get(&x->stream_of_list, (int64_t)list);
    struct stream *stream = at == IDMAP_NONE ? NULL : x->streams.data[at];

    return stream && stream->list == list ? stream : NULL;
}

/* False when STREAM, which is read completely, assumed the wrong action for frees. */
static bool is_valid(const struct stream *stream)
{
    const uint64_t *counts = stream->replay.in.counts;

    return !counts[MEMORY_FREE_REQUESTED] || counts[MEMORY_FREE_COMPLETED];
}

static bool is_element(const struct pickle *p, pickle_value list, pickle_value element)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(p, list, &n);

    for (uint32_t i = 0; i < n; i++)
        if (elements[i] == element)
            return true;
    return false;
}

bool snapshot_streams_lost(const struct snapshot_streams *x, pickle_value traces)
{
    const struct snapshot_build *s = x->s;

    for (size_t i = 0; i < x->streams.n; i++) {
        const struct stream *stream = x->streams.data[i];

        if (stream->has_released &&
            (s->is_damaged || s->pickle.has_late_changes || s->pickle.has_lost_values || !is_valid(stream) ||
             !is_element(&s->pickle, traces, stream->list) || pickle_references(&s->pickle, stream->list) != 1))
            return true;
    }
    return false;
}

/* Moves the results of STREAMED to R. */
static void move(struct replay *r, struct replay *streamed)
{
    const struct replay old = *r;

    *r = *streamed;
    r->device = old.device;
    r->is_host = old.is_host;
    r->trace = old.trace;
    r->is_whole = old.is_whole;
    r->scope = old.scope;
    r->a = old.a;
    r->a.frees = streamed->a.frees;
    r->a.allocations = streamed->a.allocations;
    r->a.points = streamed->a.points;
    r->a.reservations = streamed->a.reservations;
    r->a.failures = streamed->a.failures;
    *streamed = (struct replay){.s = r->s};
}

static void free_replay(struct stream *stream)
{
    memory_allocator_done(&stream->replay.a);
    replay_done(&stream->replay);
    stream->replay = (struct replay){.s = NULL};
    stream->list = PICKLE_ABSENT;
}

void snapshot_streams_discard(struct snapshot_streams *x, const struct replays *all)
{
    for (size_t i = 0; i < all->list.n; i++) {
        struct stream *stream = stream_of(x, all->list.data[i].trace);

        if (stream)
            stream->is_trace = !x->s->is_damaged && !x->s->pickle.has_late_changes;
    }
    for (size_t i = 0; i < x->streams.n; i++)
        if (!x->streams.data[i]->is_trace)
            free_replay(x->streams.data[i]);
}

bool snapshot_stream_take(struct snapshot_streams *x, struct replay *r)
{
    struct stream *stream = stream_of(x, r->trace);
    uint32_t n;

    if (!stream)
        return false;
    pickle_elements(&x->s->pickle, r->trace, &n);
    for (; stream->n_read < n; stream->n_read++) {
        struct snapshot_event event;

        if (read_event(&stream->replay.in, r->trace, stream->n_read, &event))
            replay_event(&stream->replay, &event);
    }
    if (!is_valid(stream)) {
        free_replay(stream);
        return false;
    }
    move(r, &stream->replay);
    stream->list = PICKLE_ABSENT; /* two devices may share a list */
    replay_finish(r);
    return true;
}

void snapshot_streams_free(struct snapshot_streams *x)
{
    if (!x)
        return;
    for (size_t i = 0; i < x->streams.n; i++) {
        free_replay(x->streams.data[i]);
        free(x->streams.data[i]);
    }
    vec_done(&x->streams);
    idmap_done(&x->stream_of_list);
    free(x->batches);
    pthread_mutex_destroy(&x->lock);
    pthread_cond_destroy(&x->changed);
    free(x);
}
