/* trace_order.c: slices that are swept, track by track, and the others (formats-trace.md section 4.1). */
#include <stdlib.h>
#include <string.h>

#include "base/compare.h"
#include "base/xalloc.h"
#include "load/trace/trace_build.h"

bool is_module_name(const char *name)
{
    static const char module[] = "nn.Module: ";

    return strncmp(name, module, sizeof module - 1) == 0;
}

/* The layers of a CPU track that SLICE belongs to; 0 if it is not swept. */
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

/* Moves each slice I to TO[I], a permutation.  TO is overwritten. */
static void permute(struct trace_slice *slices, uint32_t *to, size_t n)
{
    for (size_t i = 0; i < n; i++)
        while (to[i] != i) {
            const uint32_t at = to[i];
            const struct trace_slice slice = slices[at];

            slices[at] = slices[i];
            slices[i] = slice;
            to[i] = to[at];
            to[at] = at;
        }
}

void order_slices(struct trace_build *b, uint32_t *n_of)
{
    struct trace_log *log = b->log;
    const size_t n = log->slices.n, n_tracks = log->tracks.n;
    uint32_t *to = xreallocarray(NULL, n, sizeof *to);
    uint32_t *next = xcalloc(n_tracks + 1, sizeof *next);
    uint32_t n_beside = 0;

    for (size_t i = 0; i < n; i++)
        n_of[log->slices.data[i].track] += layers_of(b, &log->slices.data[i]) != 0;
    next[n_tracks] = (uint32_t)n;
    for (size_t track = 0, end = n; track < n_tracks; track++)
        next[track] = (uint32_t)(end -= n_of[track]);
    for (size_t i = 0; i < n; i++)
        to[i] = layers_of(b, &log->slices.data[i]) ? next[log->slices.data[i].track]++ : n_beside++;
    for (size_t i = 0; i < log->sequences.n; i++)
        log->sequences.data[i].slice = to[log->sequences.data[i].slice];
    for (size_t i = 0; i < log->externals.n; i++)
        log->externals.data[i].slice = to[log->externals.data[i].slice];
    vec_sort(&log->externals, by_slice);
    trace_sequences_sort(b);
    permute(log->slices.data, to, n);
    free(next);
    free(to);
}

void nest_slices(const struct trace_build *b, uint32_t first, uint32_t n, nested_slices *nested)
{
    nested->n = 0;
    vec_reserve(nested, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct trace_slice *slice = &b->log->slices.data[first + i];

        vec_push(nested, ((struct nested_slice){.start = slice->start_ns,
                                                .end = slice->start_ns + slice->dur_ns,
                                                .id = i,
                                                .layers = (uint8_t)layers_of(b, slice)}));
    }
    nesting_sort(nested->data, n);
}
