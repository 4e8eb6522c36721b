/* json_text.h: quotes JSON strings. */
#ifndef TFPROF_EXPORT_JSON_TEXT_H
#define TFPROF_EXPORT_JSON_TEXT_H

#include "base/strbuf.h"

/* Appends TEXT in double quotes as ASCII: characters above U+007E become \uXXXX (surrogate pairs
 * above U+FFFF), invalid UTF-8 bytes U+FFFD (semantics.md section 6). */
void json_add_string(struct strbuf *sb, const char *text, size_t len);

#endif
