/* parquet_column.h: the cells of one column of a row group, and the pages that they become. Private
 * to the folder. */
#pragma once

#include "base/intern.h"
#include "base/vec.h"
#include "export/parquet/parquet_file.h"

/* Every value is kept once, as the bytes that Parquet has for it. */
struct parquet_cells {
    struct intern values;
    VEC(strid) ids; /* by row; STRID_NONE: null */
    uint64_t bytes; /* of all values, as if none were equal */
    uint64_t unique_bytes;
};

/* The pages of a column in a row group. */
struct parquet_chunk {
    size_t n_rows;
    bool has_dictionary;      /* its page comes first */
    size_t dictionary_bytes;  /* of that page with its header */
    uint64_t unpacked_bytes;  /* of all pages with their headers */
};

void parquet_cells_init(struct parquet_cells *c);
void parquet_cells_done(struct parquet_cells *c);
void parquet_cells_null(struct parquet_cells *c);
/* Adds a value: of numbers 8 bytes, the lowest first. */
void parquet_cells_add(struct parquet_cells *c, const void *bytes, size_t len);
/* Appends the pages of C to SB and forgets the cells. */
void parquet_cells_write(struct parquet_cells *c, enum parquet_type type, struct strbuf *sb,
                         struct parquet_chunk *chunk);
