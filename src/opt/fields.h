/* fields.h: the select fields: what a row can show. */
#ifndef TFPROF_OPT_FIELDS_H
#define TFPROF_OPT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/metric.h"

/* The metrics are fields of their own number; these follow. */
enum field_id {
    FIELD_DEVICE = METRIC_COUNT,
    FIELD_OP_TYPES,
    FIELD_INPUT_SHAPES,
    FIELD_OUTPUT_SHAPES,
    FIELD_TENSOR_VALUE,
    FIELD_NUM_HIDDEN_OPS,
    FIELD_COUNT
};

/* Bit I is field I. */
typedef uint32_t field_set;
#define FIELD_BIT(field) ((field_set)1 << (field))

static inline bool field_in(field_set set, int field)
{
    return set >> field & 1;
}

struct field {
    const char *name;   /* of -select */
    const char *legend; /* of scope and graph, see field_legend(); NULL: no column */
    const char *help;
};

/* Metrics included (their rows are made from METRIC_LIST). */
const struct field *field_get(int field);
/* The legend in the views of single nodes (scope, graph) or of groups (MULTI:
 * code, op); NULL: no column. */
const char *field_legend(int field, bool multi);
/* The field of a name, or -1. */
int field_find(const char *name);
/* Legend order of a view kind: scope and graph (multi false), code and op
 * (multi true); FIELD_COUNT entries. */
const int *field_order(bool multi);

#endif
