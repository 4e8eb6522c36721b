/* xalloc.c: allocation that cannot fail; running out ends the program in order. */
#include "base/xalloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static _Atomic(void (*)(void)) oom_hook;

void xalloc_set_oom_hook(void (*hook)(void))
{
    atomic_store(&oom_hook, hook);
}

/* Only async-signal-safe calls: the heap is in no state to be used. */
static _Noreturn void out_of_memory(void)
{
    static const char text[] = "tfprof: out of memory\n";
    void (*hook)(void) = atomic_exchange(&oom_hook, NULL);

    if (hook)
        hook();
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0) {
        /* Nowhere left to say it. */
    }
    _exit(1);
}

void *xmalloc(size_t size_bytes)
{
    void *p = malloc(size_bytes ? size_bytes : 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xcalloc(size_t count, size_t size_bytes)
{
    void *p = count && size_bytes ? calloc(count, size_bytes) : calloc(1, 1);

    if (!p)
        out_of_memory();
    return p;
}

void *xreallocarray(void *items, size_t count, size_t size_bytes)
{
    void *p;

    if (size_bytes && count > SIZE_MAX / size_bytes)
        out_of_memory();
    p = realloc(items, count && size_bytes ? count * size_bytes : 1);
    if (!p)
        out_of_memory();
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
        out_of_memory();
    xalloc_wish_huge(p, bytes);
    return p;
}

/* Without large pages everything works, only slower: no errors. */
void xalloc_wish_huge(void *p, size_t size_bytes)
{
    uintptr_t begin = ((uintptr_t)p + HUGE_PAGE_BYTES - 1) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);
    uintptr_t end = ((uintptr_t)p + size_bytes) & ~(uintptr_t)(HUGE_PAGE_BYTES - 1);

    if (end > begin)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
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
