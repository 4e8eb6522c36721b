/* lane.c: packing the slices of threads and streams, and unpacking them. */
#include "model/lane.h"

#include "base/wire_in.h"
#include "base/wire_out.h"

/* Each slice begins with the difference of its node, above these bits. */
enum { SAME_STEP = 1, ALL_SELF = 2, SAME_NAME = 4, FLAG_BITS = 3 };

/* Small for numbers a little above and below zero. */
static uint64_t zigzag(int64_t value)
{
    return ((uint64_t)value << 1) ^ (uint64_t)(value >> 63);
}

static int64_t from_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1) ^ -(int64_t)(value & 1);
}

static int64_t minus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static int64_t plus(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

void lane_add(struct profile_lane *lane, const struct lane_slice *slice)
{
    const struct lane_slice *last = &lane->last;
    const unsigned flags = (slice->step == last->step ? SAME_STEP : 0) |
                           (slice->self_ticks == slice->dur_ticks ? ALL_SELF : 0) |
                           (slice->name == last->name ? SAME_NAME : 0);
    struct strbuf *to = &lane->packed;

    wire_varint(to, zigzag((int64_t)slice->node - (int64_t)last->node) << FLAG_BITS | flags);
    wire_varint(to, zigzag(minus(slice->start_ticks, last->start_ticks)));
    wire_varint(to, zigzag(slice->dur_ticks));
    if (!(flags & SAME_STEP))
        wire_varint(to, zigzag(minus(slice->step, last->step)));
    if (!(flags & ALL_SELF))
        wire_varint(to, zigzag(slice->self_ticks));
    if (!(flags & SAME_NAME))
        wire_varint(to, zigzag((int64_t)slice->name - (int64_t)last->name));
    lane->last = *slice;
    lane->n_slices++;
}

void lane_done(struct profile_lane *lane)
{
    sb_done(&lane->packed);
}

struct lane_walk lane_slices(const struct profile_lane *lane)
{
    const uint8_t *bytes = (const uint8_t *)lane->packed.data;

    return (struct lane_walk){.at = bytes, .end = bytes ? bytes + lane->packed.len : NULL};
}

static int64_t take(struct lane_walk *walk)
{
    uint64_t value = 0;

    wire_read_varint(&walk->at, walk->end, &value); /* lane_add() wrote it: it is whole */
    return from_zigzag(value);
}

bool lane_next(struct lane_walk *walk)
{
    struct lane_slice *s = &walk->slice;
    uint64_t head;

    if (walk->at >= walk->end || !wire_read_varint(&walk->at, walk->end, &head))
        return false;
    s->node = (uint32_t)((int64_t)s->node + from_zigzag(head >> FLAG_BITS));
    s->start_ticks = plus(s->start_ticks, take(walk));
    s->dur_ticks = take(walk);
    if (!(head & SAME_STEP))
        s->step = plus(s->step, take(walk));
    s->self_ticks = head & ALL_SELF ? s->dur_ticks : take(walk);
    if (!(head & SAME_NAME))
        s->name = (strid)((int64_t)s->name + take(walk));
    return true;
}
