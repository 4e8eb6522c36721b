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

/* How rows become text. */
struct row_batches {
    row_batch_fn *fn;
    const void *arg;
    bool can_share; /* fn may run on several threads at once, each of which is given other rows;
                     * otherwise the batches come in order on this thread */
    size_t indent_bytes; /* that fn puts before a row for each level of its depth */
};

/* Writes what B makes of the rows of R, behind what OUT holds.  The root is row 0 and comes first;
 * of a list it is no row and left out.  outbuf_end() tells of failures. */
void row_batches_write(struct outbuf *out, struct result *r, const struct row_batches *b);

#endif
