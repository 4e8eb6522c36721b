/* held.c: the program with one thread that waits for a command when it starts.
 *
 * Linked with --wrap=pthread_setname_np, which every thread calls with its name when it starts. The
 * first thread named $TFPROF_HELD_THREAD reads one word from the FIFO $TFPROF_HELD_ORDER:
 *
 *     NUMBER    raise this signal
 *     overflow  overflow the stack
 *     write     write to a read-only page
 *     cut       read a mapped file that was truncated, print its contents, continue */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "load/bytes/mapping.h"

int __real_pthread_setname_np(pthread_t thread, const char *name);
int __wrap_pthread_setname_np(pthread_t thread, const char *name);

static void write_to_read_only_page(void)
{
    char *page = mmap(NULL, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (page != MAP_FAILED)
        *(volatile char *)page = 1;
}

/* A call takes less than a page, with any sanitizer, so that the recursion cannot skip the guard
 * page of the stack. */
__attribute__((noinline)) static int overflow(volatile int depth)
{
    volatile char room[512];

    room[0] = (char)depth;
    return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

static void cut_a_mapped_file(void)
{
    const size_t len = 1 << 16;
    const int fd = memfd_create("cut", MFD_CLOEXEC);
    const uint8_t *bytes = fd >= 0 && ftruncate(fd, (off_t)len) == 0 ? mapping_new(fd, len) : NULL;

    if (bytes && ftruncate(fd, 0) == 0) {
        const int byte = *(const volatile uint8_t *)(bytes + len - 1);

        fprintf(stderr, "read %d, lost %u\n", byte, mapping_lost_pages(bytes));
    }
    if (bytes)
        mapping_free(bytes, len);
    close(fd);
}

static void obey(const char *order)
{
    if (strcmp(order, "overflow") == 0)
        printf("%d", overflow(0));
    else if (strcmp(order, "write") == 0)
        write_to_read_only_page();
    else if (strcmp(order, "cut") == 0)
        cut_a_mapped_file();
    else
        raise(atoi(order));
}

int __wrap_pthread_setname_np(pthread_t thread, const char *name)
{
    static atomic_flag met = ATOMIC_FLAG_INIT;
    const char *held = getenv("TFPROF_HELD_THREAD"), *fifo = getenv("TFPROF_HELD_ORDER");
    const int done = __real_pthread_setname_np(thread, name);
    char order[32] = {0};
    int fd;

    if (!held || !fifo || strcmp(name, held) != 0 || atomic_flag_test_and_set(&met))
        return done;
    fd = open(fifo, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && read(fd, order, sizeof order - 1) > 0)
        obey(order);
    if (fd >= 0)
        close(fd);
    return done;
}
