/* json.c: the output json: one typed object for each row.
 *
 *     {"tfprof":1,"view":"scope","step":-1,"select":["micros"],"rows":[
 *     {"name":"a/b","path":"a/b","depth":1,"accounted":true,
 *      "micros":{"self":3,"total":7}},
 *     ...]}
 *
 * A row's figure is an object of self and total, in the op view of self and running; self is null
 * where the text has "--".  device and op_types are arrays, shape an array of numbers.  What
 * does not apply is null. */
#include "export/output.h"

#include "export/advice_out.h"
#include "export/rows/row_batches.h"
#include "export/rows/row_cells.h"
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
            if (i)
                sb_addc(sb, ',');
            add_text(sb, cell->texts.data[i]);
        }
        sb_addc(sb, ']');
        break;
    case CELL_SHAPE:
        sb_addc(sb, '[');
        for (uint32_t i = 0; i < cell->shape.n_dims; i++) {
            if (i)
                sb_addc(sb, ',');
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

        if (i)
            sb_addc(sb, ',');
        if (opens)
            add_key(sb, cell->key);
        if (cell->part) {
            if (opens)
                sb_addc(sb, '{');
            add_key(sb, cell->part);
        }
        add_value(sb, cell);
        if (cell->part && closes)
            sb_addc(sb, '}');
    }
    sb_addc(sb, '}');
}

static void add_head(struct strbuf *sb, const struct result *r, int64_t step)
{
    int columns[FIELD_COUNT];
    const size_t n = row_columns(r, columns);

    sb_addf(sb, "{\"tfprof\":1,\"view\":\"%s\",\"step\":", view_names[r->view_id]);
    sb_add_int(sb, step);
    sb_adds(sb, ",\"select\":[");
    for (size_t i = 0; i < n; i++)
        sb_addf(sb, "%s\"%s\"", i ? "," : "", field_get(columns[i])->name);
    sb_adds(sb, "],\"rows\":[");
}

static void add_rows(struct strbuf *sb, const struct placed_row *rows, size_t n, const void *arg)
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

static bool write_json(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    struct outbuf out;
    struct row_cells cells;

    outbuf_init(&out, s, err);
    row_cells_init(&cells, r, true);
    add_head(&out.text, r, step);
    row_batches_write(&out, r, &(struct row_batches){add_rows, &cells, .can_share = true});
    sb_adds(&out.text, "\n]}\n");
    row_cells_done(&cells);
    return outbuf_end(&out);
}

static bool check_json(const struct result *r, struct err *err)
{
    return row_cells_check("json", r, err);
}

const struct output output_json = {
    .name = "json",
    .help = "rows as typed JSON objects, for jq and scripts",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS | 1U << VIEW_ADVISE,
    .check = check_json,
    .write = write_json,
    .write_advice = advice_write_json,
    .table = &table_json,
};
