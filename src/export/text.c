/* text.c: the outputs stdout and file: legend and rows in the format of the original (semantics.md
 * sections 5 and 6). */
#include "export/output.h"

#include <stdlib.h>

#include "base/utf8.h"
#include "base/xalloc.h"
#include "export/advice_out.h"
#include "export/check_report.h"
#include "export/finding_out.h"
#include "export/rows/row_budget.h"
#include "export/sinks/answer.h"
#include "export/tables/table_writer.h"
#include "render/row.h"
#include "view/advise/advise.h"

static void print_rows(struct strbuf *sb, const struct printed_row *rows, size_t n, const void *arg)
{
    for (size_t i = 0; i < n; i++)
        render_row(sb, arg, rows[i].row, rows[i].depth);
}

static void print_row(struct strbuf *sb, const struct printed_row *row, void *context)
{
    render_row(sb, context, row->row, row->depth);
}

static bool write_kept(struct outbuf *out, struct row_printer *printer, struct result *r, struct err *err)
{
    struct row_sums *sums = xcalloc(1, sizeof *sums);
    struct row_budget b = {.print = print_row, .context = printer};
    const struct printed_row *row;
    struct row_cells cells;
    uint32_t at = 0;
    bool ok;

    row_cells_init(&cells, r, false);
    row_sums_make(sums, &cells, NULL);
    row_sums_text(&b.scratch, sums);
    b.budget.whole_bytes = out->text.len;
    b.budget.rest_bytes = out->text.len + b.scratch.len;
    ok = row_budget_choose(&b, r, err);
    while (ok && (row = row_budget_next(&b, &at)) && outbuf_step(out))
        print_row(&out->text, row, printer);
    if (ok) {
        row_sums_make(sums, &cells, &b);
        if (sums->n_rows)
            row_sums_text(&out->text, sums);
    } else {
        sb_clear(&out->text);
    }
    row_budget_done(&b);
    row_cells_done(&cells);
    free(sums);
    return ok;
}

static bool write_text(struct result *r, struct sink *s, struct err *err)
{
    struct row_printer printer;
    struct outbuf out;
    bool ok = true;

    /* Without call stacks the code view prints nothing. */
    if (r->view->needs_stacks && !r->profile->has_stacks)
        return true;
    outbuf_init(&out, s, err);
    sb_adds(&out.text, r->lead ? r->lead->text : "");
    render_legend(&out.text, r);
    row_printer_init(&printer, r);
    if (budget_limits(&r->options))
        ok = write_kept(&out, &printer, r, err);
    else
        row_batches_write(&out, r,
                          &(struct row_batches){print_rows, &printer, row_printer_can_share(&printer),
                                                .indent_bytes = ROW_INDENT_BYTES});
    return outbuf_end(&out) && ok;
}

static void add_report(struct strbuf *sb, const struct advice_report *report)
{
    for (size_t i = 0; i < report->n_lines; i++) {
        sb_adds(sb, i ? "\n" : "");
        utf8_escape(sb, report->lines[i].bytes, report->lines[i].len);
    }
    sb_addc(sb, '\n');
}

/* Writes the section of each checker, even without reports (semantics.md section 4.5). */
static bool write_advice(const struct advice *a, struct sink *s, struct err *err)
{
    const struct options *o = a->inputs ? a->inputs->options : NULL;
    struct strbuf text = {0}, kept = {0};
    bool ok;

    if (a->is_list)
        return advice_write_list(a, s, err);
    array_each(const struct checker_advice, section, a->sections, a->n_sections) {
        sb_addf(&text, "\n%s:\n", section->checker->name);
        for (size_t k = 0; k < section->n_reports; k++)
            add_report(&text, &section->reports[k]);
    }
    ok = answer_keep_lines(&kept, &text, o ? o->budget : 0, err) &&
         s->write(s, sb_text(&kept), kept.len, err);
    EACH(sb_done, &text, &kept);
    return ok;
}

const struct output output_stdout = {
    .name = "stdout",
    .help = "rows as text to standard output",
    .outfile = OUTFILE_NONE,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS | 1U << VIEW_ADVISE,
    .write = write_text,
    .write_advice = write_advice,
    .write_check = check_write_text,
    .table = &table_text,
};

const struct output output_file = {
    .name = "file",
    .help = "rows as text to a file",
    .outfile = OUTFILE_NEEDED,
    .compares = true,
    .views = OUTPUT_TREE_VIEWS | 1U << VIEW_ADVISE,
    .write = write_text,
    .write_advice = write_advice,
    .write_check = check_write_text,
    .table = &table_text,
};
