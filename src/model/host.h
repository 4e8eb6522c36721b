/* host.h: extracts the host from a device name. */
#pragma once

#include <stdint.h>

#include "base/text.h"

/* Returns the host part of DEVICE: "h" of "/host:h/device:GPU:0" (formats-xplane.md),
 * "/job:w/replica:0/task:3" of "/job:w/replica:0/task:3/device:gpu:0"; else empty. */
struct text host_of_device(struct text device);

/* Writes "rank 3", the host name for traces, whose devices have no host. Returns BUFFER. */
enum { HOST_OF_RANK_BYTES = 32 };
struct text host_of_rank(char buffer[HOST_OF_RANK_BYTES], int64_t rank);
