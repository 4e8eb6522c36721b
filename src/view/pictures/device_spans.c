/* device_spans.c: sorts spans digit by digit. */
#include "view/pictures/device_spans.h"

#include "base/xalloc.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

static int compare(const void *a, const void *b)
{
    const struct device_span *x = a, *y = b;

    if (x->start_ticks != y->start_ticks)
        return x->start_ticks < y->start_ticks ? -1 : 1;
    if (x->end_ticks != y->end_ticks)
        return x->end_ticks > y->end_ticks ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* One stable counting pass over the digit at SHIFT of what starts are behind FIRST. */
static void sort_digit(const struct device_span *from, struct device_span *to, size_t n, uint64_t first,
                       unsigned shift)
{
    size_t begin[DIGITS] = {0}, sum = 0;

    for (size_t i = 0; i < n; i++)
        begin[((uint64_t)from[i].start_ticks - first) >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t count = begin[d];

        begin[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[begin[((uint64_t)from[i].start_ticks - first) >> shift & (DIGITS - 1)]++] = from[i];
}

static void sort_starts(device_spans *spans, int64_t first, int64_t last)
{
    const uint64_t length = (uint64_t)last - (uint64_t)first;
    struct device_span *spare = xreallocarray(NULL, spans->n, sizeof *spare);

    for (unsigned shift = 0; shift < 64 && length >> shift; shift += DIGIT_BITS) {
        struct device_span *sorted = spare;

        sort_digit(spans->data, sorted, spans->n, (uint64_t)first, shift);
        spare = spans->data;
        spans->data = sorted;
    }
    spans->capacity = spans->n; /* either array has room for that */
    free(spare);
}

/* Puts those of one start in order. */
static void sort_equals(device_spans *spans)
{
    for (size_t from = 0, to; from < spans->n; from = to) {
        for (to = from + 1; to < spans->n; to++)
            if (spans->data[to].start_ticks != spans->data[from].start_ticks)
                break;
        if (to - from > 1)
            qsort(spans->data + from, to - from, sizeof *spans->data, compare);
    }
}

void device_spans_sort(device_spans *spans)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    for (size_t i = 0; i < spans->n; i++) {
        const int64_t start = spans->data[i].start_ticks;

        first = start < first ? start : first;
        last = start > last ? start : last;
    }
    if (spans->n > 1)
        sort_starts(spans, first, last);
    sort_equals(spans);
}
