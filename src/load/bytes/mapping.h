/* mapping.h: files in memory without a copy, safe against being cut short.
 *
 * Touching a mapped page behind the end of a file that somebody truncates, or
 * one that the disk cannot read, raises SIGBUS, which would end the program.
 * So the pages we map are known to a handler of that signal: it puts a page of
 * zeros in the place of the lost one and counts, and whoever reads looks at the
 * count afterwards.  Faults elsewhere go on to the handler that was there. */
#ifndef TFPROF_LOAD_MAPPING_H
#define TFPROF_LOAD_MAPPING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Maps the first SIZE_BYTES of the file FD for reading; NULL when that cannot
 * be done (then the file is to be read). */
const uint8_t *mapping_new(int fd, size_t size_bytes);
void mapping_free(const uint8_t *bytes, size_t size_bytes);

/* How many pages of the mapping were lost so far. */
unsigned mapping_lost_pages(const uint8_t *bytes);

#endif
