/* table_writer.h: writes tables and query results as text, csv, tsv, json and html. */
#pragma once

#include "activity/table.h"
#include "base/vec.h"
#include "export/sinks/outbuf.h"

/* Writes a list of rows, or a document of lists, cell by cell. */
struct table_writer {
    const struct table_format *format;
    struct outbuf *out;
    const struct table_column **columns; /* heap: the columns that are written */
    size_t n_columns;
    size_t at; /* column of the next cell */
    uint64_t n_rows; /* rows written before */
    bool is_document;
    uint64_t returned, total; /* numbers of rows in the document's head */
    size_t rows_at, rows_end; /* range of the first list's rows in out->text */
    struct strbuf scratch;
    /* text: widths are determined by the first rows */
    VEC(char *) cells; /* heap: cells of these rows, the heads first */
    VEC(size_t) widths;
    VEC(bool) is_left;
};

struct table_format {
    enum column_audience audience;
    bool limits_rows;   /* writes at most max_text_rows */
    bool takes_budget;  /* each row is one line, so that a budget can drop rows */
    bool has_one_list;  /* omits the second list of a table */
    /* Called before and after the lists of a document, and each list; NULL: nothing. */
    void (*begin)(struct table_writer *w, const struct table_rows *t);
    void (*begin_rows)(struct table_writer *w, const char *key);
    void (*cell)(struct table_writer *w, const struct table_column *column,
                 const struct table_value *v);
    void (*end_rows)(struct table_writer *w);
    void (*end)(struct table_writer *w, const struct table_rows *t);
};

extern const struct table_format table_text, table_csv, table_tsv, table_json, table_html;

/* Writes T to SINK.  False with ERR. */
bool table_write(const struct table_format *format, const struct table_rows *t, struct sink *sink,
                 struct err *err);

/* Writes the rows of T, in JSON as the list KEY. Only within documents, as the functions below. */
void table_writer_rows(struct table_writer *w, const struct table_rows *t, const char *key);
/* Begins rows without a table: N COLUMNS, borrowed until table_writer_done(). */
void table_writer_init(struct table_writer *w, const struct table_format *format,
                       struct outbuf *out);
void table_writer_begin(struct table_writer *w, const struct table_column *columns, size_t n);
/* Writes the next cell of the row, or the first cell of the next row. */
void table_writer_cell(struct table_writer *w, const struct table_value *v);
void table_writer_end(struct table_writer *w);
void table_writer_done(struct table_writer *w);

/* Appends V as readable text: with its unit, escaped; unknown values as the column defines. */
void table_value_text(struct strbuf *sb, const struct table_column *column,
                      const struct table_value *v);
/* As table_value_text(), with a blank before the unit, for the screen. */
void table_value_spaced(struct strbuf *sb, const struct table_column *column,
                        const struct table_value *v);
/* Appends V as a plain number in microseconds, bytes or units, or escaped text; empty: unknown. */
void table_value_plain(struct strbuf *sb, const struct table_column *column,
                       const struct table_value *v);
/* Returns the heading of COLUMN in text. */
const char *table_column_head(const struct table_column *column);

/* Appends {"NAME":VALUE,...} for the members of RECORD that the N COLUMNS describe. */
void json_add_record(struct strbuf *sb, const struct table_column *columns, size_t n,
                     const void *record, const struct profile *p);
