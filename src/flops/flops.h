/* flops.h: operation counts of every node, by shape inference and counting rules. */
#pragma once

#include "base/arena.h"
#include "base/cancel.h"
#include "base/strbuf.h"
#include "flops/flops_types.h"
#include "shapes/shape_graph.h"

/* Counts P, which has to outlive the result; REQUEST is copied.  NULL with ERR when -bind is
 * malformed (usage) or when cancelled. */
struct flops *flops_compute(const struct profile *p, const struct flops_request *request,
                            struct cancel_mark cancel, struct err *err);
void flops_free(struct flops *f);

enum flops_rules flops_rules_of(const struct flops *f);
/* True when F uses rules: a state other than FLOPS_COUNTED is then the reason for a missing
 * count. */
bool flops_by_rules(const struct flops *f);

/* The inferred shape of output INDEX; false when its rank is unknown.  DIMS (-1: unknown) is valid
 * as long as F. */
bool flops_output_shape(const struct flops *f, node_id node, int32_t index, const int64_t **dims,
                        uint32_t *n_dims);

struct known_shape {
    const int64_t *dims; /* -1: unknown */
    uint32_t n_dims;
    enum shape_origin origin;
};

/* The functions below use memory of F: one thread at a time. */
/* Lists the first MAX outputs of NODE (at most SHAPE_OUTPUTS_MAX) in memory of ARENA; returns the
 * number of outputs.  With F NULL, or with recorded counts, the shapes are those that P's profile
 * and its runs recorded.  A file of a few bytes can declare 65,536 outputs, so callers that visit
 * many nodes use a small MAX. */
size_t flops_shapes(const struct flops *f, const struct profile *p, node_id node, uint32_t max,
                    struct arena *arena, const struct known_shape **shapes);
/* The shape that INPUT reads.  F has inferred shapes.  Its origin is always SHAPE_INFERRED; its
 * dims belong to F. */
struct known_shape flops_input_shape(const struct flops *f, const struct node_input *input);
/* True when F has inferred shapes. */
bool flops_has_shapes(const struct flops *f);
/* The shape of one output; its dims are in ARENA. */
struct known_shape flops_shape(const struct flops *f, const struct profile *p, node_id node,
                               int32_t index, struct arena *arena);
/* Appends NODE's formula with its numbers: "2 * N(out) * kh * kw * Cin = 2 * 128x32x32x16 * 3 * 3 *
 * 3 = 113246208"; when it is not counted, the reason.  A recorded count has no formula. */
void flops_explain(const struct flops *f, node_id node, struct strbuf *sb);
/* True when NODE calls functions that flops_explain() can explain. */
bool flops_is_call(const struct flops *f, node_id node);
/* Appends one line on the coverage: "counted 812 of 940 compute ops; 96 unknown shape: -batch binds
 * 90 of them; 32 without a rule: Foo, Bar". */
void flops_coverage(const struct flops *f, struct strbuf *sb);
/* Appends the limits of the counts for the head of a table: " (loops: one iteration; branches: the
 * costliest)".  Appends nothing for recorded counts and for graphs without loops and branches. */
void flops_limits(const struct flops *f, struct strbuf *sb);
/* Op types without a rule, most frequent first; *N entries, freed by the caller. */
struct flops_type_without_rule {
    strid op;
    const char *name; /* name of op */
    uint32_t n_nodes;
};
struct flops_type_without_rule *flops_types_without_rule(const struct flops *f, size_t *n);
