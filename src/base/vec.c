/* vec.c: growing arrays of any one type. */
#include "base/vec.h"

#include <stdint.h>

#include "base/xalloc.h"

enum { HUGE_FROM_BYTES = 8 << 20 };

void *vec_grow(void *data, size_t *capacity, size_t n, size_t size_bytes)
{
    size_t room = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity + *capacity / 2;

    if (room < n)
        room = n;
    if (room < 8)
        room = 8;
    data = xreallocarray(data, room, size_bytes);
    if (room > HUGE_FROM_BYTES / size_bytes)
        xalloc_wish_huge(data, room * size_bytes);
    *capacity = room;
    return data;
}
