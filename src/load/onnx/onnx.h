/* onnx.h: what the files of the reader of ONNX models share (formats-onnx.md). */
#pragma once

#include "base/vec.h"
#include "load/graph/row_paths.h"
#include "load/loader.h"
#include "model/attr.h"

/* ---- element types and tensors, onnx_tensor.c */

struct onnx_type {
    const char *name;   /* "f32" */
    uint8_t bits;       /* of an element, 0: strings */
    uint8_t tf_number;  /* of DataType, 0: it has none */
};

enum { ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_BOOL = 9, ONNX_TYPE_COUNT = 27 };

/* The row of a DataType number; that of UNDEFINED for numbers not known. */
const struct onnx_type *onnx_type_of(int64_t number);

/* A TensorProto; spans are borrowed from it. */
struct onnx_tensor {
    struct span name;
    dim_list dims;          /* owned by who decodes it, and used again */
    int64_t type;
    int64_t string_bytes;   /* sum of string_data */
    struct span location;   /* of external data; bytes NULL: in the file */
    bool is_external;
};

bool onnx_tensor_read(const struct loader *l, struct span message, struct onnx_tensor *t,
                      struct err *err);
/* True when T is a constant, not a parameter, as an initializer. */
bool onnx_tensor_is_constant(const struct onnx_tensor *t);

struct onnx;
/* Gives NODE the shape, types and bytes of T, and counts it. */
void onnx_tensor_set(struct onnx *x, node_id node, const struct onnx_tensor *t, bool constant);

/* ---- attributes, onnx_attrs.c */

/* See profile.attrs_of_def. */
const struct attr *onnx_attrs_of_def(const struct profile *p, struct node_def def,
                                     struct arena *arena, size_t *n);
/* The next entry of string pairs: KEY and VALUE of a StringStringEntryProto. */
void onnx_pair(struct span message, struct span *key, struct span *value);

/* ---- graphs, onnx_graph.c */

/* What makes a value that nodes read. */
struct onnx_value {
    strid name;        /* of the value, in onnx.values */
    uint32_t depth;    /* of the graph that makes it */
    uint32_t shadowed; /* of the same name, further out: its place + 1; 0: none */
    strid node;        /* row, or free tensor, in the profile's strings */
    int32_t output;
    shape_id shape;
    uint8_t bits;
};

/* A graph that is a body, or a call of a function. */
struct onnx_body {
    struct span graph;
    struct span call;  /* NodeProto of a call, for its inputs; bytes NULL: a subgraph */
    node_id holder;
    strid prefix;      /* of paths in it, without the last slash */
    uint32_t function; /* place + 1; 0: a subgraph */
};

/* A graph under way. */
struct onnx_frame {
    struct onnx_body body;
    uint32_t seen_from;   /* depth of the outermost graph whose values are seen */
    size_t first_value;   /* in onnx.bound */
    VEC(struct onnx_body) bodies; /* below it, in order */
    size_t next_body;
};

struct onnx_function {
    struct span message, name;
};

struct onnx_node {
    struct span message;
    node_id id;
};

enum { ONNX_MAX_DEPTH = 64, ONNX_MAX_NODES = 1000000 };

struct onnx {
    struct loader *l;
    struct builder *b;
    struct intern values;             /* names of values and of dimensions */
    VEC(uint32_t) value_of;           /* by id in values: place in bound + 1 */
    VEC(struct onnx_value) bound;
    VEC(struct onnx_frame) frames;
    VEC(struct onnx_node) nodes;      /* of the graph at hand */
    VEC(struct onnx_function) functions;
    struct intern function_keys;      /* of functions; id - 1 is the place */
    uint64_t expanded_bytes;          /* of bodies of functions, as they stand in the file */
    struct row_paths paths;
    VEC(strid) batch_dims;            /* names of dimensions that are the size of the batch */
    struct onnx_tensor tensor;        /* scratch */
    struct strbuf text;               /* scratch */
    dim_list dims;                    /* scratch */
    int64_t run_index; /* of the next node, without those of type Constant */
    int32_t n_results; /* of bodies, so far */
    int64_t n_nodes, n_tensors, n_undefined, n_closed_calls, n_missing_files, n_flow;
    int64_t of_type[ONNX_TYPE_COUNT][3]; /* tensors, parameters, bytes */
    bool saturated;
};

/* Adds the rows of the main graph and of all bodies. */
bool onnx_add_graph(struct onnx *x, struct span graph, struct err *err);

/* onnx_values.c */
/* Strings of messages are UTF-8: what is not was damaged.  False with ERR then. */
bool onnx_check_string(const struct onnx *x, struct span string, struct err *err);
void onnx_bind(struct onnx *x, struct span name, strid node, int32_t output);
/* What makes the value NAME as the graph at hand sees it, or NULL; valid until the next bind. */
struct onnx_value *onnx_lookup(struct onnx *x, struct span name);
/* The same when the graph at hand makes it. */
struct onnx_value *onnx_lookup_own(struct onnx *x, struct span name);
/* Forgets the values of the graph at hand. */
void onnx_unbind(struct onnx *x);
/* A ValueInfoProto. */
struct onnx_info {
    struct span name;
    shape_id shape;
    int64_t type;
    uint64_t batch_dims;
    struct span shape_message; /* bytes NULL: unknown rank */
};
bool onnx_info_read(struct onnx *x, struct span message, struct onnx_info *info, struct err *err);
/* Adds the name of the first dimension of a graph input to those of the batch. */
bool onnx_note_batch(struct onnx *x, struct span message, struct err *err);

/* Adds the rows of the graph of the innermost frame, and what their inputs are. */
bool onnx_fill_graph(struct onnx *x, struct err *err);
/* Adds a FunctionProto to the functions that nodes may call. */
void onnx_add_function(struct onnx *x, struct span message);
/* Has the body of a function put below NODE, of PATH, when NODE calls one. */
void onnx_note_call(struct onnx *x, struct span message, struct span domain, struct span type,
                    struct span overload, strid path, node_id node);
/* The call stack that TEXT spells, as PyTorch writes it. */
stack_id onnx_stack(struct onnx *x, struct span text);
