/* checkpoint_bytes.h: any bytes as the contents of a checkpoint. */
#ifndef TFPROF_TESTS_CHECKPOINT_BYTES_H
#define TFPROF_TESTS_CHECKPOINT_BYTES_H

#include <stddef.h>
#include <stdint.h>

/* Opens SIZE bytes as a checkpoint and reads all values and figures in it: once
 * as a table file as they are, once as the entries of a table with right
 * checksums, the last DATA_LEN of them as its data file.  Works in FOLDER, which
 * it leaves empty. */
void checkpoint_bytes(const char *folder, const uint8_t *bytes, size_t size, size_t data_len);

#endif
