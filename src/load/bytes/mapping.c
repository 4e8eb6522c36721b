/* mapping.c: maps files into memory and survives their truncation. */
#include "load/bytes/mapping.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sanitize.h"

/* Further files are read instead. */
enum { MAX_MAPPINGS = 64 };

/* Global because a signal handler has no other access; only this file writes it.  begin 0:
 * unused. */
static struct {
    atomic_uintptr_t begin, end;
    atomic_uint lost;
} mappings[MAX_MAPPINGS];
static struct sigaction previous;
static pthread_mutex_t setting = PTHREAD_MUTEX_INITIALIZER;

static int slot_of(uintptr_t at)
{
    for (int i = 0; i < MAX_MAPPINGS; i++)
        if (at >= atomic_load(&mappings[i].begin) && at < atomic_load(&mappings[i].end))
            return i;
    return -1;
}

/* A fault outside our mappings: calls the previous handler or restores the default action. */
static void call_previous_handler(int number, siginfo_t *info, void *context)
{
    if (previous.sa_flags & SA_SIGINFO)
        previous.sa_sigaction(number, info, context);
    else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
        previous.sa_handler(number);
    else
        signal(number, SIG_DFL); /* the fault is raised again and ends the program */
}

static void on_lost_page(int number, siginfo_t *info, void *context)
{
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t page = (uintptr_t)info->si_addr & ~(page_bytes - 1);
    int slot = slot_of((uintptr_t)info->si_addr);

    if (slot < 0 || mmap((void *)page, page_bytes, PROT_READ,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
        call_previous_handler(number, info, context);
    else
        atomic_fetch_add(&mappings[slot].lost, 1);
}

/* Repeated for every mapping, because others may have set handlers since. */
static void set_handler(void)
{
    struct sigaction action = {.sa_sigaction = on_lost_page,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    struct sigaction now;

    sigemptyset(&action.sa_mask);
    pthread_mutex_lock(&setting);
    if (sigaction(SIGBUS, NULL, &now) == 0 &&
        !((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_lost_page)) {
        previous = now;
        sigaction(SIGBUS, &action, NULL);
    }
    pthread_mutex_unlock(&setting);
}

/* Registers the range in an unused slot; false when there is none. */
static bool remember(uintptr_t begin, uintptr_t end)
{
    for (int i = 0; i < MAX_MAPPINGS; i++) {
        uintptr_t none = 0;

        if (atomic_load(&mappings[i].end) == 0 &&
            atomic_compare_exchange_strong(&mappings[i].begin, &none, begin)) {
            atomic_store(&mappings[i].lost, 0);
            atomic_store(&mappings[i].end, end);
            return true;
        }
    }
    return false;
}

/* The size of the pages of SIZE_BYTES plus an inaccessible guard page. */
static size_t mapped_bytes(size_t size_bytes)
{
    const size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);

    return (size_bytes + page_bytes - 1) / page_bytes * page_bytes + page_bytes;
}

const uint8_t *mapping_new(int fd, size_t size_bytes)
{
    const size_t pages_bytes = mapped_bytes(size_bytes);
    void *bytes = mmap(NULL, pages_bytes, PROT_READ, MAP_PRIVATE, fd, 0);

    if (bytes == MAP_FAILED)
        return NULL;
    set_handler();
    if (!remember((uintptr_t)bytes, (uintptr_t)bytes + size_bytes)) {
        munmap(bytes, pages_bytes);
        return NULL;
    }
    sanitize_forbid((uint8_t *)bytes + size_bytes, pages_bytes - size_bytes);
    (void)madvise(bytes, size_bytes, MADV_WILLNEED);
    return bytes;
}

void mapping_free(const uint8_t *bytes, size_t size_bytes)
{
    int slot = slot_of((uintptr_t)bytes);

    sanitize_allow(bytes, mapped_bytes(size_bytes));
    munmap((void *)bytes, mapped_bytes(size_bytes));
    if (slot >= 0) {
        atomic_store(&mappings[slot].end, 0);
        atomic_store(&mappings[slot].begin, 0);
    }
}

bool mapping_has(const uint8_t *at)
{
    return slot_of((uintptr_t)at) >= 0;
}

unsigned mapping_lost_pages(const uint8_t *bytes)
{
    int slot = slot_of((uintptr_t)bytes);

    if (slot < 0)
        return 0;
    (void)*(const volatile uint8_t *)(atomic_load(&mappings[slot].end) - 1);
    return atomic_load(&mappings[slot].lost);
}
