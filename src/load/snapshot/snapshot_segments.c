/* snapshot_segments.c: segments and their blocks (formats-snapshot.md section 3). */
#include "load/snapshot/snapshot.h"

#include <string.h>

enum block_state { BLOCK_INACTIVE, BLOCK_ACTIVE, BLOCK_PENDING, BLOCK_UNKNOWN };

/* A segment of a list; blocks are [first, first + n_blocks) of the cells. */
struct segment {
    struct memory_segment facts;
    int64_t device;
    uint32_t first, n_blocks;
};

static bool is_word(const struct pickle *p, pickle_value v, const char *word)
{
    return pickle_kind(v) == PICKLE_TEXT && text_is(pickle_text(p, v), word);
}

static int64_t stream_of(const struct pickle *p, pickle_value v)
{
    int64_t stream;

    return pickle_time(p, v, &stream) ? stream : 0;
}

static bool read_segment(struct snapshot_build *s, pickle_value v, struct segment *g)
{
    struct pickle *p = &s->pickle;
    pickle_value device, blocks, type;

    *g = (struct segment){.device = 0};
    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return false;
    pickle_open_dict(p, v);
    device = pickle_field(p, KEY_DEVICE);
    blocks = pickle_field(p, KEY_BLOCKS);
    type = pickle_field(p, KEY_SEGMENT_TYPE);
    if (!pickle_address(p, pickle_field(p, KEY_ADDRESS), &g->facts.address) ||
        !pickle_size(p, pickle_field(p, KEY_TOTAL_SIZE), &g->facts.bytes) ||
        (device != PICKLE_ABSENT && (!pickle_size(p, device, &g->device) || g->device >= SNAPSHOT_DEVICES_MAX)) ||
        pickle_kind(blocks) != PICKLE_LIST)
        return false;
    pickle_elements(p, blocks, &g->n_blocks);
    g->first = pickle_object(p, blocks)->first;
    g->facts.stream = stream_of(p, pickle_field(p, KEY_STREAM));
    g->facts.type = pickle_kind(type) == PICKLE_TEXT ? snapshot_str(s, type) : STRID_EMPTY;
    g->facts.is_expandable = pickle_field(p, KEY_IS_EXPANDABLE) == PICKLE_TRUE;
    return true;
}

static enum block_state state_of(const struct pickle *p, pickle_value v)
{
    return is_word(p, v, "active_allocated")                                             ? BLOCK_ACTIVE
           : is_word(p, v, "active_pending_free") || is_word(p, v, "active_awaiting_free") ? BLOCK_PENDING
           : is_word(p, v, "inactive")                                                     ? BLOCK_INACTIVE
                                                                                           : BLOCK_UNKNOWN;
}

/* The first history entry of the open block, which files before PyTorch 2.1 have; else
 * PICKLE_ABSENT. */
static pickle_value first_of_history(const struct pickle *p)
{
    const pickle_value first = pickle_first(p, pickle_field(p, KEY_HISTORY));

    return pickle_kind(first) == PICKLE_DICT ? first : PICKLE_ABSENT;
}

/* Reads block V.  NEXT is its address if it has none of its own.  False when V is malformed. */
static bool read_block(struct snapshot_build *s, pickle_value v, uint64_t next, struct live_block *b,
                       enum block_state *state, pickle_value *frames)
{
    struct pickle *p = &s->pickle;
    pickle_value history;
    bool has_requested;

    if (pickle_kind(v) != PICKLE_DICT || pickle_is_incomplete(p, v))
        return false;
    pickle_open_dict(p, v);
    if (!pickle_size(p, pickle_field(p, KEY_SIZE), &b->bytes))
        return false;
    if (!pickle_address(p, pickle_field(p, KEY_ADDRESS), &b->address))
        b->address = next;
    has_requested = pickle_size(p, pickle_field(p, KEY_REQUESTED_SIZE), &b->requested_bytes);
    *state = state_of(p, pickle_field(p, KEY_STATE));
    *frames = pickle_field(p, KEY_FRAMES);
    history = first_of_history(p);
    if (history != PICKLE_ABSENT && (!has_requested || *frames == PICKLE_ABSENT)) {
        pickle_open_dict(p, history);
        has_requested = has_requested || pickle_size(p, pickle_field(p, KEY_REAL_SIZE),
                                                     &b->requested_bytes);
        if (*frames == PICKLE_ABSENT)
            *frames = pickle_field(p, KEY_FRAMES);
    }
    if (!has_requested)
        b->requested_bytes = b->bytes;
    b->is_pending = *state == BLOCK_PENDING;
    return true;
}

static void count_block(struct snapshot_build *s, struct memory_segment *g, const struct live_block *b,
                        enum block_state state)
{
    snapshot_add(s, &g->block_bytes, b->bytes);
    g->n_blocks++;
    if (state == BLOCK_UNKNOWN)
        s->repairs[SNAPSHOT_bad_state]++;
    if (state != BLOCK_ACTIVE && state != BLOCK_PENDING) {
        snapshot_add(s, &g->inactive_bytes, b->bytes);
        KEEP_MAX(g->largest_free_bytes, b->bytes);
        return;
    }
    g->n_active++;
    snapshot_add(s, state == BLOCK_ACTIVE ? &g->allocated_bytes : &g->pending_bytes, b->bytes);
    snapshot_add(s, &g->rounding_bytes, b->bytes - b->requested_bytes);
}

/* With R NULL counts the blocks of G, else passes the live ones to R. */
static void walk_blocks(struct snapshot_build *s, struct segment *g, struct replay *r)
{
    uint64_t next = g->facts.address;

    for (uint32_t i = 0; i < g->n_blocks; i++) {
        struct live_block b = {.stream = g->facts.stream};
        enum block_state state;
        pickle_value frames;

        if (!read_block(s, s->pickle.cells.data[g->first + i], next, &b, &state, &frames)) {
            s->repairs[SNAPSHOT_bad_block] += !r;
            continue;
        }
        next = b.address + (uint64_t)b.bytes;
        if (!r) {
            count_block(s, &g->facts, &b, state);
        } else if (state == BLOCK_ACTIVE || state == BLOCK_PENDING) {
            b.stack = snapshot_stack(s, frames);
            replay_block(r, &b);
        }
    }
}

static void walk_segments(struct snapshot_build *s, struct replays *all, const struct segment_list *segments,
                          bool takes_blocks)
{
    uint32_t n;
    const pickle_value *elements = pickle_elements(&s->pickle, segments->list, &n);

    for (uint32_t i = 0; i < n; i++) {
        struct segment g;
        struct replay *r;

        if (!read_segment(s, elements[i], &g) ||
            !budget_take(&s->events, g.n_blocks, g.n_blocks)) {
            s->repairs[SNAPSHOT_bad_segment] += !takes_blocks;
            continue;
        }
        r = replay_of(s, all, segments->one_device ? 0 : g.device, segments->is_host);
        if (takes_blocks && !r->a.is_end_known)
            continue;
        walk_blocks(s, &g, takes_blocks ? r : NULL);
        if (!takes_blocks)
            vec_push(&r->a.segments, g.facts);
    }
}

void snapshot_segments(struct snapshot_build *s, struct replays *all, const struct segment_list *segments)
{
    walk_segments(s, all, segments, false);
}

void snapshot_blocks(struct snapshot_build *s, struct replays *all, const struct segment_list *segments)
{
    walk_segments(s, all, segments, true);
}
