/* xspace.h: field numbers of capture messages, and the parts of a file (formats-xplane.md sections
 * 1 to 3). */
#pragma once

#include "load/fits.h"
#include "load/loader.h"

enum xspace_field { XSPACE_PLANES = 1, XSPACE_ERRORS = 2, XSPACE_WARNINGS = 3, XSPACE_HOSTNAMES = 4 };

enum xplane_field {
    XPLANE_ID = 1,
    XPLANE_NAME = 2,
    XPLANE_LINES = 3,
    XPLANE_EVENT_METADATA = 4,
    XPLANE_STAT_METADATA = 5,
    XPLANE_STATS = 6,
};

enum xline_field {
    XLINE_ID = 1,
    XLINE_NAME = 2,
    XLINE_TIMESTAMP_NS = 3,
    XLINE_EVENTS = 4,
    XLINE_DISPLAY_NAME = 11,
};

enum xevent_field {
    XEVENT_METADATA_ID = 1,
    XEVENT_OFFSET_PS = 2,
    XEVENT_DURATION_PS = 3,
    XEVENT_STATS = 4,
    XEVENT_NUM_OCCURRENCES = 5,
};

enum xstat_field {
    XSTAT_METADATA_ID = 1,
    XSTAT_DOUBLE = 2,
    XSTAT_UINT64 = 3,
    XSTAT_INT64 = 4,
    XSTAT_STR = 5,
    XSTAT_BYTES = 6,
    XSTAT_REF = 7,
};

enum xmetadata_field {
    XMETADATA_NAME = 2,
    XMETADATA_DISPLAY_NAME = 4,
    XMETADATA_STATS = 5,
};

/* The purpose of a plane, derived from its name. */
enum plane_kind {
    PLANE_OTHER,       /* not read */
    PLANE_HOST,        /* threads of a host */
    PLANE_METADATA,    /* compiled programs */
    PLANE_ENVIRONMENT, /* start time of the capture */
    PLANE_GPU,
    PLANE_TPU,
    PLANE_SPARSE_CORE,
};

enum plane_kind plane_kind_of(struct span name);

/* True for planes of accelerators. */
static inline bool plane_is_device(enum plane_kind kind)
{
    return kind >= PLANE_GPU;
}

/* The top-level messages of a file. */
struct xspace {
    VEC(struct span) planes;
    VEC(struct span) hostnames, errors, warnings;
};

/* Finds the parts of the input of L; false with ERR set if it is malformed. */
bool xspace_read(struct xspace *x, const struct loader *l, struct err *err);
void xspace_done(struct xspace *x);

/* True if BYTES, the head of a file, are a capture: top-level fields match, and every plane has a
 * known name. */
bool fits_xspace(struct span bytes, struct evidence *e);
