/* arrival.c: the bytes of a gzip'd input while another thread unpacks them. */
#include "load/bytes/arrival.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sanitize.h"
#include "base/system/thread.h"
#include "base/xalloc.h"
#include "load/bytes/gunzip.h"

struct arrival {
    unsigned char *packed;
    size_t packed_len;
    uint64_t most;
    struct cancel_mark cancel; /* of the load */
    struct cancel unwanted;    /* stops the thread, on behalf of `cancel` too */
    byte_vec bytes; /* data and capacity are fixed; n belongs to the thread */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t more;
    size_t n_arrived; /* these three under the lock */
    bool ended, done;
    struct err err; /* the thread's until it has ended */
};

static void tell(void *context, size_t n_arrived)
{
    struct arrival *a = context;

    if (cancel_asked(a->cancel))
        cancel_ask(&a->unwanted);
    pthread_mutex_lock(&a->lock);
    a->n_arrived = n_arrived;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
}

static void *unpack(void *of)
{
    struct arrival *a = of;
    const struct gunzip_watch watch = {tell, a};
    const struct cancel_mark wanted = {&a->unwanted, 0};
    bool done = gunzip(a->packed, a->packed_len, a->most, &a->bytes, &watch, wanted, &a->err);

    pthread_mutex_lock(&a->lock);
    a->n_arrived = a->bytes.n;
    a->done = done;
    a->ended = true;
    pthread_cond_signal(&a->more);
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static unsigned char *reserve(uint64_t size_bytes)
{
    void *room = size_bytes > SIZE_MAX
                     ? MAP_FAILED
                     : mmap(NULL, (size_t)size_bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    return room == MAP_FAILED ? NULL : room;
}

static void free_arrival(struct arrival *a)
{
    free(a->packed);
    pthread_cond_destroy(&a->more);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

struct arrival *arrival_new(unsigned char *packed, size_t len, uint64_t most,
                            struct cancel_mark cancel)
{
    unsigned char *room = reserve(most);
    struct arrival *a;

    if (!room)
        return NULL;
    xalloc_wish_huge(room, (size_t)most);
    a = xcalloc(1, sizeof *a);
    a->packed = packed;
    a->packed_len = len;
    a->most = most;
    a->cancel = cancel;
    a->bytes.data = room;
    a->bytes.capacity = (size_t)most;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->more, NULL);
    if (thread_start(&a->thread, "unpack", unpack, a) == 0)
        return a;
    munmap(room, (size_t)most);
    a->packed = NULL; /* the caller's */
    free_arrival(a);
    return NULL;
}

const uint8_t *arrival_bytes(const struct arrival *a)
{
    return a->bytes.data;
}

size_t arrival_await(struct arrival *a, size_t want, bool *ended)
{
    size_t n;

    pthread_mutex_lock(&a->lock);
    while (a->n_arrived < want && !a->ended)
        pthread_cond_wait(&a->more, &a->lock);
    n = a->n_arrived;
    *ended = a->ended;
    pthread_mutex_unlock(&a->lock);
    return n;
}

/* Bytes of the pages that N bytes take: one at least. */
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

/* Gives back the pages behind the first N bytes, and behind the first page. */
static void trim(struct arrival *a, size_t n)
{
    const size_t kept = pages_of(n);

    if (kept < a->most)
        (void)munmap(a->bytes.data + kept, (size_t)a->most - kept);
    sanitize_forbid(a->bytes.data + n, kept - n);
}

void arrival_drop(struct arrival *a)
{
    if (!a)
        return;
    cancel_ask(&a->unwanted);
    pthread_join(a->thread, NULL);
    munmap(a->bytes.data, (size_t)a->most);
    err_done(&a->err);
    free_arrival(a);
}

bool arrival_end(struct arrival *a, struct source_file *file, struct err *err)
{
    bool done;

    pthread_join(a->thread, NULL);
    done = a->done;
    if (!done)
        *err = a->err;
    trim(a, a->bytes.n);
    file->bytes = a->bytes.data;
    file->size_bytes = a->bytes.n;
    file->release = unmap;
    free_arrival(a);
    return done;
}
