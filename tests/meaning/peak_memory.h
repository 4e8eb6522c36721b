/* peak_memory.h: how much memory a part of the program had at most. */
#ifndef TFPROF_TESTS_MEANING_PEAK_MEMORY_H
#define TFPROF_TESTS_MEANING_PEAK_MEMORY_H

#include <stddef.h>

/* From now on. */
void peak_memory_start(void);
/* Until now: bytes that were asked for since then and not given back, at most; 0 where no sanitizer tells. */
size_t peak_memory_end(void);

#endif
