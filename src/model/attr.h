/* attr.h: what a node's attributes hold, whoever decodes them. */
#ifndef TFPROF_MODEL_ATTR_H
#define TFPROF_MODEL_ATTR_H

#include "base/arena.h"
#include "model/profile.h"

enum attr_kind {
    ATTR_NONE, /* no member set */
    ATTR_STRING,
    ATTR_INT,
    ATTR_FLOAT,
    ATTR_BOOL,
    ATTR_TYPE,
    ATTR_SHAPE,
    ATTR_TENSOR,
    ATTR_FUNC,
    ATTR_PLACEHOLDER,
    ATTR_LIST, /* list; item_kind tells of what, ATTR_NONE when empty */
};

/* A shape as written: rank 0 is n_dims 0, not [1]. */
struct attr_shape {
    bool unknown_rank;
    uint32_t n_dims;
    const int64_t *dims; /* -1 unknown */
};

/* A literal; its values are decoded when somebody asks, see struct attr_source. */
struct attr_tensor {
    int dtype; /* DataType number */
    struct attr_shape shape;
    const uint8_t *message; /* the TensorProto as it stands, binary form */
    size_t len_bytes;
};

struct attr_bytes {
    const char *bytes;
    size_t len;
};

struct attr_value {
    enum attr_kind kind;
    enum attr_kind item_kind; /* of a list */
    uint32_t n_items;         /* of a list */
    union {
        struct attr_bytes s; /* string, placeholder, function name */
        int64_t i;           /* int, bool, type */
        double f;
        struct attr_shape shape;
        struct attr_tensor tensor;
        const struct attr_bytes *list_s; /* also function names */
        const int64_t *list_i;           /* int, bool, type */
        const double *list_f;
        const struct attr_shape *list_shape;
        const struct attr_tensor *list_tensor;
    } v;
};

struct attr {
    struct attr_bytes name;
    struct attr_value value;
};

/* One attribute by name, or NULL. */
const struct attr_value *attrs_find(const struct attr *attrs, size_t n, const char *name);

/* The first values of a literal: N at V, of N_ALL that it has.  N_ALL is -1 and N 0 when it has
 * none of the kind, or when its data do not fit its shape.  Who decodes them takes the memory for
 * them as well, so nobody else has an idea of their number. */
struct attr_int64s {
    int64_t n_all;
    size_t n;
    const int64_t *v;
};
struct attr_doubles {
    int64_t n_all;
    size_t n;
    const double *v;
};
struct attr_strings {
    int64_t n_all;
    size_t n;
    const struct attr_bytes *v;
};

/* How attributes are decoded.  Layers beside load/ get them through this
 * record; the functions are those of load/graph/attrs.h, where they are described. */
struct attr_source {
    const struct attr *(*decode)(const struct profile *p, node_id node, struct arena *arena,
                                 size_t *n);
    struct attr_int64s (*int64s)(const struct attr_tensor *t, size_t max, struct arena *arena);
    struct attr_doubles (*doubles)(const struct attr_tensor *t, size_t max, struct arena *arena);
    struct attr_strings (*strings)(const struct attr_tensor *t, size_t max, struct arena *arena);
    /* Shape of the tensor that P's checkpoint has for a variable's name. */
    bool (*stored_shape)(const struct profile *p, const char *name, size_t len,
                         struct attr_shape *shape);
};

#endif
