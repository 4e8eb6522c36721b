/* plane.h: a plane and its metadata of events and stats (formats-xplane.md section 4).
 *
 * A file may store a plane in several pieces, each with ids of its own.  Names are therefore
 * resolved within a piece and merged by text. */
#pragma once

#include "load/xplane/event_names.h"
#include "load/xplane/stats.h"
#include "load/xplane/xspace.h"

/* An entry of event_metadata. */
struct event_metadata {
    struct span message; /* the encoded entry */
    struct span name, display_name;
    struct event_name parsed;
    uint8_t call; /* enum event_call */
    int64_t id;
    const struct stat_list *stats; /* stats that all its events share; NULL: none */
};

struct plane {
    struct span message;
    struct span name;
    enum plane_kind kind;
    uint32_t host;   /* in run.hosts */
    uint32_t device; /* index in run.devices; DEVICE_NONE: a host plane */
    VEC(struct span) lines;
    struct stat_names stats;
    VEC(struct event_metadata) kinds;
    struct arena kind_stats;
    struct metadata_index kind_index;
    struct stat_values *own; /* stats of the plane; NULL: none known */
    const char *why;         /* error message, NULL if none, and its position */
    const uint8_t *why_at;
};

/* Reads name and kind of the plane; false if it is malformed. */
bool plane_name(struct plane *p, struct span message);
/* Reads all but the events; callable on any thread.  Sets p->why on failure. */
void plane_read(struct plane *p);
void plane_done(struct plane *p);

/* The event metadata of ID, or NULL. */
const struct event_metadata *plane_event_kind(const struct plane *p, uint64_t id);
