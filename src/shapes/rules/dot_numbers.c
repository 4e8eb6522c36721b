/* dot_numbers.c: decodes two small messages of XLA, whose fields are numbers or packed lists of
 * numbers. */
#include "shapes/rules/dot_numbers.h"

#include <string.h>

#include "base/wire_in.h"

/* Calls NUMBER for each number in each field; false when the message is malformed. */
static bool each_number(const char *bytes, size_t len,
                        void (*number)(void *context, uint64_t field, int64_t v), void *context)
{
    struct wire_in in = wire_in_of(bytes, len);
    struct wire_field f;

    while (wire_next(&in, &f)) {
        const uint8_t *at = NULL;
        uint64_t v;

        while (wire_next_number(&f, WIRE_VARINT, &at, &v))
            number(context, f.number, (int64_t)v);
    }
    return !in.why;
}

static void dot_number(void *context, uint64_t field, int64_t v)
{
    struct dot_numbers *dot = context;

    if (field >= 1 && field <= DOT_SIDES && dot->n[field - 1] < DIMS_MAX_RANK)
        dot->at[field - 1][dot->n[field - 1]++] = v;
}

bool dot_numbers_parse(struct dot_numbers *dot, const char *bytes, size_t len)
{
    memset(dot->n, 0, sizeof dot->n);
    return each_number(bytes, len, dot_number, dot);
}

bool dot_numbers_has(const struct dot_numbers *dot, enum dot_side side, int64_t at)
{
    for (uint32_t i = 0; i < dot->n[side]; i++)
        if (dot->at[side][i] == at)
            return true;
    return false;
}

/* Field numbers of ConvolutionDimensionNumbers. */
enum {
    KERNEL_INPUT_FEATURE = 3, KERNEL_OUTPUT_FEATURE = 4, KERNEL_SPATIAL = 6,
    INPUT_BATCH = 7, INPUT_FEATURE = 8, OUTPUT_BATCH = 9, OUTPUT_FEATURE = 10,
    INPUT_SPATIAL = 11, OUTPUT_SPATIAL = 12,
};

static void add_spatial(struct conv_side *side, int64_t v)
{
    if (side->n_spatial < CONV_SPATIAL_MAX)
        side->spatial[side->n_spatial++] = v;
}

static void conv_number(void *context, uint64_t field, int64_t v)
{
    struct conv_numbers *conv = context;

    switch (field) {
    case KERNEL_INPUT_FEATURE:  conv->kernel.batch = v; break;
    case KERNEL_OUTPUT_FEATURE: conv->kernel.feature = v; break;
    case KERNEL_SPATIAL:        add_spatial(&conv->kernel, v); break;
    case INPUT_BATCH:           conv->input.batch = v; break;
    case INPUT_FEATURE:         conv->input.feature = v; break;
    case INPUT_SPATIAL:         add_spatial(&conv->input, v); break;
    case OUTPUT_BATCH:          conv->output.batch = v; break;
    case OUTPUT_FEATURE:        conv->output.feature = v; break;
    case OUTPUT_SPATIAL:        add_spatial(&conv->output, v); break;
    default:                    break;
    }
}

bool conv_numbers_parse(struct conv_numbers *conv, const char *bytes, size_t len,
                        uint32_t n_spatial)
{
    *conv = (struct conv_numbers){0};
    if (len > 0)
        return each_number(bytes, len, conv_number, conv) &&
               conv->kernel.n_spatial == conv->input.n_spatial &&
               conv->kernel.n_spatial == conv->output.n_spatial;
    conv->input.feature = conv->output.feature = conv->kernel.batch = 1;
    for (uint32_t i = 0; i < n_spatial; i++) {
        add_spatial(&conv->input, i + 2);
        add_spatial(&conv->kernel, i + 2);
        add_spatial(&conv->output, i + 2);
    }
    return true;
}
