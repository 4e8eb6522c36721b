/* inject.h: simulates exhausted memory, full disks and kills; memory for all libraries, the others
 * for our code. */
#pragma once

#include <stdbool.h>

enum inject_kind {
    INJECT_NO_MEMORY, /* malloc() and related functions, mmap(), pthread_create() */
    INJECT_FULL_DISK, /* write(), fsync(), linkat(), rename(), ftruncate() */
    INJECT_KILL,      /* SIGKILL before one of these, or in the middle of a write() */
    INJECT_KINDS
};

/* From now on refuses the NUMBER-th request of KIND (1: the next one); with FOR_EVER also all later
 * ones. */
void inject_at(enum inject_kind kind, unsigned long number, bool for_ever);
/* The number of requests of that kind since inject_at(). */
unsigned long inject_asked(void);
