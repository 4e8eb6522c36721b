/* align_streams.c: assigns work of several streams to captured launches; each stream runs its work
 * in launch order (formats-trace.md section 11). */
#include <stdlib.h>

#include "base/compare.h"
#include "base/vec.h"
#include "base/xalloc.h"
#include "load/replay/align.h"

enum { STATES_MAX = 4096, EDGES_MAX = 1 << 23 };

/* One possible assignment of a launch; connects states of two layers. */
struct edge {
    uint32_t from, to, work;
};

/* Layered search.  A state counts the consumed work of each stream; layer I has the states
 * reachable after I launches. */
struct streams {
    const struct align_request *r;
    uint32_t *begin; /* [n_streams + 1] range of each stream in `order` */
    uint32_t *order; /* work by stream, then time */
    VEC(struct edge) edges;
    VEC(size_t) first_edge; /* by launch */
    uint32_t *state;        /* scratch */
};

static void order_by_stream(struct streams *s)
{
    const struct align_request *r = s->r;
    uint32_t *next = xcalloc(r->n_streams + 1, sizeof *next);

    s->begin = xcalloc(r->n_streams + 1, sizeof *s->begin);
    s->order = xcalloc(r->n_works, sizeof *s->order);
    for (size_t i = 0; i < r->n_works; i++)
        s->begin[r->stream_of[i] + 1]++;
    for (uint32_t i = 0; i < r->n_streams; i++)
        s->begin[i + 1] += s->begin[i];
    memcpy(next, s->begin, r->n_streams * sizeof *next);
    for (size_t i = 0; i < r->n_works; i++)
        s->order[next[r->stream_of[i]]++] = (uint32_t)i;
    free(next);
}

/* Adds to NEXT the states that LAUNCH reaches from FROM, the state with index AT in its layer. */
static void add_successors(struct streams *s, const void *from, uint32_t at, size_t launch,
                   struct intern *next)
{
    const uint32_t n = s->r->n_streams;

    memcpy(s->state, from, n * sizeof *s->state);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t place = s->begin[i] + s->state[i];
        uint32_t work;

        if (place == s->begin[i + 1])
            continue;
        work = s->order[place];
        if (!kernel_tokens_equal(&s->r->launches[launch], &s->r->works[work]))
            continue;
        s->state[i]++;
        vec_push(&s->edges,
                 ((struct edge){at, intern_put(next, s->state, n * sizeof *s->state) - 1, work}));
        s->state[i]--;
    }
}

/* Replaces LAYER by the layer after LAUNCH; false when there are too many states. */
static bool next_layer(struct streams *s, struct intern *layer, size_t launch)
{
    const uint64_t n = s->r->n_streams;
    bool fits = true;
    struct intern next;

    intern_init(&next);
    vec_push(&s->first_edge, s->edges.n);
    for (strid id = 1; id < layer->n && fits; id++) {
        fits = s->edges.n < EDGES_MAX && align_spend(s->r, n);
        if (fits)
            add_successors(s, intern_text(layer, id), id - 1, launch, &next);
    }
    intern_done(layer);
    *layer = next;
    return fits && next.n <= STATES_MAX + 1; /* id 0 is the empty string */
}

/* Records the edges on paths to the final state. */
static void record_edges(const struct streams *s, uint32_t *placed)
{
    bool *reaches = xcalloc(STATES_MAX, sizeof *reaches), *before;
    size_t end = s->edges.n;

    reaches[0] = true;
    for (size_t launch = s->first_edge.n; launch-- > 0; end = s->first_edge.data[launch]) {
        before = xcalloc(STATES_MAX, sizeof *before);
        for (size_t i = s->first_edge.data[launch]; i < end; i++) {
            const struct edge *e = &s->edges.data[i];

            if (!reaches[e->to])
                continue;
            before[e->from] = true;
            align_record(s->r, placed, e->work, (uint32_t)launch);
        }
        free(reaches);
        reaches = before;
    }
    free(reaches);
}

/* ---- names in common, in any order */

static uint64_t key_of(const struct kernel_token *t)
{
    return kernel_is_copy(t) ? (uint64_t)t->work_class << 32 : t->name;
}

COMPARE_VALUES(by_key, uint64_t)

static uint64_t *keys_sorted(const struct kernel_token *tokens, size_t n)
{
    uint64_t *keys = xcalloc(n, sizeof *keys);

    for (size_t i = 0; i < n; i++)
        keys[i] = key_of(&tokens[i]);
    qsort(keys, n, sizeof *keys, by_key);
    return keys;
}

static uint32_t n_in_common(const struct align_request *r)
{
    uint64_t *launches = keys_sorted(r->launches, r->n_launches);
    uint64_t *works = keys_sorted(r->works, r->n_works);
    uint32_t n = 0;

    for (size_t i = 0, k = 0; i < r->n_launches && k < r->n_works;) {
        n += launches[i] == works[k];
        if (launches[i] < works[k])
            i++;
        else if (launches[i] > works[k])
            k++;
        else
            i++, k++;
    }
    EACH(free, launches, works);
    return n;
}

/* ---- all layers */

/* False when no assignment exists, or on *TOO_MANY states. */
static bool make_layers(struct streams *s, bool *too_many)
{
    struct intern layer;
    bool exists;

    intern_init(&layer);
    intern_put(&layer, s->state, s->r->n_streams * sizeof *s->state);
    for (size_t i = 0; i < s->r->n_launches && layer.n > 1 && !*too_many; i++)
        *too_many = !next_layer(s, &layer, i);
    exists = layer.n > 1 && !*too_many;
    intern_done(&layer);
    return exists;
}

struct alignment align_streams(const struct align_request *r, uint32_t *placed)
{
    struct alignment a = {.how = JOIN_BY_STREAMS, .n_equal = n_in_common(r), .reason = JOIN_NAMES};
    struct streams s = {.r = r};
    bool too_many = false;

    if (r->n_launches != r->n_works)
        return a;
    s.state = xcalloc(r->n_streams, sizeof *s.state);
    order_by_stream(&s);
    if (make_layers(&s, &too_many)) {
        a.reason = JOIN_FITS;
        record_edges(&s, placed);
    } else if (too_many || a.n_equal == r->n_works) {
        a.reason = JOIN_STREAMS;
    }
    EACH(free, s.state, s.begin, s.order);
    EACH(vec_done, &s.edges, &s.first_edge);
    return a;
}
