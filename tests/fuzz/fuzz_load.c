/* fuzz_load.c: all readers of binary inputs; the first byte chooses one. */
#include "load_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err err = {0};

    if (size == 0)
        return 0;
    load_bytes(data[0] % BYTES_KINDS, data + 1, size - 1, &err);
    err_done(&err);
    return 0;
}
