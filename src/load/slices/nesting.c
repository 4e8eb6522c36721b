/* nesting.c: attributes each instant of a track to one slice, by a sweep over slices that may
 * overlap. */
#include "load/slices/nesting.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"

/* ---- order */

static bool starts_before(const struct nested_slice *a, const struct nested_slice *b)
{
    return a->start != b->start ? a->start < b->start : a->end > b->end;
}

/* Merges [from, middle) and [middle, to) of SLICES by way of SPARE; stable. */
static void merge(struct nested_slice *slices, struct nested_slice *spare, size_t from,
                  size_t middle, size_t to)
{
    size_t left = 0, right = middle, at = from;
    const size_t n_left = middle - from;

    memcpy(spare, slices + from, n_left * sizeof *spare);
    while (left < n_left && right < to)
        slices[at++] = starts_before(&slices[right],
                                     &spare[left]) ? slices[right++] : spare[left++];
    memcpy(slices + at, spare + left, (n_left - left) * sizeof *spare);
}

/* The end of the sorted run that begins at FROM. */
static size_t run_end(const struct nested_slice *slices, size_t from, size_t n)
{
    size_t end = from + 1;

    while (end < n && !starts_before(&slices[end], &slices[end - 1]))
        end++;
    return end;
}

/* Natural merge sort: tracks in files are sorted, or nearly so. */
void nesting_sort(struct nested_slice *slices, size_t n)
{
    struct nested_slice *spare;

    if (n < 2 || run_end(slices, 0, n) == n)
        return;
    spare = xreallocarray(NULL, n, sizeof *spare);
    for (size_t n_runs = 2; n_runs > 1;) {
        n_runs = 0;
        for (size_t from = 0; from < n; n_runs++) {
            const size_t middle = run_end(slices, from, n);
            const size_t to = middle < n ? run_end(slices, middle, n) : n;

            if (middle < n)
                merge(slices, spare, from, middle, to);
            from = to;
        }
    }
    free(spare);
}

/* ---- sweep */

static const struct nesting_open *top_of(const struct nesting_layer *layer)
{
    return layer->open.n ? &layer->open.data[layer->open.n - 1] : NULL;
}

static uint32_t top_id(const struct nesting_layer *layer)
{
    const struct nesting_open *top = top_of(layer);

    return top ? top->id : SLICE_NONE;
}

static void drop_top(const struct nesting *s, struct nesting_layer *layer)
{
    const uint32_t id = layer->open.data[--layer->open.n].id;

    if (s->calls->left)
        s->calls->left(s->context, id);
}

static void close_until(const struct nesting *s, struct nesting_layer *layer, int64_t now)
{
    while (layer->open.n && layer->open.data[layer->open.n - 1].end <= now)
        drop_top(s, layer);
}

/* Removes slices that end before END; the top is then the parent of a slice that ends at END. */
static void drop_shorter(const struct nesting *s, struct nesting_layer *layer, int64_t end)
{
    while (layer->open.n && layer->open.data[layer->open.n - 1].end < end)
        drop_top(s, layer);
}

static void push(const struct nesting *s, struct nesting_layer *layer, const struct nested_slice *slice)
{
    const struct nesting_open open = {slice->end, slice->id};

    drop_shorter(s, layer, slice->end);
    vec_push(&layer->open, open);
}

/* Attributes time up to TO to the slices on top. */
static void advance(struct nesting *s, int64_t to)
{
    for (;;) {
        const struct nesting_open *timed = top_of(&s->timed), *frame = top_of(&s->frames);
        int64_t next = to;

        if (!timed && !frame)
            break;
        if (timed && timed->end < next)
            next = timed->end;
        if (frame && frame->end < next)
            next = frame->end;
        if (next > s->now && s->calls->span)
            s->calls->span(s->context, timed ? timed->id : SLICE_NONE,
                           frame ? frame->id : SLICE_NONE, s->now, next);
        s->now = next;
        close_until(s, &s->timed, next);
        close_until(s, &s->frames, next);
        if (next == to)
            break;
    }
    s->now = to;
}

static void begin(struct nesting *s, const struct nested_slice *slice)
{
    const uint32_t frame = top_id(&s->frames);
    const struct nesting_open *timed = top_of(&s->timed);
    const bool partly = (slice->layers & LAYER_TIMED) && timed && timed->end < slice->end;

    if (slice->layers & LAYER_TIMED)
        drop_shorter(s, &s->timed, slice->end);
    s->calls->begin(s->context, slice, top_id(&s->timed), frame, partly);
    if (slice->end == slice->start)
        return;
    if (slice->layers & LAYER_TIMED)
        push(s, &s->timed, slice);
    if (slice->layers & LAYER_FRAME)
        push(s, &s->frames, slice);
}

void nesting_add(struct nesting *s, const struct nested_slice *slice)
{
    advance(s, slice->start);
    begin(s, slice);
}

void nesting_end(struct nesting *s)
{
    advance(s, INT64_MAX);
    EACH(vec_done, &s->timed.open, &s->frames.open);
}

void nesting_sweep(const struct nested_slice *slices, size_t n, const struct nesting_calls *calls,
                   void *context)
{
    struct nesting s = {.calls = calls, .context = context};

    for (size_t i = 0; i < n; i++)
        nesting_add(&s, &slices[i]);
    nesting_end(&s);
}
