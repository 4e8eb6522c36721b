/* trace_order.c: groups the swept slices by track (formats-trace.md section 4.1). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/bytes/input.h"
#include "load/trace/trace_build.h"

bool is_module_name(const char *name)
{
    static const char module[] = "nn.Module: ";

    return strncmp(name, module, sizeof module - 1) == 0;
}

/* The layers of SLICE in the sweep of its CPU track; 0 if it is not swept. */
static unsigned layers_of(const struct trace_build *b, const struct trace_slice *slice)
{
    const enum category_kind kind = kind_of(b, slice);

    if (kind >= KIND_KERNEL)
        return 0;
    if (kind != KIND_FRAME)
        return LAYER_TIMED;
    return b->dialect == DIALECT_KINETO &&
                   is_module_name(profile_text(builder_profile(b->builder), slice->name))
               ? LAYER_TIMED | LAYER_FRAME
               : LAYER_FRAME;
}

COMPARE_BY(by_slice, struct trace_external, slice)

/* State while slices are moved to their new order. */
struct order {
    struct trace_log *log;
    uint32_t *ends; /* by track: end of the free places; the last entry is for slices not swept */
    size_t n_sequences, n_externals; /* entries whose slices were not moved yet */
};

/* Redirects the sequences and externals of slice I to TO; slices come from last to first. */
static void move_references(struct order *o, uint32_t i, uint32_t to)
{
    struct trace_sequence *sequences = o->log->sequences.data;
    struct trace_external *externals = o->log->externals.data;

    while (o->n_sequences && sequences[o->n_sequences - 1].slice == i)
        sequences[--o->n_sequences].slice = to;
    while (o->n_externals && externals[o->n_externals - 1].slice == i)
        externals[--o->n_externals].slice = to;
}

/* Moves slices to a new array from the last to the first, and shrinks the old array meanwhile. */
static void move_slices(const struct trace_build *b, struct order *o)
{
    enum { RELEASE_SLICES = 1 << 16 };
    struct trace_log *log = o->log;
    const size_t n = log->slices.n;
    struct trace_slice *moved = xreallocarray(NULL, n, sizeof *moved);

    for (size_t i = n; i-- > 0;) {
        const struct trace_slice *slice = &log->slices.data[i];
        const size_t track = layers_of(b, slice) ? slice->track : log->tracks.n;
        const uint32_t to = --o->ends[track];

        moved[to] = *slice;
        move_references(o, (uint32_t)i, to);
        if (i && i % RELEASE_SLICES == 0) {
            log->slices.n = i;
            vec_fit(&log->slices);
        }
    }
    vec_done(&log->slices);
    log->slices.data = moved;
    log->slices.n = log->slices.capacity = n;
}

void order_slices(struct trace_build *b, uint32_t *n_of)
{
    struct trace_log *log = b->log;
    struct order o = {.log = log,
                      .ends = xcalloc(log->tracks.n + 1, sizeof *o.ends),
                      .n_sequences = log->sequences.n,
                      .n_externals = log->externals.n};
    uint32_t end = (uint32_t)log->slices.n;

    for (size_t i = 0; i < log->slices.n; i++)
        n_of[log->slices.data[i].track] += layers_of(b, &log->slices.data[i]) != 0;
    for (size_t track = 0; track < log->tracks.n; track++) {
        o.ends[track] = end;
        end -= n_of[track];
    }
    o.ends[log->tracks.n] = end;
    move_slices(b, &o);
    vec_sort(&log->externals, by_slice);
    trace_sequences_sort(b);
    free(o.ends);
}

struct nested_slice nested_slice_of(const struct trace_build *b, uint32_t slice, uint32_t id)
{
    const struct trace_slice *of = &b->log->slices.data[slice];

    return (struct nested_slice){.start = of->start_ns,
                                 .end = of->start_ns + of->dur_ns,
                                 .id = id,
                                 .layers = (uint8_t)layers_of(b, of)};
}

/* As nesting_sort() does. */
static bool starts_before(const struct trace_slice *a, const struct trace_slice *b)
{
    return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->dur_ns > b->dur_ns;
}

/* Merges [FROM, MID) and [MID, TO) of IN, indexes of SLICES, into OUT; of equal ones the left one comes first. */
static void merge_slices(const struct trace_slice *slices, const uint32_t *in, uint32_t *out, uint32_t from,
                         uint32_t mid, uint32_t to)
{
    uint32_t a = from, b = mid;

    for (uint32_t i = from; i < to; i++)
        out[i] = a < mid && (b == to || !starts_before(&slices[in[b]], &slices[in[a]])) ? in[a++] : in[b++];
}

/* Sorted runs of the file, of which there are few, are merged until one is left. */
void order_track(const struct trace_build *b, uint32_t first, uint32_t n, struct slice_order *order)
{
    const struct trace_slice *slices = vec_from(&b->log->slices, first);
    VEC(uint32_t) ends = {0};
    slice_indexes merged = {0};

    order->n = n;
    order->moved.n = 0;
    for (uint32_t i = 1; i < n; i++)
        if (starts_before(&slices[i], &slices[i - 1]))
            vec_push(&ends, i);
    if (!ends.n)
        return;
    vec_push(&ends, n);
    vec_reserve(&order->moved, n);
    for (uint32_t i = 0; i < n; i++)
        vec_push(&order->moved, i);
    vec_resize_zero(&merged, n);
    while (ends.n > 1) {
        const slice_indexes before = order->moved;
        uint32_t at = 0, n_ends = 0;

        for (size_t i = 0; i < ends.n; i += 2) {
            const uint32_t mid = ends.data[i], to = i + 1 < ends.n ? ends.data[i + 1] : mid;

            merge_slices(slices, order->moved.data, merged.data, at, mid, to);
            ends.data[n_ends++] = at = to;
        }
        ends.n = n_ends;
        order->moved = merged;
        merged = before;
    }
    EACH(vec_done, &ends, &merged);
}

/* ---- memory of items that were used */

enum { GROUP_ITEMS = 1 << 14 };

/* The number of items in GROUP. */
static size_t group_items(const struct spent *s, size_t group)
{
    const size_t left = s->n - group * GROUP_ITEMS;

    return left < GROUP_ITEMS ? left : GROUP_ITEMS;
}

void spent_begin(struct spent *s, const void *items, size_t n, size_t item_bytes)
{
    s->items = items;
    s->n = n;
    s->item_bytes = item_bytes;
    s->n_left.n = 0;
    for (size_t group = 0; group * GROUP_ITEMS < n; group++)
        vec_push(&s->n_left, (uint32_t)group_items(s, group));
}

void spent_item(struct spent *s, size_t i)
{
    const size_t group = i / GROUP_ITEMS;
    const uint8_t *first;

    if (!s->n || --s->n_left.data[group])
        return;
    first = s->items + group * GROUP_ITEMS * s->item_bytes;
    input_forget(first, first + group_items(s, group) * s->item_bytes);
}

void spent_done(struct spent *s)
{
    vec_done(&s->n_left);
}
