/* onnx.h: state and functions shared by the files of the ONNX reader (formats-onnx.md). */
#pragma once

#include "base/budget.h"
#include "base/vec.h"
#include "load/graph/model_rows.h"
#include "load/loader.h"
#include "model/attr.h"

/* ---- element types and tensors, onnx_values.c */

enum { ONNX_INT64 = 7, ONNX_STRING = 8, ONNX_BOOL = 9, ONNX_TYPE_COUNT = 27 };

/* By DataType number. */
extern const struct element_type onnx_types[ONNX_TYPE_COUNT];

/* NUMBER if it is a known DataType, else that of UNDEFINED. */
static inline uint8_t onnx_type(int64_t number)
{
    return (uint8_t)(number > 0 && number < ONNX_TYPE_COUNT ? number : 0);
}

/* A decoded TensorProto; spans point into the message. */
struct onnx_tensor {
    struct span name;
    dim_list dims;          /* reused between calls; freed by the caller */
    int64_t type;
    int64_t string_bytes;   /* sum of the lengths in string_data */
    struct span location;   /* path of external data; bytes NULL: the data are in the file */
    bool is_external;
};

bool onnx_tensor_read(const struct loader *l, struct span message, struct onnx_tensor *t,
                      struct err *err);
/* True when initializer T is a constant rather than a parameter. */
bool onnx_tensor_is_constant(const struct onnx_tensor *t);

struct onnx;
/* Sets shape, types and bytes of NODE from T, and adds T to the totals. */
void onnx_tensor_set(struct onnx *x, node_id node, const struct onnx_tensor *t, bool constant);

/* ---- attributes, onnx_attrs.c */

/* Implements profile.attrs_of_def. */
const struct attr *onnx_attrs_of_def(const struct profile *p, struct node_def def,
                                     struct arena *arena, size_t *n);
/* Decodes a StringStringEntryProto. */
void onnx_pair(struct span message, struct span *key, struct span *value);

/* ---- graphs, onnx_graph.c */

/* The node or tensor that produces a value. */
struct onnx_value {
    strid name;        /* id in onnx.values */
    uint32_t depth;    /* depth of the graph that produces it */
    uint32_t shadowed; /* value of the same name in an outer graph: index in bound + 1; 0: none */
    strid node;        /* name of its row or free tensor, in the profile's strings */
    int32_t output;
    shape_id shape;
    uint8_t bits;
};

/* The body of a control flow node, or of a called function. */
struct onnx_body {
    struct span graph; /* of the main graph: its first piece */
    struct span call;  /* NodeProto of the call; bytes NULL: a subgraph */
    node_id holder;
    strid prefix;      /* prefix of its paths, without a final slash */
    uint32_t function; /* index in functions + 1; 0: a subgraph */
};

/* A graph that is being read. */
struct onnx_frame {
    struct onnx_body body;
    uint32_t seen_from;   /* depth of the outermost graph whose values are visible */
    size_t first_value;   /* index in onnx.bound */
    VEC(struct onnx_body) bodies; /* bodies of its nodes, in order */
    size_t next_body;
};

struct onnx_function {
    struct span message, name;
    uint64_t n_nodes; /* without those of subgraphs */
};

struct onnx_node {
    struct span message;
    node_id id;
    int32_t n_outputs;
};

enum { ONNX_MAX_DEPTH = 64, ONNX_MAX_NODES = 1000000 };

struct onnx {
    struct loader *l;
    struct builder *b;
    struct model_rows rows;
    VEC(struct span) graph;           /* the pieces of the main graph */
    struct intern values;             /* names of values and dimensions */
    VEC(uint32_t) value_of;           /* by id in values: index in bound + 1 */
    VEC(struct onnx_value) bound;
    VEC(struct onnx_frame) frames;
    VEC(struct onnx_node) nodes;      /* of the current graph */
    VEC(struct onnx_function) functions;
    struct intern function_keys;      /* keys of functions; id - 1 is the index */
    struct budget budget;             /* for expanded bodies of functions */
    VEC(strid) batch_dims;            /* names of dimensions that are the batch size */
    struct onnx_tensor tensor;        /* scratch */
    dim_list dims;                    /* scratch: of the last shape that was read */
    struct strbuf dims_text;          /* likewise: "[batch,3,?]", or "?" */
    int64_t run_index; /* index of the next node, not counting Constant */
    int32_t n_results; /* results of bodies so far */
    int64_t n_nodes, n_tensors, n_undefined, n_closed_calls, n_missing_files, n_flow;
};

/* Adds the rows of the main graph and of all bodies. */
bool onnx_add_graph(struct onnx *x, struct err *err);

/* onnx_values.c */
void onnx_bind(struct onnx *x, struct span name, strid node, int32_t output);
/* The producer of value NAME as the current graph sees it, or NULL; valid until the next bind. */
struct onnx_value *onnx_lookup(struct onnx *x, struct span name);
/* The same, but only if the current graph produces it. */
struct onnx_value *onnx_lookup_own(struct onnx *x, struct span name);
/* Removes the values of the current graph. */
void onnx_unbind(struct onnx *x);
/* A decoded ValueInfoProto. */
struct onnx_info {
    struct span name;
    shape_id shape;
    int64_t type;
    uint64_t batch_dims;
    struct span type_message, tensor_type; /* bytes NULL: absent */
    struct span shape_message; /* bytes NULL: unknown rank */
    struct span first_dim;     /* name of the first dimension; empty: none */
};
bool onnx_info_read(struct onnx *x, struct span message, struct onnx_info *info, struct err *err);
/* Records the name of the first dimension of a graph input as a batch size. */
bool onnx_note_batch(struct onnx *x, struct span message, struct err *err);

/* Adds the rows and inputs of the graph in the innermost frame. */
bool onnx_fill_graph(struct onnx *x, struct err *err);
/* Charges a row of a subgraph to the budget; rows of functions are charged by call. */
void onnx_charge_row(struct onnx *x);
/* Adds a FunctionProto to the functions that nodes may call. */
void onnx_add_function(struct onnx *x, struct span message);
/* Queues the body of the function that NODE at PATH calls, if it calls one. */
void onnx_note_call(struct onnx *x, struct span message, struct span domain, struct span type,
                    struct span overload, strid path, node_id node);
