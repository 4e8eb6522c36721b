/* source_path.h: where source files are on this machine: what -source_map says. */
#ifndef TFPROF_VIEW_SOURCE_PATH_H
#define TFPROF_VIEW_SOURCE_PATH_H

#include "base/strbuf.h"
#include "model/profile.h"

/* Appends the path of FRAME's file, a frame of P: of the pairs FROM=TO in MAP (NULL: none) the
 * first whose FROM the path begins with has TO put in place of that.  FROM may be empty. */
void source_path(struct strbuf *sb, const char *map, const struct profile *p,
                 const struct frame *frame);

#endif
