/* model_rows.h: rows, totals and summaries of models whose formats have their own decoders. */
#pragma once

#include "load/graph/row_paths.h"

/* An element type in the numbering of a format. */
struct element_type {
    const char *name;  /* such as "f32" */
    uint8_t bits;      /* bits of an element; 0: sizes differ */
    uint8_t tf_number; /* TensorFlow's DataType number; 0: none */
};

enum { ELEMENT_TYPES_MAX = 32 };

struct model_rows {
    struct loader *l;
    struct builder *b;
    struct row_paths paths;
    struct strbuf text; /* scratch */
    const struct element_type *types;
    uint8_t n_types;
    bool saturated; /* a number of elements exceeded 64 bits */
    int64_t of_type[ELEMENT_TYPES_MAX][3]; /* tensors, parameters, bytes */
};

/* Begins a model with N_TYPES element TYPES, whose operations have rules with PREFIX.  False with
 * ERR if there is a graph already; model_rows_done() is required in any case. */
bool model_rows_init(struct model_rows *m, struct loader *l, const char *prefix,
                     const struct element_type *types, uint8_t n_types, struct err *err);
void model_rows_done(struct model_rows *m);

/* Adds a row for the definition MESSAGE. */
node_id model_row(struct model_rows *m, strid path, strid op, struct span message,
                  enum node_form form);

/* A tensor that a file stores. */
struct model_tensor {
    uint8_t type; /* index in the types */
    shape_id shape;
    int64_t n_elements, bytes;
    int64_t own_bytes; /* bytes, where these do not follow from the type; else 0 */
    bool is_constant;  /* not a parameter */
};

/* The product of DIMS; 0 if one is not positive. */
int64_t model_elements(struct model_rows *m, const int64_t *dims, size_t n);
/* Sets type, shape and size of NODE, and adds T to the totals. */
void model_tensor_set(struct model_rows *m, node_id node, const struct model_tensor *t);

/* Records KEY as the name of NODE in runs, and VALUE as a tensor that NODE makes; the first of
 * equal names counts. */
void model_name_in_runs(struct loader *l, const void *key, size_t len, node_id node);
void model_value_in_runs(struct loader *l, struct span value, node_id node);

/* Facts for the summary. */
void model_fact(struct model_rows *m, const char *key, enum file_fact_kind kind, struct span name,
                struct span text);
void model_number(struct model_rows *m, const char *key, int64_t number);
/* The totals of each element type. */
void model_type_facts(struct model_rows *m);
/* A note "PATH: N MANY", for 1 "PATH: 1 ONE", unless N is 0. */
void model_note(struct model_rows *m, int64_t n, const char *one, const char *many);

/* The bytes of m->text. */
static inline struct span model_text(struct model_rows *m)
{
    return (struct span){(const uint8_t *)sb_text(&m->text), m->text.len};
}
