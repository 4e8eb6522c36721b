/* fuzz_checkpoint.c: contents of checkpoints: any entries are listed or refused, values read or
 * refused.  The first byte tells how many of the last bytes are the data file. */
#include <stdbool.h>
#include <stdlib.h>

#include "checkpoint_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char folder[] = "checkpoint-XXXXXX";
    static bool is_made;

    if (!is_made && !mkdtemp(folder))
        abort();
    is_made = true;
    if (size)
        checkpoint_bytes(folder, data + 1, size - 1, data[0]);
    return 0;
}
