/* svg.c: the output svg: the displayed rows as a picture. */
#include "export/output.h"

#include "export/pictures/svg_parts.h"
#include "export/rows/figure_choice.h"

static bool write_svg(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    const int metric = figure_main(r);
    struct outbuf out;

    outbuf_init(&out, s, err);
    if (r->view_id == VIEW_OP) {
        roofline_svg_write(&out, r, step);
        return outbuf_end(&out);
    }
    result_need(r, FIELD_BIT(metric));
    flame_svg_write(&out, r, (enum metric_id)metric, step, true);
    return outbuf_end(&out);
}

static bool check_svg(const struct result *r, struct err *err)
{
    if (r->view_id == VIEW_OP)
        return r->profile->n_steps || err_set(err, ERR_USAGE, "-output svg: no step was recorded, so "
                                              "there is no rate to show: name a --run_meta_path");
    return figure_to_draw("svg", r, err) >= 0;
}

const struct output output_svg = {
    .name = "svg",
    .help = "a picture: flame graph, or roofline of types",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .shares_of_base = true,
    .views = OUTPUT_TREE_VIEWS,
    .check = check_svg,
    .write = write_svg,
};
