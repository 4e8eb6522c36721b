/* plane.h: a plane in a file: what its events and stats are called (formats-xplane.md section 4).
 *
 * A file may have a plane in several pieces; the ids in a piece say nothing of those in another,
 * so names are looked up while a piece is read and joined by text. */
#ifndef TFPROF_LOAD_XPLANE_PLANE_H
#define TFPROF_LOAD_XPLANE_PLANE_H

#include "load/xplane/event_names.h"
#include "load/xplane/stats.h"
#include "load/xplane/xspace.h"

/* A kind of event, an entry of event_metadata. */
struct event_kind {
    struct span message; /* the entry */
    struct span name, display_name;
    struct event_name parsed;
    int64_t id;
    struct stat_values *stats; /* that all its events have; NULL: none */
};

struct plane {
    struct span message;
    struct span name;
    enum plane_kind kind;
    uint32_t host;   /* in run.hosts */
    uint32_t device; /* in run.devices; DEVICE_NONE: of a host */
    VEC(struct span) lines;
    struct stat_names stats;
    VEC(struct event_kind) kinds;
    struct idmap kind_by_id;
    struct stat_values *own; /* stats of the plane; NULL: none that are known */
    const char *why;         /* NULL, or why it is malformed, and where */
    const uint8_t *why_at;
};

/* Where the message says so, what kind of plane it is: name and kind; false when malformed. */
bool plane_name(struct plane *p, struct span message);
/* Reads all but the lines' contents; any thread.  Failure is told by p->why. */
void plane_read(struct plane *p);
void plane_done(struct plane *p);

/* The kind of ID, or NULL. */
const struct event_kind *plane_event_kind(const struct plane *p, uint64_t id);

#endif
