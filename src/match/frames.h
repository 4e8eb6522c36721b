/* frames.h: the call stacks of a profile as a tree of frames, and pairs of frames of two profiles. */
#pragma once

#include "base/slots.h"
#include "base/vec.h"
#include "model/profile.h"

/* Index of a frame below its callers; 0 is the root, above all outermost frames. */
typedef uint32_t frame_id;
#define FRAME_NONE UINT32_MAX
#define FRAME_ROOT ((frame_id)0)

struct frame_row {
    frame_id parent;
    uint32_t depth;            /* of the root: 0 */
    const struct frame *frame; /* NULL: the root */
    uint64_t file, function, text; /* hashes; file: of the whole path */
    frame_id partner;          /* FRAME_NONE: none */
};

struct frames {
    const struct profile *p;
    VEC(struct frame_row) rows;
    struct slots index;  /* rows by parent and frame */
    frame_id *row_of;    /* [stack nodes] */
};

/* All distinct frames of P below their callers; free with frames_done(). */
void frames_init(struct frames *f, const struct profile *p);
void frames_done(struct frames *f);
/* Frame of P that is called by PARENT; FRAME_NONE: there is none. FRAME has strings of P. */
frame_id frames_find(const struct frames *f, frame_id parent, const struct frame *frame);

/* Pairs frames of both profiles, outermost first, and sets partners on both sides. NOW_OF [base
 * nodes]: node pairs, which decide between several calls of a function. */
void frames_pair(struct frames *base, struct frames *now, const node_id *now_of);

/* ---- frame_lines.c */

/* Lines of one file and their partners, for all calls in it. */
struct line_maps;
struct line_maps *line_maps_new(const struct frames *base, const struct frames *now);
void line_maps_free(struct line_maps *maps);
/* Returns a number for a frame's file, equal in both profiles for the same file. */
uint64_t line_maps_file(const struct line_maps *maps, uint64_t file);
/* Returns the line in the current profile of a baseline frame; -1: none. */
int32_t line_maps_line(const struct line_maps *maps, const struct frame_row *base);
