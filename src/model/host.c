/* host.c: extracts the host from a device name. */
#include "model/host.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct text host_of_device(struct text device)
{
    static const char host[] = "/host:", middle[] = "/device:";
    const size_t n_host = sizeof host - 1;
    const char *end = device.len ? memmem(device.bytes, device.len, middle, sizeof middle - 1) : NULL;
    struct text name = {device.bytes, end ? (uint32_t)(end - device.bytes) : 0};

    if (name.len > n_host && memcmp(name.bytes, host, n_host) == 0) {
        name.bytes += n_host;
        name.len -= (uint32_t)n_host;
    }
    return name;
}

struct text host_of_rank(char buffer[HOST_OF_RANK_BYTES], int64_t rank)
{
    snprintf(buffer, HOST_OF_RANK_BYTES, "rank %" PRId64, rank);
    return text_from(buffer);
}
