/* sparkline.c: a series of values as block characters. */
#include "render/sparkline.h"

#include "base/utf8.h"

enum { LOWEST_BLOCK = 0x2581 }; /* the lowest of eight blocks */

size_t sparkline_cell(size_t i, size_t n, size_t cells)
{
    return n > cells ? i * cells / n : i;
}

void sparkline_add(struct strbuf *sb, const int64_t *values, size_t n, size_t cells)
{
    int64_t max = 0, kept = 0;

    for (size_t i = 0; i < n; i++)
        max = values[i] > max ? values[i] : max;
    for (size_t i = 0; i < n; i++) {
        kept = values[i] > kept ? values[i] : kept;
        if (i + 1 < n && sparkline_cell(i + 1, n, cells) == sparkline_cell(i, n, cells))
            continue;
        utf8_encode(sb, kept ? LOWEST_BLOCK + (uint32_t)((double)kept / (double)max * 7.999) : ' ');
        kept = 0;
    }
}
