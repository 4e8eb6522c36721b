/* flops.h: operation counts of every node by shape inference and rules. */
#ifndef TFPROF_FLOPS_FLOPS_H
#define TFPROF_FLOPS_FLOPS_H

#include "base/arena.h"
#include "base/cancel.h"
#include "base/strbuf.h"
#include "flops/flops_types.h"
#include "shapes/shape_origin.h"

/* Counts P, which must outlive the result; REQUEST is copied.  NULL with ERR
 * on a bad -bind (usage) or when cancelled. */
struct flops *flops_compute(const struct profile *p, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err);
void flops_free(struct flops *f);

/* The rules that F counts by. */
enum flops_rules flops_rules_of(const struct flops *f);
/* True when F counts by rules, so that a state that is not FLOPS_COUNTED says why. */
bool flops_by_rules(const struct flops *f);

/* Inferred shape of output INDEX: more than the profile knows; false when its
 * rank is unknown.  DIMS (-1: unknown) is valid as long as F. */
bool flops_output_shape(const struct flops *f, node_id node, int32_t index, const int64_t **dims,
                        uint32_t *n_dims);

struct known_shape {
    const int64_t *dims; /* -1: unknown */
    uint32_t n_dims;
    enum shape_origin origin;
};

/* The following ones use memory of F: one thread at a time. */
/* The first MAX outputs of NODE (at most SHAPE_OUTPUTS_MAX), in memory of ARENA; returns how many
 * there are.  F NULL, or
 * of recorded counts: what P, its profile, records, and what a run showed.  A few bytes say that
 * a node has 65,536 outputs: whoever looks at many nodes asks for few of each. */
size_t flops_shapes(const struct flops *f, const struct profile *p, node_id node, uint32_t max,
                    struct arena *arena, const struct known_shape **shapes);
/* What INPUT reads, without the others that its source makes; F has inferred shapes.  The origin
 * is SHAPE_INFERRED wherever the shape is from; the dims belong to F. */
struct known_shape flops_input_shape(const struct flops *f, const struct node_input *input);
/* True when F has inferred shapes. */
bool flops_has_shapes(const struct flops *f);
/* One of them; the dims live in ARENA. */
struct known_shape flops_shape(const struct flops *f, const struct profile *p, node_id node,
                               int32_t index, struct arena *arena);
/* Appends the formula of NODE with its numbers: "2 * N(out) * kh * kw * Cin =
 * 2 * 128x32x32x16 * 3 * 3 * 3 = 113246208"; what is missing when it is not
 * counted.  Recorded counts are their own formula. */
void flops_explain(const struct flops *f, node_id node, struct strbuf *sb);
/* True when NODE calls functions that flops_explain() can tell of. */
bool flops_is_call(const struct flops *f, node_id node);
/* Appends one line on what was counted: "counted 812 of 940 compute ops; 96
 * unknown shape: -batch binds 90 of them; 32 without a rule: Foo, Bar". */
void flops_coverage(const struct flops *f, struct strbuf *sb);
/* Appends what the counts are limited to, for the head of a table: " (loops:
 * one iteration; branches: the costliest)".  Nothing for recorded counts, and
 * where there are no loops and branches. */
void flops_limits(const struct flops *f, struct strbuf *sb);
/* Op types without a rule, most frequent first: *N pairs, to be freed. */
struct flops_ruleless {
    strid op;
    const char *name; /* of it */
    uint32_t n_nodes;
};
struct flops_ruleless *flops_ruleless(const struct flops *f, size_t *n);

#endif
