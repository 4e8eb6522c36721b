/* explain_parts.h: helpers that append list items and row names; private to view/explain. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

/* Appends the name of ROW in quotes, escaped. */
void explain_add_row_name(struct strbuf *sb, const struct result *r, row_id row);
/* Number of the first item of LIST, from 1, that matches the whole TEXT; 0 for none. */
size_t explain_matching_item(const char *list, struct text text);
/* Appends "-OPTION #2 'a.*'" for ITEM (from 1) of LIST. */
void explain_add_item(struct strbuf *sb, const char *option, const char *list, size_t item);

/* The row whose match with -trim_name_regexes hides ROW. */
row_id explain_trimming_row(const struct result *r, row_id row);
/* Depth of ROW as counted for display (semantics.md section 4). */
uint32_t explain_display_depth(const struct result *r, row_id row);
/* Appends the option, and the part of its value, that hides ROW. */
void explain_hidden(struct strbuf *sb, const struct result *r, row_id row);
