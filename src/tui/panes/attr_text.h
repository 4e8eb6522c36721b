/* attr_text.h: the value of an attribute as a short text. */
#ifndef TFPROF_TUI_ATTR_TEXT_H
#define TFPROF_TUI_ATTR_TEXT_H

#include "base/strbuf.h"
#include "model/attr.h"

/* Appends VALUE: `SAME`, 3x3, [1, 2, 2, 1], DT_FLOAT, float 3x3 tensor. Long lists and strings
 * are cut. Bytes from the file are not escaped. */
void attr_value_text(struct strbuf *sb, const struct attr_value *value);

#endif
