/* frame_name.h: names of rows of the code view. */
#ifndef TFPROF_VIEW_FRAME_NAME_H
#define TFPROF_VIEW_FRAME_NAME_H

#include "base/strbuf.h"
#include "model/profile.h"

/* Ends the names of rows of gradients. */
#define GRADIENT_SUFFIX " (gradient)"

/* Appends "FILE:LINE:FUNCTION" of a frame of P, WITH_TEXT also ":TEXT" (semantics.md section 4.4);
 * for a frame without a file only the function. */
void frame_name(struct strbuf *sb, const struct profile *p, const struct frame *frame,
                bool with_text);
/* The same whole: with the folders of the file, and nothing cut. */
void frame_whole_name(struct strbuf *sb, const struct profile *p, const struct frame *frame);

/* The same with all of the function's name. */
void frame_full_name(struct strbuf *sb, const struct profile *p, const struct frame *frame);

#endif
