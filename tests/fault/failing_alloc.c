/* failing_alloc.c: memory that runs out when a test says so.
 *
 * What the program defines itself comes before the C library's: these are the malloc() of
 * everything that is linked, which call glibc's own by its other name. */
#include "failing_alloc.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_ulong asked, fail_at;
static atomic_bool for_ever;

void failing_alloc_at(unsigned long number, bool from_then_on)
{
    atomic_store(&asked, 0);
    atomic_store(&for_ever, from_then_on);
    atomic_store(&fail_at, number);
}

unsigned long failing_alloc_asked(void)
{
    return atomic_load(&asked);
}

static bool refused(void)
{
    const unsigned long number = atomic_fetch_add(&asked, 1) + 1;
    const unsigned long at = atomic_load(&fail_at);

    if (!at || (atomic_load(&for_ever) ? number < at : number != at))
        return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return refused() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refused() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t size)
{
    return refused() ? NULL : __libc_realloc(p, size);
}

void *aligned_alloc(size_t align, size_t size)
{
    return refused() ? NULL : __libc_memalign(align, size);
}

/* The linker puts these in the place of the functions that our code calls. */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *arg);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *arg);
void *__real_mmap(void *address, size_t len, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap(void *address, size_t len, int protection, int flags, int fd, off_t offset);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *),
                          void *arg)
{
    return refused() ? EAGAIN : __real_pthread_create(thread, attr, start, arg);
}

void *__wrap_mmap(void *address, size_t len, int protection, int flags, int fd, off_t offset)
{
    return refused() ? MAP_FAILED : __real_mmap(address, len, protection, flags, fd, offset);
}
