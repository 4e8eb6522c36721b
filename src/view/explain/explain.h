/* explain.h: explains why a row is displayed, or which option hides it. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

/* Name of the option (without dash) that hides rows for the reason WHY; NULL for WHY_SHOWN. */
const char *why_option(unsigned why);

/* Appends NAME in quotes, escaped. */
void explain_add_name(struct strbuf *sb, struct text name);

/* Appends one sentence per line, without the final newline, names escaped: for a displayed row why
 * it is accounted and what is hidden below it; for a hidden row the option that hides it. */
void explain_row(struct strbuf *sb, const struct result *r, row_id row);
/* In a comparison of profiles, appends a line about the node that ROW's node was matched with, and
 * why. Appends nothing for other rows. */
void explain_match(struct strbuf *sb, const struct result *r, row_id row);
/* Appends the value of -unmatch that separates ROW's node from its counterpart, including the
 * present value; returns false when it has no counterpart. */
bool explain_unmatch(struct strbuf *regexes, const struct result *r, row_id row);
/* Like explain_row() for the row or node called NAME. Returns the row; if there is none, appends a
 * message and returns ROW_NONE. */
row_id explain_name(struct strbuf *sb, const struct result *r, const char *name, size_t len);

/* Stores the reasons (enum why) that hide ROW or, when ROW is displayed, rows below it; returns
 * their number. */
unsigned explain_reasons(const struct result *r, row_id row, uint8_t reasons[WHY_COUNT]);
/* Returns the option (without dash) and appends its new VALUE, so that reason WHY no longer hides
 * ROW or rows below it. */
const char *explain_remedy(const struct result *r, row_id row, unsigned why, struct strbuf *value);

/* If R displays no row except the root, appends which options hide how many rows, most effective
 * first, and returns true. */
bool explain_empty(const struct result *r, struct strbuf *sb);
