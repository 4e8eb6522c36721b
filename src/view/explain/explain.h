/* explain.h: why rows are displayed, or by which option they are not. */
#ifndef TFPROF_VIEW_EXPLAIN_H
#define TFPROF_VIEW_EXPLAIN_H

#include "base/strbuf.h"
#include "view/query.h"

/* The option (without dash) that hides rows for this enum why, NULL for
 * WHY_SHOWN. */
const char *why_option(unsigned why);

/* Appends NAME in quotes, escaped. */
void explain_add_name(struct strbuf *sb, struct text name);

/* Appends sentences, a line each without the last newline, names escaped: for
 * a displayed row what made it count and what is hidden below it; for another
 * the option that hides it. */
void explain_row(struct strbuf *sb, const struct result *r, row_id row);
/* In a comparison of profiles appends, behind what stands there, a line on the partner of ROW's
 * node, and what speaks for it; nothing of other rows. */
void explain_match(struct strbuf *sb, const struct result *r, row_id row);
/* The regex that parts ROW's node from its partner (-unmatch), with what is set already; false
 * when it has none. */
bool explain_unmatch(struct strbuf *regexes, const struct result *r, row_id row);
/* The same for the row or node of a name, which it gives; also says so when there is none
 * (ROW_NONE). */
row_id explain_name(struct strbuf *sb, const struct result *r, const char *name, size_t len);

/* The reasons (enum why) that hide ROW or, when it is displayed, rows below it; returns how
 * many. */
unsigned explain_whys(const struct result *r, row_id row, uint8_t whys[WHY_COUNT]);
/* The option (without dash), and appends to VALUE what it is to be, so that WHY does not hide
 * ROW, or rows below it, any more. */
const char *explain_cure(const struct result *r, row_id row, unsigned why, struct strbuf *value);

/* True when R displays no row but the root: appends which options hide how
 * many of the rows, the most effective first. */
bool explain_empty(const struct result *r, struct strbuf *sb);

#endif
