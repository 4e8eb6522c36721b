/* graph_replays.c: sums of joined replays, and names of join methods and failure reasons. */
#include "model/graph_replays.h"

#include "base/satmath.h"

const char *join_reason_word(enum join_reason reason)
{
#define WORD(id, word) [JOIN_##id] = word,
    static const char *const words[JOIN_REASON_COUNT] = {JOIN_REASON_LIST(WORD)};
#undef WORD

    return words[reason];
}

const char *join_how_word(enum join_how how)
{
    static const char *const words[JOIN_HOW_COUNT] = {
        [JOIN_BY_NODE_IDS] = "node ids",
        [JOIN_BY_COUNT] = "count",
        [JOIN_BY_ORDER] = "order",
        [JOIN_BY_STREAMS] = "streams",
    };

    return words[how];
}

struct graph_totals graph_totals_of(const struct graph_replays *g)
{
    struct graph_totals t = {0};

    for (uint32_t i = 0; i < g->n_rows; i++) {
        const struct graph_row *r = &g->rows[i];

        t.n_replays += r->n_replays;
        t.n_joined += r->reason == JOIN_FITS ? r->n_replays : 0;
        t.n_works += r->n_works;
        t.n_placed += r->n_placed;
        t.n_ambiguous += r->n_ambiguous;
        t.n_unmatched += r->n_unmatched;
        t.accelerator_ns = clamp_add(t.accelerator_ns, r->accelerator_ns);
        t.placed_ns = clamp_add(t.placed_ns, r->placed_ns);
    }
    return t;
}
