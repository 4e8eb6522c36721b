/* vec.c: growable arrays of any element type. */
#include "base/vec.h"

#include <assert.h>
#include <stdint.h>

#include "base/sanitize.h"
#include "base/xalloc.h"

enum { HUGE_FROM_BYTES = 8 << 20 };

/* For builds with the address sanitizer: the capacity equals the requested size, the excess is
 * poisoned, and a small array moves whenever it grows, which reveals stale pointers. Strings grow
 * byte by byte, so they move less often. */
static void *grow_exactly(void *data, size_t *capacity, size_t n, size_t size_bytes)
{
    const size_t move_below_bytes = size_bytes == 1 ? 32 : 4096;
    const size_t had_bytes = *capacity * size_bytes;
    size_t need_bytes, room_bytes = sanitize_heap_bytes(data);
    void *grown = data;

    if (__builtin_mul_overflow(n, size_bytes, &need_bytes))
        xalloc_fail();
    if (need_bytes > room_bytes) {
        room_bytes = need_bytes < move_below_bytes || need_bytes > SIZE_MAX / 2
                         ? need_bytes
                         : need_bytes + need_bytes / 2;
        grown = xmalloc(room_bytes);
        if (had_bytes)
            memcpy(grown, data, had_bytes);
        free(data);
        sanitize_forbid((unsigned char *)grown + had_bytes, room_bytes - had_bytes);
    }
    sanitize_allow((unsigned char *)grown + had_bytes, need_bytes - had_bytes);
    *capacity = n;
    return grown;
}

void *vec_grow(void *data, size_t *capacity, size_t n, size_t size_bytes)
{
    size_t room = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity + *capacity / 2;

    if (SANITIZE_ADDRESS)
        return grow_exactly(data, capacity, n, size_bytes);
    KEEP_MAX(room, n);
    KEEP_MAX(room, 8);
    data = xreallocarray(data, room, size_bytes);
    if (room > HUGE_FROM_BYTES / size_bytes)
        xalloc_advise_huge(data, room * size_bytes);
    *capacity = room;
    return data;
}

void *vec_shrink(void *data, size_t *capacity, size_t n, size_t size_bytes)
{
    assert(n <= *capacity);
    data = xreallocarray(data, n, size_bytes);
    if (n == 0)
        sanitize_forbid(data, 1);
    *capacity = n;
    return data;
}
