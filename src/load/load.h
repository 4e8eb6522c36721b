/* load.h: loads files into a profile.  The interface of load/. */
#pragma once

#include "base/cancel.h"
#include "base/err.h"
#include "load/load_request.h"
#include "model/profile.h"

/* Loads everything in the order of semantics.md section 1.1, or fails: NULL with ERR (input, usage
 * for contradictions, cancelled).  PROGRESS may be NULL.  The caller owns the profile. */
struct profile *load_profile(const struct load_request *request, struct load_progress *progress,
                             struct cancel_mark cancel, struct err *err);

/* Loads only the graph of REQUEST, to be displayed while load_rest() reads the rest; node ids are
 * equal in both.  Without a graph, loads the first part of a large trace.  NULL without ERR when
 * that is not worthwhile or possible: there is only the graph, the rest is small, or the graph (or
 * a FILE that may be one) is a stream.  *BEGUN is the state for load_rest(); NULL: it starts from
 * the beginning. */
struct load_begun;
struct profile *load_graph_first(const struct load_request *request,
                                 struct load_progress *progress, struct cancel_mark cancel,
                                 struct load_begun **begun, struct err *err);
/* As load_profile(), for the request of load_graph_first(); does not read graphs again if the load
 * options are equal.  Takes ownership of BEGUN.  The first profile may be freed before or after. */
struct profile *load_rest(struct load_begun *begun, const struct load_request *request,
                          struct load_progress *progress, struct cancel_mark cancel,
                          struct err *err);
/* Discards the state of a load that is not continued; BEGUN may be NULL. */
void load_begun_free(struct load_begun *begun);

/* False with ERR (input) when pages of a mapped input of P were lost: they read as zeros, so no
 * figure is valid. */
bool load_check(const struct profile *p, struct err *err);
