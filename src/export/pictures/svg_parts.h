/* svg_parts.h: building blocks of SVG pictures, without scripts, fonts and external files. */
#pragma once

#include "export/sinks/outbuf.h"
#include "model/profile.h"
#include "view/query.h"

enum {
    SVG_WIDTH_PX = 1200,
    SVG_LINE_PX = 18,     /* height of a line of text, and of a level of cells */
    SVG_BASE_PX = 13,     /* from the top of a line to the base line of its text */
    SVG_TITLE_COLS = 500 /* of a name in a tooltip; longer ones end with an ellipsis */
};

/* CSS rules of all pictures. */
extern const char svg_styles[];

/* Opens an <svg> element of HEIGHT_PX.  ALONE: for a file, with XML declaration and styles; else
 * for an HTML page, at most as wide as the page. */
void svg_begin(struct strbuf *sb, bool alone, int height_px);
/* Closes the element. */
void svg_end(struct strbuf *sb);

/* Appends NAME, bytes of a file, as XML text: control characters are escaped (semantics.md section
 * 6), then the five special characters; truncated to COLS columns with an ellipsis. */
void svg_name(struct strbuf *sb, struct text name, size_t cols);
/* Appends TEXT, valid UTF-8 like "<1us", to SB as XML text, and clears TEXT. */
void svg_move_text(struct strbuf *sb, struct strbuf *text);
/* The number of text columns that fit into WIDTH_PX. */
size_t svg_cols(int width_px);

/* Appends "step 4" or "average of all steps". */
void svg_step(struct strbuf *sb, int64_t step);

/* Limit for cells; deeper levels are left out. */
enum { FLAME_SVG_CELLS_MAX = 8000 };

/* Appends the displayed rows of R to OUT; the width of a cell is its total of METRIC, which
 * R has.  ALONE as in svg_begin(). */
void flame_svg_write(struct outbuf *out, struct result *r, enum metric_id metric, bool alone);

/* Appends the roofline (view/pictures/roofline.h) of the operation types of R to OUT, as a
 * file of its own. */
void roofline_svg_write(struct outbuf *out, struct result *r);

/* Limit for tracks; each has at most 230 columns. */
enum { TIMELINE_SVG_TRACKS_MAX = 16 };

/* Appends the tracks of the step of R to OUT, for an HTML page; for an average, those of the step
 * that the screen shows. Appends nothing if no times are known. */
void timeline_svg_write(struct outbuf *out, struct result *r);
