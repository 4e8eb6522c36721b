/* svg_parts.h: what pictures in files are made of: SVG elements that need no script, no font and
 * no other file. */
#ifndef TFPROF_EXPORT_SVG_PARTS_H
#define TFPROF_EXPORT_SVG_PARTS_H

#include "export/sinks/outbuf.h"
#include "model/profile.h"

enum {
    SVG_WIDTH_PX = 1200,
    SVG_LINE_PX = 18,     /* height of a line of text, or of a level of cells */
    SVG_BASE_PX = 13,     /* from the top of a line to what its letters stand on */
    SVG_TITLE_COLS = 500 /* of a name in a tip; longer ones end with an ellipsis */
};

/* Rules for all pictures, inside a <style> element. */
extern const char svg_styles[];

/* Opens an <svg> element, HEIGHT_PX high.  ALONE: as a file, with the XML declaration and the
 * styles, else for a page of HTML, as wide as it at most. */
void svg_begin(struct strbuf *sb, bool alone, int height_px);
/* Closes it. */
void svg_end(struct strbuf *sb);

/* Appends NAME, bytes of a file, as text of XML: control characters as semantics.md section 6
 * says, then the five special characters of markup; cut to COLS columns with an ellipsis. */
void svg_name(struct strbuf *sb, struct text name, size_t cols);
/* Moves what is in TEXT, valid UTF-8 like "<1us", behind SB as text of XML. */
void svg_take(struct strbuf *sb, struct strbuf *text);
/* How many columns of letters have room in WIDTH_PX. */
size_t svg_cols(int width_px);

/* "step 4", "average of all steps". */
void svg_step(struct strbuf *sb, int64_t step);

#endif
