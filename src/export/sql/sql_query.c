/* sql_query.c: the answer to a query in SQL, as text, csv or json. */
#include "export/sql/sql_query.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "export/csv_text.h"
#include "export/json_text.h"
#include "export/sinks/outbuf.h"
#include "export/sinks/sink_file.h"
#include "export/sql/sql_db.h"

/* The widths of a text table are those of so many rows. */
enum { ROWS_FOR_WIDTHS = 1000 };

struct answer {
    sqlite3_stmt *statement;
    int n_columns;
    struct outbuf *out;
    struct strbuf scratch;
    /* of text: */
    VEC(char *) cells; /* heap: of the first rows, the names in front */
    VEC(size_t) widths;
    VEC(bool) is_left;
    bool has_widths;
};

/* A way to write rows; each may be NULL. */
struct style {
    const char *output; /* its name as an output */
    void (*begin)(struct answer *a);
    void (*row)(struct answer *a, uint64_t n);
    void (*end)(struct answer *a, uint64_t n_rows);
};

/* ---- values */

static void add_real(struct strbuf *sb, double real)
{
    sb_addf(sb, "%.15g", real);
}

static void add_hex(struct strbuf *sb, const uint8_t *bytes, int len)
{
    for (int i = 0; i < len; i++)
        sb_addf(sb, "%02X", bytes[i]);
}

/* Appends value I of the row, escaped; nothing for NULL. */
static void add_value(struct strbuf *sb, sqlite3_stmt *statement, int i)
{
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER:
        sb_add_int(sb, sqlite3_column_int64(statement, i));
        break;
    case SQLITE_FLOAT:
        add_real(sb, sqlite3_column_double(statement, i));
        break;
    case SQLITE_TEXT: {
        const char *text = (const char *)sqlite3_column_text(statement, i);

        utf8_escape(sb, text, (size_t)sqlite3_column_bytes(statement, i));
        break;
    }
    case SQLITE_BLOB: {
        const uint8_t *bytes = sqlite3_column_blob(statement, i);

        add_hex(sb, bytes, sqlite3_column_bytes(statement, i));
        break;
    }
    default:
        break;
    }
}

/* ---- csv */

static void csv_begin(struct answer *a)
{
    for (int i = 0; i < a->n_columns; i++) {
        sb_clear(&a->scratch);
        sb_adds(&a->scratch, sqlite3_column_name(a->statement, i));
        csv_add_text(&a->out->text, &a->scratch, strpbrk(sb_text(&a->scratch), ",\" ") != NULL);
        sb_addc(&a->out->text, i + 1 < a->n_columns ? ',' : '\n');
    }
}

static void csv_row(struct answer *a, uint64_t n)
{
    (void)n;
    for (int i = 0; i < a->n_columns; i++) {
        const int type = sqlite3_column_type(a->statement, i);

        sb_clear(&a->scratch);
        add_value(&a->scratch, a->statement, i);
        if (type == SQLITE_TEXT)
            csv_add_text(&a->out->text, &a->scratch, true);
        else
            sb_add(&a->out->text, sb_text(&a->scratch), a->scratch.len);
        sb_addc(&a->out->text, i + 1 < a->n_columns ? ',' : '\n');
    }
}

/* ---- json: a list of objects */

static void json_begin(struct answer *a)
{
    sb_addc(&a->out->text, '[');
}

static void json_value(struct strbuf *sb, sqlite3_stmt *statement, int i)
{
    const int type = sqlite3_column_type(statement, i);

    if (type == SQLITE_NULL ||
        (type == SQLITE_FLOAT && !isfinite(sqlite3_column_double(statement, i)))) {
        sb_adds(sb, "null");
    } else if (type == SQLITE_TEXT) {
        const char *text = (const char *)sqlite3_column_text(statement, i);

        json_add_string(sb, text, (size_t)sqlite3_column_bytes(statement, i));
    } else if (type == SQLITE_BLOB) {
        sb_addc(sb, '"');
        add_value(sb, statement, i);
        sb_addc(sb, '"');
    } else {
        add_value(sb, statement, i);
    }
}

static void json_row(struct answer *a, uint64_t n)
{
    struct strbuf *sb = &a->out->text;

    sb_adds(sb, n ? ",\n{" : "\n{");
    for (int i = 0; i < a->n_columns; i++) {
        const char *name = sqlite3_column_name(a->statement, i);

        if (i)
            sb_addc(sb, ',');
        json_add_string(sb, name, strlen(name));
        sb_addc(sb, ':');
        json_value(sb, a->statement, i);
    }
    sb_addc(sb, '}');
}

static void json_end(struct answer *a, uint64_t n_rows)
{
    sb_adds(&a->out->text, n_rows ? "\n]\n" : "]\n");
}

/* ---- text: columns, numbers to the right */

/* Characters of UTF-8; what takes no column or two is rare in names. */
static size_t count_characters(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static void add_padded(struct answer *a, int i, const char *text)
{
    struct strbuf *sb = &a->out->text;
    const size_t cols = count_characters(text);
    const size_t pad = a->widths.data[i] > cols ? a->widths.data[i] - cols : 0;
    const bool is_last = i + 1 == a->n_columns;

    if (i)
        sb_adds(sb, "  ");
    if (!a->is_left.data[i])
        sb_pad(sb, ' ', pad);
    sb_adds(sb, text);
    if (a->is_left.data[i] && !is_last)
        sb_pad(sb, ' ', pad);
    if (is_last)
        sb_addc(sb, '\n');
}

/* Writes the rows that were kept for their widths. */
static void text_flush(struct answer *a)
{
    const size_t n = (size_t)a->n_columns;

    for (size_t i = 0; i < a->cells.n; i++) {
        const size_t cols = count_characters(a->cells.data[i]);

        if (cols > a->widths.data[i % n])
            a->widths.data[i % n] = cols;
    }
    for (size_t i = 0; i < a->cells.n; i++) {
        add_padded(a, (int)(i % n), a->cells.data[i]);
        free(a->cells.data[i]);
    }
    vec_done(&a->cells);
    a->has_widths = true;
}

static void text_begin(struct answer *a)
{
    vec_resize_zero(&a->widths, (size_t)a->n_columns);
    vec_resize_zero(&a->is_left, (size_t)a->n_columns);
    for (int i = 0; i < a->n_columns; i++) {
        sb_clear(&a->scratch);
        utf8_escape(&a->scratch, sqlite3_column_name(a->statement, i),
                    strlen(sqlite3_column_name(a->statement, i)));
        vec_push(&a->cells, sb_take(&a->scratch));
    }
}

static void text_row(struct answer *a, uint64_t n)
{
    for (int i = 0; i < a->n_columns; i++) {
        const int type = sqlite3_column_type(a->statement, i);

        if (n < ROWS_FOR_WIDTHS && (type == SQLITE_TEXT || type == SQLITE_BLOB))
            a->is_left.data[i] = true;
        sb_clear(&a->scratch);
        sb_adds(&a->scratch, ""); /* there is a text, if an empty one */
        add_value(&a->scratch, a->statement, i);
        if (n < ROWS_FOR_WIDTHS)
            vec_push(&a->cells, sb_take(&a->scratch));
        else
            add_padded(a, i, sb_text(&a->scratch));
    }
    if (n + 1 == ROWS_FOR_WIDTHS)
        text_flush(a);
}

static void text_end(struct answer *a, uint64_t n_rows)
{
    (void)n_rows;
    if (!a->has_widths)
        text_flush(a);
}

static const struct style styles[] = {
    {"stdout", text_begin, text_row, text_end},
    {"file", text_begin, text_row, text_end},
    {"csv", csv_begin, csv_row, NULL},
    {"json", json_begin, json_row, json_end},
    {NULL, NULL, NULL, NULL},
};

static const struct style *find_style(const struct output_spec *spec, struct err *err)
{
    const struct style *s = styles;

    while (s->output && strcmp(s->output, spec->output->name) != 0)
        s++;
    if (!s->output) {
        err_set(err, ERR_USAGE, "sql: -output %s: only stdout, file, csv and json",
                spec->output->name);
        return NULL;
    }
    return s;
}

/* ---- the query */

/* Writes all rows; false when SQLite or the sink failed. */
static bool write_rows(struct answer *a, const struct style *style, struct sql_db *db,
                       struct err *err)
{
    uint64_t n = 0;
    int status;

    style->begin(a);
    while ((status = sqlite3_step(a->statement)) == SQLITE_ROW) {
        style->row(a, n++);
        if (!outbuf_step(a->out))
            break;
    }
    if (status == SQLITE_DONE && style->end)
        style->end(a, n);
    if (!outbuf_end(a->out))
        return false;
    return status == SQLITE_DONE || sql_db_fail(db, ERR_INPUT, err);
}

static void answer_done(struct answer *a)
{
    sqlite3_finalize(a->statement);
    for (size_t i = 0; i < a->cells.n; i++)
        free(a->cells.data[i]);
    vec_done(&a->cells);
    vec_done(&a->widths);
    vec_done(&a->is_left);
    sb_done(&a->scratch);
}

static bool prepare(struct sql_db *db, const char *text, sqlite3_stmt **statement, struct err *err)
{
    const char *rest;

    if (sqlite3_prepare_v2(db->handle, text, -1, statement, &rest) != SQLITE_OK)
        return sql_db_fail(db, ERR_USAGE, err);
    if (!*statement)
        return err_set(err, ERR_USAGE, "sql: the query is empty");
    return !rest[strspn(rest, " \t\r\n;")] ||
           err_set(err, ERR_USAGE, "sql: one query at a time: what follows is '%.40s'", rest);
}

static bool answer(const struct sql_request *q, struct sink *sink, struct err *err)
{
    struct sql_source source = {.profile = q->profile, .query = q->query, .options = q->options,
                                .cancel = q->cancel};
    const struct style *style = find_style(q->spec, err);
    struct answer a = {.out = NULL};
    struct outbuf out;
    struct sql_db db;
    bool ok;

    if (!style || !sql_db_open(&db, ":memory:", NULL, "", &source, err))
        return false;
    ok = sql_db_make_read_only(&db, err) && prepare(&db, q->statement, &a.statement, err);
    if (ok) {
        outbuf_init(&out, sink, err);
        a.out = &out;
        a.n_columns = sqlite3_column_count(a.statement);
        ok = write_rows(&a, style, &db, err);
    }
    answer_done(&a);
    sql_db_close(&db);
    sql_source_done(&source);
    return ok;
}

static bool write_answer(const struct sql_request *q, struct sink *sink, struct err *err)
{
    struct strbuf schema = {0};
    bool ok;

    if (strcmp(q->statement, ".schema") != 0)
        return answer(q, sink, err);
    sql_tables_schema(&schema);
    ok = sink->write(sink, sb_text(&schema), schema.len, err);
    sb_done(&schema);
    return ok;
}

bool sql_query_run(const struct sql_request *q, struct err *err)
{
    const struct sink_file_request to = {
        .path = q->spec->outfile, .inputs = q->profile, .cancel = q->cancel};
    struct sink_file file;
    bool ok;

    if (!q->spec->outfile)
        return write_answer(q, q->standard_out, err);
    if (!sink_file_open(&file, &to, err))
        return false;
    ok = write_answer(q, &file.sink, err) && sink_file_finish(&file, err) &&
         sink_file_commit(&file, err);
    sink_file_abandon(&file);
    return ok;
}
