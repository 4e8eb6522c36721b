/* svg.c: the output svg: the displayed rows as a picture for reports. */
#include "export/figure_choice.h"
#include "export/pictures/icicle_svg.h"

static bool write_svg(struct result *r, int64_t step, struct sink *s, struct err *err)
{
    const int metric = figure_main(r);
    struct outbuf out;

    outbuf_init(&out, s, err);
    result_need(r, FIELD_BIT(metric));
    icicle_svg_write(&out, r, (enum metric_id)metric, step, true);
    return outbuf_end(&out);
}

static bool check_svg(const struct result *r, struct err *err)
{
    return figure_to_draw("svg", r, err) >= 0;
}

const struct output output_svg = {
    .name = "svg",
    .help = "a picture of the rows, an icicle plot",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .shares_of_base = true,
    .views = 1u << VIEW_SCOPE | 1u << VIEW_GRAPH | 1u << VIEW_CODE,
    .check = check_svg,
    .write = write_svg,
};
