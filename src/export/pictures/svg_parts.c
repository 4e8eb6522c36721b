/* svg_parts.c: building blocks of SVG pictures. */
#include "export/pictures/svg_parts.h"

#include "base/utf8.h"
#include "export/output.h"
#include "export/rows/figure_choice.h"
#include "export/sinks/escape.h"
#include "opt/options.h"

/* A monospaced letter is about 0.6 of its size wide, in some fonts a little more. */
enum { LETTER_PX = 7, FIRST_WIDE = 0x1100 };

/* Cells are light on light and dark pages, so that black text on them is readable.  The colours are
 * those of the screen's light theme. */
const char svg_styles[] = "svg text{font:11px monospace;fill:#111;pointer-events:none}\n"
                          "svg rect{stroke:#fff;stroke-width:.5}\n"
                          "svg .head{fill:currentColor}\n"
                          "svg .even{fill:#d7ffd7}svg .odd{fill:#afd7af}svg .joined{fill:#bbb}\n"
                          "svg .grid{stroke:#ccc}\n"
                          "svg .roof{fill:none;stroke:#888;stroke-width:2}\n"
                          "svg circle{stroke:#fff;stroke-width:.5;fill:#bbb}\n"
                          "svg .compute{fill:#5fafff}svg .memory{fill:#ffaf5f}\n"
                          "svg .grew{fill:#ffafaf}svg .grew-much{fill:#ff8787}\n"
                          "svg .shrank{fill:#afd7ff}svg .shrank-much{fill:#87afff}\n"
                          "svg .group0{fill:#888}svg .group1{fill:#005fd7}svg .group2{fill:#875f00}\n"
                          "svg .group3{fill:#008700}svg .group4{fill:#8700af}svg .group5{fill:#d70000}\n"
                          "svg .group6{fill:#005f5f}\n";

void svg_begin(struct strbuf *sb, bool alone, int height_px)
{
    sb_adds(sb, alone ? "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" : "");
    sb_addf(sb, "<svg %sviewBox=\"0 0 %d %d\"", alone ? "xmlns=\"http://www.w3.org/2000/svg\" " : "",
            SVG_WIDTH_PX, height_px);
    if (alone)
        sb_addf(sb, " width=\"%d\" height=\"%d\">\n<style>\n%s</style>\n", SVG_WIDTH_PX, height_px,
                svg_styles);
    else
        sb_addf(sb, " style=\"display:block;width:100%%;max-width:%dpx\">\n", SVG_WIDTH_PX);
}

void svg_end(struct strbuf *sb)
{
    sb_adds(sb, "</svg>\n");
}

/* Columns of the character CODE; 2 for all that may be wide. */
static size_t cols_of(uint32_t code)
{
    return code < FIRST_WIDE ? 1 : 2;
}

/* The number of bytes of TEXT, valid UTF-8, that fit into COLS columns. */
static size_t bytes_that_fit(const char *text, size_t len, size_t cols)
{
    size_t at = 0, used = 0;

    while (at < len) {
        uint32_t code = 0;
        const size_t n = utf8_decode(text + at, len - at, &code);

        used += cols_of(code);
        if (!n || used > cols)
            break;
        at += n;
    }
    return at;
}

void svg_name(struct strbuf *sb, struct text name, size_t cols)
{
    struct strbuf plain = {0};
    /* A character has at most four bytes, so the rest of a long name is not scanned. */
    const size_t most = name.len / 4 > cols ? cols * 4 + 4 : name.len;
    size_t fit;

    utf8_escape(&plain, name.bytes, most);
    fit = bytes_that_fit(sb_text(&plain), plain.len, cols);
    if (fit == plain.len && most == name.len) {
        markup_add(sb, sb_text(&plain), plain.len);
    } else {
        markup_add(sb, sb_text(&plain),
                   bytes_that_fit(sb_text(&plain), plain.len, cols ? cols - 1 : 0));
        sb_adds(sb, "\xe2\x80\xa6");
    }
    sb_done(&plain);
}

void svg_move_text(struct strbuf *sb, struct strbuf *text)
{
    markup_add(sb, sb_text(text), text->len);
    sb_clear(text);
}

size_t svg_cols(int width_px)
{
    return width_px > 0 ? (size_t)(width_px / LETTER_PX) : 0;
}

void svg_step(struct strbuf *sb, int64_t step)
{
    if (step == STEP_ALL || step == STEP_OUTSIDE)
        sb_adds(sb, step == STEP_ALL ? "all of the run" : "outside of steps");
    else if (step < 0)
        sb_adds(sb, "average of all steps");
    else
        sb_addf(sb, "step %lld", (long long)step);
}

/* ---- the output svg */

static bool write_svg(struct result *r, struct sink *s, struct err *err)
{
    const int metric = figure_main(r);
    struct outbuf out;

    outbuf_init(&out, s, err);
    if (r->view_id == VIEW_OP) {
        roofline_svg_write(&out, r);
        return outbuf_end(&out);
    }
    result_need(r, FIELD_BIT(metric));
    flame_svg_write(&out, r, (enum metric_id)metric, true);
    return outbuf_end(&out);
}

static bool check_svg(const char *name, const struct result *r, struct err *err)
{
    if (r->view_id == VIEW_OP)
        return r->profile->n_steps || err_set(err, ERR_USAGE, "-output svg: no step was recorded, so "
                                              "rates are unknown: read a --run_meta_path");
    return figure_to_draw(name, r, err) >= 0;
}

const struct output output_svg = {
    .name = "svg",
    .help = "a picture: flame graph or roofline",
    .outfile = OUTFILE_OPTIONAL,
    .compares = true,
    .shares_of_base = true,
    .views = OUTPUT_TREE_VIEWS,
    .check = check_svg,
    .write = write_svg,
};
