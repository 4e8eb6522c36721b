/* nesting.h: attributes each instant of a track to one slice, by a sweep over slices that may
 * overlap.
 *
 * A track (a thread) has two layers of slices: timed ones, which ran, and frames, which give the
 * call stack; a slice may be in both.  At each instant the top of a layer is its open slice that
 * started last, and the instant belongs to the pair of tops (formats-trace.md section 4.1). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum slice_layer { LAYER_TIMED = 1, LAYER_FRAME = 2 };

#define SLICE_NONE UINT32_MAX

/* [start, end) in any unit; `id` is chosen by the caller, not SLICE_NONE. */
struct nested_slice {
    int64_t start, end; /* end >= start */
    uint32_t id;
    uint8_t layers; /* bits of enum slice_layer */
};

struct nesting_calls {
    /* A slice starts.  PARENT: the open timed slice that started last and does not end before it.
     * FRAME: the top frame before the slice.  SLICE_NONE if none.  PARTLY: it ends after the timed
     * top. */
    void (*begin)(void *context, const struct nested_slice *slice, uint32_t parent,
                  uint32_t frame, bool partly);
    /* [FROM, TO) belongs to the pair; at least one is not SLICE_NONE.  May be NULL. */
    void (*span)(void *context, uint32_t timed, uint32_t frame, int64_t from, int64_t to);
    /* Slice ID ended.  Called once for each of its layers, never for slices of zero length.  May be
     * NULL. */
    void (*left)(void *context, uint32_t id);
};

/* Sorts by start, then later end first, then input order, as nesting_sweep() requires. */
void nesting_sort(struct nested_slice *slices, size_t n);

/* A sweep over sorted slices that are added one by one, so that they need no memory.  Calls are in order
 * of time; an id may be used again after its last `left`. */
struct nesting {
    const struct nesting_calls *calls;
    void *context;
    /* Private, initially 0.  Stacks of open slices by start.  A slice that ends no later than one that
     * started after it can never be on top again and is removed, so ends descend. */
    struct nesting_layer {
        VEC(struct nesting_open {
            int64_t end;
            uint32_t id;
        }) open;
    } timed, frames;
    int64_t now;
};

void nesting_add(struct nesting *s, const struct nested_slice *slice);
/* Ends open slices; frees memory of the sweep. */
void nesting_end(struct nesting *s);

/* Sweeps N sorted slices in linear time. */
void nesting_sweep(const struct nested_slice *slices, size_t n, const struct nesting_calls *calls,
                   void *context);
