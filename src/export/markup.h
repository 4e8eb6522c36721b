/* markup.h: escapes text for HTML, XML and Markdown. */
#ifndef TFPROF_EXPORT_MARKUP_H
#define TFPROF_EXPORT_MARKUP_H

#include "base/strbuf.h"

/* Appends LEN bytes of TEXT, without control characters, as content of an element or of a quoted
 * attribute.  U+FFFE and U+FFFF, which XML 1.0 section 2.2 excludes, become U+FFFD. */
void markup_add(struct strbuf *sb, const char *text, size_t len);
/* Appends LEN bytes of TEXT, a single line, as literal text of a Markdown paragraph, item or table
 * cell. */
void markdown_add(struct strbuf *sb, const char *text, size_t len);

/* The head of an HTML page without scripts and external resources, up to its styles; the caller
 * ends it with </style>. */
extern const char markup_page_head[];

#endif
