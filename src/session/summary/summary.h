/* summary.h: what is loaded, on one page: for `tfprof summary` and the screen. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

/* One line: "inputs  x  128x32x32x3".  Texts are raw bytes of names, escaped
 * by who prints them. */
struct summary_line {
    const char *section; /* static text; equal for the lines of a section */
    struct strbuf label, value;
    node_id node; /* what the line is about, NODE_NONE: not a node */
};

struct summary {
    char *verdict; /* heap; NULL: no device works */
    struct summary_line *lines;
    size_t n, capacity;
};

/* Gathers the summary of P; FLOPS as the query counts them, NULL: as recorded; peaks as O has them.
 * One pass over the nodes for each section. */
struct summary *summary_new(const struct profile *p, const struct flops *flops,
                            const struct options *o);
/* What inputs of P lack: that section alone. */
struct summary *summary_missing_new(const struct profile *p);
/* Adds what R, a result of a comparison of profiles, has matched, and what not with its share of
 * the compared figure; nothing when nothing is compared. */
void summary_comparison(struct summary *s, struct result *r);
void summary_free(struct summary *s); /* NULL is fine */

/* Appends all of it as text, a heading for each section. */
void summary_print(struct strbuf *sb, const struct summary *s);
