/* event_read.c: decodes packed events. */
#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "model/event_pack.h"
#include "model/events.h"

/* ---- one event */

static void get_link(struct event_reader *r)
{
    const uint64_t head = varint_get(&r->at);

    r->last_link.position = (uint32_t)((int64_t)r->last_link.position + from_zigzag(head >> 1));
    if (head & 1)
        r->last_link.track = (uint32_t)varint_get(&r->at);
    r->event.link = r->last_link;
}

static void copy_plain(struct event_reader *r)
{
    struct plain_event plain;

    memcpy(&plain, r->at, sizeof plain);
    r->at += sizeof plain;
    r->start_ticks = plain.start_ticks;
    r->dur_ticks = plain.dur_ticks;
    r->event.start_ps = plain.start_ticks * r->tick_ps;
    r->event.dur_ps = r->event.self_ps = plain.dur_ticks * r->tick_ps;
    r->event.kind = plain.kind;
    r->event.link.track = TRACK_NONE;
    r->event.position = r->next++;
}

static inline void unpack(struct event_reader *r)
{
    struct event *e = &r->event;
    const uint64_t head = varint_get(&r->at);

    e->kind = (uint32_t)((int64_t)e->kind + from_zigzag(head >> EVENT_FLAG_BITS));
    r->start_ticks += (int64_t)varint_get(&r->at);
    e->start_ps = r->start_ticks * r->tick_ps;
    r->dur_ticks = (int64_t)varint_get(&r->at);
    e->dur_ps = r->dur_ticks * r->tick_ps;
    if (head & EVENT_NEW_STEP)
        e->step = (uint32_t)((int64_t)e->step + from_zigzag(varint_get(&r->at)));
    e->self_ps = e->dur_ps;
    if (head & EVENT_HAS_SELF)
        e->self_ps = from_zigzag(varint_get(&r->at)) * r->tick_ps;
    e->link.track = TRACK_NONE;
    if (head & EVENT_HAS_LINK)
        get_link(r);
    e->position = r->next++;
}

static inline void decode(struct event_reader *r)
{
    if (r->track->is_plain)
        copy_plain(r);
    else
        unpack(r);
}

static void begin_block(struct event_reader *r, uint32_t block)
{
    const struct event_block *b = &r->track->blocks[block];

    r->at = r->track->packed + b->at;
    r->next = block * EVENT_BLOCK;
    r->start_ticks = b->start_ticks;
    r->event = (struct event){.kind = 0};
    r->last_link = (struct event_ref){TRACK_NONE, 0};
}

/* ---- ranges of events */

struct event_reader event_reader_in(const struct event_store *s, uint32_t track, int64_t from_ps,
                                    int64_t to_ps)
{
    const struct event_track *t = &s->tracks.data[track];

    return (struct event_reader){.track = t, .tick_ps = s->clocks.data[t->clock].tick_ps,
                                 .from_ps = from_ps, .to_ps = to_ps};
}

struct event_reader event_reader_of(const struct event_store *s, uint32_t track)
{
    return event_reader_in(s, track, INT64_MIN, INT64_MAX);
}

/* Advances to the next block that may overlap the range; false: there is none. */
static bool next_block(struct event_reader *r)
{
    const struct event_track *t = r->track;
    uint32_t block = r->next / EVENT_BLOCK;
    const uint32_t n = t->n_events / EVENT_BLOCK + (t->n_events % EVENT_BLOCK != 0);

    while (block < n && t->blocks[block].max_end_ticks * r->tick_ps < r->from_ps) {
        if (block % EVENT_BLOCKS == 0 &&
            t->group_max_end_ticks[block / EVENT_BLOCKS] * r->tick_ps < r->from_ps)
            block += EVENT_BLOCKS;
        else
            block++;
    }
    if (block >= n || t->blocks[block].start_ticks * r->tick_ps >= r->to_ps) {
        r->next = t->n_events;
        return false;
    }
    begin_block(r, block);
    return true;
}

static bool ends_before(const struct event *e, int64_t from_ps)
{
    return e->start_ps < from_ps && event_end_ps(e) <= from_ps;
}

bool event_next(struct event_reader *r)
{
    do {
        if (r->next == r->track->n_events || (r->next % EVENT_BLOCK == 0 && !next_block(r)))
            return false;
        decode(r);
        if (r->event.start_ps >= r->to_ps) {
            r->next = r->track->n_events;
            return false;
        }
    } while (ends_before(&r->event, r->from_ps));
    return true;
}

/* ---- single events */

struct event_cached_block {
    uint32_t track, block;
    struct event events[EVENT_BLOCK];
};

void event_cache_init(struct event_cache *c, const struct event_store *s)
{
    *c = (struct event_cache){.store = s};
}

/* The slot of TRACK, or the free one where it belongs. */
static struct event_cached_block **slot_of(const struct event_cache *c, uint32_t track)
{
    size_t i = track;

    while (c->slots[i &= c->n_slots - 1] && c->slots[i]->track != track)
        i++;
    return &c->slots[i];
}

/* Makes at least half of the slots free. */
static void make_room(struct event_cache *c)
{
    enum { FIRST_SLOTS = 8 };
    const struct event_cache old = *c;

    if (2 * c->n_used < c->n_slots)
        return;
    c->n_slots = old.n_slots ? 2 * old.n_slots : FIRST_SLOTS;
    c->slots = xcalloc(c->n_slots, sizeof *c->slots);
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.slots[i])
            *slot_of(c, old.slots[i]->track) = old.slots[i];
    free(old.slots);
}

static void fill_block(struct event_cache *c, struct event_cached_block *cached, uint32_t block)
{
    struct event_reader r = event_reader_of(c->store, cached->track);
    const uint32_t left = r.track->n_events - block * EVENT_BLOCK;

    cached->block = block;
    begin_block(&r, block);
    for (uint32_t i = 0; i < EVENT_BLOCK && i < left; i++) {
        decode(&r);
        cached->events[i] = r.event;
    }
}

const struct event *event_cache_at(struct event_cache *c, struct event_ref ref)
{
    const uint32_t block = ref.position / EVENT_BLOCK;
    struct event_cached_block **slot;

    if (ref.track == TRACK_NONE)
        return NULL;
    make_room(c);
    slot = slot_of(c, ref.track);
    if (!*slot) {
        *slot = xmalloc(sizeof **slot);
        (*slot)->track = ref.track;
        c->n_used++;
        fill_block(c, *slot, block);
    } else if ((*slot)->block != block) {
        fill_block(c, *slot, block);
    }
    return &(*slot)->events[ref.position % EVENT_BLOCK];
}

void event_cache_done(struct event_cache *c)
{
    for (size_t i = 0; i < c->n_slots; i++)
        free(c->slots[i]);
    free(c->slots);
    *c = (struct event_cache){.store = NULL};
}
