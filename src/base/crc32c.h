/* crc32c.h: the Castagnoli checksum of checkpoints and event files
 * (formats-checkpoint.md section 2.2). */
#ifndef TFPROF_BASE_CRC32C_H
#define TFPROF_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The checksum of what CRC covers (0: nothing) followed by LEN bytes. */
uint32_t crc32c_extend(uint32_t crc, const void *bytes, size_t len);
/* The form in which files store it. */
uint32_t crc32c_mask(uint32_t crc);

#endif
