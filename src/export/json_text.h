/* json_text.h: strings as JSON writes them. */
#ifndef TFPROF_EXPORT_JSON_TEXT_H
#define TFPROF_EXPORT_JSON_TEXT_H

#include "base/strbuf.h"

/* Appends TEXT in double quotes with JSON's escapes, pure ASCII: what lies
 * above U+007E is written \uXXXX (as a surrogate pair above U+FFFF), a byte
 * that is not UTF-8 as U+FFFD (semantics.md section 6). */
void json_add_string(struct strbuf *sb, const char *text, size_t len);

#endif
