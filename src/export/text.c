/* text.c: the outputs stdout and file: legend and rows as the original prints
 * them (semantics.md sections 5 and 6). */
#include "export/outbuf.h"
#include "render/row.h"

static bool write_text(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    struct result_walk walk;
    struct outbuf out;

    (void)step;
    /* Without a call stack there is no code view, not even an empty one. */
    if (r->view->needs_traces && !r->profile->has_trace)
        return true;
    outbuf_init(&out, s, err);
    render_legend(&out.text, r);
    result_walk_init(&walk, r, 0);
    while (outbuf_step(&out) && result_walk_next(&walk)) {
        /* The root of a list is no item of it. */
        if (!r->view->is_list || walk.row != 0)
            render_row(&out.text, r, walk.row, walk.depth);
    }
    result_walk_done(&walk);
    return outbuf_end(&out);
}

extern const struct output output_stdout, output_file;

const struct output output_stdout = {
    .name = "stdout",
    .help = "rows as text to standard output",
    .outfile = OUTFILE_NONE,
    .views = OUTPUT_TREE_VIEWS,
    .write = write_text,
};

const struct output output_file = {
    .name = "file",
    .help = "rows as text to a file",
    .outfile = OUTFILE_NEEDED,
    .views = OUTPUT_TREE_VIEWS,
    .write = write_text,
};
