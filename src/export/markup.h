/* markup.h: text within HTML, XML and Markdown. */
#ifndef TFPROF_EXPORT_MARKUP_H
#define TFPROF_EXPORT_MARKUP_H

#include "base/strbuf.h"

/* Appends LEN bytes of TEXT, which has no control characters, for an element or a quoted attribute:
 * U+FFFE and U+FFFF, which XML 1.0 section 2.2 leaves out, become U+FFFD. */
void markup_add(struct strbuf *sb, const char *text, size_t len);
/* Appends LEN bytes of TEXT, one line, for a paragraph, an item or a cell of a table of Markdown:
 * nothing in it means anything there. */
void markdown_add(struct strbuf *sb, const char *text, size_t len);

/* The beginning of a page of HTML that fetches nothing and runs nothing, up to its styles; what
 * follows ends with </style>. */
extern const char markup_page_head[];

#endif
