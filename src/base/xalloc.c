/* xalloc.c: allocation that ends the program when memory is out. */
#include "base/xalloc.h"

#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct xalloc_hook *hooks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void xalloc_hook_add(struct xalloc_hook *h)
{
    pthread_mutex_lock(&lock);
    h->next = hooks;
    hooks = h;
    pthread_mutex_unlock(&lock);
}

void xalloc_hook_remove(struct xalloc_hook *h)
{
    pthread_mutex_lock(&lock);
    for (struct xalloc_hook **at = &hooks; *at; at = &(*at)->next)
        if (*at == h) {
            *at = h->next;
            break;
        }
    pthread_mutex_unlock(&lock);
}

/* Only async-signal-safe calls are allowed here, because the heap may be unusable. The lock is
 * never released: only one thread ends the program. */
_Noreturn void xalloc_fail(void)
{
    static const char text[] = "tfprof: out of memory\n";

    pthread_mutex_lock(&lock);
    for (struct xalloc_hook *h = hooks; h; h = h->next)
        h->run(h->arg);
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* Standard error is not writable; there is nowhere else to report it. */
    }
    _exit(1);
}

void *xmalloc(size_t size_bytes)
{
    void *p = malloc(size_bytes ? size_bytes : 1);

    if (!p)
        xalloc_fail();
    return p;
}

void *xcalloc(size_t count, size_t size_bytes)
{
    void *p = count && size_bytes ? calloc(count, size_bytes) : calloc(1, 1);

    if (!p)
        xalloc_fail();
    return p;
}

void *xalloc_try(size_t count, size_t size_bytes)
{
    enum { USUAL_BYTES = 1 << 20 };

    if (!size_bytes || count <= USUAL_BYTES / size_bytes)
        return xcalloc(count, size_bytes);
    return calloc(count, size_bytes);
}

void *xreallocarray(void *items, size_t count, size_t size_bytes)
{
    void *p;

    if (size_bytes && count > SIZE_MAX / size_bytes)
        xalloc_fail();
    p = realloc(items, count && size_bytes ? count * size_bytes : 1);
    if (!p)
        xalloc_fail();
    return p;
}

enum { HUGE_PAGE_BYTES = 2 << 20, HUGE_FROM_BYTES = 4 << 20 };

void *xalloc_huge(size_t count, size_t size_bytes)
{
    const size_t mask = HUGE_PAGE_BYTES - 1;
    size_t bytes = count * size_bytes;
    void *p;

    if ((size_bytes && count > SIZE_MAX / size_bytes) || bytes < HUGE_FROM_BYTES)
        return xreallocarray(NULL, count, size_bytes);
    p = bytes > SIZE_MAX - mask ? NULL : aligned_alloc(HUGE_PAGE_BYTES, (bytes + mask) & ~mask);
    if (!p)
        xalloc_fail();
    xalloc_advise_huge(p, bytes);
    return p;
}

/* Errors are ignored: without huge pages the program is only slower. The advice covers all pages of
 * P, so that a separate mapping stays in one piece and realloc() can move it without copying. */
void xalloc_advise_huge(void *p, size_t size_bytes)
{
    const uintptr_t page_mask = (uintptr_t)sysconf(_SC_PAGESIZE) - 1;
    uintptr_t begin = (uintptr_t)p & ~page_mask;
    uintptr_t end = ((uintptr_t)p + size_bytes + page_mask) & ~page_mask;

    if (size_bytes >= HUGE_PAGE_BYTES)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

/* glibc raises its mmap threshold (128 KiB at first) to the size of each larger block that is
 * freed. To keep freed memory, it is set to the maximum that this reaches, together with the trim
 * threshold that follows from it. */
void xalloc_keep_freed(bool keep)
{
#ifdef M_MMAP_THRESHOLD
    enum { GIVE_BACK_FROM_BYTES = 1 << 20, KEEP_TO_BYTES = 32 << 20 };

    (void)mallopt(M_MMAP_THRESHOLD, keep ? KEEP_TO_BYTES : GIVE_BACK_FROM_BYTES);
    (void)mallopt(M_TRIM_THRESHOLD, keep ? 2 * KEEP_TO_BYTES : GIVE_BACK_FROM_BYTES);
#else
    (void)keep;
#endif
}

char *xmemdupz(const void *bytes, size_t len)
{
    char *copy = xmalloc(len + 1);

    if (len)
        memcpy(copy, bytes, len);
    copy[len] = '\0';
    return copy;
}

char *xstrdup(const char *text)
{
    return xmemdupz(text, strlen(text));
}
