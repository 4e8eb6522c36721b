/* csv.c: the outputs csv (RFC 4180) and tsv: a header line, then one line for each row.  A metric
 * has two columns, such as micros_self and micros_total.  Numbers are not quoted; texts of csv
 * always are. */
#include "export/output.h"


#include "export/rows/row_batches.h"
#include "export/rows/row_budget.h"
#include "export/rows/row_cells.h"
#include "export/sinks/escape.h"
#include "export/tables/table_writer.h"

static void add_cell(struct strbuf *sb, const struct row_cell *cell, bool quotes, struct strbuf *scratch)
{
    if (cell->kind != CELL_TEXT && cell->kind != CELL_TEXTS) {
        cell_text(sb, cell);
        return;
    }
    sb_clear(scratch);
    cell_text(scratch, cell); /* tabs and newlines are escaped as \xNN already */
    csv_add_text(sb, scratch, quotes);
}

struct line_format {
    struct row_cells cells;
    char separator;
};

static void add_lines(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    const struct line_format *table = arg;
    struct strbuf scratch = {0};
    struct row_cells cells;

    row_cells_copy(&cells, &table->cells);
    for (size_t row = 0; row < n; row++) {
        row_cells_fill(&cells, rows[row].row, rows[row].depth);
        for (size_t i = 0; i < cells.n; i++) {
            add_cell(sb, &cells.cells[i], table->separator == ',', &scratch);
            sb_addc(sb, i + 1 < cells.n ? table->separator : '\n');
        }
    }
    row_cells_done(&cells);
    sb_done(&scratch);
}

static bool write_table(struct result *r, struct sink *s, char separator, struct err *err)
{
    struct line_format table = {.separator = separator};
    struct outbuf out;

    outbuf_init(&out, s, err);
    row_cells_init(&table.cells, r, true);
    for (size_t i = 0; i < table.cells.n; i++) {
        const struct row_cell *cell = &table.cells.cells[i];

        sb_addf(&out.text, "%s%s%s", cell->key, cell->part ? "_" : "", cell->part ? cell->part : "");
        sb_addc(&out.text, i + 1 < table.cells.n ? separator : '\n');
    }
    if (row_budget_count(r))
        row_batches_write(&out, r, &(struct row_batches){add_lines, &table, .can_share = true});
    row_cells_done(&table.cells);
    return outbuf_end(&out);
}

static bool write_csv(struct result *r, struct sink *s, struct err *err)
{
    return write_table(r, s, ',', err);
}

static bool write_tsv(struct result *r, struct sink *s, struct err *err)
{
    return write_table(r, s, '\t', err);
}

const struct output output_csv = {
    .name = "csv",
    .help = "rows as comma-separated values, for spreadsheets and databases",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS,
    .check = row_cells_check,
    .write = write_csv,
    .table = &table_csv,
};

const struct output output_tsv = {
    .name = "tsv",
    .help = "rows as tab-separated values, for cut and awk",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS,
    .check = row_cells_check,
    .write = write_tsv,
    .table = &table_tsv,
};
