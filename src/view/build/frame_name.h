/* frame_name.h: the name of a row of the code view. */
#ifndef TFPROF_VIEW_FRAME_NAME_H
#define TFPROF_VIEW_FRAME_NAME_H

#include "base/strbuf.h"
#include "model/profile.h"

/* Appends "FILE:LINE:FUNCTION", WITH_TEXT also ":TEXT", of a frame of P (semantics.md section
 * 4.4); of a frame that no file has its function alone. */
void frame_name(struct strbuf *sb, const struct profile *p, const struct frame *frame,
                bool with_text);

#endif
