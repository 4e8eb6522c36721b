/* target_checkpoint.c: contents of checkpoints: any entries are listed or refused, values read or
 * refused.  The first byte tells how many of the last bytes are the data file. */
#include "fixtures/checkpoint_bytes.h"
#include "targets.h"

void target_checkpoint(const uint8_t *bytes, size_t size)
{
    if (size)
        checkpoint_bytes(fuzz_folder(), bytes + 1, size - 1, bytes[0]);
}
