/* advise_capture.h: what the checkers of captures share; private to view/advise*.c. */
#ifndef TFPROF_VIEW_ADVISE_CAPTURE_H
#define TFPROF_VIEW_ADVISE_CAPTURE_H

#include "model/capture.h"
#include "view/advise/advise_priv.h"

/* Reports of one kind end after so many lines; a last one says how many more there are. */
enum { ADVICE_MAX_LINES = 10 };

/* Whether P has a run that captures tell of. */
bool capture_has_run(const struct profile *p);

/* "12.3 %" of WHOLE. */
void add_percent(struct strbuf *line, double part, double whole);
/* The bytes of ID. */
void add_text(struct strbuf *line, const struct profile *p, strid id);
/* "and N more" when the N_LINES of a report are more than are shown. */
void advise_more(struct advise *a, size_t n_lines);
/* Fills LINE with what there is to say of item I of P's capture; false: nothing. */
typedef bool advise_item(const struct profile *p, size_t i, struct strbuf *line);
/* Makes one report of the lines of N items, if there is any. */
void advise_items(struct advise *a, size_t n, advise_item *say);

/* Whether the advice is about D: an accelerator with events, or where C has none any device. */
bool device_counts(const struct capture *c, const struct capture_device *d);

/* A node and what it is ranked by. */
struct ranked_node {
    node_id node;
    int64_t ps;
};

/* Puts NODE into the N of at most MAX nodes in TOP, by ps descending, then by node, or leaves it. */
void rank_node(struct ranked_node *top, size_t *n, size_t max, struct ranked_node node);

#endif
