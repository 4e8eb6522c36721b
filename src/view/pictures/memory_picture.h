/* memory_picture.h: the memory in use of one allocator cut into slices of time, and what is live
 * in one of them: all that a picture of it shows. */
#ifndef TFPROF_VIEW_PICTURES_MEMORY_PICTURE_H
#define TFPROF_VIEW_PICTURES_MEMORY_PICTURE_H

#include "base/cancel.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "view/pictures/memory.h"

struct hidden_frames;

/* What nodes have in common that are one row. */
enum memory_group {
    MEMORY_BY_SCOPE,
    MEMORY_BY_TYPE,
    MEMORY_BY_CODE, /* the innermost line that is no library's */
    MEMORY_BY_NODE,
    MEMORY_GROUP_COUNT
};
extern const char *const memory_group_names[MEMORY_GROUP_COUNT];

struct memory_row {
    struct text name; /* the profile's: the first part of names, a type, a file, a node */
    const struct frame *line; /* the profile's, by code: of that file; NULL: no file is known */
    node_id node;     /* of those that it stands for the one that holds most */
    int64_t bytes;
    size_t n_nodes;
    int64_t from_ticks, to_ticks; /* of that node; see struct memory_live */
};
typedef VEC(struct memory_row) memory_row_list;

/* Appends LIVE as rows BY, most bytes first, then by name: sums as those of LIVE.  O(n log n). */
void memory_rows(memory_row_list *rows, const struct profile *p, const memory_live_list *live,
                 enum memory_group by);

/* The line of code that made NODE: the innermost that is no library's; NULL: none is known.
 * LIBRARIES hides LIBRARY_FRAMES. */
const struct frame *memory_line(const struct profile *p, node_id node,
                                struct hidden_frames *libraries);

/* Appends what ROW is called: a line of code as in the code view. */
void memory_row_name(struct strbuf *sb, const struct profile *p, const struct memory_row *row);

enum { MEMORY_AT_PEAK = -1 };

struct memory_question {
    int64_t step;  /* below 0: that with the highest peak */
    size_t curve;  /* which of the step's, by number; beyond the last one: the highest */
    int n_slices;  /* above 0 */
    int at;        /* the slice of which the rows are, or MEMORY_AT_PEAK */
    enum memory_group by;
};

/* The curves of a profile at a step, made once for all questions about them.  It is not changed any
 * more, and freed with the last reference. */
struct memory_source;
struct memory_source *memory_source_ref(struct memory_source *s); /* NULL is fine */
void memory_source_unref(struct memory_source *s);

/* The most in use within a slice of time. */
struct memory_slice {
    int64_t most_bytes;
    size_t event; /* after which; without one in the slice the last before; SIZE_MAX: none */
};

struct memory_picture {
    struct memory_question asked;
    struct memory_source *source; /* a reference */
    struct memory_curve curve;
    size_t n_curves;           /* of the step; 0: it has no records, and all below is 0 */
    size_t curve_at;           /* which of them this is */
    struct memory_slice *slices; /* [asked.n_slices]; heap */
    int at, peak_at;             /* slices */
    int64_t begin_ticks, end_ticks, peak_ticks, at_ticks;
    int64_t at_bytes; /* in use at at_ticks: the sum of rows */
    int64_t sum_of_peaks;
    memory_row_list rows;
};

/* What Q asks of P, on the heap; NULL: CANCEL was asked.  KEPT is that of an earlier picture, or
 * NULL: it is made use of when it is of the same profile and step. */
struct memory_picture *memory_picture_new(const struct profile *p, const struct memory_question *q,
                                          struct memory_source *kept, struct cancel_mark cancel);
void memory_picture_free(struct memory_picture *m); /* NULL is fine */

#endif
