/* gunzip_stream.c: decompresses gzip data on another thread while its first bytes are read. */
#include "load/bytes/gunzip_stream.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sanitize.h"
#include "base/system/thread.h"
#include "base/xalloc.h"
#include "load/bytes/gunzip_ahead.h"
#include "load/bytes/inflater.h"

struct gunzip_stream {
    unsigned char *packed;
    size_t packed_len;
    uint64_t max;
    struct cancel_mark cancel; /* of the load */
    struct cancel unwanted;    /* stops the thread; also set by `cancel` */
    byte_vec bytes;            /* data and capacity are fixed; n is owned by the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    size_t n_unpacked; /* the next three are guarded by the lock */
    bool ended, done;
    struct err err; /* owned by the thread until it ends */
};

static void publish_progress(void *context, size_t n_unpacked)
{
    struct gunzip_stream *s = context;

    if (cancel_asked(s->cancel))
        cancel_ask(&s->unwanted);
    pthread_mutex_lock(&s->lock);
    s->n_unpacked = n_unpacked;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
}

static void *unpack(void *of)
{
    struct gunzip_stream *s = of;
    struct gunzip_ahead *ahead =
        gunzip_ahead_new(s->packed, s->packed_len, thread_count(), GUNZIP_STRIDE_BYTES);
    const struct gunzip_watch watch = {publish_progress, s, ahead};
    const struct cancel_mark wanted = {&s->unwanted, 0};
    bool done = gunzip(s->packed, s->packed_len, s->max, &s->bytes, &watch, wanted, &s->err);

    gunzip_ahead_free(ahead);
    pthread_mutex_lock(&s->lock);
    s->n_unpacked = s->bytes.n;
    s->done = done;
    s->ended = true;
    pthread_cond_signal(&s->more);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void free_stream(struct gunzip_stream *s)
{
    free(s->packed);
    pthread_cond_destroy(&s->more);
    pthread_mutex_destroy(&s->lock);
    free(s);
}

struct gunzip_stream *gunzip_start(unsigned char *packed, size_t len, uint64_t max,
                                   struct cancel_mark cancel)
{
    unsigned char *room = inflater_reserve(max);
    struct gunzip_stream *s;

    if (!room)
        return NULL;
    xalloc_advise_huge(room, (size_t)max);
    s = xcalloc(1, sizeof *s);
    s->packed = packed;
    s->packed_len = len;
    s->max = max;
    s->cancel = cancel;
    s->bytes.data = room;
    s->bytes.capacity = (size_t)max;
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->more, NULL);
    if (thread_start(&s->thread, "unpack", unpack, s) == 0)
        return s;
    munmap(room, (size_t)max);
    s->packed = NULL; /* ownership stays with the caller */
    free_stream(s);
    return NULL;
}

const uint8_t *gunzip_bytes(const struct gunzip_stream *s)
{
    return s->bytes.data;
}

size_t gunzip_await(struct gunzip_stream *s, size_t want, bool *ended)
{
    size_t n;

    pthread_mutex_lock(&s->lock);
    while (s->n_unpacked < want && !s->ended)
        pthread_cond_wait(&s->more, &s->lock);
    n = s->n_unpacked;
    *ended = s->ended;
    pthread_mutex_unlock(&s->lock);
    return n;
}

/* The size of the pages that hold N bytes: at least one. */
static size_t pages_of(size_t n)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

    return ((n ? n : 1) + page_bytes - 1) / page_bytes * page_bytes;
}

static void unmap(struct source_file *file)
{
    const size_t kept = pages_of(file->size_bytes);

    sanitize_allow(file->bytes, kept);
    munmap((void *)(uintptr_t)file->bytes, kept);
    file->bytes = NULL;
    file->size_bytes = 0;
}

/* Unmaps the pages after the first N bytes, except the first page. */
static void trim(struct gunzip_stream *s, size_t n)
{
    const size_t kept = pages_of(n);

    if (kept < s->max)
        (void)munmap(s->bytes.data + kept, (size_t)s->max - kept);
    sanitize_forbid(s->bytes.data + n, kept - n);
}

void gunzip_cancel(struct gunzip_stream *s)
{
    if (!s)
        return;
    cancel_ask(&s->unwanted);
    pthread_join(s->thread, NULL);
    munmap(s->bytes.data, (size_t)s->max);
    err_done(&s->err);
    free_stream(s);
}

bool gunzip_finish(struct gunzip_stream *s, struct source_file *file, struct err *err)
{
    bool done;

    pthread_join(s->thread, NULL);
    done = s->done;
    if (!done)
        *err = s->err;
    trim(s, s->bytes.n);
    file->bytes = s->bytes.data;
    file->size_bytes = s->bytes.n;
    file->release = unmap;
    free_stream(s);
    return done;
}
