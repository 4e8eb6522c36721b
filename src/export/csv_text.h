/* csv_text.h: quotes texts for csv. */
#ifndef TFPROF_EXPORT_CSV_TEXT_H
#define TFPROF_EXPORT_CSV_TEXT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the text of CELL, which is escaped already; a leading apostrophe makes text of what looks
 * like a formula.  With QUOTES the text is always quoted, because another separator than the comma
 * may be in use. */
void csv_add_text(struct strbuf *sb, const struct strbuf *cell, bool quotes);

#endif
