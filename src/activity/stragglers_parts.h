/* stragglers_parts.h: reads the parts of participants in collectives; private to activity. */
#pragma once

#include "activity/stragglers.h"

/* Identity of a collective, equal on all participants. */
struct match_key {
    struct collective collective;
    uint32_t node, step; /* for devices on one clock; else 0 */
};

/* Part of one participant in a collective. */
struct part {
    uint32_t key;         /* id in keys */
    uint32_t participant; /* row, or device of the store */
    uint32_t row;         /* in stragglers.rows */
    uint32_t nth;         /* occurrence number of its key on its participant */
    uint32_t step;        /* in the store */
    uint32_t device;      /* in the store */
    struct event_ref ref; /* TRACK_NONE: an event of a thread */
    int64_t start_ps, end_ps;
    int64_t input_bytes; /* 0: unknown */
};

struct arrivals {
    struct stragglers *s;
    struct selection *sel;
    const struct event_store *store;
    struct intern keys; /* of struct match_key */
    VEC(struct part) parts;
    uint32_t *row_of;        /* index in rows by rank or device of the store; heap */
    uint32_t n_participants; /* number of devices that must take part; 0: any two ranks */
    VEC(int64_t) *offsets; /* by row: differences of its ends from those of the lowest rank; heap */
};

/* Reads the selected events of the store: fills m->parts, adds work and communication to rows. */
void stragglers_read(struct arrivals *m);
struct match_key stragglers_key(const struct arrivals *m, uint32_t id);
