/* attrs.h: a node's attributes, decoded when somebody looks at them. */
#ifndef TFPROF_LOAD_ATTRS_H
#define TFPROF_LOAD_ATTRS_H

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

/* A literal; values are decoded on demand by tensor_* below. */
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

/* All attributes of NODE in the order of the file, in ARENA (and borrowing
 * from the mapped input); *N of them; NULL with *N = 0 when it has none.  A
 * later one of the same name replaces an earlier one. */
const struct attr *attrs_decode(const struct profile *p, node_id node, struct arena *arena,
                                size_t *n);
/* One attribute by name, or NULL. */
const struct attr_value *attrs_find(const struct attr *attrs, size_t n, const char *name);

/* Decodes at most MAX elements of a numeric tensor, row-major, into OUT (int64
 * or double); the element rules of formats-graph.md section 8.  Returns how
 * many there are in all, or -1 when the type is not numeric or the data do not
 * fit the shape. */
int64_t tensor_int64s(const struct attr_tensor *t, int64_t *out, size_t max);
int64_t tensor_doubles(const struct attr_tensor *t, double *out, size_t max);

/* "DT_FLOAT" for 1; NULL for numbers not known. */
const char *dtype_name(int dtype);

#endif
