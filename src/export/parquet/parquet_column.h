/* parquet_column.h: encodes one column of a row group as pages; private to the folder. */
#pragma once

#include "base/intern.h"
#include "base/vec.h"
#include "export/parquet/parquet_file.h"

/* Distinct values, encoded as in Parquet. */
struct parquet_cells {
    struct intern values;
    VEC(strid) ids; /* by row; STRID_NONE: null */
    uint64_t bytes; /* bytes of all values, including duplicates */
    uint64_t unique_bytes;
};

/* The pages of a column in a row group. */
struct parquet_chunk {
    size_t n_rows;
    bool has_dictionary;      /* the first page is a dictionary */
    size_t dictionary_bytes;  /* of the dictionary page with its header */
    uint64_t unpacked_bytes;  /* of all pages with their headers */
};

void parquet_cells_init(struct parquet_cells *c);
void parquet_cells_done(struct parquet_cells *c);
void parquet_cells_null(struct parquet_cells *c);
/* Adds a value; numbers have 8 bytes, little-endian. */
void parquet_cells_add(struct parquet_cells *c, const void *bytes, size_t len);
/* Appends the pages of C to SB, and clears C. */
void parquet_cells_write(struct parquet_cells *c, enum parquet_type type, struct strbuf *sb,
                         struct parquet_chunk *chunk);
