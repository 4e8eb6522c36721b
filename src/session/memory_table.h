/* memory_table.h: the table of allocators; private to memory_*.c. */
#pragma once

#include "activity/memory_failures.h"
#include "export/tables/table_writer.h"
#include "view/pictures/live_memory.h"
#include "view/pictures/memory_picture.h"

/* A row: an allocator of the memory log, or an allocator in one step of RunMetadata. */
struct memory_row_record {
    const struct memory_allocator *logged;  /* NULL: `curve` */
    const struct memory_curve *curve;       /* NULL: `logged` */
    strid device, allocator;
    int64_t step; /* STEP_ALL: the whole file */
    int64_t start_bytes, peak_bytes, end_bytes; /* INT64_MIN: unknown */
    int64_t reserved_peak_bytes, cached_bytes, fragmented_bytes, capacity_bytes;
    int64_t peak_ps, length_ps;
    int64_t sum_over_ops_bytes;
};

struct memory_data {
    struct memory memory; /* of RunMetadata */
    VEC(struct memory_row_record) rows;
    struct strbuf needs; /* why there are no rows */
};

/* Converts ticks to picoseconds since the first event. */
int64_t memory_ps(const struct memory_allocator *a, int64_t ticks);
/* Makes the query for live allocations at the instants and with the grouping of the options.
 * FOR_PEOPLE selects the default grouping of text output. */
struct live_question memory_question(const struct table_rows *t, const struct memory_allocator *a,
                                     bool for_people);

/* Growth of an allocator's live memory since the baseline. */
struct memory_growth {
    struct live_rows now, base;
    live_pair_list pairs;
    int64_t bytes, base_bytes;
};
void memory_growth_make(struct memory_growth *g, const struct table_rows *t,
                        const struct live_question *q);
void memory_growth_done(struct memory_growth *g);

/* Print one row (RunMetadata) or all rows. */
void memory_print_curve_json(struct strbuf *sb, const struct profile *p, const struct memory *m,
                             const struct memory_row_record *row);
void memory_print_json(struct strbuf *sb, const struct table_rows *t);
void memory_print_text(struct table_writer *w, const struct table_rows *t);

/* Curves of RunMetadata: picoseconds from the first event of C to AT_TICKS, to the last event. */
int64_t memory_since_begin_ps(const struct memory *m, const struct memory_curve *c,
                              const struct profile *p, int64_t at_ticks);
int64_t memory_length_ps(const struct memory *m, const struct memory_curve *c,
                         const struct profile *p);
