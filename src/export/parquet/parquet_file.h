/* parquet_file.h: writes a file of Apache Parquet: typed columns, row by row.
 *
 * Source: the specification in apache/parquet-format (the documents on encodings and logical types,
 * and parquet.thrift). Written is what every reader knows: data
 * pages of version 1, dictionaries where they are smaller, gzip. */
#pragma once

#include "export/output.h"

/* Values of Type in parquet.thrift. */
enum parquet_type { PARQUET_INT64 = 2, PARQUET_DOUBLE = 5, PARQUET_TEXT = 6 };

struct parquet_column {
    const char *name;
    enum parquet_type type;
    const char *unit; /* "us"; stored as metadata "unit:NAME" of the file; NULL: none */
};

struct parquet_file;

/* Begins a file with N COLUMNS (borrowed, like SINK). Output is deterministic. */
struct parquet_file *parquet_new(struct sink *sink, const struct parquet_column *columns, size_t n);
/* Add the next cell of the row; its type is that of the column. Invalid UTF-8 becomes U+FFFD. */
void parquet_null(struct parquet_file *f);
void parquet_integer(struct parquet_file *f, int64_t value);
void parquet_real(struct parquet_file *f, double value);
void parquet_text(struct parquet_file *f, const char *bytes, size_t len);
/* Ends a row, all of whose cells were added. False with ERR on a write error. Memory is bounded,
 * because rows are written in groups. */
bool parquet_end_row(struct parquet_file *f, struct err *err);
/* Writes the remaining rows and the metadata. */
bool parquet_finish(struct parquet_file *f, struct err *err);
void parquet_free(struct parquet_file *f);
