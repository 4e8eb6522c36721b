/* advise_priv.h: what a checker works with; private to view/advise*.c. */
#ifndef TFPROF_VIEW_ADVISE_PRIV_H
#define TFPROF_VIEW_ADVISE_PRIV_H

#include "base/strbuf.h"
#include "view/advise/advise.h"

struct advise {
    const struct profile *profile;
    struct query *query;
    struct cancel_mark cancel;
    struct advice *advice;
    struct checker_advice *section; /* of the checker that runs */
};

/* A new report without lines; valid until the next call. */
struct advice_report *advise_report(struct advise *a);
/* Adds LINE's text to the last report and empties LINE; SHOWN's, when it has any, is what the screen
 * says in its place. */
void advise_line_shown(struct advise *a, struct strbuf *line, struct strbuf *shown);
/* The same where it says LINE too. */
void advise_line(struct advise *a, struct strbuf *line);
/* A report of one line. */
void advise_say(struct advise *a, const char *text);
void advise_mark(struct advise *a, node_id node, const char *text);

/* What checkers apply to: profiles of graphs and their runs, or those of traces, of which TensorFlow's
 * timeline is none: it is one of a graph. */
bool advise_has_graph(const struct profile *p);
bool advise_has_trace(const struct profile *p);

#define CHECKER_RECORD(name) extern const struct checker checker_##name;
CHECKER_LIST(CHECKER_RECORD)
#undef CHECKER_RECORD

#endif
