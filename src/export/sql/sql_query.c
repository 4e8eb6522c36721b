/* sql_query.c: runs an SQL query and writes its rows as a table. */
#include "export/sql/sql_query.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/sinks/sink_file.h"
#include "export/sql/sql_db.h"
#include "export/sinks/answer.h"
#include "export/sinks/escape.h"
#include "export/tables/table_writer.h"

/* ---- values */

/* Reads column I of the row; SCRATCH holds the hexadecimal digits of blobs. */
static void read_value(sqlite3_stmt *statement, int i, struct strbuf *scratch, struct table_value *v)
{
    const uint8_t *bytes;
    int len;

    *v = (struct table_value){.kind = VALUE_IS_NONE};
    switch (sqlite3_column_type(statement, i)) {
    case SQLITE_INTEGER:
        value_integer(v, sqlite3_column_int64(statement, i));
        break;
    case SQLITE_FLOAT:
        value_real(v, sqlite3_column_double(statement, i));
        break;
    case SQLITE_TEXT:
        bytes = sqlite3_column_text(statement, i);
        value_text(v, (struct text){(const char *)bytes,
                                    (uint32_t)sqlite3_column_bytes(statement, i)});
        break;
    case SQLITE_BLOB:
        bytes = sqlite3_column_blob(statement, i);
        len = sqlite3_column_bytes(statement, i);
        sb_clear(scratch);
        for (int k = 0; k < len; k++)
            sb_addf(scratch, "%02X", bytes[k]);
        value_text(v, (struct text){sb_text(scratch), (uint32_t)scratch->len});
        v->kind = VALUE_IS_BYTES;
        break;
    default:
        break;
    }
}

/* ---- the query */

/* Writes all rows; false when SQLite or the sink failed. */
static bool write_rows(sqlite3_stmt *statement, struct table_writer *w, struct sql_db *db,
                       struct err *err)
{
    const size_t n = (size_t)sqlite3_column_count(statement);
    struct table_column *columns = xcalloc(n, sizeof *columns);
    struct strbuf scratch = {0};
    int status;

    for (size_t i = 0; i < n; i++)
        columns[i] = (struct table_column){.name = xstrdup(sqlite3_column_name(statement, (int)i)),
                                           .absent = "", .unit = VALUE_ANY};
    table_writer_begin(w, columns, n);
    while ((status = sqlite3_step(statement)) == SQLITE_ROW) {
        struct table_value v;

        for (size_t i = 0; i < n; i++) {
            read_value(statement, (int)i, &scratch, &v);
            table_writer_cell(w, &v);
        }
        if (!outbuf_step(w->out))
            break;
    }
    if (status == SQLITE_DONE)
        table_writer_end(w);
    for (size_t i = 0; i < n; i++)
        free((char *)columns[i].name);
    free(columns);
    sb_done(&scratch);
    return status == SQLITE_DONE || status == SQLITE_ROW || sql_db_fail(db, ERR_INPUT, err);
}

static bool prepare(struct sql_db *db, const char *text, sqlite3_stmt **statement, struct err *err)
{
    const char *rest;

    if (sqlite3_prepare_v2(db->handle, text, -1, statement, &rest) != SQLITE_OK)
        return sql_db_fail(db, ERR_USAGE, err);
    if (!*statement)
        return err_set(err, ERR_USAGE, "sql: the query is empty");
    return !rest[strspn(rest, " \t\r\n;")] ||
           err_set(err, ERR_USAGE, "sql: one query at a time; unexpected: '%.40s'", rest);
}

/* ---- the answer: JSON, and what has a budget, is made in memory */

struct sql_answer {
    sqlite3_stmt *statement;
    bool is_json;
    struct text heads; /* first line of text output */
};

static void add_head(struct strbuf *sb, void *context, uint64_t returned, uint64_t total)
{
    const struct sql_answer *of = context;
    const int n = of->is_json ? sqlite3_column_count(of->statement) : 0;

    if (!of->is_json) {
        sb_add(sb, of->heads.bytes, of->heads.len);
        return;
    }
    json_add_head(sb, "sql", "", returned, total);
    sb_adds(sb, ",\"columns\":[");
    for (int i = 0; i < n; i++) {
        const char *name = sqlite3_column_name(of->statement, i);

        sb_adds(sb, i ? "," : "");
        json_add_string(sb, name, strlen(name));
    }
    sb_adds(sb, returned ? "],\"rows\":[\n" : "],\"rows\":[");
}

/* Writes the records of WHOLE that the budget keeps. WHOLE has a line of headings and one per row;
 * in JSON they are enclosed by "[" and "]". */
static bool write_kept(const struct sql_request *q, struct sql_answer *of, const struct strbuf *whole,
                       struct sink *sink, struct err *err)
{
    struct answer a = {.separator = of->is_json ? ",\n" : "",
                       .head = add_head,
                       .omitted = of->is_json ? answer_omitted_json : answer_omitted_text,
                       .tail = {"]", of->is_json},
                       .end = of->is_json ? "}\n" : "",
                       .context = of};
    const char *text = sb_text(whole);
    const char *newline = strchr(text, '\n'); /* newlines within values are escaped */
    const size_t heads = of->is_json ? 1 : newline ? (size_t)(newline + 1 - text) : 0;
    const size_t end = whole->len - (of->is_json ? 2 : 0);
    struct strbuf sb = {0};
    bool ok;

    of->heads = (struct text){text, (uint32_t)heads};
    answer_add_lines(&a, (struct text){text + heads, (uint32_t)(end - heads)}, of->is_json ? ',' : 0);
    ok = answer_fit(&sb, &a, q->options->budget, 0, err) && sink->write(sink, sb_text(&sb), sb.len, err);
    answer_done(&a);
    sb_done(&sb);
    return ok;
}

static bool write_statement(const struct sql_request *q, struct sql_db *db, sqlite3_stmt *statement,
                            struct sink *sink, struct err *err)
{
    struct sql_answer of = {.statement = statement, .is_json = q->spec->output->table == &table_json};
    const bool is_kept = of.is_json || q->options->budget;
    struct table_writer w;
    struct outbuf out;
    bool ok;

    outbuf_init(&out, is_kept ? NULL : sink, err);
    table_writer_init(&w, q->spec->output->table, &out);
    ok = write_rows(statement, &w, db, err);
    table_writer_done(&w);
    if (is_kept) {
        ok = ok && write_kept(q, &of, &out.text, sink, err);
        sb_clear(&out.text);
    }
    return outbuf_end(&out) && ok;
}

static bool run_statement(const struct sql_request *q, struct sink *sink, struct err *err)
{
    const struct table_request request = {
        .profile = q->profile, .query = q->query, .options = q->options, .cancel = q->cancel};
    sqlite3_stmt *statement = NULL;
    struct sql_db db;
    bool ok;

    if (!q->spec->output->table)
        return err_set(err, ERR_USAGE, "sql: -output %s: only stdout, file, csv, tsv, json and html",
                       q->spec->output->name);
    if (!sql_db_open(&db, ":memory:", NULL, "", &request, err))
        return false;
    ok = sql_db_make_read_only(&db, err) && prepare(&db, q->statement, &statement, err);
    ok = ok && write_statement(q, &db, statement, sink, err);
    sqlite3_finalize(statement);
    sql_db_close(&db);
    return ok;
}

static bool write_answer(const struct sql_request *q, struct sink *sink, struct err *err)
{
    struct strbuf schema = {0};
    bool ok;

    if (strcmp(q->statement, ".schema") != 0)
        return run_statement(q, sink, err);
    sql_add_schema(&schema);
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
