/* target_checkpoint.c: contents of checkpoints: any entries are listed or rejected, values read or
 * rejected.  The first byte is the number of bytes at the end that form the data file. */
#include "fixtures/checkpoint_bytes.h"
#include "targets.h"

void target_checkpoint(const uint8_t *bytes, size_t size)
{
    if (size)
        checkpoint_bytes(fuzz_folder(), bytes + 1, size - 1, bytes[0]);
}
