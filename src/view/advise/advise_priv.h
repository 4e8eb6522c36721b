/* advise_priv.h: state of a run of the checkers, and functions for adding reports; private to
 * view/advise. */
#pragma once

#include "activity/verdict.h"
#include "base/strbuf.h"
#include "model/profile_kind.h"
#include "view/advise/advise.h"

struct advise {
    const struct profile *profile;
    struct query *query;
    struct selection_request wanted; /* selection of events for the reports */
    struct cancel_mark cancel;
    struct advice *advice;
    struct checker_advice *section; /* section of the current checker */
};

/* Appends a report without lines; valid until the next call. */
struct advice_report *advise_report(struct advise *a);
/* Appends the text of LINE to the last report and empties both buffers. SHOWN, unless empty, is the
 * text for the screen. */
void advise_line_shown(struct advise *a, struct strbuf *line, struct strbuf *shown);
/* The same, with LINE as the text for the screen. */
void advise_line(struct advise *a, struct strbuf *line);
/* Adds a report that consists of one line. */
void advise_report_text(struct advise *a, const char *text);
void advise_mark(struct advise *a, node_id node, const char *text);

/* For `applies`: True for profiles of a graph and its runs, including timelines of TensorFlow; and
 * for profiles of other traces. */
bool advise_has_graph(const struct profile *p);
bool advise_has_trace(const struct profile *p);
/* True for profiles with events: captures with a run, and traces. */
bool advise_has_work(const struct profile *p);
/* True when P has allocator segments or failed allocations; check_segments() reports them. */
bool advise_has_segments(const struct profile *p);
void advise_segments(struct advise *a);

/* Reports memory that grows in each step of a trace; false with ERR when cancelled. */
bool check_growth(struct advise *a, struct err *err);

/* Appends NAME to the rows of REPORT, and empties it. */
void advice_report_row(struct advice_report *report, struct strbuf *name);

#define CHECKER_RECORD(name) extern const struct checker checker_##name;
CHECKER_LIST(CHECKER_RECORD)
#undef CHECKER_RECORD
