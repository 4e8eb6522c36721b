/* crc32c.h: CRC-32C checksum of checkpoints and event files (formats-checkpoint.md section 2.2). */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Extends CRC (0 at the start) by LEN bytes. */
uint32_t crc32c_extend(uint32_t crc, const void *bytes, size_t len);
/* Returns the masked CRC, which is the form stored in files. */
uint32_t crc32c_mask(uint32_t crc);
