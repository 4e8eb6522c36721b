/* summary_parts.h: the sections of the summary; private to summary*.c. */
#pragma once

#include "session/summary/summary.h"

/* Longer lists are cut, with a line "and N more". */
enum { SUMMARY_MAX_LINES = 10 };

/* Adds a line; the caller fills in the value. */
struct summary_line *summary_add(struct summary *s, const char *section, const char *label);
/* Adds a line about NODE, labelled with the node's name. */
struct summary_line *summary_add_node(struct summary *s, const char *section,
                                      const struct profile *p, node_id node);
/* Adds the line "and N more" for a section with N_ALL lines if some were left out. */
void summary_add_more(struct summary *s, const char *section, size_t n_all);

/* Adds a line about data that the inputs lack. */
void summary_add_missing(struct summary *s, const char *what, const char *why);

/* summary_graph.c */
void summary_ops(struct summary *s, const struct profile *p);
void summary_ends(struct summary *s, const struct profile *p, const struct flops *flops);
void summary_facts(struct summary *s, const struct profile *p);
void summary_signatures(struct summary *s, const struct profile *p);
/* summary_variables.c */
void summary_variables(struct summary *s, const struct profile *p);
void summary_checkpoint(struct summary *s, const struct profile *p);
/* summary_trace.c */
void summary_traces(struct summary *s, const struct profile *p);
void summary_missing_in_traces(struct summary *s, const struct profile *p);
/* summary_runs.c */
void summary_float_ops(struct summary *s, const struct profile *p, const struct flops *flops);
/* Adds the FLOPs of all steps as a share of the devices' peak over SPAN_PS. */
void summary_mfu(struct summary *s, const struct profile *p, const struct flops *flops,
                 const struct options *o, int64_t span_ps);
void summary_runs(struct summary *s, const struct profile *p);
void summary_programs(struct summary *s, const struct profile *p);
void summary_missing(struct summary *s, const struct profile *p);
