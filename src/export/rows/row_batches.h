/* row_batches.h: formats the displayed rows of a result on all cores, and writes them in order. */
#pragma once

#include "export/sinks/outbuf.h"
#include "view/query.h"

struct printed_row {
    row_id row;
    uint32_t depth; /* number of displayed ancestors */
    bool is_first;  /* true for the first of all rows */
};

/* Appends the text of N consecutive rows. */
typedef void row_batch_fn(struct strbuf *sb, const struct printed_row *rows, size_t n,
                          const void *arg);

/* How rows are formatted. */
struct row_batches {
    row_batch_fn *fn;
    const void *arg;
    bool can_share; /* fn may run on several threads at once on different rows; otherwise it gets
                     * all batches in order on the calling thread */
    size_t indent_bytes; /* indentation per level */
};

/* Formats the rows of R by B and writes them after the contents of OUT. The root comes first,
 * except in lists. outbuf_end() reports failures. */
void row_batches_write(struct outbuf *out, struct result *r, const struct row_batches *b);
