/* details_memory.c: the largest allocations of a node, and how long they live. */
#include "tui/panes/details/details_parts.h"

#include <inttypes.h>

#include "base/compare.h"
#include "base/satmath.h"
#include "model/events.h"
#include "model/format.h"
#include "model/memory_log.h"

/* ALLOCATIONS_MAX bounds the work of a move of the cursor. */
enum { ALLOCATIONS_MAX = 1 << 20, LARGEST = 6 };

struct large {
    const struct memory_allocation *m;
    const struct memory_allocator *a;
};

COMPARE_CHAIN(by_size, struct large,
              DOWN(m->bytes) || UP(m->begin) || THEN(COMPARE(a->a, b->a)) || THEN(COMPARE(a->m, b->m)))

struct sums {
    uint64_t n, n_left;
    VEC(struct large) largest; /* the LARGEST largest, and as many more between two cuts */
};

static void take(struct sums *sums, const struct memory_allocator *a, const struct memory_allocation *m)
{
    sums->n++;
    sums->n_left += m->end > a->n_events;
    vec_push(&sums->largest, ((struct large){m, a}));
    if (sums->largest.n < 16 * LARGEST)
        return;
    vec_sort(&sums->largest, by_size);
    sums->largest.n = LARGEST;
}

/* Appends "live 3.20 ms", or what is known instead. */
static void add_life(struct strbuf *text, const struct large *large)
{
    const struct memory_allocation *m = large->m;
    const struct memory_allocator *a = large->a;
    const bool is_left = m->end > a->n_events;

    if (!m->begin)
        sb_adds(text, is_left ? "live since before recording" : "allocated before recording, freed");
    else if (is_left)
        sb_adds(text, "not freed");
    else if (a->ticks && a->ticks_per_us > 0) {
        sb_adds(text, "freed after ");
        format_spaced(text, UNIT_TIME_PS,
                      clamp_mul(clamp_sub(memory_ticks(a, m->end), memory_ticks(a, m->begin)),
                                PS_PER_US / a->ticks_per_us));
    } else {
        sb_addf(text, "freed after %" PRIu32 " events", m->end - m->begin);
    }
}

static void add_largest(struct lines *l, const struct sums *sums)
{
    struct strbuf text = {0};

    lines_field(l, "allocations", ROLE_NUMBER, "%" PRIu64 ", %" PRIu64 " not freed", sums->n, sums->n_left);
    for (size_t i = 0; i < sums->largest.n && i < LARGEST; i++) {
        sb_clear(&text);
        format_spaced(&text, UNIT_BYTES, sums->largest.data[i].m->bytes);
        sb_adds(&text, "  ");
        add_life(&text, &sums->largest.data[i]);
        lines_field(l, i ? "" : "largest", ROLE_NUMBER, "%s", sb_text(&text));
    }
    sb_done(&text);
}

void details_memory(struct lines *l, const struct profile *p, node_id node)
{
    const struct memory_log *log = p->memory;
    struct sums sums = {0};
    uint64_t n = 0;

    for (size_t i = 0; log && i < log->allocators.n; i++)
        n += log->allocators.data[i].allocations.n;
    for (size_t i = 0; log && i < log->allocators.n && n <= ALLOCATIONS_MAX; i++) {
        const struct memory_allocator *a = &log->allocators.data[i];

        for (size_t k = 0; k < a->allocations.n; k++) {
            const uint32_t id = log->sites[a->allocations.data[k].site].id;

            if (id != NODE_NONE && profile_node_of_part(p, id) == node)
                take(&sums, a, &a->allocations.data[k]);
        }
    }
    vec_sort(&sums.largest, by_size);
    if (n > ALLOCATIONS_MAX)
        lines_field(l, "allocations", ROLE_DIM, "too many: `memory -group block` lists them");
    else if (sums.n)
        add_largest(l, &sums);
    vec_done(&sums.largest);
}
