/* tflite.h: functions shared by the files of the TFLite reader (formats-tflite.md). */
#pragma once

#include "load/graph/model_rows.h"
#include "load/tflite/flat.h"
#include "model/attr.h"

/* The name of a builtin operator, such as "CONV_2D"; NULL if unknown. */
const char *tflite_builtin_name(uint32_t code);

enum { TFLITE_INT32 = 2, TFLITE_INT64 = 4, TFLITE_STRING = 5, TFLITE_BOOL = 6, TFLITE_TYPE_COUNT = 20 };

/* By TensorType number; the last one is for unknown numbers. */
extern const struct element_type tflite_types[TFLITE_TYPE_COUNT];

/* Offsets of fields in vtables. */
enum {
    MODEL_VERSION = 4, MODEL_CODES = 6, MODEL_SUBGRAPHS = 8, MODEL_DESCRIPTION = 10, MODEL_BUFFERS = 12,
    CODE_OLD = 4, CODE_CUSTOM = 6, CODE_BUILTIN = 10,
    GRAPH_TENSORS = 4, GRAPH_INPUTS = 6, GRAPH_OUTPUTS = 8, GRAPH_OPERATORS = 10, GRAPH_NAME = 12,
    TENSOR_SHAPE = 4, TENSOR_TYPE = 6, TENSOR_BUFFER = 8, TENSOR_NAME = 10, TENSOR_QUANTIZATION = 12,
    TENSOR_SIGNATURE = 18,
    OP_CODE = 4, OP_INPUTS = 6, OP_OUTPUTS = 8, OP_OPTIONS = 12,
    BUFFER_DATA = 4, BUFFER_OFFSET = 6, BUFFER_SIZE = 8,
};

/* The builtin code of operator OP; *CUSTOM is the name of a custom operator. */
uint32_t tflite_code(struct flat *f, struct flat_table model, struct flat_table op,
                     struct span *custom);

/* Implements profile.attrs_of_def. */
const struct attr *tflite_attrs_of_def(const struct profile *p, struct node_def def,
                                       struct arena *arena, size_t *n);
