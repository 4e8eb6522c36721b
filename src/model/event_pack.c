/* event_pack.c: packs the events of a track. */
#include "model/event_pack.h"

#include <assert.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/events.h"

int event_record_compare(const struct event_record *a, const struct event_record *b)
{
    if (a->start_ticks != b->start_ticks)
        return a->start_ticks < b->start_ticks ? -1 : 1;
    return (a->dur_ticks < b->dur_ticks) - (a->dur_ticks > b->dur_ticks);
}

void event_packer_begin(struct event_packer *p, struct event_store *s, uint32_t track)
{
    const struct profile_clock *clock = &s->clocks.data[s->tracks.data[track].clock];

    memset(p, 0, sizeof *p);
    p->store = s;
    p->track = track;
    p->origin_ticks = clock->origin_ticks;
    p->farthest_ticks = EVENT_FARTHEST_PS / clock->tick_ps;
}

static int64_t clamp(int64_t ticks, int64_t low, int64_t high)
{
    return ticks < low ? low : ticks > high ? high : ticks;
}

static int64_t difference(uint32_t a, uint32_t b)
{
    return (int64_t)a - (int64_t)b;
}

static uint8_t *put_link(uint8_t *to, struct event_ref link, struct event_ref *last)
{
    const bool is_other = link.track != last->track;

    to = varint_put(to, zigzag(difference(link.position, last->position)) << 1 | is_other);
    if (is_other)
        to = varint_put(to, link.track);
    *last = link;
    return to;
}

static void begin_block(struct event_packer *p, int64_t start_ticks)
{
    const struct event_block block = {start_ticks, INT64_MIN, p->packed.n};

    vec_push(&p->blocks, block);
    p->last = (struct event_record){.start_ticks = start_ticks, .link = {TRACK_NONE, 0}};
}

uint32_t event_packer_add(struct event_packer *p, const struct event_record *r)
{
    enum { LONGEST = 7 * VARINT_MAX_BYTES };
    const int64_t farthest = p->farthest_ticks;
    const int64_t start = clamp(clamp_sub(r->start_ticks, p->origin_ticks), -farthest, farthest);
    const int64_t dur = clamp(r->dur_ticks, 0, farthest);
    const int64_t self = clamp(r->self_ticks, -farthest, farthest);
    const bool has_link = r->link.track != TRACK_NONE;
    struct event_record *last = &p->last;
    struct event_block *block;
    uint8_t *to;

    if (p->n == UINT32_MAX)
        xalloc_fail();
    if (p->n % EVENT_BLOCK == 0)
        begin_block(p, start);
    assert(start >= last->start_ticks);
    vec_reserve(&p->packed, p->packed.n + LONGEST);
    to = p->packed.data + p->packed.n;
    to = varint_put(to, zigzag(difference(r->kind, last->kind)) << EVENT_FLAG_BITS |
                            (r->step != last->step ? EVENT_NEW_STEP : 0) |
                            (self != dur ? EVENT_HAS_SELF : 0) | (has_link ? EVENT_HAS_LINK : 0));
    to = varint_put(to, (uint64_t)(start - last->start_ticks));
    to = varint_put(to, (uint64_t)dur);
    if (r->step != last->step)
        to = varint_put(to, zigzag(difference(r->step, last->step)));
    if (self != dur)
        to = varint_put(to, zigzag(self));
    if (has_link)
        to = put_link(to, r->link, &last->link);
    p->packed.n = (size_t)(to - p->packed.data);
    last->kind = r->kind;
    last->step = r->step;
    last->start_ticks = start;
    block = &p->blocks.data[p->blocks.n - 1];
    KEEP_MAX(block->max_end_ticks, start + dur);
    return p->n++;
}

/* The latest end in each group of EVENT_BLOCKS blocks. */
static int64_t *group_ends(const struct event_block *blocks, size_t n)
{
    int64_t *ends = xreallocarray(NULL, (n + EVENT_BLOCKS - 1) / EVENT_BLOCKS, sizeof *ends);

    for (size_t i = 0; i < n; i++)
        if (i % EVENT_BLOCKS == 0 || blocks[i].max_end_ticks > ends[i / EVENT_BLOCKS])
            ends[i / EVENT_BLOCKS] = blocks[i].max_end_ticks;
    return ends;
}

void event_packer_end(struct event_packer *p)
{
    struct event_track *t = &p->store->tracks.data[p->track];

    t->n_events = p->n;
    if (p->n) {
        t->group_max_end_ticks = group_ends(p->blocks.data, p->blocks.n);
        vec_fit(&p->packed);
        vec_fit(&p->blocks);
        t->packed = p->packed.data;
        t->packed_bytes = p->packed.n;
        t->blocks = p->blocks.data;
    }
    memset(p, 0, sizeof *p);
}

/* ---- plain events */

void event_store_set_plain(struct event_store *s, uint32_t track, struct plain_event *events,
                           uint32_t n)
{
    struct event_track *t = &s->tracks.data[track];
    const struct profile_clock *clock = &s->clocks.data[t->clock];
    const int64_t farthest = EVENT_FARTHEST_PS / clock->tick_ps;
    VEC(struct event_block) blocks = {0};

    for (uint32_t i = 0; i < n; i++) {
        struct plain_event *e = &events[i];
        struct event_block *block;

        e->start_ticks =
            clamp(clamp_sub(e->start_ticks, clock->origin_ticks), -farthest, farthest);
        e->dur_ticks = clamp(e->dur_ticks, 0, farthest);
        if (i % EVENT_BLOCK == 0)
            vec_push(&blocks, ((struct event_block){e->start_ticks, INT64_MIN, i * sizeof *e}));
        block = &blocks.data[blocks.n - 1];
        KEEP_MAX(block->max_end_ticks, e->start_ticks + e->dur_ticks);
    }
    t->group_max_end_ticks = group_ends(blocks.data, blocks.n);
    t->blocks = blocks.data;
    t->packed = (uint8_t *)events;
    t->packed_bytes = n * sizeof *events;
    t->n_events = n;
    t->is_plain = true;
}
