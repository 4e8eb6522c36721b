/* text.c: the outputs stdout and file: legend and rows as the original prints
 * them (semantics.md sections 5 and 6). */
#include "export/output.h"
#include "render/row.h"

enum { FLUSH_BYTES = 1 << 14 };

static bool write_text(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    struct result_walk walk;
    struct strbuf text = {0};
    bool ok = true;

    (void)step;
    /* Without a call stack there is no code view, not even an empty one. */
    if (r->view_id == VIEW_CODE && !r->profile->has_trace)
        return true;
    render_legend(&text, r);
    result_walk_init(&walk, r, 0);
    while (ok && result_walk_next(&walk)) {
        /* The root of the list of types is no type. */
        if (r->view->is_list && walk.row == 0)
            continue;
        render_row(&text, r, walk.row, walk.depth);
        if (text.len >= FLUSH_BYTES)
            ok = sink_put(s, &text, err);
    }
    result_walk_done(&walk);
    ok = ok && sink_put(s, &text, err);
    sb_done(&text);
    return ok;
}

extern const struct output output_stdout, output_file;

const struct output output_stdout = {
    .name = "stdout",
    .help = "rows as text to standard output",
    .outfile = OUTFILE_NONE,
    .views = 1U << VIEW_SCOPE | 1U << VIEW_GRAPH | 1U << VIEW_OP | 1U << VIEW_CODE,
    .write = write_text,
};

const struct output output_file = {
    .name = "file",
    .help = "rows as text to a file",
    .outfile = OUTFILE_NEEDED,
    .views = 1U << VIEW_SCOPE | 1U << VIEW_GRAPH | 1U << VIEW_OP | 1U << VIEW_CODE,
    .write = write_text,
};
