/* fields.h: the select fields: the columns of a row. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"

/* X(ID, name, legend, help, position in scope and graph, in code and op) of every field that is not
 * a metric.  Its text comes from text_NAME() in render/row_field.c.  Legend NULL: not a column. */
#define FIELD_LIST(X)                                                                         \
    X(BOUND, bound, "bound by",                                                               \
      "limit of the speed: compute, memory, or latency", 127, 127)      \
    X(DEVICE, device, "assigned devices", "devices it was placed on", 100, 100)               \
    X(OP_TYPES, op_types, "op types", "operation and further types", 110, 110)                \
    X(INPUT_SHAPES, input_shapes, "input shapes", "shapes of the inputs", 130, 130)        \
    X(OUTPUT_SHAPES, output_shapes, "output shapes",                                          \
      "shapes of the outputs: recorded, of a run or inferred", 140, 140)                    \
    X(TENSOR_VALUE, tensor_value, NULL, "value in the checkpoint, below the row", 150, 150)   \
    X(NUM_HIDDEN_OPS, num_hidden_ops, "# hidden ops",                                         \
      "accounted nodes below a row that are not displayed", 160, 160)                         \
    X(BY_STEP, by_step, "by step", "a figure at each step: the time, else the first selected one", 170, 170)

#define FIELD_ID(id, ...) FIELD_##id,
/* A metric's field has the metric's number; the other fields follow. */
enum field_id { FIELD_LAST_METRIC = METRIC_COUNT - 1, FIELD_LIST(FIELD_ID) FIELD_COUNT };
#undef FIELD_ID

/* Bit I is field I. */
typedef uint64_t field_set;
_Static_assert(FIELD_COUNT <= 8 * sizeof(field_set), "a bit for each field");
#define FIELD_BIT(field) ((field_set)1 << (field))

static inline bool field_in(field_set set, int field)
{
    return set >> field & 1;
}

struct field {
    const char *name;   /* for -select */
    const char *legend; /* in scope and graph, see field_legend(); NULL: not a column */
    const char *help;
    struct field_position place;
};

/* Any field, metrics included. */
const struct field *field_get(int field);
/* The legend in views of single nodes (scope, graph) or of groups (MULTI: code, op); NULL: not a
 * column. */
const char *field_legend(int field, bool multi);
/* The field named NAME, or -1. */
int field_find(const char *name);
/* All fields in the order of the legend, in views of single nodes or of groups (MULTI): by
 * position, equal positions by number. */
void field_order(bool multi, int order[FIELD_COUNT]);

/* The time if it is selected, else the first selected metric of the legend that can be summed;
 * METRIC_COUNT: none. */
enum metric_id main_metric(field_set select);
