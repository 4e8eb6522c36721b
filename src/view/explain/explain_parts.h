/* explain_parts.h: what the files of this folder share: words about items of lists and rows. */
#ifndef TFPROF_VIEW_EXPLAIN_PARTS_H
#define TFPROF_VIEW_EXPLAIN_PARTS_H

#include "base/strbuf.h"
#include "view/query.h"

/* Appends the name of ROW in quotes, escaped. */
void explain_add_row_name(struct strbuf *sb, const struct result *r, row_id row);
/* The number of the first item of LIST that matches all of TEXT, from 1; 0 for none. */
size_t explain_matching_item(const char *list, struct text text);
/* Appends "-OPTION #2 'a.*'" of ITEM, from 1, of LIST. */
void explain_add_item(struct strbuf *sb, const char *option, const char *list, size_t item);

/* The row whose match of -trim_name_regexes hides ROW. */
row_id explain_trimming_row(const struct result *r, row_id row);
/* The depth at which the display meets ROW (semantics.md section 4). */
uint32_t explain_display_depth(const struct result *r, row_id row);
/* Appends by which option ROW, which is not displayed, is hidden, and what of it decides. */
void explain_hidden(struct strbuf *sb, const struct result *r, row_id row);

#endif
