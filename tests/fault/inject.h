/* inject.h: memory that runs out, a disk that is full, a death, when a test says so: for our code
 * and, of memory, for every library. */
#ifndef TFPROF_TESTS_INJECT_H
#define TFPROF_TESTS_INJECT_H

#include <stdbool.h>

enum inject_kind {
    INJECT_NO_MEMORY, /* malloc() and its like, mmap(), pthread_create() */
    INJECT_FULL_DISK, /* write(), fsync(), linkat(), rename(), ftruncate() */
    INJECT_KILL,      /* SIGKILL before one of these, or in the middle of a write() */
    INJECT_KINDS
};

/* From now on the NUMBER-th request of KIND (1: the next one) is refused, and
 * when FOR_EVER is set all after it. */
void inject_at(enum inject_kind kind, unsigned long number, bool for_ever);
/* Requests of that kind since then. */
unsigned long inject_asked(void);

#endif
