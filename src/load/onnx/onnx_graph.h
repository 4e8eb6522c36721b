/* onnx_graph.h: one graph of an ONNX model, and the bodies below it. */
#ifndef TFPROF_LOAD_ONNX_ONNX_GRAPH_H
#define TFPROF_LOAD_ONNX_ONNX_GRAPH_H

#include "load/onnx/onnx.h"

bool onnx_span_is(struct span s, const char *text);
/* Adds the rows of the graph of the innermost frame, and what their inputs are. */
bool onnx_fill_graph(struct onnx *x, struct err *err);
/* Adds a FunctionProto to the functions that nodes may call. */
void onnx_add_function(struct onnx *x, struct span message);
/* Has the body of a function put below NODE, of PATH, when NODE calls one. */
void onnx_note_call(struct onnx *x, struct span message, struct span domain, struct span type,
                    struct span overload, strid path, node_id node);
/* The call stack that TEXT spells, as PyTorch writes it. */
stack_id onnx_stack(struct onnx *x, struct span text);

#endif
