/* row_batches.h: all displayed rows of a result, turned into text by all cores
 * and written in display order. */
#ifndef TFPROF_EXPORT_ROW_BATCHES_H
#define TFPROF_EXPORT_ROW_BATCHES_H

#include "export/sinks/outbuf.h"

struct placed_row {
    row_id row;
    uint32_t depth; /* displayed rows that it lies below */
    bool is_first;  /* of all rows */
};

/* Appends the text of rows that follow each other. */
typedef void row_batch_fn(struct strbuf *sb, const struct placed_row *rows, size_t n,
                          const void *arg);

/* Writes what FN makes of the rows of R, behind what OUT holds.  The root is
 * row 0 and comes first; of a list it is no row and left out.  CAN_SHARE: FN
 * may run on several threads at once, each of which is given other rows;
 * otherwise the batches come in order on this thread.  outbuf_end() tells of
 * failures. */
void row_batches_write(struct outbuf *out, struct result *r, bool can_share, row_batch_fn *fn,
                       const void *arg);

#endif
