/* stragglers_parts.h: what participants did in collectives; private to activity. */
#pragma once

#include "activity/stragglers.h"

/* What identifies a collective on all participants. */
struct match_key {
    struct collective collective;
    uint32_t node, step; /* of devices on one clock; else 0 */
};

/* What one participant did in a collective. */
struct part {
    uint32_t key;         /* id in keys */
    uint32_t participant; /* row, or device of the store */
    uint32_t row;         /* in stragglers.rows */
    uint32_t nth;         /* of its key on its participant */
    uint32_t step;        /* in the store */
    uint32_t device;      /* the same */
    struct event_ref ref; /* TRACK_NONE: of a thread */
    int64_t start_ps, end_ps;
    int64_t input_bytes; /* 0: unknown */
};

struct arrivals {
    struct stragglers *s;
    struct selection *sel;
    const struct event_store *store;
    struct intern keys; /* of struct match_key */
    VEC(struct part) parts;
    uint32_t *row_of;        /* by rank or device of the store: in rows; heap */
    uint32_t n_participants; /* devices, all of which take part in what counts; 0: any two ranks do */
    VEC(int64_t) *offsets;   /* by row: ends minus those of the lowest rank; heap */
};

/* Reads the selected events of the store: fills m->parts and adds work and communication to rows. */
void stragglers_read(struct arrivals *m);
struct match_key stragglers_key(const struct arrivals *m, uint32_t id);
