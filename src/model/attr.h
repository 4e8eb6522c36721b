/* attr.h: decoded attributes of a node. */
#pragma once

#include <string.h>

#include "base/arena.h"
#include "model/profile.h"

enum attr_kind {
    ATTR_NONE, /* no member is set */
    ATTR_STRING,
    ATTR_INT,
    ATTR_FLOAT,
    ATTR_BOOL,
    ATTR_TYPE,
    ATTR_SHAPE,
    ATTR_TENSOR,
    ATTR_FUNC,
    ATTR_PLACEHOLDER,
    ATTR_LIST, /* list; item_kind is the kind of its items, ATTR_NONE when empty */
};

/* A shape as recorded: rank 0 has n_dims 0, not [1]. */
struct attr_shape {
    bool unknown_rank;
    uint32_t n_dims;
    const int64_t *dims; /* -1: unknown */
};

/* A tensor literal; its values are decoded on demand, see struct attr_source. */
struct attr_tensor {
    int dtype; /* DataType number */
    struct attr_shape shape;
    const uint8_t *message; /* the TensorProto in binary form */
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
        struct attr_bytes s; /* string, placeholder, or function name */
        int64_t i;           /* int, bool, type */
        double f;
        struct attr_shape shape;
        struct attr_tensor tensor;
        const struct attr_bytes *list_s; /* including function names */
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

/* The attribute NAME, or NULL. */
static inline const struct attr_value *attrs_find(const struct attr *attrs, size_t n, const char *name)
{
    const size_t len = strlen(name);

    for (size_t i = 0; i < n; i++)
        if (attrs[i].name.len == len && memcmp(attrs[i].name.bytes, name, len) == 0)
            return &attrs[i].value;
    return NULL;
}

/* The first N of N_ALL values of a literal, at V. N_ALL is -1 and N is 0 if the literal has other
 * types, or data that contradict its shape. V is allocated in the arena. */
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

/* Decodes attributes.  Layers that cannot include load/ use this record; its functions are
 * documented in load/graph/attrs.h. */
struct attr_source {
    const struct attr *(*decode)(const struct profile *p, node_id node, struct arena *arena,
                                 size_t *n);
    struct attr_int64s (*int64s)(const struct attr_tensor *t, size_t max, struct arena *arena);
    struct attr_doubles (*doubles)(const struct attr_tensor *t, size_t max, struct arena *arena);
    struct attr_strings (*strings)(const struct attr_tensor *t, size_t max, struct arena *arena);
    /* Gets the shape of the tensor that P's checkpoint has for the variable NAME; false: none. */
    bool (*stored_shape)(const struct profile *p, const char *name, size_t len,
                         struct attr_shape *shape);
};

/* Bytes of all inputs and outputs of each node of P in one execution: heap, [n_nodes]; 0 when a
 * shape or type is unknown (doc/semantics.md section 2, bytes_accessed).  Linear time in inputs and
 * outputs. */
int64_t *tensor_bytes_new(const struct profile *p);
