/* generate.h: random parts of inputs; every case is a function of its number.  What is generated is
 * well formed, mostly plausible, and sometimes inconsistent; case_tree_mutate() then makes it
 * inconsistent. */
#pragma once

#include "meaning/case_tree.h"

enum { DRAW_MAX_NODES = 40, DRAW_MAX_FUNCTIONS = 6 };

struct draw {
    struct case_tree *tree;
    uint64_t random;
    uint32_t n_nodes;     /* of the graph; other files refer to them */
    uint32_t n_functions; /* of its function library */
    bool contradicts;     /* recorded shapes often contradict constant values, which are often
                           * empty */
    char text[64];        /* result of draw_name() and similar functions, until the next call */
};

uint32_t draw_below(struct draw *d, uint32_t n);
/* True with probability 1 / N. */
bool draw_rarely(struct draw *d, uint32_t n);
#define DRAW_ONE(d, list) ((list)[draw_below((d), (uint32_t)(sizeof(list) / sizeof *(list)))])

/* Mostly small; sometimes a limit of a type. */
int64_t draw_int(struct draw *d);
/* A size in bytes or a time; like draw_int(), rarely negative. */
int64_t draw_amount(struct draw *d);
/* The size of a dimension: small or unknown, rarely invalid. */
int64_t draw_size(struct draw *d);
int draw_dtype(struct draw *d);
/* Bytes of an element; 4 for types without a fixed size. */
uint32_t draw_dtype_bytes(int dtype);
/* One of the words of LIST, which are separated by single blanks; cut to SIZE. */
const char *draw_word(struct draw *d, const char *list, char *word, size_t size);

/* The name of node I of the graph, or of function I; I may be out of range. */
const char *draw_node_name(struct draw *d, uint32_t i);
const char *draw_function_name(struct draw *d, uint32_t i);
/* The name of any node, or one that no node has. */
const char *draw_any_node(struct draw *d);
const char *draw_any_function(struct draw *d);
const char *draw_device(struct draw *d);

/* Adds a field to the open message: a shape, a tensor, attributes. */
void draw_shape(struct draw *d, const char *field);
void draw_shape_of(struct draw *d, const char *field, const int64_t *dims, uint32_t rank);
void draw_tensor(struct draw *d, const char *field);
/* A constant tensor of N small integers: sizes, axes, paddings. */
void draw_int_tensor(struct draw *d, const char *field, uint32_t n, bool scalar);
void draw_attrs(struct draw *d, uint32_t one_in);
/* Opens the value of attribute NAME in field ATTR of the open message. */
void draw_attr_open(struct draw *d, const char *name);
void draw_attr_close(struct draw *d);
void draw_attr_int(struct draw *d, const char *name, int64_t value);
void draw_attr_type(struct draw *d, const char *name, int dtype);
void draw_attr_text(struct draw *d, const char *name, const char *text);
void draw_attr_func(struct draw *d, const char *name, const char *function);
void draw_attr_tensor(struct draw *d, const char *name);
/* Attribute _output_shapes of a node whose output contains sizes: mostly a scalar or a vector. */
void draw_recorded_sizes(struct draw *d);

/* ---- parts of several formats */

/* The fields of a GraphDef. */
void draw_graph(struct draw *d);
/* Nodes of a loop, and nodes that compute sizes. */
void draw_loop(struct draw *d);
void draw_sizes(struct draw *d);
/* The library of functions, in field LIBRARY. */
void draw_library(struct draw *d);
/* The type, inputs and attributes of a node that calls a function. */
void draw_call(struct draw *d, uint32_t i);
/* The fields of a RunMetadata. */
void draw_run(struct draw *d);
/* The fields of an OpLogProto. */
void draw_op_log(struct draw *d);
/* The fields of an HloProto. */
void draw_hlo(struct draw *d);
/* A stack of calls in field FIELD. */
void draw_trace(struct draw *d, const char *field, bool with_ids);
/* The table of strings that stack frames refer to, in field id_to_string; some are missing. */
void draw_strings(struct draw *d);
/* An operation type as op logs use them. */
const char *draw_type(struct draw *d);
/* Adds an excerpt of the message FROM, small enough for a test. */
void draw_excerpt(struct draw *d, const struct case_tree *from);
/* Adds options of the input and of a query. */
void draw_options(struct draw *d);

/* A random operation type that has a shape rule. */
const char *draw_ruled_op(uint64_t *random);

/* Changes T so that its parts are inconsistent. */
void case_tree_mutate(struct case_tree *t, uint64_t *random);
