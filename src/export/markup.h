/* markup.h: text within HTML and XML. */
#ifndef TFPROF_EXPORT_MARKUP_H
#define TFPROF_EXPORT_MARKUP_H

#include "base/strbuf.h"

/* Appends LEN bytes of TEXT for an element or a quoted attribute. */
void markup_add(struct strbuf *sb, const char *text, size_t len);

#endif
