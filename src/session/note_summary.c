/* note_summary.c: what a report of notes says of a comparison. */
#include "session/note_summary.h"

#include "render/row.h"
#include "view/delta.h"

static void add_figures(struct words *lines, struct result *r)
{
    struct row_printer printer;

    row_printer_init(&printer, r);
    for (int m = 0; m < METRIC_COUNT; m++) {
        struct strbuf line = {0};

        if (!field_in(r->options.select, m))
            continue;
        sb_addf(&line, "%s: ", metrics[m].name);
        render_delta(&line, r, 0, (enum metric_id)m);
        words_add(lines, sb_text(&line));
        sb_done(&line);
    }
}

void note_summary(struct words *lines, struct result *r)
{
    if (!result_compares(r))
        return;
    add_figures(lines, r);
    for (size_t i = 0; i < r->notes.n; i++)
        words_add(lines, r->notes.lines[i]);
}
