/* json.c: the output json: one typed object for each row.
 *
 *     {"tfprof":2,"view":"scope","units":{"depth":"1","micros":"us"},"returned":2,"total":2,
 *     "truncated":false,"step":-1,"select":["micros"],"rows":[
 *     {"name":"a/b","path":"a/b","depth":1,"accounted":true,
 *      "micros":{"self":3,"total":7}},
 *     ...]}
 *
 * A row's figure is an object of self and total, in the op view of self and running; self is null
 * where the text has "--".  device and op_types are arrays, shape an array of numbers.  What
 * does not apply is null. */
#include "export/output.h"

#include <stdlib.h>
#include <string.h>

#include "base/xalloc.h"
#include "export/advice_out.h"
#include "export/note_report.h"
#include "export/rows/row_budget.h"
#include "export/sinks/escape.h"
#include "export/tables/table_writer.h"

static void add_text(struct strbuf *sb, struct text text)
{
    json_add_string(sb, text.bytes, text.len);
}

static void add_value(struct strbuf *sb, const struct row_cell *cell)
{
    switch (cell->kind) {
    case CELL_NONE:
        sb_adds(sb, "null");
        break;
    case CELL_INT:
    case CELL_MILLIONTHS:
    case CELL_RATIO:
    case CELL_BOOL:
        cell_text(sb, cell);
        break;
    case CELL_FLAG:
        sb_adds(sb, cell->number ? "true" : "false");
        break;
    case CELL_TEXT:
        add_text(sb, (struct text){sb_text(&cell->text), (uint32_t)cell->text.len});
        break;
    case CELL_TEXTS:
        sb_addc(sb, '[');
        for (size_t i = 0; i < cell->texts.n; i++) {
            sb_adds(sb, i ? "," : "");
            add_text(sb, cell->texts.data[i]);
        }
        sb_addc(sb, ']');
        break;
    case CELL_SHAPE:
        sb_addc(sb, '[');
        for (uint32_t i = 0; i < cell->shape.n_dims; i++) {
            sb_adds(sb, i ? "," : "");
            sb_add_int(sb, cell->shape.dims[i]);
        }
        sb_addc(sb, ']');
        break;
    case CELL_NUMBERS:
        sb_addf(sb, "[%s]", sb_text(&cell->text));
        break;
    }
}

static void add_key(struct strbuf *sb, const char *key)
{
    sb_addc(sb, '"');
    sb_adds(sb, key);
    sb_adds(sb, "\":");
}

/* Adjacent cells with the same key form an object: {"self":..,"total":..}. */
static void add_row(struct strbuf *sb, const struct row_cells *c)
{
    sb_addc(sb, '{');
    for (size_t i = 0; i < c->n; i++) {
        const struct row_cell *cell = &c->cells[i];
        const bool opens = !i || cell->key != cell[-1].key;
        const bool closes = i + 1 == c->n || cell->key != cell[1].key;

        sb_adds(sb, i ? "," : "");
        if (opens)
            add_key(sb, cell->key);
        if (cell->part) {
            sb_adds(sb, opens ? "{" : "");
            add_key(sb, cell->part);
        }
        add_value(sb, cell);
        sb_adds(sb, cell->part && closes ? "}" : "");
    }
    sb_addc(sb, '}');
}

/* Appends "micros":"us" for each key with numbers. */
static void add_units(struct strbuf *sb, const struct row_cells *c)
{
    const char *key = NULL;
    bool has_ps = false;

    sb_adds(sb, "\"depth\":\"1\"");
    array_each(const struct row_cell, cell, c->cells, c->n) {
        const char *unit = cell->key == key ? NULL : cell_unit(cell);

        has_ps |= cell->part && strcmp(cell->part, "self_ps") == 0;
        if (unit)
            sb_addf(sb, ",\"%s\":\"%s\"", cell->key, unit);
        key = cell->key;
    }
    if (has_ps)
        sb_addf(sb, ",\"self_ps\":\"ps\",\"%s_ps\":\"ps\"",
                c->result->view->is_list ? "running" : "total");
}

static void add_head(struct strbuf *sb, const struct row_cells *c, uint64_t returned, uint64_t total)
{
    const struct result *r = c->result;
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);
    struct strbuf units = {0};

    add_units(&units, c);
    json_add_head(sb, r->lead ? r->lead->view : view_names[r->view_id], sb_text(&units), returned, total);
    sb_adds(sb, r->lead ? r->lead->json : "");
    sb_adds(sb, ",\"step\":");
    sb_add_int(sb, r->options.step);
    sb_adds(sb, ",\"select\":[");
    for (size_t i = 0; i < n; i++)
        sb_addf(sb, "%s\"%s\"", i ? "," : "", field_get(columns[i])->name);
    sb_adds(sb, "],\"rows\":[");
    sb_done(&units);
}

static void add_rows(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    struct row_cells cells;

    row_cells_copy(&cells, arg);
    for (size_t i = 0; i < n; i++) {
        row_cells_fill(&cells, rows[i].row, rows[i].depth);
        sb_adds(sb, rows[i].is_first ? "\n" : ",\n");
        add_row(sb, &cells);
    }
    row_cells_done(&cells);
}

/* Prints a row, with comma and newline. */
static void print_row(struct strbuf *sb, const struct printed_row *row, void *context)
{
    struct row_cells *cells = context;

    row_cells_restart(cells);
    row_cells_fill(cells, row->row, row->depth);
    sb_adds(sb, ",\n");
    add_row(sb, cells);
}

/* Bytes of an answer with N rows apart from the rows; SUMS: of the omitted rows. */
static size_t frame_bytes(const struct row_cells *cells, uint64_t n, const struct row_sums *sums)
{
    static const char end[] = "\n]}\n", omitted[] = ",\"omitted\":";
    struct strbuf sb = {0};
    size_t bytes;

    add_head(&sb, cells, n, n); /* "false" is longer than "true" */
    if (sums) {
        sb_adds(&sb, omitted);
        row_sums_json(&sb, sums);
    }
    bytes = sb.len + sizeof end - 1 - (!sums && n > 0); /* the first row is not preceded by a
                                                         * comma */
    sb_done(&sb);
    return bytes;
}

static bool write_kept(struct outbuf *out, struct row_cells *cells, struct err *err)
{
    struct row_sums *sums = xcalloc(1, sizeof *sums);
    struct row_budget b = {.print = print_row, .context = cells};
    const uint64_t n = row_budget_count(cells->result);
    const struct printed_row *row;
    uint32_t at = 0, n_printed = 0;
    bool ok;

    b.budget.whole_bytes = frame_bytes(cells, n, NULL);
    row_sums_make(sums, cells, NULL);
    b.budget.rest_bytes = frame_bytes(cells, n, sums);
    ok = row_budget_choose(&b, cells->result, err);
    if (ok) {
        add_head(&out->text, cells, b.budget.n_taken, n);
        for (; (row = row_budget_next(&b, &at)) && outbuf_step(out); n_printed++) {
            sb_clear(&b.scratch);
            print_row(&b.scratch, row, cells);
            sb_add(&out->text, sb_text(&b.scratch) + !n_printed, b.scratch.len - !n_printed);
        }
        sb_adds(&out->text, "\n]");
        row_sums_make(sums, cells, &b);
        if (sums->n_rows) {
            sb_adds(&out->text, ",\"omitted\":");
            row_sums_json(&out->text, sums);
        }
        sb_adds(&out->text, "}\n");
    }
    row_budget_done(&b);
    free(sums);
    return ok;
}

static bool write_json(struct result *r, struct sink *s, struct err *err)
{
    const uint64_t n = row_budget_count(r);
    struct outbuf out;
    struct row_cells cells;
    bool ok = true;

    outbuf_init(&out, s, err);
    row_cells_init(&cells, r, true);
    if (n && budget_limits(&r->options)) {
        ok = write_kept(&out, &cells, err);
    } else {
        add_head(&out.text, &cells, n, n);
        if (n)
            row_batches_write(&out, r, &(struct row_batches){add_rows, &cells, .can_share = true});
        sb_adds(&out.text, "\n]}\n");
    }
    row_cells_done(&cells);
    return outbuf_end(&out) && ok;
}

const struct output output_json = {
    .name = "json",
    .help = "rows as typed JSON objects, for jq and scripts",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS | 1U << VIEW_ADVISE,
    .check = row_cells_check,
    .write = write_json,
    .write_advice = advice_write_json,
    .write_notes = note_report_json,
    .table = &table_json,
};
