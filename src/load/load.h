/* load.h: files in, one profile out.  The facade of load/. */
#ifndef TFPROF_LOAD_LOAD_H
#define TFPROF_LOAD_LOAD_H

#include "base/cancel.h"
#include "base/err.h"
#include "load/load_request.h"
#include "model/profile.h"

/* Reads everything in the order of semantics.md section 1.1 or fails as a whole:
 * NULL with ERR set (input, usage for contradictions, cancelled).  PROGRESS
 * may be NULL.  The profile is the caller's. */
struct profile *load_profile(const struct load_request *request, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err);

/* The graph of REQUEST alone, to be looked at while load_rest() reads the rest;
 * nodes have the same ids in both.  NULL with ERR empty when that does not
 * pay: there is nothing else, it is soon read, or the graph (or a FILE, which may
 * be one) is a stream, which can be read but once.  *BEGUN is then what load_rest() goes on
 * with; NULL: it begins afresh. */
struct load_begun;
struct profile *load_graph_first(const struct load_request *request,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct load_begun **begun, struct err *err);
/* As load_profile() for what load_graph_first() was asked for, without reading the graphs again when
 * options of loading are the same; takes BEGUN over.  The first profile may be freed before or after. */
struct profile *load_rest(struct load_begun *begun, const struct load_request *request,
                          struct load_progress *progress, struct cancel_mark cancel,
                          struct err *err);
/* For a load that will not go on; NULL is fine. */
void load_begun_free(struct load_begun *begun);

/* False with ERR (input) when a mapped input of P has lost pages since it was
 * opened: they read as zeros, and figures made of them are worth nothing. */
bool load_check(const struct profile *p, struct err *err);

#endif
