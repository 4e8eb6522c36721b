/* failing_alloc.h: memory that runs out when a test says so, for everything in the process: our
 * code and every library. */
#ifndef TFPROF_TESTS_FAILING_ALLOC_H
#define TFPROF_TESTS_FAILING_ALLOC_H

#include <stdbool.h>

/* From now on the NUMBER-th request for memory (1: the next one) is refused, and when FOR_EVER is
 * set all after it.  0: none is. */
void failing_alloc_at(unsigned long number, bool for_ever);
/* Requests since then. */
unsigned long failing_alloc_asked(void);

#endif
