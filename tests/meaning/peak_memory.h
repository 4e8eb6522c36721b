/* peak_memory.h: peak heap use of a part of the program. */
#pragma once

#include <stddef.h>

/* Starts measuring. */
void peak_memory_start(void);
/* Ends measuring; returns the peak in bytes of what was allocated since the start, 0 without the
 * address sanitizer. */
size_t peak_memory_end(void);
