/* fields.c: the select fields: metrics first, then what is no number. */
#include "opt/fields.h"

#include <string.h>

#define METRIC_FIELD(id, field_name, field_legend, field_help) \
    [METRIC_##id] = {.name = field_name, .legend = field_legend, .help = field_help},

static const struct field field_table[FIELD_COUNT] = {
    METRIC_LIST(METRIC_FIELD)
    [FIELD_DEVICE] = {.name = "device",
                      .legend = "assigned devices",
                      .help = "devices it was placed on"},
    [FIELD_OP_TYPES] = {.name = "op_types",
                        .legend = "op types",
                        .help = "operation and further types"},
    [FIELD_INPUT_SHAPES] = {.name = "input_shapes",
                            .legend = "input shapes",
                            .help = "shapes of what it reads"},
    [FIELD_OUTPUT_SHAPES] = {.name = "output_shapes",
                             .legend = "output shapes",
                             .help = "shapes of what it makes: recorded, of a run or inferred"},
    [FIELD_TENSOR_VALUE] = {.name = "tensor_value",
                            .help = "value in the checkpoint, below the row"},
    [FIELD_NUM_HIDDEN_OPS] = {.name = "num_hidden_ops",
                              .legend = "# hidden ops",
                              .help = "accounted nodes below a row that are not displayed"},
};

/* semantics.md section 5: the order of columns differs between the views of
 * single nodes and those of groups. */
static const int single_order[FIELD_COUNT] = {
    METRIC_PARAMS,         METRIC_FLOAT_OPS,   METRIC_BYTES,      METRIC_PEAK_BYTES,
    METRIC_RESIDUAL_BYTES, METRIC_OUTPUT_BYTES, METRIC_MICROS,    METRIC_ACCELERATOR_MICROS,
    METRIC_CPU_MICROS,     FIELD_DEVICE,       FIELD_OP_TYPES,    METRIC_OCCURRENCE,
    FIELD_INPUT_SHAPES,    FIELD_OUTPUT_SHAPES, FIELD_TENSOR_VALUE, FIELD_NUM_HIDDEN_OPS,
};

static const int multi_order[FIELD_COUNT] = {
    METRIC_BYTES,       METRIC_PEAK_BYTES,         METRIC_RESIDUAL_BYTES, METRIC_OUTPUT_BYTES,
    METRIC_MICROS,      METRIC_ACCELERATOR_MICROS, METRIC_CPU_MICROS,     METRIC_PARAMS,
    METRIC_FLOAT_OPS,   FIELD_DEVICE,              FIELD_OP_TYPES,        METRIC_OCCURRENCE,
    FIELD_INPUT_SHAPES, FIELD_OUTPUT_SHAPES,       FIELD_TENSOR_VALUE,    FIELD_NUM_HIDDEN_OPS,
};

const struct field *field_get(int field)
{
    return &field_table[field];
}

const char *field_legend(int field, bool multi)
{
    if (multi && field == METRIC_OCCURRENCE)
        return "op occurrence (run|defined)";
    return field_table[field].legend;
}

int field_find(const char *name)
{
    for (int f = 0; f < FIELD_COUNT; f++)
        if (strcmp(field_table[f].name, name) == 0)
            return f;
    return -1;
}

const int *field_order(bool multi)
{
    return multi ? multi_order : single_order;
}
