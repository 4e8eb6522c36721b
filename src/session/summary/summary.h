/* summary.h: a one-page summary of the profile, for `tfprof summary` and the screen. */
#pragma once

#include "base/strbuf.h"
#include "view/query.h"

/* One line: "inputs x 128x32x32x3". Texts are raw bytes; the output code escapes them. */
struct summary_line {
    const char *section; /* static text; equal for the lines of a section */
    struct strbuf label, value;
    node_id node; /* the node that the line describes; NODE_NONE: none */
};

struct summary {
    char *verdict; /* heap; NULL: nothing ran */
    struct summary_line *lines;
    size_t n, capacity;
};

/* Makes the summary of P. FLOPS has operation counts as the query computes them (NULL: recorded
 * ones only); O sets the peaks. Each section takes one pass over the nodes. */
struct summary *summary_new(const struct profile *p, const struct flops *flops,
                            const struct options *o);
/* Makes only the section about data that the inputs lack. */
struct summary *summary_missing_new(const struct profile *p);
/* Adds matched and unmatched nodes of the comparison R, with their share of the compared metric;
 * adds nothing if R is no comparison. */
void summary_comparison(struct summary *s, struct result *r);
void summary_free(struct summary *s); /* NULL is allowed */

/* Appends all lines as text, with a heading per section. */
void summary_print(struct strbuf *sb, const struct summary *s);
