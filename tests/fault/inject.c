/* inject.c: simulates exhausted memory, full disks and kills.  Definitions in the program take
 * precedence over the C library: these malloc() functions are used by all linked libraries, and
 * call glibc's functions under their alternative names. */
#include "inject.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t align, size_t size);

static atomic_int kind = INJECT_KINDS;
static atomic_ulong asked, refused_from;
static atomic_bool for_ever;

void inject_at(enum inject_kind what, unsigned long number, bool from_then_on)
{
    atomic_store(&asked, 0);
    atomic_store(&for_ever, from_then_on);
    atomic_store(&refused_from, number);
    atomic_store(&kind, what);
}

unsigned long inject_asked(void)
{
    return atomic_load(&asked);
}

static bool is_due(void)
{
    const unsigned long number = atomic_fetch_add(&asked, 1) + 1;
    const unsigned long at = atomic_load(&refused_from);

    return atomic_load(&for_ever) ? number >= at : number == at;
}

static bool refused(void)
{
    if (atomic_load(&kind) != INJECT_NO_MEMORY || !is_due())
        return false;
    errno = ENOMEM;
    return true;
}

/* Simulates a full disk, or kills the process. */
static bool full(void)
{
    const int what = atomic_load(&kind);

    if ((what != INJECT_FULL_DISK && what != INJECT_KILL) || !is_due())
        return false;
    if (what == INJECT_KILL)
        kill(getpid(), SIGKILL);
    errno = ENOSPC;
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

/* The linker replaces calls of these functions in our code. */
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

ssize_t __real_write(int fd, const void *bytes, size_t len);
ssize_t __wrap_write(int fd, const void *bytes, size_t len);
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to);
int __real_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags);
int __real_ftruncate(int fd, off_t size);
int __wrap_ftruncate(int fd, off_t size);

static bool is_file(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

/* Two failure points in every write: before it, and after half of it.  Terminals and wake-up
 * descriptors are not disks. */
ssize_t __wrap_write(int fd, const void *bytes, size_t len)
{
    const size_t half = len / 2;
    ssize_t n;

    if (atomic_load(&kind) < INJECT_FULL_DISK || !is_file(fd))
        return __real_write(fd, bytes, len);
    if (full())
        return -1;
    if (atomic_load(&kind) != INJECT_KILL || !half)
        return __real_write(fd, bytes, len);
    n = __real_write(fd, bytes, half);
    if (n == (ssize_t)half)
        (void)full();
    return n;
}

int __wrap_fsync(int fd)
{
    return full() ? -1 : __real_fsync(fd);
}

int __wrap_renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return full() ? -1 : __real_renameat(from_dir, from, to_dir, to);
}

int __wrap_linkat(int from_dir, const char *from, int to_dir, const char *to, int flags)
{
    return full() ? -1 : __real_linkat(from_dir, from, to_dir, to, flags);
}

int __wrap_ftruncate(int fd, off_t size)
{
    return full() ? -1 : __real_ftruncate(fd, size);
}
