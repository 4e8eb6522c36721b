/* csv_text.h: texts as csv writes them. */
#ifndef TFPROF_EXPORT_CSV_TEXT_H
#define TFPROF_EXPORT_CSV_TEXT_H

#include <stdbool.h>

#include "base/strbuf.h"

/* Appends the text of CELL, which is escaped; an apostrophe in front makes what looks like a
 * formula text again.  With QUOTES it stands between them whatever it holds: where a comma is no
 * separator, another character is. */
void csv_add_text(struct strbuf *sb, const struct strbuf *cell, bool quotes);

#endif
