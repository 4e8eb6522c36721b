/* source_path.h: maps source paths to local paths (-source_map). */
#pragma once

#include "base/strbuf.h"
#include "model/profile.h"

/* Appends the path of FRAME's file, a frame of P. The first pair FROM=TO in MAP (NULL: none) whose
 * FROM is a prefix of the path replaces that prefix by TO. FROM may be empty. */
void source_path(struct strbuf *sb, const char *map, const struct profile *p,
                 const struct frame *frame);
