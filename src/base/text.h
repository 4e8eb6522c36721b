/* text.h: bytes of somebody else, with their length. */
#ifndef TFPROF_BASE_TEXT_H
#define TFPROF_BASE_TEXT_H

#include <stdint.h>

/* Not terminated. */
struct text {
    const char *bytes;
    uint32_t len;
};

#endif
