/* peak_memory.h: peak heap use of a part of the program. */
#ifndef TFPROF_TESTS_MEANING_PEAK_MEMORY_H
#define TFPROF_TESTS_MEANING_PEAK_MEMORY_H

#include <stddef.h>

/* Starts measuring. */
void peak_memory_start(void);
/* Ends measuring; returns the peak in bytes of what was allocated since the start, 0 without the
 * address sanitizer. */
size_t peak_memory_end(void);

#endif
