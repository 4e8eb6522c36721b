/* advise_items.h: lines about the items of a list, for checkers; private to view/advise. */
#pragma once

#include "model/programs.h"
#include "view/advise/advise_priv.h"

/* Maximum number of lines in one kind of report; a final line counts the rest. */
enum { ADVICE_MAX_LINES = 10 };

/* Appends PART in percent of WHOLE: "12.3 %". */
void add_percent(struct strbuf *line, double part, double whole);
/* Appends the string ID of P. */
void add_text(struct strbuf *line, const struct profile *p, strid id);
/* Adds the line "and N more" when a report has more than ADVICE_MAX_LINES of N_LINES. */
void advise_more(struct advise *a, size_t n_lines);
/* Writes the line for item I of P's capture to LINE; returns false when the item needs none. */
typedef bool advise_item(const struct profile *p, size_t i, struct strbuf *line);
/* Adds one report with the lines of N items, unless there are none. */
void advise_items(struct advise *a, size_t n, advise_item *report_line);

/* True when D is examined: an accelerator with events or, if C has no such accelerator, any device
 * with events. */
bool device_counts(const struct programs *c, const struct program_device *d);

/* A node and the time by which it is ranked. */
struct ranked_node {
    node_id node;
    int64_t ps;
};

/* Inserts NODE into TOP, which holds the N largest of at most MAX nodes by ps descending, then by
 * node. A node that is too small is dropped. */
void rank_node(struct ranked_node *top, size_t *n, size_t max, struct ranked_node node);
