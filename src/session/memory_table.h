/* memory_table.h: the table of allocators; private to memory_*.c. */
#pragma once

#include "activity/memory_failures.h"
#include "export/tables/table_writer.h"
#include "view/pictures/live_memory.h"

/* A row. Unknown figures are INT64_MIN. */
struct memory_row_record {
    const struct memory_allocator *allocator;
    strid device, name;
    int64_t start_bytes, peak_bytes, end_bytes;
    int64_t reserved_peak_bytes, cached_bytes, fragmented_bytes, capacity_bytes;
    int64_t peak_ps, length_ps;
    int64_t sum_over_ops_bytes; /* of RunMetadata */
};

struct memory_data {
    VEC(struct memory_row_record) rows;
    struct strbuf needs; /* why there are no rows */
};

/* Makes the query for live allocations at the instants and with the grouping of the options.
 * FOR_PEOPLE selects the default grouping of text output. */
struct live_rows_request memory_request(const struct table_rows *t, const struct memory_allocator *a,
                                     bool for_people);

/* Growth of an allocator's live memory since the baseline. */
struct memory_growth {
    struct live_rows now, base;
    live_pair_list pairs;
    int64_t bytes, base_bytes;
};
void memory_growth_make(struct memory_growth *g, const struct table_rows *t,
                        const struct live_rows_request *q);
void memory_growth_done(struct memory_growth *g);

void memory_print_json(struct strbuf *sb, const struct table_rows *t);
void memory_print_text(struct table_writer *w, const struct table_rows *t);
